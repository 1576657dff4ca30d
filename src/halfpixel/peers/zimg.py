"""zimg: filter graphs on planes, the strongest library for shrinking. It has no threads: a crew runs its graphs."""

from __future__ import annotations

import itertools
import math
from typing import Any

from halfpixel.peers.crew import crew_of
from halfpixel.peers.peer import CEIL, Peer, Prepared, tolerance_of_clipping
from halfpixel.peers.work import RESIZE, Array, Work, in_layout
from halfpixel.peers.zimg_graph import (
    BICUBIC,
    BILINEAR,
    BYTE,
    FLOAT,
    HALF,
    POINT,
    WORD,
    Graph,
    aligned,
    library,
    library_version,
)

_PIXELS = {"uint8": BYTE, "uint16": WORD, "float16": HALF, "float32": FLOAT}
_FILTERS = {"nearest": POINT, "linear": BILINEAR, "cubic": BICUBIC}
_TAPS_BEYOND = {"nearest": 0, "linear": 1, "cubic": 2}
_TOGETHER = 3
_FEW_GROUPS = 4
_LOOSE = {"uint8": 2.5, "uint16": 16.0}
"""Integers go through 15-bit weights and an intermediate of 16 bits."""


class Zimg(Peer):
    """It always antialiases, and mirrors at the border. Planes go in threes, as one picture does."""

    name = "zimg"

    def version(self) -> str | None:
        return library_version()

    def load(self) -> Any:
        return library()

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        plain = work.operation == RESIZE and len(work.space) == 2 and work.coordinates == "half_pixel"
        filtered = work.mode == "nearest" or work.antialiases or not work.shrinks
        if not plain or not filtered or work.element not in _PIXELS:
            return None
        planes = in_layout(x, work.layout, "NCHW")
        batch, channels = planes.shape[:2]
        planes = planes.reshape(batch * channels, *planes.shape[2:])
        source = aligned(planes.shape, work.dtype)
        source[...] = planes
        target = aligned((len(planes), *work.sizes), work.dtype)
        shares = _shares(work, source, target, threads)
        crew = crew_of(threads)

        def reused() -> Array:
            crew.run(shares)
            return target

        def array(result: Array) -> Array:
            return in_layout(result.reshape(batch, channels, *work.sizes), "NCHW", work.layout)

        return Prepared(
            reused,
            None,
            array,
            CEIL if work.mode == "nearest" else {},
            _border(work),
            tolerance_of_clipping(work) or _LOOSE.get(work.element),
        )


def _border(work: Work) -> int:
    """Output samples that a mirrored tap can reach: taps beyond the edge, in output samples when growing."""
    grown = max(1.0, *(out / work.shape[axis] for axis, out in zip(work.space, work.sizes, strict=True)))
    return math.ceil(_TAPS_BEYOND[work.mode] * grown)


def _shares(work: Work, source: Array, target: Array, threads: int) -> list[list[Graph]]:
    """The graphs of each thread: whole groups of planes where there are many, else strips of rows of every group."""
    groups = [slice(begin, begin + _TOGETHER) for begin in range(0, len(source) - _TOGETHER + 1, _TOGETHER)]
    groups += [slice(index, index + 1) for index in range(len(groups) * _TOGETHER, len(source))]
    pixel, filter_ = _PIXELS[work.element], _FILTERS[work.mode]
    a = float(work.attributes.get("cubic_coeff_a", -0.75))
    height = target.shape[1]

    def graph(group: slice, rows: tuple[int, int]) -> Graph:
        return Graph(source[group], target[group], rows, pixel, filter_, a)

    if len(groups) >= _FEW_GROUPS * threads:
        return [[graph(group, (0, height)) for group in groups[share::threads]] for share in range(threads)]
    edges = [height * share // threads for share in range(threads + 1)]
    strips = itertools.pairwise(edges)
    return [[graph(group, strip) for group in groups] for strip in strips]
