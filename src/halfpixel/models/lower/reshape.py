"""Nearest that repeats each sample as Reshape, Expand, Reshape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from halfpixel.models.editing import Patch
from halfpixel.models.lower.resampled import repeat_of, resampled
from halfpixel.models.rearranging import Lengths, rearranged_by_reshape
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.sites import Site

if TYPE_CHECKING:
    import onnx_ir


def by_reshape(site: Site, x: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    """Move blocks (DepthToSpace, SpaceToDepth) or repeat samples (nearest with whole scales): bit for bit.

    Raises:
        NoEqualError: a node that does neither.
    """
    if site.op_type in ("DepthToSpace", "SpaceToDepth"):
        return rearranged_by_reshape(site, x, patch)
    found = resampled(site)
    found.require_nearest("Expand")
    repeats = {}
    for axis in found.spec.axes:
        k = repeat_of(axis)
        if k is None or not np.array_equal(found.tables[axis.axis].first, np.arange(axis.out_size) // k):
            raise NoEqualError(f"along axis {axis.axis} it does not repeat each sample equally often")
        repeats[axis.axis] = k
    if not repeats:
        return x
    lengths = site.in_shape or ()
    split: list[tuple[int, int, int]] = []
    repeated = []
    for place in range(found.rank):
        split.append((place, 1, 1))
        repeated.append(1)
        if place in repeats:
            split.append((-1, 1, 1))
            repeated.append(repeats[place])
    joined = [(place, repeats.get(place, 1), 1) for place in range(found.rank)]
    shapes = Lengths(x, [n if isinstance(n, int) else None for n in lengths], patch)
    wide = patch.add("Reshape", [x, shapes.tensor(split)], {}, "split")[0]
    often = patch.constant(np.array(repeated, np.int64), "repeats")
    more = patch.add("Expand", [wide, often], {}, "repeated")[0]
    return patch.add("Reshape", [more, shapes.tensor(joined)], {}, "joined")[0]
