"""The numbers that a reading gives at chosen places of the output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from halfpixel.models.readings.geometry import spec_of
from halfpixel.models.readings.reading import Reading
from halfpixel.models.readings.rounding import near_turn, rounded
from halfpixel.models.readings.taps import Indices, Taps, nearest_index, taps_of
from halfpixel.plan.elements import Array, converted
from halfpixel.spec.axes import ResizeSpec

FIXED_POINT = 1 / 50
"""How far an average of 8-bit integers may be off where the weights are numbers of 15 bits or so."""

Places = dict[int, Indices]
"""axis -> the output samples that are looked at; the places are their product."""


@dataclass(frozen=True, slots=True)
class Values:
    """What a reading gives.

    Attributes:
        exact: averages before rounding in float64 or complex128; what is copied, in the type of X.
        final: the same as elements: averages of integers rounded, still in float64.
        uncertain: how far exact may be off because a value rounded between the axes lay next to a tie; 0 where none is.
    """

    exact: Array
    final: Array
    uncertain: Array | float = 0.0


def output_shape(reading: Reading) -> tuple[int, ...] | None:
    """Return the output's shape, None where the reading has no result."""
    spec = spec_of(reading)
    return None if spec is None else spec.out_shape


def evaluate(reading: Reading, x: Array, places: Places) -> Values | None:
    """Return a reading's values at the product of the places; None where it has no result.

    Args:
        x: array of reading.in_shape without NaN and infinity; strings as numbers of their own.
        places: for every axis; the indices are within the reading's output.
    """
    spec = spec_of(reading)
    if spec is None:
        return None
    if 0 in spec.out_shape or 0 in spec.in_shape:
        empty = np.empty([len(places[axis]) for axis in range(x.ndim)], x.dtype)
        return Values(empty, empty)
    return _Evaluation(reading, spec, _carried(x, reading.carrier), places).values()


def _carried(x: Array, carrier: str) -> Array:
    """X after it passed through another type."""
    if carrier == "own":
        return x
    if carrier == "real":
        return x.real.astype(x.dtype)
    if x.dtype.kind in "fc":
        with np.errstate(over="ignore"):
            return x.astype("complex64" if x.dtype.kind == "c" else carrier).astype(x.dtype)
    if carrier == "int32":
        return x.astype(np.int32).astype(x.dtype)
    limits = np.iinfo(x.dtype)
    # Beyond the last number of the carrier that fits, values saturate at that number; in float64 at the type's own end.
    top = int(np.nextafter(np.float32(limits.max), np.float32(0))) if carrier == "float32" else int(limits.max)
    wide = x.astype(carrier).astype(np.float64)
    fits = wide < float(limits.max)
    return np.where(fits, np.where(fits, wide, 0).astype(x.dtype), x.dtype.type(top))


def _weighted(values: Array, indices: Indices, weights: Array, axis: int) -> Array:
    """Sums of taps along one axis; indices and weights have shape (samples, taps)."""
    gathered = values.take(indices, axis)
    along = weights.reshape((*weights.shape, *[1] * (values.ndim - axis - 1)))
    return np.asarray((gathered * along).sum(axis + 1))


class _Evaluation:
    """One reading, one array."""

    def __init__(self, reading: Reading, spec: ResizeSpec, x: Array, places: Places) -> None:
        self._reading = reading
        self._spec = spec
        self._x = x
        self._places = places

    @cached_property
    def _taps(self) -> dict[int, Taps]:
        return taps_of(self._spec, self._places, self._reading.arithmetic)

    def values(self) -> Values:
        x = self._x
        for axis in range(x.ndim):
            if axis not in self._taps:
                x = x.take(self._places[axis], axis)
        if not self._reading.averages or not self._taps:
            return self._copied(x)
        return self._averaged(x)

    def _copied(self, x: Array) -> Values:
        for axis, taps in self._taps.items():
            x = x.take(taps.indices[:, 0], axis)
        outside = self._outside(x.shape)
        if outside.any():
            fill = converted(self._reading.extrapolation_value, self._reading.element)
            if self._reading.element == "bfloat16":
                fill = np.asarray(self._reading.extrapolation_value)
            x = np.where(outside, fill.astype(x.dtype), x)
        if self._reading.excluded_as_zero:
            x = np.where(self._excluded(x.shape), np.zeros((), x.dtype), x)
        return Values(x, x)

    def _excluded(self, shape: tuple[int, ...]) -> Any:
        """Where the nearest sample lies outside X."""
        excluded = np.zeros(shape, bool)
        for axis in self._spec.axes:
            along = [1] * len(shape)
            along[axis.axis] = -1
            index = nearest_index(axis, self._places[axis.axis])
            excluded |= ((index < 0) | (index >= axis.in_size)).reshape(along)
        return excluded

    def _averaged(self, x: Array) -> Values:
        reading = self._reading
        values = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
        order = sorted(self._taps, reverse=True)
        uncertain: Array | float = 0.0
        for axis in order:
            taps = self._taps[axis]
            values = _weighted(values, taps.indices, taps.weights, axis)
            if isinstance(uncertain, np.ndarray):
                uncertain = _weighted(uncertain, taps.indices, np.abs(taps.weights), axis)
            if reading.between and axis != order[-1]:
                flips = near_turn(values, reading.rounding, FIXED_POINT).astype(np.float64)
                uncertain = uncertain + flips
                values = rounded(values, reading.element, reading.rounding, reading.wraps)
        if reading.between:
            uncertain = uncertain + FIXED_POINT
        outside = self._outside(values.shape)
        values = np.where(outside, reading.extrapolation_value, values) if outside.any() else values
        return Values(values, rounded(values, reading.element, reading.rounding, reading.wraps), uncertain)

    def _outside(self, shape: tuple[int, ...]) -> Any:
        outside = np.zeros(shape, bool)
        for axis, taps in self._taps.items():
            if not taps.inside.all():
                along = [1] * len(shape)
                along[axis] = len(taps.inside)
                outside |= ~taps.inside.reshape(along)
        return outside
