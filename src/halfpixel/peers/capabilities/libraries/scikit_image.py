"""skimage.transform.resize, with the border repeated and the range of the values kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from skimage.transform import resize

from halfpixel.peers.capabilities.request import AREA, NoSuchArgumentError, Request
from halfpixel.peers.work import Array

_ORDERS = {"nearest": 0, "linear": 1, "cubic": 3}


def answer(request: Request) -> Array:
    """Return the result of resize; its order 0 is half_pixel, ties upwards, and order 3 is the cubic that it has."""
    mode = request.get("mode")
    if mode == AREA:
        raise NoSuchArgumentError("resize has no means over windows")
    if mode == "nearest" and request.nearest != ("half_pixel", "round_prefer_ceil"):
        raise NoSuchArgumentError(f"has no nearest with {' and '.join(request.nearest)}")
    request.half_pixel()
    smooths = bool(request.get("antialias"))
    function: Any = resize
    y = function(
        request.x, request.lengths, _ORDERS[mode], mode="edge", anti_aliasing=smooths, preserve_range=True, clip=False
    )
    return np.asarray(y)
