"""Input coordinate of each output sample: one formula of the operator text for each mode, in exact fractions."""

from collections.abc import Callable
from fractions import Fraction

from .lengths import Axis

HALF = Fraction(1, 2)


def half_pixel(axis: Axis, i: int) -> Fraction:
    """(i + 1/2) / scale - 1/2."""
    return (i + HALF) / axis.scale - HALF


def half_pixel_symmetric(axis: Axis, i: int) -> Fraction:
    """half_pixel shifted by in / 2 * (1 - out / (in * scale)), so that both borders lose the same."""
    adjustment = axis.out_size / (axis.in_size * axis.scale)
    offset = Fraction(axis.in_size, 2) * (1 - adjustment)
    return offset + half_pixel(axis, i)


def pytorch_half_pixel(axis: Axis, i: int) -> Fraction:
    """half_pixel, but 0 when the output length is 1."""
    return half_pixel(axis, i) if axis.out_size > 1 else Fraction(0)


def align_corners(axis: Axis, i: int) -> Fraction:
    """i * (in - 1) / (L - 1), where L = in * scale is not rounded; 0 when L is 1."""
    length = axis.in_size * axis.scale
    return Fraction(0) if length == 1 else i * (axis.in_size - 1) / (length - 1)


def asymmetric(axis: Axis, i: int) -> Fraction:
    """i / scale."""
    return i / axis.scale


def tf_half_pixel_for_nn(axis: Axis, i: int) -> Fraction:
    """(i + 1/2) / scale."""
    return (i + HALF) / axis.scale


def tf_crop_and_resize(axis: Axis, i: int) -> Fraction:
    """From start * (in - 1) to end * (in - 1) in out - 1 equal steps; the middle when the output length is 1."""
    last = axis.in_size - 1
    if axis.out_size == 1:
        return (axis.start + axis.end) / 2 * last
    step = (axis.end - axis.start) * last / (axis.out_size - 1)
    return axis.start * last + i * step


FORMULAS: dict[str, Callable[[Axis, int], Fraction]] = {
    "half_pixel": half_pixel,
    "half_pixel_symmetric": half_pixel_symmetric,
    "pytorch_half_pixel": pytorch_half_pixel,
    "align_corners": align_corners,
    "asymmetric": asymmetric,
    "tf_half_pixel_for_nn": tf_half_pixel_for_nn,
    "tf_crop_and_resize": tf_crop_and_resize,
}


def coordinates(axis: Axis, mode: str) -> list[Fraction]:
    """The input coordinate of every output sample of the axis; 0 is the centre of the first input sample."""
    formula = FORMULAS[mode]
    return [formula(axis, i) for i in range(axis.out_size)]
