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
_JUST_ABOVE = 1e-14


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
        arithmetic: see Reading. It decides which sample nearest takes; the weights of averages are exact in any case,
            and what floating point does to them is left to the slack of the comparison.
    """
    tables = tables_of(spec)
    found = {}
    for axis in spec.axes:
        if axis.axis not in tables:
            continue
        chosen = places[axis.axis]
        if spec.mode == "nearest" and arithmetic not in ("exact", "float64 window"):
            found[axis.axis] = _approximate(axis, chosen, arithmetic)
            continue
        table = tables[axis.axis]
        count = np.asarray(table.count)[chosen]
        first = np.asarray(table.first)[chosen]
        offset = np.asarray(table.offset)[chosen]
        steps = np.arange(max(int(count.max(initial=1)), 1))
        used = steps < count[:, None]
        weights = np.asarray(table.weights)
        places_of_weights = np.where(used, offset[:, None] + steps, 0)
        taps = Taps(
            np.where(used, first[:, None] + steps, 0),
            np.where(used, weights[places_of_weights], 0.0) if weights.size else used.astype(np.float64),
            count > 0,
        )
        found[axis.axis] = taps if arithmetic == "exact" else _disturbed(axis, chosen, taps, arithmetic)
    return found


def nearest_index(axis: AxisSpec, chosen: Indices) -> Floats:
    """Return the index that nearest takes for chosen outputs, before it is clamped into the input."""
    return np.asarray(_index(coordinates_of(axis, chosen), axis.nearest_mode, "exact"))


def _disturbed(axis: AxisSpec, chosen: Indices, taps: Taps, arithmetic: str) -> Taps:
    """Exact taps where floating-point coordinates leave them, and what they do at whole coordinates and at the ends."""
    x = _computed(axis, chosen, arithmetic)
    inside = taps.inside & (x >= 0) & (x <= axis.in_size - 1) if axis.extrapolate else taps.inside
    indices = taps.indices
    if arithmetic == "float64 window":
        above = x - np.floor(x)
        slid = (above > 0) & (above < _JUST_ABOVE * np.maximum(1, np.abs(x)))
        indices = (indices - slid[:, None]).clip(0, axis.in_size - 1)
    return Taps(indices, taps.weights, inside)


def coordinates_of(axis: AxisSpec, chosen: Indices) -> Floats:
    """Return the input coordinates of chosen outputs of an axis in float64."""
    line = axis.line
    return np.array([(line.step * int(i) + line.start) / line.divisor for i in chosen], np.float64)


def _approximate(axis: AxisSpec, chosen: Indices, arithmetic: str) -> Taps:
    """Taps of nearest from coordinates that were computed in floating point."""
    x = _computed(axis, chosen, arithmetic)
    last = axis.in_size - 1
    inside = np.ones(len(x), bool) if not axis.extrapolate else (x >= 0) & (x <= last)
    index = _index(x, axis.nearest_mode, arithmetic).astype(np.intp).clip(0, last)
    return Taps(index[:, None], np.ones((len(x), 1)), inside)


def _computed(axis: AxisSpec, chosen: Indices, arithmetic: str) -> Any:
    """Coordinates of a line in floating point, in the order in which the formulas of the modes are written.

    x = (i + shift) / scale - back, or times 1 / scale; lines that have another form are rounded once.
    """
    number: Any = np.float64 if arithmetic.startswith("float64") else np.float32
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
    return i.astype(np.float64) * step + begin if axis.extrapolate else i * step + begin


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
