"""Image.resize of Pillow."""

from __future__ import annotations

import numpy as np
from PIL import Image

from halfpixel.peers.capabilities.request import AREA, NoSuchArgumentError, Request
from halfpixel.peers.work import Array

_FILTERS = {"linear": Image.Resampling.BILINEAR, "cubic": Image.Resampling.BICUBIC, AREA: Image.Resampling.BOX}


def answer(request: Request) -> Array:
    """Return the result for a picture of one channel; what fromarray does not take has no picture."""
    if request.x.ndim != 2:
        raise NoSuchArgumentError("resizes the two axes of a picture")
    mode, lengths = request.get("mode"), request.lengths
    if mode == "nearest":
        if request.nearest != ("half_pixel", "round_prefer_ceil"):
            raise NoSuchArgumentError(f"has no nearest with {' and '.join(request.nearest)}")
        chosen = Image.Resampling.NEAREST
    else:
        request.half_pixel()
        shrinks = any(out < length for out, length in zip(lengths, request.x.shape, strict=True))
        if mode != AREA and shrinks and not request.get("antialias"):
            raise NoSuchArgumentError("always antialiases")
        chosen = _FILTERS[mode]
    height, width = lengths
    return np.asarray(Image.fromarray(request.x).resize((width, height), chosen))
