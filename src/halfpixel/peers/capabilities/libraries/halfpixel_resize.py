"""halfpixel.resize."""

from __future__ import annotations

import numpy as np

import halfpixel
from halfpixel.peers.capabilities.request import AREA, NoSuchArgumentError, Request
from halfpixel.peers.work import Array


def answer(request: Request) -> Array:
    """Return the result of resize."""
    if request.get("mode") == AREA:
        raise NoSuchArgumentError("resize has the modes of ONNX; halfpixel.torch.interpolate has area")
    version = 11 if request.opset == 11 else 19
    y = halfpixel.resize(
        request.x, request.scales, request.sizes, roi=request.roi, version=version, **request.attributes
    )
    return np.asarray(y)
