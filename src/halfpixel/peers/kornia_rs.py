"""kornia-rs: resize of 8-bit pictures, by rayon's threads."""

from __future__ import annotations

from typing import Any

from halfpixel.peers.peer import CEIL, Peer, Prepared, tolerance_of_clipping
from halfpixel.peers.work import RESIZE, Array, Work, in_layout

_NAMES = {"nearest": "nearest", "linear": "bilinear", "cubic": "bicubic"}


class KorniaRs(Peer):
    """Only its cubic filter antialiases. Its calls take no output."""

    name = "kornia-rs"
    module = "kornia_rs"

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        plain = work.operation == RESIZE and work.layout == "HWC" and work.element == "uint8" and work.channels == 3
        if not plain or work.coordinates != "half_pixel" or (work.antialiases and work.mode != "cubic"):
            return None
        resize = self.load().imgproc.resize
        name, sizes, antialias = _NAMES[work.mode], work.sizes, work.antialiases
        reading: dict[str, Any] = CEIL if work.mode == "nearest" else {}
        if antialias:
            reading = {"cubic_coeff_a": -0.5}
        return Prepared(
            None,
            lambda: resize(x, sizes, name, antialias=antialias),
            lambda result: in_layout(result, "HWC", work.layout),
            reading,
            tolerance=tolerance_of_clipping(work),
        )
