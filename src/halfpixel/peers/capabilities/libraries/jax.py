"""jax.image.resize, with 64-bit types switched on."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from halfpixel.peers.capabilities.request import AREA, NoSuchArgumentError, Request
from halfpixel.peers.work import Array


def answer(request: Request) -> Array:
    """Return the result of resize; nearest is half_pixel, ties upwards."""
    mode = request.get("mode")
    if mode == AREA:
        raise NoSuchArgumentError("has no method area")
    if mode == "nearest" and request.nearest != ("half_pixel", "round_prefer_ceil"):
        raise NoSuchArgumentError(f"has no nearest with {' and '.join(request.nearest)}")
    request.half_pixel()
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    x = import_module("jax.numpy").asarray(request.x)
    return np.asarray(jax.image.resize(x, request.lengths, mode, antialias=bool(request.get("antialias"))))
