"""How an output differs from the exact result: how far, how often, where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpixel.models.compare.expected import Expected
from halfpixel.models.readings.slack import FRACTION_BITS, unit
from halfpixel.plan.elements import Array, element_of

NOWHERE = "nowhere"
AT_TIES = "only at ties"
AT_BORDER = "at the border"
EVERYWHERE = "everywhere"
HERE_AND_THERE = "here and there"
SHAPE = "the shape"
TYPE = "the element type"
NOT_FINITE = "at NaN and infinity"


@dataclass(frozen=True, eq=False)
class Difference:
    """An output beside the exact result.

    Attributes:
        unit: "ULP" for floats, "LSB" for integers, "samples" for bool and strings (a sample is the same or not).
        where: a word above.
        largest: of all samples, in units; infinite where one side is NaN or infinite and the other is not.
        largest_apart_from_ties: of the samples that lie on no tie.
        absolute: the largest in the samples' own unit.
        position: of the largest; None where no sample differs or shapes do.
        count: samples above the tolerance.
        ties: how many of them lie at ties.
        total: samples in all.
        tolerance: in units.
        in_units: the difference of every sample, in units; None where shapes differ.
    """

    unit: str
    where: str
    largest: float
    largest_apart_from_ties: float
    absolute: float
    position: tuple[int, ...] | None
    count: int
    ties: int
    total: int
    tolerance: float
    in_units: Array | None

    @property
    def above(self) -> bool:
        """Whether any difference is above the tolerance."""
        return self.count > 0 or self.where in (SHAPE, TYPE)


def unit_name(element: str) -> str:
    """Return the name of the unit of differences of an element type."""
    if element in FRACTION_BITS:
        return "ULP"
    return "samples" if element in ("bool", "string") else "LSB"


def difference_of(expected: Expected, other: Array, tolerance: float, lenient: bool) -> Difference:
    """Compare an output with the exact result.

    Args:
        tolerance: in units.
        lenient: integers may be their neighbour where the exact value is next to a tie, but not on it.
    """
    name = unit_name(expected.element)
    if other.shape != expected.ours.shape:
        return _other(name, SHAPE, other.size, tolerance)
    if element_of(other.dtype) != expected.element:
        return _other(name, TYPE, other.size, tolerance)
    absolute = _absolute(expected, other)
    with np.errstate(all="ignore"):
        in_units = np.where(absolute == 0, 0.0, absolute / _units(expected, other))
    above = in_units > tolerance
    if lenient and name == "LSB" and expected.averages:
        above &= ~((in_units <= 1) & _next_to_tie(expected))
    ties = above & expected.ties
    return Difference(
        name,
        _where(expected, above, np.isinf(in_units)),
        float(in_units.max(initial=0.0)),
        float(in_units[~expected.ties].max(initial=0.0)),
        float(absolute.max(initial=0.0)),
        _position(in_units),
        int(above.sum()),
        int(ties.sum()),
        int(above.size),
        tolerance,
        in_units,
    )


def _other(unit: str, where: str, total: int, tolerance: float) -> Difference:
    return Difference(unit, where, float("inf"), float("inf"), float("inf"), None, total, 0, total, tolerance, None)


def _absolute(expected: Expected, other: Array) -> Array:
    """|other - exact rounded once|; 0 where both are NaN or the same infinity, infinite where only one is."""
    ours = expected.ours
    if ours.dtype.kind in "OUTb":
        return np.asarray(ours != other, np.float64)
    if ours.dtype.kind in "iu":
        high, low = np.maximum(ours, other), np.minimum(ours, other)
        return (high.astype(np.uint64) - low.astype(np.uint64)).astype(np.float64)
    with np.errstate(all="ignore"):
        exact = _once_rounded(expected)
        wide = np.complex128 if ours.dtype.kind == "c" else np.float64
        same = (exact == other) | (np.isnan(exact) & np.isnan(other))
        apart = np.abs(exact.astype(wide) - other.astype(wide))
    return np.asarray(np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart)))


def _once_rounded(expected: Expected) -> Array:
    """The exact result as an element; overflow goes to infinity."""
    exact: Array = expected.exact
    return exact.astype(expected.ours.dtype) if expected.averages else expected.ours


def _units(expected: Expected, other: Array) -> Array:
    """The unit at each sample: at the larger of the samples around it and of the other's result."""
    if expected.element not in FRACTION_BITS:
        return expected.unit
    magnitude = np.abs(other.astype(np.complex128 if other.dtype.kind == "c" else np.float64))
    return np.maximum(expected.unit, unit(expected.element, np.where(np.isfinite(magnitude), magnitude, 0.0)))


def _next_to_tie(expected: Expected) -> Any:
    """Where the exact average is so near a tie that float32 may fall on either side, but not the tie itself."""
    away = np.abs(expected.exact - np.floor(expected.exact) - 0.5)
    return (away < expected.noise) & (away > 1e-9)


def _where(expected: Expected, above: Array, infinite: Array) -> str:
    if not above.any():
        return NOWHERE
    if not (above & ~infinite).any() and infinite.any():
        return NOT_FINITE
    if not (above & ~expected.ties).any():
        return AT_TIES
    rest = above & ~expected.ties
    inner = ~expected.border
    if inner.any() and not (rest & inner).any():
        return AT_BORDER
    return EVERYWHERE if 4 * int(above.sum()) >= above.size else HERE_AND_THERE


def _position(in_units: Array) -> tuple[int, ...] | None:
    if not in_units.size or not (in_units > 0).any():
        return None
    return tuple(int(index) for index in np.unravel_index(int(in_units.argmax()), in_units.shape))
