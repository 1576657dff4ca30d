"""cv2.resize."""

from __future__ import annotations

import cv2
import numpy as np

from halfpixel.peers.capabilities.request import AREA, NoSuchArgumentError, Request
from halfpixel.peers.work import Array

_NEAREST = {
    ("asymmetric", "floor"): cv2.INTER_NEAREST,
    ("half_pixel", "round_prefer_ceil"): cv2.INTER_NEAREST_EXACT,
}
_SMOOTH = {"linear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC}


def answer(request: Request) -> Array:
    """Return the result for a picture of one channel."""
    if request.x.ndim != 2:
        raise NoSuchArgumentError("resizes the two axes of a picture")
    mode = request.get("mode")
    if mode == AREA:
        flag = cv2.INTER_AREA
    elif mode == "nearest":
        if request.nearest not in _NEAREST:
            raise NoSuchArgumentError(f"has no nearest with {' and '.join(request.nearest)}")
        flag = _NEAREST[request.nearest]
    else:
        request.half_pixel()
        if request.get("antialias"):
            raise NoSuchArgumentError("does not antialias linear and cubic")
        flag = _SMOOTH[mode]
    return np.asarray(cv2.resize(request.x, request.lengths[::-1], interpolation=flag))
