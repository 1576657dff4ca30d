"""Any separable resize with known lengths as one MatMul an axis, by the tables of our plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.editing import Patch
from halfpixel.models.lower.carrying import Carrier
from halfpixel.models.lower.resampled import LARGEST_MATRIX, resampled
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.sites import Site
from halfpixel.plan.elements import converted, dtype_of

if TYPE_CHECKING:
    import onnx_ir


def by_matmul(site: Site, x: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    """Add one MatMul for each resampled axis, and an Add where outputs take the extrapolation value.

    The matrix of an axis has a row for each output sample, with the weights of its taps. Weights are float64 rounded
    once to the carrier; the sums are the runtime's, so that results differ from the node's by rounding. Infinity and
    NaN spread over a whole row, as 0 times infinity is NaN.

    Raises:
        NoEqualError: unknown lengths, element types without a carrier, matrices that are too large.
    """
    found = resampled(site)
    found.require_known("a matrix")
    if not found.rank:
        raise NoEqualError("a scalar has no axis")
    carrier = Carrier(site.element_type or "float32", site.opset, patch)
    y = carrier.enter(x)
    for axis in found.axes():
        if axis.in_size * axis.out_size > LARGEST_MATRIX:
            raise NoEqualError(f"the matrix of axis {axis.axis}, {axis.out_size} x {axis.in_size}, is too large")
        matrix = found.tables[axis.axis].matrix().astype(carrier.dtype)
        y = along_axis(axis.axis, found.rank, matrix, y, patch)
    outside = found.outside()
    if outside is not None:
        element = site.element_type or "float32"
        fill = converted(found.spec.extrapolation_value, element).view(dtype_of(element)).astype(carrier.dtype)
        bias = patch.constant(np.where(outside, fill, np.zeros_like(fill)), "extrapolated")
        y = patch.add("Add", [y, bias], {}, "filled")[0]
    return carrier.leave(y)


def along_axis(axis: int, rank: int, matrix: np.ndarray[Any, Any], x: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    """Multiply along one axis: from the right on the last, from the left on the last but one, turned on others."""
    name = f"axis{axis}"
    if axis == rank - 1:
        weights = patch.constant(np.ascontiguousarray(matrix.T), f"{name}_weights")
        return patch.add("MatMul", [x, weights], {}, name)[0]
    weights = patch.constant(matrix, f"{name}_weights")
    if axis == rank - 2:
        return patch.add("MatMul", [weights, x], {}, name)[0]
    order = [at for at in range(rank) if at != axis]
    order.insert(rank - 2, axis)
    turned = patch.add("Transpose", [x], {"perm": order}, f"{name}_turned")[0]
    product = patch.add("MatMul", [weights, turned], {}, name)[0]
    return patch.add("Transpose", [product], {"perm": np.argsort(order).tolist()}, f"{name}_back")[0]
