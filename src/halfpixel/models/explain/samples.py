"""One output sample along one axis: coordinate, taps before the border rule, and what the border rule makes of them.

The numbers are those of the core: taps before the border rule are the table of the same coordinate in an input whose
borders are out of reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from halfpixel.plan.axis_table import AxisTable
from halfpixel.plan.tables import tables_of
from halfpixel.spec.axes import AxisSpec, ResizeSpec
from halfpixel.spec.coordinates import Line

MOST_TAPS = 4096
"""A filter that reaches more samples to each side is not listed tap by tap."""

_RADIUS = {"linear": 1, "cubic": 2}


@dataclass(frozen=True, slots=True)
class Tap:
    """One tap before the border rule.

    Attributes:
        index: its input sample; it may lie outside the input.
        distance: index - x, in samples.
        weight: before the border rule.
        counts_for: the input sample that the weight goes to; None if it is excluded.
    """

    index: int
    distance: Fraction
    weight: float
    counts_for: int | None


@dataclass(frozen=True, slots=True)
class Rounding:
    """How a coordinate became an index in mode nearest.

    Attributes:
        rule: the nearest_mode that the axis uses.
        below, above: the samples on both sides; the same if the coordinate lies on a sample.
        tie: the coordinate is exactly half-way.
        chosen: the index before it is clamped into the input.
    """

    rule: str
    below: int
    above: int
    tie: bool
    chosen: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One output sample along one resampled axis.

    Attributes:
        axis, index: which output sample of which axis.
        coordinate: x, before clamping; 0 is the centre of the first input sample.
        widening: how many times the antialias filter is wider; 1 if it is not.
        reach: how far the filter reaches to each side, in samples; 0 in mode nearest.
        extrapolated: the sample takes the extrapolation value.
        rounding: in mode nearest, else None.
        taps: before the border rule, weights of 0 left out; None where there are too many to list.
        first, weights: after the border rule: the result is the sum of weights[t] * input[first + t].
    """

    axis: int
    index: int
    coordinate: Fraction
    widening: Fraction
    reach: Fraction
    extrapolated: bool
    rounding: Rounding | None
    taps: tuple[Tap, ...] | None
    first: int
    weights: tuple[float, ...]


def sample_of(spec: ResizeSpec, axis: AxisSpec, table: AxisTable, index: int) -> Sample:
    """Return one output sample of an axis.

    Args:
        spec: the request that the axis is of.
        axis, table: the axis and its table.
        index: of the output sample, 0 <= index < out_size.
    """
    line = axis.line
    x = Fraction(line.step * index + line.start, line.divisor)
    count, offset = int(table.count[index]), int(table.offset[index])
    weights = tuple(table.weights[offset : offset + count].tolist())
    shrinks = axis.scale[0] < axis.scale[1]
    widens = spec.antialias and spec.mode != "nearest" and shrinks
    widening = Fraction(axis.scale[1], axis.scale[0]) if widens else Fraction(1)
    reach = _RADIUS.get(spec.mode, 0) * widening
    extrapolated = count == 0
    taps = None if reach > MOST_TAPS else () if extrapolated else _taps(spec, axis, x, ceil(reach) + 2)
    rounding = _rounding(axis.nearest_mode, x, taps[0].index) if taps and spec.mode == "nearest" else None
    return Sample(axis.axis, index, x, widening, reach, extrapolated, rounding, taps, int(table.first[index]), weights)


def _taps(spec: ResizeSpec, axis: AxisSpec, x: Fraction, reach: int) -> tuple[Tap, ...]:
    shift = reach - floor(x)
    line = Line(0, x.numerator + shift * x.denominator, x.denominator)
    lone = axis._replace(axis=0, in_size=2 * reach + 2, out_size=1, line=line, extrapolate=False)
    table = tables_of(spec._replace(axes=(lone,)))[0]
    first = int(table.first[0]) - shift
    found = []
    for index, weight in enumerate(table.weights[: int(table.count[0])].tolist(), first):
        if weight:
            clamped = min(max(index, 0), axis.in_size - 1)
            excluded = spec.exclude_outside and spec.mode != "nearest" and clamped != index
            found.append(Tap(index, index - x, weight, None if excluded else clamped))
    return tuple(found)


def _rounding(rule: str, x: Fraction, chosen: int) -> Rounding:
    return Rounding(rule, floor(x), ceil(x), x - floor(x) == Fraction(1, 2), chosen)
