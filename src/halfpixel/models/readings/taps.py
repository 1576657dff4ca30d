"""The taps of chosen output samples of one axis: input indices and weights, as the tables have them or in float32."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from halfpixel.plan.tables import tables_of
from halfpixel.spec.axes import AxisSpec, ResizeSpec

Indices: TypeAlias = np.ndarray[Any, np.dtype[np.intp]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

_TIE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Taps:
    """What chosen output samples of an axis take.

    Attributes:
        indices: input samples, shape (samples, taps).
        weights: of the same shape; 0 where a sample has fewer taps.
        inside: shape (samples,): false where the sample takes the extrapolation value.
    """

    indices: Indices
    weights: Floats
    inside: np.ndarray[Any, np.dtype[np.bool_]]


def taps_of(spec: ResizeSpec, places: dict[int, Indices], arithmetic: str) -> dict[int, Taps]:
    """Return axis -> taps of the chosen outputs for every resampled axis of a spec with samples on both sides.

    Args:
        places: axis -> output samples, for every axis.
        arithmetic: see Reading. Anything but "exact" is for axes whose filter is not widened.
    """
    tables = tables_of(spec)
    found = {}
    for axis in spec.axes:
        if axis.axis not in tables:
            continue
        chosen = places[axis.axis]
        if arithmetic != "exact" and not spec.antialias:
            found[axis.axis] = _approximate(spec, axis, chosen, arithmetic)
            continue
        table = tables[axis.axis]
        count = np.asarray(table.count)[chosen]
        first = np.asarray(table.first)[chosen]
        offset = np.asarray(table.offset)[chosen]
        steps = np.arange(max(int(count.max(initial=1)), 1))
        used = steps < count[:, None]
        weights = np.asarray(table.weights)
        places_of_weights = np.where(used, offset[:, None] + steps, 0)
        found[axis.axis] = Taps(
            np.where(used, first[:, None] + steps, 0),
            np.where(used, weights[places_of_weights], 0.0) if weights.size else used.astype(np.float64),
            count > 0,
        )
    return found


def coordinates_of(axis: AxisSpec, chosen: Indices) -> Floats:
    """Return the input coordinates of chosen outputs of an axis in float64."""
    line = axis.line
    return np.array([(line.step * int(i) + line.start) / line.divisor for i in chosen], np.float64)


def _approximate(spec: ResizeSpec, axis: AxisSpec, chosen: Indices, arithmetic: str) -> Taps:
    """Taps from coordinates that were computed in floating point."""
    x = _computed(axis, chosen, arithmetic)
    last = axis.in_size - 1
    inside = np.ones(len(x), bool) if not axis.extrapolate else (x >= 0) & (x <= last)
    if spec.mode == "nearest":
        index = _index(x, axis.nearest_mode, arithmetic).astype(np.intp).clip(0, last)
        return Taps(index[:, None], np.ones((len(x), 1)), inside)
    base = np.floor(x)
    offsets = np.arange(2) if spec.mode == "linear" else np.arange(-1, 3)
    indices = base.astype(np.intp)[:, None] + offsets
    distance = np.abs((x - base)[:, None] - offsets.astype(x.dtype))
    weights = _linear(distance) if spec.mode == "linear" else _cubic(distance, x.dtype.type(spec.cubic_coeff_a))
    weights = weights.astype(np.float64)
    if spec.exclude_outside:
        weights = np.where((indices >= 0) & (indices <= last), weights, 0.0)
        total = weights.sum(1, keepdims=True)
        weights = np.divide(weights, total, out=weights, where=total != 0)
    return Taps(indices.clip(0, last), weights, inside)


def _linear(distance: Any) -> Any:
    return np.maximum(1 - distance, 0)


def _cubic(t: Any, a: Any) -> Any:
    """Keys' kernel with coefficient a."""
    near = ((a + 2) * t - (a + 3)) * t * t + 1
    far = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
    return np.where(t < 1, near, np.where(t < 2, far, 0))


def _computed(axis: AxisSpec, chosen: Indices, arithmetic: str) -> Any:
    """Coordinates of a line in floating point, in the order in which the formulas of the modes are written.

    x = (i + shift) / scale - back, or times 1 / scale; lines that have another form are rounded once.
    """
    number: Callable[[float], Any] = np.float64 if arithmetic == "float64" else np.float32
    i = np.asarray(chosen).astype(number)
    numerator, denominator = axis.scale
    line = axis.line
    step_of_scale = line.step * numerator == line.divisor * denominator
    start = line.start / line.divisor
    half = (denominator - numerator) / (2 * numerator)
    if step_of_scale and (start in (0.0, half)):
        scale = number(numerator / denominator)
        shift = number(0.5 if start == half and start != 0.0 else 0.0)
        if arithmetic == "float32 reciprocal":
            return (i + shift) * (number(1) / scale) - shift
        return (i + shift) / scale - shift
    step, begin = number(line.step / line.divisor), number(start)
    return i * step + begin


def _index(x: Any, nearest_mode: str, arithmetic: str) -> Any:
    if arithmetic == "float32 ties" and nearest_mode.startswith("round"):
        tie = np.abs(x - np.floor(x) - 0.5) < _TIE
        settled = np.floor(x) + (1 if nearest_mode == "round_prefer_ceil" else 0)
        return np.where(tie, settled, np.floor(x + x.dtype.type(0.5)))
    rules: dict[str, Callable[[Any], Any]] = {
        "round_prefer_floor": lambda v: np.ceil(v - v.dtype.type(0.5)),
        "round_prefer_ceil": lambda v: np.floor(v + v.dtype.type(0.5)),
        "floor": np.floor,
        "ceil": np.ceil,
    }
    return rules[nearest_mode](x)
