"""How far a reading's values are from an output, in units."""

from __future__ import annotations

import numpy as np

from halfpixel.models.readings.evaluate import Values
from halfpixel.models.readings.slack import FRACTION_BITS, unit
from halfpixel.plan.elements import Array


def largest_in_units(values: Values, other: Array, compared: Array, element: str) -> float:
    """Return the largest difference: ULP at the larger of the two magnitudes for floats, else absolute.

    Args:
        values: of a reading.
        other: the output at the same places.
        compared: bool: places that count.
    """
    wide = np.complex128 if other.dtype.kind == "c" else np.float64
    final, given = values.final.astype(wide), other.astype(wide)
    with np.errstate(all="ignore"):
        if element in FRACTION_BITS and element not in ("complex64", "complex128", "bfloat16"):
            final = final.astype(element).astype(wide)
        apart = np.abs(final - given)
        apart = np.where(compared & ~(final == given), apart, 0.0)
        if element in FRACTION_BITS:
            larger = np.fmax(np.abs(final), np.abs(given))
            apart = apart / unit(element, np.where(np.isfinite(larger), larger, 0.0))
    return float(np.where(np.isnan(apart), np.inf, apart).max(initial=0.0))


def mean_difference(values: Values, other: Array, compared: Array) -> float:
    """Return the mean absolute difference of the samples that count, in their own unit; 0 where none does."""
    wide = np.complex128 if other.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        apart = np.abs(values.final.astype(wide) - other.astype(wide))
    counted = apart[compared & np.isfinite(apart)]
    return float(counted.mean()) if counted.size else 0.0
