"""ResizeSpec, the one form that a request of any version takes, and the line of each of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from halfpixel.spec.coordinates import WHOLE, Fraction, Line, Roi, line_of


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


@dataclass(frozen=True, slots=True)
class ResizeSpec:
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
    listed: Sequence[int],
    in_sizes: Sequence[int],
    lengths: Sequence[int],
    ratios: Sequence[Fraction],
    rois: Sequence[Roi],
    coordinates: str,
    nearest: str | None,
) -> tuple[AxisSpec, ...]:
    """Return the resampled axes in ascending order; nearest None means floor where scale >= 1, else ceil."""
    extrapolate = coordinates == "tf_crop_and_resize"
    specs = []
    for axis, in_size, out_size, scale, roi in zip(listed, in_sizes, lengths, ratios, rois, strict=True):
        numerator, denominator = scale
        whole = roi is WHOLE or (roi[0] == 0 and roi[1] == roi[2])
        unchanged = whole and numerator == denominator and in_size == out_size
        if unchanged or in_size == 0:
            continue
        line = line_of(coordinates, in_size, out_size, scale, roi)
        nearest_mode = nearest or ("floor" if numerator >= denominator else "ceil")
        specs.append(AxisSpec(axis, in_size, out_size, scale, line, nearest_mode, extrapolate))
    if list(listed) != sorted(listed):
        specs.sort(key=lambda spec: spec.axis)
    return tuple(specs)
