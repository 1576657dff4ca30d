"""Nearest with known lengths as one Gather an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from halfpixel.models.editing import Patch
from halfpixel.models.lower.resampled import resampled
from halfpixel.models.sites import Site
from halfpixel.plan.elements import converted, dtype_of

if TYPE_CHECKING:
    import onnx_ir


def by_gather(site: Site, x: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    """Add one Gather for each resampled axis, and a Where for outputs that take the extrapolation value: bit for bit.

    Raises:
        NoEqualError: a mode that averages, unknown lengths.
    """
    found = resampled(site)
    found.require_nearest("Gather")
    found.require_known("Gather")
    y = x
    for axis in found.axes():
        table = found.tables[axis.axis]
        # An extrapolated output has no tap; sample 0 stands there until Where replaces it.
        indices = np.where(table.count > 0, table.first, 0).astype(np.int64)
        y = patch.add("Gather", [y, patch.constant(indices, f"axis{axis.axis}_indices")], {"axis": axis.axis}, "taken")[
            0
        ]
    outside = found.outside()
    if outside is None:
        return y
    element = site.element_type or "float32"
    number = converted(found.spec.extrapolation_value, element).view(dtype_of(element))
    fill = patch.constant(number.reshape(()), "extrapolation_value")
    return patch.add("Where", [patch.constant(outside, "outside"), fill, y], {}, "filled")[0]
