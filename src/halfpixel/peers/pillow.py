"""Pillow: Image.resize, one picture or one plane at a time, on one thread."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from halfpixel.peers.peer import CEIL, Peer, Prepared, tolerance_of_clipping
from halfpixel.peers.work import RESIZE, Array, Work, in_layout

_FILTERS = {"nearest": "NEAREST", "linear": "BILINEAR", "cubic": "BICUBIC"}
# CMYK has four equal channels; RGBA would be weighted by its alpha.
_INTERLEAVED = {1: "L", 3: "RGB", 4: "CMYK"}
_PLANES = {"uint8": "L", "uint16": "I;16", "float32": "F"}


class Pillow(Peer):
    """It always antialiases; taps outside get no weight, and the cubic coefficient is -0.5."""

    name = "Pillow"
    module = "PIL"

    def load(self) -> Any:
        return import_module("PIL.Image")

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        if not self._does(work):
            return None
        Image = self.load()
        resample = getattr(Image.Resampling, _FILTERS[work.mode])
        width_height = work.sizes[::-1]
        channels = work.channels
        if work.element == "uint8" and channels in _INTERLEAVED and work.batch == 1:
            pictures = [_picture(Image, in_layout(x, work.layout, "HWC"), _INTERLEAVED[channels])]
            layout = "HWC"
        else:
            height_width = tuple(x.shape[axis] for axis in work.space)
            planes = in_layout(x, work.layout, "NCHW").reshape(-1, *height_width)
            pictures = [_picture(Image, plane, _PLANES[work.element]) for plane in planes]
            layout = "NCHW"

        def array(result: Any) -> Array:
            stacked = np.stack([np.asarray(picture) for picture in result]).astype(work.dtype)
            if layout == "HWC":
                return in_layout(stacked.reshape(*work.sizes, channels), "HWC", work.layout)
            return in_layout(stacked.reshape(-1, channels, *work.sizes), "NCHW", work.layout)

        return Prepared(
            None,
            lambda: [picture.resize(width_height, resample) for picture in pictures],
            array,
            _reading(work),
            tolerance=tolerance_of_clipping(work),
        )

    def whole_call(self, work: Work) -> Callable[[Array], Any] | None:
        if not self._does(work) or work.layout != "HWC" or work.element != "uint8":
            return None
        Image = self.load()
        resample = getattr(Image.Resampling, _FILTERS[work.mode])
        mode = _INTERLEAVED[work.shape[2]]
        return lambda x: np.asarray(_picture(Image, x, mode).resize(work.sizes[::-1], resample))

    @staticmethod
    def _does(work: Work) -> bool:
        plain = work.operation == RESIZE and len(work.space) == 2 and work.coordinates == "half_pixel"
        filtered = work.mode == "nearest" or work.antialiases or not work.shrinks
        return plain and filtered and work.element in _PLANES


def _picture(Image: Any, samples: Array, mode: str) -> Any:
    height, width = samples.shape[:2]
    return Image.frombuffer(mode, (width, height), samples.tobytes(), "raw", mode, 0, 1)


def _reading(work: Work) -> dict[str, Any]:
    if work.mode == "nearest":
        return CEIL
    return {"exclude_outside": True} | ({"cubic_coeff_a": -0.5} if work.mode == "cubic" else {})
