"""OpenCV: cv2.resize on interleaved channels, or plane by plane where there are many."""

from __future__ import annotations

import numpy as np

from halfpixel.peers.peer import FLOOR, Peer, Prepared
from halfpixel.peers.work import RESIZE, Array, Work, in_layout

_ELEMENTS = ("uint8", "uint16", "float32", "float64")
_FLAGS = {"nearest": "INTER_NEAREST", "linear": "INTER_LINEAR", "cubic": "INTER_CUBIC"}
_MOST_INTERLEAVED = 4


class OpenCV(Peer):
    """cv2.resize: half_pixel, no antialias, cubic_coeff_a = -0.75; nearest is asymmetric and takes the floor."""

    name = "OpenCV"
    module = "cv2"

    def use_threads(self, count: int) -> None:
        self.load().setNumThreads(count)

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        if not self._does(work):
            return None
        cv2 = self.load()
        flag = getattr(cv2, _FLAGS[work.mode])
        width_height = work.sizes[::-1]
        channels = work.channels
        reading = FLOOR if work.mode == "nearest" else {}
        if channels <= _MOST_INTERLEAVED and work.batch == 1:
            picture = in_layout(x, work.layout, "HWC")
            y = np.empty((*work.sizes, channels), work.dtype)
            return Prepared(
                lambda: cv2.resize(picture, width_height, dst=y, interpolation=flag),
                lambda: cv2.resize(picture, width_height, interpolation=flag),
                lambda result: in_layout(result.reshape(*work.sizes, channels), "HWC", work.layout),
                reading,
            )
        planes = in_layout(x, work.layout, "NCHW").reshape(-1, *x.shape[work.space[0] : work.space[1] + 1])
        outs = np.empty((len(planes), *work.sizes), work.dtype)
        pairs = list(zip(planes, outs, strict=True))

        def every_plane() -> Array:
            for plane, out in pairs:
                cv2.resize(plane, width_height, dst=out, interpolation=flag)
            return outs

        return Prepared(
            every_plane,
            lambda: [cv2.resize(plane, width_height, interpolation=flag) for plane in planes],
            lambda result: in_layout(np.asarray(result).reshape(-1, channels, *work.sizes), "NCHW", work.layout),
            reading,
        )

    @staticmethod
    def _does(work: Work) -> bool:
        plain = work.operation == RESIZE and len(work.space) == 2 and work.coordinates == "half_pixel"
        return plain and work.element in _ELEMENTS and not work.antialiases
