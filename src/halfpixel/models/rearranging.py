"""DepthToSpace and SpaceToDepth as Reshape, Transpose, Reshape: the formulas of the operator's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from halfpixel.models.editing import Patch
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.sites import Site

if TYPE_CHECKING:
    import onnx_ir

Length: TypeAlias = tuple[int, int, int]
"""An output length: (axis of the input, times, divided by); axis -1 stands for a length of 1."""

_ORDERS = {
    ("DepthToSpace", "DCR"): (0, 3, 4, 1, 5, 2),
    ("DepthToSpace", "CRD"): (0, 1, 4, 2, 5, 3),
    ("SpaceToDepth", "DCR"): (0, 3, 5, 1, 2, 4),
    ("SpaceToDepth", "CRD"): (0, 1, 3, 5, 2, 4),
}
"""How the six axes between the two Reshapes are permuted.

They are (N, b, b, C, H, W) for DepthToSpace DCR, (N, C, b, b, H, W) for CRD and (N, C, H, b, W, b) for SpaceToDepth,
with C channels on the wide side, H and W on the deep one and b the blocksize.
"""


def rearranged_by_reshape(site: Site, x: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    """Add the three nodes to a patch and return their output, which is the site's bit for bit.

    Raises:
        NoEqualError: an axis of length 0, which a Reshape cannot ask for.
    """
    b, mode = int(site.attributes["blocksize"]), str(site.attributes.get("mode", "DCR"))
    n, c, h, w, block = (0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1), (-1, b, 1)
    if site.op_type == "DepthToSpace":
        deep = (1, 1, b * b)
        split = [n, block, block, deep, h, w] if mode == "DCR" else [n, deep, block, block, h, w]
        joined = [n, deep, (2, b, 1), (3, b, 1)]
    else:
        split = [n, c, (2, 1, b), block, (3, 1, b), block]
        joined = [n, (1, b * b, 1), (2, 1, b), (3, 1, b)]
    known = site.in_shape if site.in_shape is not None and len(site.in_shape) == 4 else (None,) * 4
    shapes = Lengths(x, [length if isinstance(length, int) else None for length in known], patch)
    six = patch.add("Reshape", [x, shapes.tensor(split)], {}, "split")[0]
    turned = patch.add("Transpose", [six], {"perm": list(_ORDERS[site.op_type, mode])}, "turned")[0]
    return patch.add("Reshape", [turned, shapes.tensor(joined)], {}, "joined")[0]


class Lengths:
    """Shapes for Reshape nodes, from the lengths of an input: constants where they can be, else computed.

    Args:
        x: the input.
        known: its lengths, None for one that only the run knows.
        patch: what the nodes are added to.
    Raises:
        NoEqualError: a length of 0 behind the first axis: to a Reshape it means the length of its input there.
    """

    def __init__(self, x: onnx_ir.Value, known: Sequence[int | None], patch: Patch) -> None:
        if 0 in known[1:]:
            raise NoEqualError("an axis of length 0 has no Reshape")
        self._x = x
        self._known = known
        self._patch = patch
        self._lengths: onnx_ir.Value | None = None

    def tensor(self, lengths: Sequence[Length]) -> onnx_ir.Value:
        """Return a shape: 0 for the first axis kept as it is, -1 for one unknown length, all computed for more."""
        values = []
        for place, (axis, times, by) in enumerate(lengths):
            length = 1 if axis < 0 else self._known[axis]
            kept = place == axis == 0 and (times, by) == (1, 1)
            values.append(0 if kept else None if length is None else length * times // by)
        if values.count(None) > 1:
            return self._computed(lengths)
        return self._patch.constant(np.array([-1 if n is None else n for n in values], np.int64), "shape")

    def _computed(self, lengths: Sequence[Length]) -> onnx_ir.Value:
        """Pick, multiply and divide the input's lengths when the model runs."""
        if self._lengths is None:
            shape = self._patch.add("Shape", [self._x], {}, "shape")[0]
            one = self._patch.constant(np.ones(1, np.int64), "one")
            self._lengths = self._patch.add("Concat", [shape, one], {"axis": 0}, "lengths")[0]
        rank = len(self._known)
        axes, times, by = (np.array(column, np.int64) for column in zip(*lengths, strict=True))
        places = self._patch.constant(np.where(axes < 0, rank, axes), "axes")
        picked = self._patch.add("Gather", [self._lengths, places], {"axis": 0}, "picked")[0]
        grown = self._patch.add("Mul", [picked, self._patch.constant(times, "times")], {}, "grown")[0]
        return self._patch.add("Div", [grown, self._patch.constant(by, "by")], {}, "shape")[0]
