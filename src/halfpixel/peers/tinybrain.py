"""tinybrain: means of 2 x 2 and 2 x 2 x 2 samples, for pyramids of volumes."""

from __future__ import annotations

from halfpixel.peers.peer import Peer, Prepared
from halfpixel.peers.work import RESIZE, Array, Work, in_layout, planar

_ELEMENTS = ("uint8", "uint16", "float32", "float64")


class Tinybrain(Peer):
    """Exactly half of every axis, linear without antialias: that is the mean. One thread."""

    name = "tinybrain"
    module = "tinybrain"

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        mean = work.operation == RESIZE and work.mode == "linear" and work.halves and not work.antialiases
        if not mean or work.coordinates != "half_pixel" or work.element not in _ELEMENTS:
            return None
        tinybrain = self.load()
        given = in_layout(x, work.layout, planar(work))
        planes = given.reshape(-1, *given.shape[2:])
        # Fortran order, x first: the memory is that of the planes.
        volume = planes.T
        factor = (*(2 for _ in work.space), 1)

        def array(result: list[Array]) -> Array:
            return in_layout(result[0].T.reshape(*given.shape[:2], *work.sizes), planar(work), work.layout)

        return Prepared(None, lambda: tinybrain.downsample_with_averaging(volume, factor), array)
