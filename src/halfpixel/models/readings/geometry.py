"""A reading's output lengths, and of each resampled axis where the output samples lie: as a ResizeSpec."""

from __future__ import annotations

from fractions import Fraction
from math import floor, prod

import numpy as np

from halfpixel.models.readings.reading import Reading
from halfpixel.spec.axes import AxisSpec, ResizeSpec
from halfpixel.spec.coordinates import Line, line_of
from halfpixel.spec.sizes import common_scale, float32, length_of, ratio_of_sizes

Ratio = tuple[int, int]
_MOST_SAMPLES = 2**40
_EPSILON = Fraction(1, 100000)


def spec_of(reading: Reading) -> ResizeSpec | None:
    """Return the spec of a reading; None where the reading has no result (a length below 0, or far too large)."""
    lengths, ratios = _lengths(reading)
    out_shape = list(reading.in_shape)
    for axis, length in zip(reading.axes, lengths, strict=True):
        out_shape[axis] = length
    if min(out_shape, default=0) < 0 or prod(max(length, 1) for length in out_shape) > _MOST_SAMPLES:
        return None
    if any(out > 0 and reading.in_shape[axis] == 0 for axis, out in enumerate(out_shape)):
        return None
    by_axis = {
        axis: (ratio, start, end)
        for axis, ratio, (start, end) in zip(reading.axes, ratios, _regions(reading), strict=True)
    }
    copied = reading.copies == "same shape" and tuple(out_shape) == reading.in_shape
    axes = []
    for axis in () if copied else sorted(by_axis):
        ratio, start, end = by_axis[axis]
        made = _axis(reading, axis, out_shape[axis], ratio, start, end)
        if made is not None:
            axes.append(made)
    return ResizeSpec(
        "Resize",
        19,
        reading.in_shape,
        tuple(out_shape),
        tuple(axes),
        reading.mode,
        reading.cubic_coeff_a,
        reading.antialias,
        reading.exclude_outside,
        reading.extrapolation_value,
    )


def _axis(reading: Reading, axis: int, out_size: int, ratio: Ratio, start: Fraction, end: Fraction) -> AxisSpec | None:
    """The spec of one axis; None where it is copied."""
    in_size = reading.in_shape[axis]
    whole = start == 0 and end == 1
    same = in_size == out_size
    if reading.copies == "same length" and same:
        return None
    if in_size == 0 or (reading.copies != "none" and same and whole and ratio[0] == ratio[1]):
        return None
    scale = ratio_of_sizes(in_size, out_size) if reading.lengths_as_scale and out_size else ratio
    line = _line(reading, in_size, out_size, scale, start, end)
    nearest = reading.nearest_mode or ("floor" if ratio[0] >= ratio[1] else "ceil")
    return AxisSpec(axis, in_size, out_size, scale, line, nearest, reading.crops and reading.extrapolates)


def _line(reading: Reading, in_size: int, out_size: int, scale: Ratio, start: Fraction, end: Fraction) -> Line:
    mode = reading.coordinate_transformation_mode
    if out_size == 0:
        return Line(0, 0, 1)
    if mode == "pytorch_half_pixel" and out_size == 1:
        lone = Fraction(reading.lone_sample)
        return Line(0, lone.numerator, lone.denominator)
    if reading.crops:
        return _crop_line(reading, in_size, out_size, scale, start, end)
    return line_of(mode, in_size, out_size, scale)


def _crop_line(reading: Reading, in_size: int, out_size: int, scale: Ratio, start: Fraction, end: Fraction) -> Line:
    """tf_crop_and_resize, over the integer length or the fractional one."""
    length = Fraction(in_size * scale[0], scale[1]) if reading.fractional_crop else Fraction(out_size)
    if length == 1:
        middle = (start + end) / 2 * (in_size - 1)
        return Line(0, middle.numerator, middle.denominator)
    step = (end - start) * (in_size - 1) / (length - 1)
    begin = start * (in_size - 1)
    divisor = step.denominator * begin.denominator
    return Line(int(step * divisor), int(begin * divisor), divisor)


def _regions(reading: Reading) -> list[tuple[Fraction, Fraction]]:
    count = len(reading.axes)
    if not reading.crops or reading.roi is None or len(reading.roi) != 2 * count:
        return [(Fraction(0), Fraction(1))] * count
    values = [Fraction(value) for value in reading.roi]
    return list(zip(values[:count], values[count:], strict=True))


def _lengths(reading: Reading) -> tuple[list[int], list[Ratio]]:
    """Output lengths and coordinate scales of the listed axes."""
    in_sizes = [reading.in_shape[axis] for axis in reading.axes]
    if reading.scales is not None:
        ratios = [float32(scale).as_integer_ratio() for scale in reading.scales]
        extents = (
            [end - start for start, end in _regions(reading)]
            if reading.roi_in_length
            else [Fraction(1)] * len(in_sizes)
        )
        return [
            _scaled(in_size, ratio, extent, reading.length_rule)
            for in_size, ratio, extent in zip(in_sizes, ratios, extents, strict=True)
        ], ratios
    sizes = list(reading.sizes or ())
    if reading.keep_aspect_ratio_policy == "stretch":
        return sizes, [ratio_of_sizes(n, size) for n, size in zip(in_sizes, sizes, strict=True)]
    scale = common_scale(in_sizes, sizes, reading.keep_aspect_ratio_policy)
    if reading.policy_arithmetic != "exact":
        number = np.float32 if reading.policy_arithmetic == "float32" else np.float64
        rounded = number(scale[0]) / number(scale[1])
        return [floor(number(n) * rounded + number(0.5)) for n in in_sizes], [scale] * len(in_sizes)
    return [length_of(n, scale, "round") for n in in_sizes], [scale] * len(in_sizes)


def _scaled(in_size: int, ratio: Ratio, extent: Fraction, rule: str) -> int:
    if rule == "epsilon_floor":
        return floor(in_size * extent * (Fraction(*ratio) + _EPSILON))
    return length_of(in_size, ratio, rule, (0, extent.numerator, extent.denominator))
