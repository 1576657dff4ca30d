"""ResizeSpec, the one form that a request of any version takes, and the line of each of its axes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from halfpixel.spec.coordinates import Fraction, Line, Roi, line_of
from halfpixel.spec.sizes import ratio_of_sizes


class AxisSpec(NamedTuple):
    """What happens along one resampled axis.

    Attributes:
        axis: counted from the front.
        in_size, out_size: lengths in samples.
        scale: (numerator, denominator) of out / in as coordinates and the antialias filter use it: the given
            float32 scale exactly, the quotient of the lengths for sizes, the common scale under a policy.
        line: input coordinates of the output samples.
        nearest_mode: how a coordinate becomes an index; an axis has its own, because Resize-10 and Upsample take
            floor for an axis that grows and ceil for one that shrinks.
        extrapolate: output samples outside [0, in_size - 1] take the extrapolation value.
    """

    axis: int
    in_size: int
    out_size: int
    scale: Fraction
    line: Line
    nearest_mode: str
    extrapolate: bool


class ResizeSpec(NamedTuple):
    """A request of any version in one form.

    Attributes:
        version: the since-version asked for.
        axes: resampled axes, ascending; an axis of scale exactly 1, equal lengths and whole roi is copied, not listed.
        mode: "nearest", "linear" or "cubic"; "area", which no version has, where another library's is asked for: each
            output sample is the mean of the whole input samples that it covers, and line says where its centre lies.
        cubic_coeff_a: rounded to float32.
    """

    op_type: str
    version: int
    in_shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    axes: tuple[AxisSpec, ...]
    mode: str
    cubic_coeff_a: float
    antialias: bool
    exclude_outside: bool
    extrapolation_value: float

    def __hash__(self) -> int:
        """Of what nearly always tells two requests apart: all of it would take as long as a small resize."""
        return hash((self.in_shape, self.out_shape, self.mode))


def axis_specs(
    listed: Iterable[int],
    in_sizes: Iterable[int],
    lengths: Iterable[int],
    scales: Iterable[Fraction | None],
    rois: Iterable[Roi],
    coordinates: str,
    nearest: str | None,
) -> tuple[AxisSpec, ...]:
    """Return the resampled axes in ascending order.

    Args:
        scales: out / in as coordinates use it; None is the quotient of the lengths.
        nearest: None is floor where scale >= 1, else ceil.
    """
    each = map(_axis_spec, listed, in_sizes, lengths, scales, rois, repeat(coordinates), repeat(nearest))
    return tuple(sorted(filter(None, each)))


@lru_cache(maxsize=1024)
def _axis_spec(
    axis: int, in_size: int, out_size: int, scale: Fraction | None, roi: Roi, coordinates: str, nearest: str | None
) -> AxisSpec | None:
    """Return what happens along an axis, None where it is copied. Pictures of many shapes have lengths in common."""
    scale = scale or ratio_of_sizes(in_size, out_size)
    numerator, denominator = scale
    whole = roi[0] == 0 and roi[1] == roi[2]
    if in_size == 0 or (whole and numerator == denominator and in_size == out_size):
        return None
    line = line_of(coordinates, in_size, out_size, scale, roi)
    nearest_mode = nearest or ("floor" if numerator >= denominator else "ceil")
    return AxisSpec(axis, in_size, out_size, scale, line, nearest_mode, coordinates == "tf_crop_and_resize")
