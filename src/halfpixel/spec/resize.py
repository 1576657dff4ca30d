"""Resize and Upsample of every version -> ResizeSpec: what each axis does, in exact numbers.

All differences between versions end here: who reads a ResizeSpec need not know which version it came from.
Source: ONNX Resize 10, 11, 13, 18, 19 and Upsample 1, 7, 9, 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

from halfpixel._errors import SpecError
from halfpixel._typing import Integers, RealNumbers
from halfpixel.spec.arguments import (
    attribute_number,
    axes_of,
    choice,
    elements,
    flag,
    real,
    require_attribute,
    shape_of,
    show,
)
from halfpixel.spec.coordinates import WHOLE, Fraction, Line, Roi, line_of
from halfpixel.spec.operators import Operator, operator_of
from halfpixel.spec.sizes import (
    check_addressable,
    check_length_rule,
    common_scale,
    float32,
    length_of,
    ratio_of_sizes,
    ratios_of_scales,
    sizes_of,
)

__all__ = ["AxisSpec", "Line", "ResizeSpec", "resize_spec", "upsample_spec"]


@dataclass(frozen=True, slots=True)
class AxisSpec:
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
        mode: "nearest", "linear" or "cubic".
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


def resize_spec(
    x_shape: Sequence[int],
    scales: RealNumbers | None = None,
    sizes: Integers | None = None,
    *,
    roi: RealNumbers | None = None,
    axes: Integers | None = None,
    mode: str = "nearest",
    coordinate_transformation_mode: str = "half_pixel",
    nearest_mode: str = "round_prefer_floor",
    cubic_coeff_a: float = -0.75,
    antialias: bool | int = False,
    exclude_outside: bool | int = False,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    version: int = 19,
    length_rule: str = "floor",
    strict: bool = True,
) -> ResizeSpec:
    """Return what a Resize does to an X of a shape.

    Args:
        x_shape: lengths of X.
        scales: out / in, one an axis (or an entry of axes), > 0, rounded to float32.
        sizes: output lengths instead of scales. One of the two; None or empty is absent.
        roi: [start1, ..., startN, end1, ..., endN] for tf_crop_and_resize, where 0 and 1 are the end samples.
        axes: the axes that scales, sizes and roi are for; None is all, an empty list is none (a copy).
        version: since-version 10, 11, 13, 18 or 19.
        length_rule: how scales become lengths, see spec.sizes.output_sizes; coordinates keep the given scale.
        strict: false lets a value of another version pass where its meaning is plain.

    Raises:
        SpecError: the request breaks a rule; one code for each kind of mistake, see ERROR_CODES.
        ResourceError: HP300, more elements than 63 bits can count.
    """
    operator = operator_of("Resize", version)
    mode = choice(operator, "mode", mode, strict)
    coordinates = _coordinates(operator, coordinate_transformation_mode, strict)
    nearest = _nearest(operator, nearest_mode, strict)
    policy = choice(operator, "keep_aspect_ratio_policy", keep_aspect_ratio_policy, strict)
    antialias = flag(operator, "antialias", antialias, strict)
    exclude_outside = flag(operator, "exclude_outside", exclude_outside, strict)
    cubic_coeff_a = _cubic_coeff_a(operator, cubic_coeff_a, strict)
    extrapolation_value = _extrapolation_value(operator, extrapolation_value, strict)
    if length_rule != "floor":
        check_length_rule(length_rule)

    shape = shape_of(x_shape)
    if axes is None:
        listed = list(range(len(shape)))
    else:
        listed = axes_of(axes, len(shape))
        require_attribute(operator, "axes", axes, strict)
    in_sizes = [shape[axis] for axis in listed]
    crop = coordinates == "tf_crop_and_resize"
    rois = _rois(roi, len(listed), shape) if crop else [WHOLE] * len(listed)
    _check_inputs(operator, sizes, roi, strict)
    given_scales, given_sizes = _scales_or_sizes(operator, scales, sizes, len(listed), shape)
    if given_scales is not None:
        ratios = ratios_of_scales(given_scales, len(listed), shape)
        lengths = [length_of(n, r, length_rule, part) for n, r, part in zip(in_sizes, ratios, rois, strict=True)]
        if crop and min(lengths, default=0) < 0:
            raise _negative_length(roi, scales, lengths)
    else:
        lengths = sizes_of(given_sizes or [], len(listed), in_sizes, shape)
        if policy == "stretch":
            ratios = [ratio_of_sizes(n, length) for n, length in zip(in_sizes, lengths, strict=True)]
        else:
            ratios = [common_scale(in_sizes, lengths, policy)] * len(listed)
            lengths = [length_of(n, ratios[0], "round") for n in in_sizes]

    return ResizeSpec(
        "Resize",
        version,
        shape,
        _out_shape(shape, listed, lengths, scales if given_sizes is None else sizes),
        _axis_specs(listed, in_sizes, lengths, ratios, rois, coordinates, nearest),
        mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
    )


def upsample_spec(
    x_shape: Sequence[int],
    scales: RealNumbers | None = None,
    *,
    height_scale: float | None = None,
    width_scale: float | None = None,
    mode: str = "nearest",
    version: int = 9,
    strict: bool = True,
) -> ResizeSpec:
    """Return what an Upsample does to an X of a shape: x = i / scale, nearest by floor, linear as such.

    Args:
        scales: out / in >= 1, one an axis (versions 7, 9, 10).
        height_scale, width_scale: the same for the last two axes of an X of rank 4 (version 1).
        mode: "nearest", "linear" (from 7 on) or "bilinear" (in 1, the same as linear).
        version: since-version 1, 7, 9 or 10; 10 is deprecated and read as 9.
        strict: false lets the mode of another version pass.

    Raises:
        SpecError: the request breaks a rule, among them HP108, a scale below 1.
        ResourceError: HP300.
    """
    operator = operator_of("Upsample", version)
    mode = choice(operator, "mode", mode, strict)
    shape = shape_of(x_shape)
    if version == 1:
        given = _scales_of_height_and_width(operator, shape, scales, height_scale, width_scale)
    else:
        for name, value in (("height_scale", height_scale), ("width_scale", width_scale)):
            if value is not None:
                require_attribute(operator, name, value, strict=True)
        given = [] if scales is None else elements("scales", scales)
        if scales is None or (not given and shape):
            raise _missing(operator, "scales", "one scale an axis, each 1 or more")
    ratios = ratios_of_scales(given, len(shape), shape)
    if any(numerator < denominator for numerator, denominator in ratios):
        raise SpecError(
            "HP108",
            f"{operator.label} only grows: a scale is below 1",
            given=f"scales={show(given)}",
            allowed="scales of 1 or more",
            do="use Resize to shrink",
        )
    listed = list(range(len(shape)))
    lengths = [length_of(n, ratio, "floor") for n, ratio in zip(shape, ratios, strict=True)]
    out_shape = check_addressable(tuple(lengths), f"scales={show(given)}")
    axes = _axis_specs(listed, shape, lengths, ratios, [WHOLE] * len(shape), "asymmetric", None)
    mode = "linear" if mode == "bilinear" else mode
    return ResizeSpec("Upsample", version, shape, out_shape, axes, mode, -0.75, False, False, 0.0)


def _axis_specs(
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
    specs.sort(key=lambda spec: spec.axis)
    return tuple(specs)


def _out_shape(shape: tuple[int, ...], listed: list[int], lengths: list[int], given: object) -> tuple[int, ...]:
    out_shape = list(shape)
    for axis, length in zip(listed, lengths, strict=True):
        out_shape[axis] = length
    return check_addressable(tuple(out_shape), f"scales or sizes {show(given)}")


def _coordinates(operator: Operator, value: str, strict: bool) -> str:
    """Return the coordinate_transformation_mode; Resize-10 has none and uses x / scale."""
    name = "coordinate_transformation_mode"
    if name in operator.attributes:
        return choice(operator, name, value, strict)
    if strict or not isinstance(value, str) or value != "asymmetric":
        choice(operator, name, value)  # only the default, which asks for nothing, passes
    return "asymmetric"


def _nearest(operator: Operator, value: str, strict: bool) -> str | None:
    """Return the nearest_mode; None for Resize-10, where it follows from the scale."""
    nearest = choice(operator, "nearest_mode", value, strict)
    if "nearest_mode" not in operator.attributes and nearest == "round_prefer_floor":
        return None
    return nearest


def _cubic_coeff_a(operator: Operator, value: float, strict: bool) -> float:
    number = float32(attribute_number("cubic_coeff_a", value, finite=True))
    if number in (inf, -inf):
        attribute_number("cubic_coeff_a", number, finite=True)
    if number != -0.75:
        require_attribute(operator, "cubic_coeff_a", value, strict)
    return number


def _extrapolation_value(operator: Operator, value: float, strict: bool) -> float:
    number = attribute_number("extrapolation_value", value, finite=False)
    if number != 0.0:
        require_attribute(operator, "extrapolation_value", value, strict)
    return number


def _check_inputs(operator: Operator, sizes: object, roi: object, strict: bool) -> None:
    """Raise HP113 for an input that Resize-10 does not have; empty ones are absent."""
    if operator.roi_types or strict is False:
        return
    for name, value in (("sizes", sizes), ("roi", roi)):
        if value is not None and elements(name, value):
            require_attribute(operator, name, value, strict)


def _scales_or_sizes(
    operator: Operator, scales: object, sizes: object, count: int, shape: tuple[int, ...]
) -> tuple[list[object] | None, list[object] | None]:
    """Return exactly one of the two as a list and None for the other.

    An empty one is absent, except where no value is wanted (rank 0, or no axis): there it is the value.
    """
    given_scales = None if scales is None else elements("scales", scales)
    given_sizes = None if sizes is None else elements("sizes", sizes)
    if given_scales is not None and given_sizes is not None:
        if given_scales and given_sizes:
            raise SpecError(
                "HP104",
                f"{operator.label} takes 'scales' or 'sizes', not both",
                given=f"scales={show(scales)}, sizes={show(sizes)}, X of shape {show(shape)}",
                allowed="exactly one of the two; the other None or empty",
                do="drop 'sizes', or pass scales=None",
            )
        if given_scales:
            given_sizes = None
        else:
            given_scales = None
    given = given_sizes if given_scales is None else given_scales
    if given is None or (count and not given):
        raise SpecError(
            "HP103",
            f"{operator.label} needs 'scales' or 'sizes'",
            given=f"scales={show(scales)}, sizes={show(sizes)}, X of shape {show(shape)}",
            allowed="exactly one of the two, with one value an axis",
            do="pass scales (out / in) or sizes (output lengths)",
        )
    return given_scales, given_sizes


def _rois(roi: object, count: int, shape: tuple[int, ...]) -> list[Roi]:
    """Return the (start, end) of each listed axis as exact fractions with one divisor."""
    values = [] if roi is None else [real("roi", value) for value in elements("roi", roi)]
    if len(values) != 2 * count:
        raise SpecError(
            "HP117",
            f"tf_crop_and_resize needs a 'roi' of {2 * count} values, not {len(values)}",
            given=f"roi={show(roi)}, X of shape {show(shape)}",
            allowed="[start1, ..., startN, end1, ..., endN] for the N axes of X, or of 'axes' if it is given",
            do="pass the starts of all axes, then their ends; 0 and 1 are the end samples of an axis",
        )
    rois = []
    for start, end in zip(values[:count], values[count:], strict=True):
        if not (isfinite(start) and isfinite(end)):
            raise SpecError(
                "HP118",
                "a value of 'roi' is not finite",
                given=f"roi={show(roi)}",
                allowed="finite numbers; 0 and 1 are the end samples of an axis",
                do="pass finite starts and ends",
            )
        # Denominators of floats are powers of two, so that the larger one is common to both.
        (a, b), (c, d) = start.as_integer_ratio(), end.as_integer_ratio()
        divisor = max(b, d)
        rois.append((a * (divisor // b), c * (divisor // d), divisor))
    return rois


def _negative_length(roi: object, scales: object, lengths: list[int]) -> SpecError:
    return SpecError(
        "HP120",
        "a 'roi' that ends before it starts has no length that 'scales' could multiply",
        given=f"roi={show(roi)}, scales={show(scales)}, which are lengths {show(lengths)}",
        allowed="start <= end on every axis with 'scales'; with 'sizes' a roi may be reversed",
        do="pass 'sizes', or swap start and end",
    )


def _scales_of_height_and_width(
    operator: Operator, shape: tuple[int, ...], scales: object, height_scale: object, width_scale: object
) -> list[object]:
    """Return the four scales of Upsample-1."""
    if scales is not None:
        require_attribute(operator, "scales", scales, strict=True)
    for name, value in (("height_scale", height_scale), ("width_scale", width_scale)):
        if value is None:
            raise _missing(operator, name, "a number, 1 or more")
    if len(shape) != 4:
        raise SpecError(
            "HP123",
            f"{operator.label} takes rank 4, not {len(shape)}",
            given=f"X of shape {show(shape)}",
            allowed="[N, C, H, W]",
            do="reshape X to rank 4, or use version=7 or later with one scale an axis",
        )
    return [1.0, 1.0, height_scale, width_scale]


def _missing(operator: Operator, name: str, allowed: str) -> SpecError:
    return SpecError(
        "HP122",
        f"{operator.label} needs {name!r}",
        given=f"{name} is missing or empty",
        allowed=allowed,
        do=f"pass {name}=",
    )
