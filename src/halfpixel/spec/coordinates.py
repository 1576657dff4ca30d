"""Where an output sample lies in the input: one straight line of exact integers for an axis.

Every coordinate_transformation_mode of Resize is a line x(i) = (step * i + start) / divisor in the output index i.
The scale of an axis is the fraction numerator / denominator (out / in), written scale below. Integers keep ties and
exact multiples what they are: from 20 samples to 6, output sample 1 lies at 4.5, not near it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import NamedTuple, TypeAlias

Fraction: TypeAlias = tuple[int, int]
"""(numerator, denominator), denominator > 0, in lowest common terms."""

Roi: TypeAlias = tuple[int, int, int]
"""(start, end, divisor): from start / divisor to end / divisor of an axis, where 0 and 1 are its end samples."""


class Line(NamedTuple):
    """Input coordinates of the output samples of an axis: x(i) = (step * i + start) / divisor.

    Exact integers in lowest common terms, divisor > 0. Unit: input samples; 0 is the centre of the first one.
    """

    step: int
    start: int
    divisor: int


Terms: TypeAlias = tuple[int, int, int]
Rule: TypeAlias = Callable[[int, int, int, int, Roi], Terms]

_ORIGIN: Terms = (0, 0, 1)


def half_pixel(in_size: int, out_size: int, numerator: int, denominator: int, roi: Roi) -> Terms:
    """Sample centres aligned: x = (i + 1/2) / scale - 1/2."""
    return 2 * denominator, denominator - numerator, 2 * numerator


def half_pixel_symmetric(in_size: int, out_size: int, numerator: int, denominator: int, roi: Roi) -> Terms:
    """half_pixel about the centre of the output: x = in / 2 * (1 - out / (in * scale)) + (i + 1/2) / scale - 1/2.

    Differs from half_pixel only where out is not exactly in * scale.
    """
    start = (in_size - 1) * numerator + (1 - out_size) * denominator
    return 2 * denominator, start, 2 * numerator


def pytorch_half_pixel(in_size: int, out_size: int, numerator: int, denominator: int, roi: Roi) -> Terms:
    """half_pixel, but 0 where the output has one sample."""
    if out_size == 1:
        return _ORIGIN
    return 2 * denominator, denominator - numerator, 2 * numerator


def align_corners(in_size: int, out_size: int, numerator: int, denominator: int, roi: Roi) -> Terms:
    """End samples aligned: x = i * (in - 1) / (L - 1) with L = in * scale, not rounded; 0 where L is 1.

    L below 1 has at most the output sample 0, which lies at 0 as well.
    """
    divisor = in_size * numerator - denominator
    if divisor <= 0:
        return _ORIGIN
    return (in_size - 1) * denominator, 0, divisor


def asymmetric(in_size: int, out_size: int, numerator: int, denominator: int, roi: Roi) -> Terms:
    """First samples aligned: x = i / scale."""
    return denominator, 0, numerator


def tf_half_pixel_for_nn(in_size: int, out_size: int, numerator: int, denominator: int, roi: Roi) -> Terms:
    """Half a sample to the right of half_pixel: x = (i + 1/2) / scale."""
    return 2 * denominator, denominator, 2 * numerator


def tf_crop_and_resize(in_size: int, out_size: int, numerator: int, denominator: int, roi: Roi) -> Terms:
    """The ends of the roi on the end samples: x = (start * (out - 1 - i) + end * i) * (in - 1) / (out - 1).

    Where the output has one sample: the middle of the roi, (start + end) / 2 * (in - 1).
    """
    start, end, divisor = roi
    last = in_size - 1
    if out_size == 1:
        return 0, (start + end) * last, 2 * divisor
    return (end - start) * last, start * last * (out_size - 1), divisor * (out_size - 1)


RULES: dict[str, Rule] = {
    "half_pixel": half_pixel,
    "half_pixel_symmetric": half_pixel_symmetric,
    "pytorch_half_pixel": pytorch_half_pixel,
    "align_corners": align_corners,
    "asymmetric": asymmetric,
    "tf_half_pixel_for_nn": tf_half_pixel_for_nn,
    "tf_crop_and_resize": tf_crop_and_resize,
}
"""coordinate_transformation_mode -> rule: (in_size, out_size, numerator, denominator, roi) -> the line's integers."""

WHOLE: Roi = (0, 1, 1)
"""The roi of an axis that is not cropped."""


def line_of(mode: str, in_size: int, out_size: int, scale: Fraction, roi: Roi = WHOLE) -> Line:
    """Return the line of an axis, in lowest common terms.

    Args:
        mode: a key of RULES.
        in_size, out_size: lengths; in_size >= 1. No output sample: the line is x = 0.
        scale: out / in as used for coordinates, > 0 unless out_size is 0.
        roi: used by tf_crop_and_resize only.
    """
    if out_size == 0:
        return Line(0, 0, 1)
    step, start, divisor = RULES[mode](in_size, out_size, scale[0], scale[1], roi)
    common = gcd(step, start, divisor)
    return Line(step // common, start // common, divisor // common)
