"""pyvips: reduce, affine, zoom and subsample of libvips, from memory to memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from halfpixel.peers.peer import Peer, Prepared
from halfpixel.peers.work import RESIZE, Array, Work, in_layout

_FORMATS = {"uint8": "uchar", "uint16": "ushort", "float32": "float", "float64": "double"}
_KERNELS = {"linear": "linear", "cubic": "cubic"}
_INTERPOLATORS = {"linear": "bilinear", "cubic": "bicubic"}
_LOOSE = {"uint8": 4.0, "uint16": 1024.0}
_LOOSE_FLOAT = 2e-2
"""Filters stand in a table for 64 positions within a pixel, and in fixed point for integers."""


class Pyvips(Peer):
    """The cubic coefficient is -0.5. `resize` itself would shrink by a box first; `reduce` is the filter alone."""

    name = "pyvips"
    module = "pyvips"

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        if not self._does(work):
            return None
        pyvips = self.load()
        picture = in_layout(x, work.layout, "HWC")
        height, width, channels = picture.shape
        held = picture.tobytes()
        image = pyvips.Image.new_from_memory(held, width, height, channels, _FORMATS[work.element]).copy()
        image.set_type(pyvips.GValue.gint_type, "concurrency", threads)
        pipeline = self._pipeline(work, image)

        def array(result: Any) -> Array:
            values = np.frombuffer(result, work.dtype).reshape(*work.sizes, channels)
            return in_layout(values, "HWC", work.layout)

        reading = {"cubic_coeff_a": -0.5} if work.mode == "cubic" else {}
        exact = work.mode == "nearest"
        tolerance = None if exact else _LOOSE.get(work.element, _LOOSE_FLOAT)

        def write(held: bytes = held) -> Any:  # libvips does not keep the memory that it was given
            return pipeline().write_to_memory()

        return Prepared(None, write, array, reading, tolerance=tolerance)

    def _pipeline(self, work: Work, image: Any) -> Callable[[], Any]:
        height, width = work.sizes
        if work.mode == "nearest":
            return (lambda: image.subsample(2, 2)) if work.halves else (lambda: image.zoom(2, 2))
        if work.shrinks:
            kernel = _KERNELS[work.mode]
            return lambda: image.reduce(image.width / width, image.height / height, kernel=kernel)
        interpolate = self.load().Interpolate.new(_INTERPOLATORS[work.mode])
        across, down = width / image.width, height / image.height
        return lambda: image.affine(
            (across, 0, 0, down),
            interpolate=interpolate,
            oarea=[0, 0, width, height],
            idx=(across - 1) / (2 * across),
            idy=(down - 1) / (2 * down),
            extend="copy",
        )

    @staticmethod
    def _does(work: Work) -> bool:
        plain = work.operation == RESIZE and len(work.space) == 2 and work.coordinates == "half_pixel"
        doubles = all(out == 2 * work.shape[axis] for axis, out in zip(work.space, work.sizes, strict=False))
        if work.mode == "nearest":
            filtered = work.halves or doubles
        else:
            filtered = work.antialiases or not work.shrinks
        return plain and filtered and work.batch == 1 and work.element in _FORMATS
