"""How far numbers may be from a reading's and still be that reading's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpixel.models.readings.evaluate import FIXED_POINT, Values
from halfpixel.models.readings.reading import Reading
from halfpixel.models.readings.rounding import is_integer, near_turn, rounded
from halfpixel.plan.elements import Array

FRACTION_BITS = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52, "complex64": 23, "complex128": 52}
"""Element type -> bits of the fraction: a unit in the last place of a number in [1, 2) is 2^-bits."""

_EXPONENTS = {"float16": -14, "bfloat16": -126, "float32": -126, "float64": -1022, "complex64": -126}
_BASE = {"float16": 2.0, "bfloat16": 2.0, "float32": 64.0, "float64": 64.0, "complex64": 64.0, "complex128": 64.0}
_NEAR_TIE = 1e-3
_EXACT_TIE = 1e-9


def default_tolerance(element: str, in_shape: tuple[int, ...], averages: bool) -> float:
    """Return how far a result may be off and still count as the same: ULP for floats, LSB for integers.

    Copies: 0. Integers: 0, but next to a tie (see explained). float16 and bfloat16: 2. Else 64, and for
    32-bit types 4 units more for each sample of the longest axis, because runtimes keep coordinates in float32:
    its step there is 2^-23 of the axis' length, and the slope of an edge is at most twice the largest sample.
    """
    if not averages or element not in _BASE:
        return 0.0
    lengths = 4.0 * max(in_shape, default=1) if element in ("float32", "complex64") else 0.0
    return _BASE[element] + lengths


def unit(element: str, magnitude: Array) -> Array:
    """Return the unit in the last place of an element type at magnitudes >= 0; 1 for types without a fraction."""
    if element not in FRACTION_BITS:
        return np.ones_like(magnitude, np.float64)
    smallest = _EXPONENTS.get(element, -1022)
    exponent = np.where(magnitude == 0, smallest, np.frexp(np.asarray(magnitude, np.float64))[1] - 1)
    return np.asarray(np.ldexp(1.0, np.maximum(exponent, smallest) - FRACTION_BITS[element]))


def around(x: Array, axes: Iterable[int], mode: str) -> Array:
    """Return at each sample the largest magnitude of X near it: what a coordinate that is a little off brings in.

    Args:
        x: finite numbers.
        axes: those along which neighbours count.
        mode: "linear" takes one neighbour on each side, "cubic" two.
    """
    largest = np.abs(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    for axis in axes:
        for _ in range(2 if mode == "cubic" else 1):
            along = np.moveaxis(largest, axis, 0)
            wider = along.copy()
            np.maximum(wider[1:], along[:-1], out=wider[1:])
            np.maximum(wider[:-1], along[1:], out=wider[:-1])
            largest = np.moveaxis(wider, 0, axis)
    return largest


def noise(in_shape: tuple[int, ...], magnitude: Array) -> Array:
    """Return how far an average of integers may be off where it is computed in float32, before it is rounded.

    At least 1e-3; (8 + n) units of float32 at the magnitude of the samples, n the longest axis: its coordinates are
    known to n units.
    """
    return np.asarray(np.maximum(_NEAR_TIE, (8.0 + max(in_shape, default=0)) * unit("float32", magnitude)))


@dataclass(frozen=True, slots=True)
class Slack:
    """What counts as reproduced.

    Attributes:
        element: ONNX element type of the result.
        allowed: absolute difference allowed at each place; of averages of integers, before rounding.
        loose: the same for a reading that computes in float32.
        ties: whether a sample exactly on a tie may be either neighbour.
    """

    element: str
    allowed: Array
    loose: Array
    ties: bool = False

    @property
    def counts_exactly(self) -> bool:
        """Whether equal numbers say more than close ones: integers and bool."""
        return self.element not in FRACTION_BITS

    def unexplained(self, values: Values, other: Array, reading: Reading) -> Any:
        """Return where the other's numbers are not the reading's: bool, shape of the places."""
        if not reading.averages:
            return values.final != other
        if not is_integer(self.element) and self.element != "bool":
            allowed = self.loose if reading.arithmetic.startswith("float32") else self.allowed
            return ~(np.abs(_real(values.final) - _real(other)) <= allowed)
        rounding, wraps = reading.rounding, reading.wraps
        strict = values.final != other
        if values.exact.dtype.kind != "f" or not strict.any():
            return strict
        ends = (values.exact + sign * (self.allowed + values.uncertain) for sign in (-1, 1))
        low, high = (rounded(end, self.element, rounding, wraps) for end in ends)
        near = (other >= np.minimum(low, high)) & (other <= np.maximum(low, high))
        if not self.ties:
            known = np.asarray(values.uncertain) <= FIXED_POINT
            near &= ~(near_turn(values.exact, rounding, _EXACT_TIE) & known)
        return strict & ~near


def _real(values: Array) -> Array:
    return values if values.dtype.kind == "c" else values.astype(np.float64)
