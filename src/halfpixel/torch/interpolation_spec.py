"""What torch.nn.functional.interpolate does along each axis, as the exact numbers of a ResizeSpec.

With step = input length / output length, or 1 / scale_factor where one is used, output sample i lies at

    nearest         floor(i * step)
    nearest-exact   floor((i + 1/2) * step)
    linear, cubic   (i + 1/2) * step - 1/2;  align_corners: i * (in - 1) / (out - 1)
    antialias       the same, the filter widened by max(1, step), taps outside the input dropped, Keys' a = -0.5;
                    align_corners changes the step only: (i + 1/2) * (in - 1) / (out - 1) - 1/2
    area            the mean of samples floor(i * in / out) to ceil((i + 1) * in / out) - 1

Source: behaviour of torch 2.13 on the CPU. torch computes the positions in float32 (float64 for float64 tensors); here
they are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from halfpixel.spec.axes import AxisSpec, ResizeSpec
from halfpixel.spec.coordinates import Line
from halfpixel.spec.sizes import check_addressable

_MOST_DENOMINATOR = 2**20
_CUBIC, _ANTIALIASED_CUBIC = -0.75, -0.5
_MODES = {"nearest": "nearest", "nearest-exact": "nearest", "linear": "linear", "cubic": "cubic", "area": "area"}


def interpolation_spec(
    x_shape: Sequence[int],
    size: Sequence[int],
    scale_factors: Sequence[float] | None,
    mode: str,
    align_corners: bool,
    antialias: bool,
) -> ResizeSpec:
    """Return what interpolate does to an input of a shape.

    Args:
        x_shape: lengths of the input; the last len(size) axes are resized.
        size: their output lengths, >= 1.
        scale_factors: one an entry of size where the positions use them, else None.
        mode: "nearest", "nearest-exact", "linear", "cubic" or "area": torch's names without the count of axes.
        align_corners, antialias: as torch has them; false in the modes that do not have them.

    Raises:
        ResourceError: HP300.
    """
    shape = tuple(x_shape)
    leading = len(shape) - len(size)
    factors: Sequence[float | None] = scale_factors or [None] * len(size)
    axes = []
    for axis, out_size, factor in zip(range(leading, len(shape)), size, factors, strict=True):
        spec = _axis(axis, shape[axis], out_size, factor, mode, align_corners, antialias)
        axes += [] if spec is None else [spec]
    out_shape = check_addressable((*shape[:leading], *size), "size", list(size))
    a = _ANTIALIASED_CUBIC if antialias else _CUBIC
    return ResizeSpec("Resize", 19, shape, out_shape, tuple(axes), _MODES[mode], a, antialias, antialias, 0.0)


def step_of(scale_factor: float) -> Fraction:
    """Return 1 / scale_factor: the simple fraction that the float stands for, where there is one.

    1 / 1.1 in floating point lies just below 10/11, so that floor(11 / 1.1) would be 9; torch's float32 gets 10.
    """
    step = Fraction(1.0 / scale_factor)
    simple = step.limit_denominator(_MOST_DENOMINATOR)
    return simple if simple and abs(simple - step) <= step / 2**51 else step


def _axis(
    axis: int, in_size: int, out_size: int, factor: float | None, mode: str, align_corners: bool, antialias: bool
) -> AxisSpec | None:
    """The axis, or None where torch copies it."""
    if align_corners:
        step = Fraction(in_size - 1, out_size - 1) if out_size > 1 else Fraction(0)
    else:
        step = Fraction(in_size, out_size) if factor is None else step_of(factor)
    if in_size == out_size and (step == 1 or mode == "linear" or antialias):
        return None
    scale = (step.denominator, step.numerator) if step else (1, 1)
    line = _line(step, mode, align_corners and not antialias)
    return AxisSpec(axis, in_size, out_size, scale, line, "floor", False)


def _line(step: Fraction, mode: str, aligned: bool) -> Line:
    numerator, denominator = step.numerator, step.denominator
    if mode == "nearest" or aligned:
        return Line(numerator, 0, denominator)
    start = numerator if mode == "nearest-exact" else numerator - denominator
    common = gcd(2 * numerator, start, 2 * denominator)
    return Line(2 * numerator // common, start // common, 2 * denominator // common)
