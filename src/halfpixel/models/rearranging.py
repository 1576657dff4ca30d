"""DepthToSpace and SpaceToDepth as Reshape, Transpose, Reshape: the formulas of the operator's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from halfpixel.models.editing import Patch
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.sites import Site

if TYPE_CHECKING:
    import onnx_ir

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

    Where lengths are known they are constants; -1 stands for one unknown length, more of them are read off the input
    when the model runs.
    """
    b, mode = int(site.attributes["blocksize"]), str(site.attributes.get("mode", "DCR"))
    shape = site.in_shape if site.in_shape is not None and len(site.in_shape) == 4 else (None,) * 4
    if 0 in shape[1:]:
        raise NoEqualError("an axis of length 0 has no Reshape: 0 means the length of the input there")
    n, c, h, w = (length if isinstance(length, int) else None for length in shape)
    if site.op_type == "DepthToSpace":
        deep = None if c is None else c // (b * b)
        split = (n, b, b, deep, h, w) if mode == "DCR" else (n, deep, b, b, h, w)
        joined = (n, deep, None if h is None else h * b, None if w is None else w * b)
    else:
        high, wide = (None if h is None else h // b), (None if w is None else w // b)
        split = (n, c, high, b, wide, b)
        joined = (n, None if c is None else c * b * b, high, wide)
    parts = _Lengths(site, x, patch, b)
    six = patch.add("Reshape", [x, parts.tensor(split, mode)], {}, "split")[0]
    turned = patch.add("Transpose", [six], {"perm": list(_ORDERS[site.op_type, mode])}, "turned")[0]
    return patch.add("Reshape", [turned, parts.tensor(joined, mode)], {}, "joined")[0]


class _Lengths:
    """The shapes that the two Reshapes take."""

    def __init__(self, site: Site, x: onnx_ir.Value, patch: Patch, blocksize: int) -> None:
        self._op_type = site.op_type
        self._x = x
        self._patch = patch
        self._blocksize = blocksize
        self._shape: onnx_ir.Value | None = None

    def tensor(self, lengths: tuple[int | None, ...], mode: str) -> onnx_ir.Value:
        """Return a constant shape, with 0 (the length of the input's same axis) and -1 where that is enough."""
        unknown = [axis for axis, length in enumerate(lengths) if length is None]
        if 0 in lengths or len(unknown) > 1 + (0 in unknown):
            return self._computed(lengths, mode)
        known = [
            0 if axis == 0 and length is None and len(unknown) > 1 else length for axis, length in enumerate(lengths)
        ]
        return self._patch.constant(np.array([-1 if n is None else n for n in known], np.int64), "shape")

    def _computed(self, lengths: tuple[int | None, ...], mode: str) -> onnx_ir.Value:
        """Multiply or divide the input's lengths, each by its own number: (axis of the input, times, divided by)."""
        b, deep = self._blocksize, self._op_type == "DepthToSpace"
        if len(lengths) == 4:
            rows = (
                [(0, 1, 1), (1, 1, b * b), (2, b, 1), (3, b, 1)]
                if deep
                else [(0, 1, 1), (1, b * b, 1), (2, 1, b), (3, 1, b)]
            )
        elif not deep:
            rows = [(0, 1, 1), (1, 1, 1), (2, 1, b), (-1, b, 1), (3, 1, b), (-1, b, 1)]
        elif mode == "DCR":
            rows = [(0, 1, 1), (-1, b, 1), (-1, b, 1), (1, 1, b * b), (2, 1, 1), (3, 1, 1)]
        else:
            rows = [(0, 1, 1), (1, 1, b * b), (-1, b, 1), (-1, b, 1), (2, 1, 1), (3, 1, 1)]
        if self._shape is None:
            shape = self._patch.add("Shape", [self._x], {}, "shape")[0]
            one = self._patch.constant(np.ones(1, np.int64), "one")
            self._shape = self._patch.add("Concat", [shape, one], {"axis": 0}, "lengths")[0]
        axes, times, by = (np.array(column, np.int64) for column in zip(*rows, strict=True))
        picked = self._patch.add(
            "Gather", [self._shape, self._patch.constant(axes % 5, "axes")], {"axis": 0}, "picked"
        )[0]
        grown = self._patch.add("Mul", [picked, self._patch.constant(times, "times")], {}, "grown")[0]
        return self._patch.add("Div", [grown, self._patch.constant(by, "by")], {}, "shape")[0]
