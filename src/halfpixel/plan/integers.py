"""Exact integers of a spec, made to fit the core's 128 bits."""

from __future__ import annotations

import struct

from halfpixel.spec.coordinates import Fraction, Line

_TERM_BITS = 110
_DIVISOR_BITS = 98
"""What fits: the core adds terms and multiplies the divisor by up to 2**27 taps in 128 bits."""

_NARROW = 2**54
_NARROW_LINE = struct.Struct("<6q")
"""Terms below 2**54 of an axis that is no longer: they fit, each as a word and the word of its sign."""

_WIDEST = 60
"""A filter that is 2**60 inputs wide weighs every input alike."""


def line_bytes(line: Line, in_size: int, out_size: int) -> bytes:
    """Return a line as the core takes it: step, start, divisor.

    x(i) = (step * i + start) / divisor for 0 <= i < out_size. Every line of sizes, of everyday scales and of a roi in
    everyday numbers passes as it is. Others, which scales near 1e-40 or a roi of 1e300 give, are replaced by one that
    is inside and outside the input at the same ends, and inside as near as 110 bits allow.
    """
    step, start, divisor = line.step, line.start, line.divisor
    if -_NARROW < step < _NARROW and -_NARROW < start < _NARROW and divisor < _NARROW and out_size < _NARROW:
        return _NARROW_LINE.pack(step, step >> 63, start, start >> 63, divisor, 0)
    if _fits(line.step, line.start, line.divisor, out_size):
        return encoded(line.step, line.start, line.divisor)
    return encoded(*_approximated(line, in_size, out_size))


def scale_bytes(scale: Fraction) -> bytes:
    """Return the scale of an antialias filter as the core takes it: numerator, denominator.

    Only scales below 1 widen a filter.
    """
    numerator, denominator = scale
    if numerator >= denominator:
        return encoded(1, 1)
    if denominator > numerator << _WIDEST:
        return encoded(1, 1 << _WIDEST)
    excess = max(0, denominator.bit_length() - _TERM_BITS)
    return encoded(numerator >> excess, denominator >> excess)


def encoded(*values: int) -> bytes:
    """Return 16 bytes for each integer: little endian, two's complement."""
    return b"".join([value.to_bytes(16, "little", signed=True) for value in values])


def _fits(step: int, start: int, divisor: int, out_size: int) -> bool:
    term = max(abs(step) * out_size, abs(start))
    return term.bit_length() <= _TERM_BITS and divisor.bit_length() <= _DIVISOR_BITS


def _approximated(line: Line, in_size: int, out_size: int) -> tuple[int, int, int]:
    """Return a line of fewer bits, by one of two ways.

    A line so steep that at most one sample is near the input keeps the place of that one, and has the others far
    outside on their side. Any other keeps its ends, on a grid that leaves room for all between them.
    """
    last = out_size - 1
    far = 2 * in_size + 8  # beyond the input by more than a filter reaches
    if last and abs(line.step) >= 4 * far * line.divisor:
        step = 4 * far if line.step > 0 else -4 * far
        nearest = min(max((line.step - 2 * line.start) // (2 * line.step), 0), last)
        grid = _grid(4 * far * out_size)
        place = _on_grid(line, nearest, in_size, far, grid)
        return step * grid, place - step * nearest * grid, grid
    farthest = far * (4 * last + 1)  # an end that is farther has all other samples on its side
    grid = _grid(2 * farthest * out_size)
    largest = max(abs(line.start), abs(line.step * last + line.start)) * grid
    thin = out_size.bit_length() + 10 + line.divisor.bit_length() - largest.bit_length()
    # All samples within a hair of sample 0: a hair that is thicker still shows which of them are outside.
    finer = grid << thin if largest and thin > 0 else grid
    first, end = (_on_grid(line, i, in_size, farthest, finer) for i in (0, last))
    return end - first, first * max(last, 1), grid * max(last, 1)


def _grid(largest: int) -> int:
    """Return the finest grid on which the largest term fits."""
    return 1 << min(_TERM_BITS - 1 - largest.bit_length(), _DIVISOR_BITS // 2 + 20)


def _on_grid(line: Line, i: int, in_size: int, farthest: int, grid: int) -> int:
    """Return x(i) in units of 1 / grid, rounded away from the input if outside, and at most farthest."""
    numerator = line.step * i + line.start
    if numerator > (in_size - 1) * line.divisor:
        return min(-(-numerator * grid // line.divisor), farthest * grid)
    return max(numerator * grid // line.divisor, -farthest * grid)
