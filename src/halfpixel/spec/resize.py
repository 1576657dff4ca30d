"""Resize of every version -> ResizeSpec: what each axis does, in exact numbers.

All differences between versions end here and in upsample.py: who reads a ResizeSpec need not know its version.
Source: ONNX Resize 10, 11, 13, 18, 19.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from math import inf, isfinite
from typing import NamedTuple, TypeAlias

from halfpixel._errors import SpecError
from halfpixel._typing import Integers, RealNumbers
from halfpixel.spec.arguments import axes_of, elements, real, shape_of, show
from halfpixel.spec.attributes import attribute_number, choice, flag, require_attribute
from halfpixel.spec.axes import AxisSpec, ResizeSpec, axis_specs
from halfpixel.spec.coordinates import WHOLE, Fraction, Line, Roi
from halfpixel.spec.operators import Operator, operator_of
from halfpixel.spec.sizes import (
    check_addressable,
    check_growth,
    check_length_rule,
    common_scale,
    float32,
    length_of,
    ratios_of_scales,
    sizes_of,
)
from halfpixel.spec.upsample import upsample_spec

__all__ = [
    "AxisSpec",
    "Line",
    "ResizeRequest",
    "ResizeSpec",
    "resize_request",
    "resize_spec",
    "spec_of",
    "upsample_spec",
]


class ResizeRequest(NamedTuple):
    """A Resize of arrays of one rank, read and checked: all of it that needs no length of X.

    Attributes:
        version: the since-version asked for.
        listed: the axes that scales, sizes and rois are for, in the caller's order.
        given: scales or sizes as they were passed, for messages.
        scales: exact, one an entry of listed; None where sizes are given.
        sizes: one an entry of listed; empty where scales are given.
        rois: one an entry of listed.
        policy: keep_aspect_ratio_policy.
        length_rule, coordinates, nearest: how scales become lengths, outputs coordinates, and coordinates indices;
            nearest None where the scale decides.
        mode, ...: as in ResizeSpec.
    """

    version: int
    listed: Sequence[int]
    given: list[object]
    scales: list[Fraction] | None
    sizes: list[int]
    rois: list[Roi]
    policy: str
    length_rule: str
    coordinates: str
    nearest: str | None
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
    shape = shape_of(x_shape)
    request = resize_request(
        shape,
        scales,
        sizes,
        roi,
        axes,
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
        keep_aspect_ratio_policy,
        version,
        length_rule,
        strict,
    )
    return spec_of(request, shape)


def resize_request(
    shape: tuple[int, ...],
    scales: RealNumbers | None,
    sizes: Integers | None,
    roi: RealNumbers | None,
    axes: Integers | None,
    mode: str,
    coordinate_transformation_mode: str,
    nearest_mode: str,
    cubic_coeff_a: float,
    antialias: bool | int,
    exclude_outside: bool | int,
    extrapolation_value: float,
    keep_aspect_ratio_policy: str,
    version: int,
    length_rule: str,
    strict: bool = True,
) -> ResizeRequest:
    """Read the arguments of resize_spec.

    Args:
        shape: of X. What is returned depends on its rank alone; its lengths are for messages.
        scales, ...: as in resize_spec.

    Raises:
        SpecError: as resize_spec, but for what lengths decide.
    """
    attributes = (
        version,
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        keep_aspect_ratio_policy,
        antialias,
        exclude_outside,
        cubic_coeff_a,
        strict,
    )
    check = _attributes_kept if _UNCHANGING.issuperset(map(type, attributes)) else _attributes
    operator, mode, coordinates, nearest, policy, antialias, exclude_outside, cubic_coeff_a = check(*attributes)
    if type(extrapolation_value) is not float or extrapolation_value != 0.0:
        extrapolation_value = _extrapolation_value(operator, extrapolation_value, strict)
    if type(length_rule) is not str or length_rule != "floor":
        check_length_rule(length_rule)

    if axes is None:
        listed = list(range(len(shape)))
    else:
        listed = axes_of(axes, len(shape))
        require_attribute(operator, "axes", axes, strict)
    count = len(listed)
    rois = _rois(roi, count, shape) if coordinates == "tf_crop_and_resize" else [WHOLE] * count
    if not operator.roi_types and strict:
        _check_inputs(operator, sizes, roi, strict)
    given_scales, given_sizes = _scales_or_sizes(operator, scales, sizes, count, shape)
    return ResizeRequest(
        operator.version,
        listed,
        given_sizes or [] if given_scales is None else given_scales,
        None if given_scales is None else ratios_of_scales(given_scales, count, shape),
        sizes_of(given_sizes or [], count, shape) if given_scales is None else [],
        rois,
        policy,
        length_rule,
        coordinates,
        nearest,
        mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
    )


def spec_of(request: ResizeRequest, shape: tuple[int, ...]) -> ResizeSpec:
    """Return what a request does to an X of a shape, whose rank is that of the request.

    Raises:
        SpecError: HP119 an axis of length 0 should grow, HP120 roi and scales give a negative length.
        ResourceError: HP300.
    """
    listed = request.listed
    in_sizes = [shape[axis] for axis in listed]
    scales: Iterable[Fraction | None]
    if request.scales is not None:
        name, scales = "scales", request.scales
        lengths = _lengths(request, request.scales, in_sizes)
    else:
        name, lengths, scales = "sizes", request.sizes, repeat(None)
        if 0 in in_sizes:
            check_growth(lengths, in_sizes, shape)
        if request.policy != "stretch":
            scale = common_scale(in_sizes, lengths, request.policy)
            lengths, scales = [length_of(n, scale, "round") for n in in_sizes], repeat(scale)
    out_shape = list(shape)
    for axis, length in zip(listed, lengths, strict=True):
        out_shape[axis] = length
    return ResizeSpec(
        "Resize",
        request.version,
        shape,
        check_addressable(tuple(out_shape), name, request.given),
        axis_specs(listed, in_sizes, lengths, scales, request.rois, request.coordinates, request.nearest),
        request.mode,
        request.cubic_coeff_a,
        request.antialias,
        request.exclude_outside,
        request.extrapolation_value,
    )


Attributes: TypeAlias = tuple[Operator, str, str, str | None, str, bool, bool, float]

_UNCHANGING = frozenset({str, int, bool, float})


def _attributes(
    version: int,
    mode: str,
    coordinates: str,
    nearest: str,
    policy: str,
    antialias: bool | int,
    exclude_outside: bool | int,
    cubic_coeff_a: float,
    strict: bool,
) -> Attributes:
    """Return the operator and the attributes that do not depend on X, checked and in one form, in this order."""
    operator = operator_of("Resize", version)
    return (
        operator,
        choice(operator, "mode", mode, strict),
        _coordinates(operator, coordinates, strict),
        _nearest(operator, nearest, strict),
        choice(operator, "keep_aspect_ratio_policy", policy, strict),
        flag(operator, "antialias", antialias, strict),
        flag(operator, "exclude_outside", exclude_outside, strict),
        _cubic_coeff_a(operator, cubic_coeff_a, strict),
    )


_attributes_kept = lru_cache(maxsize=256, typed=True)(_attributes)
"""The same for values that cannot change: pictures of many sizes are resized in one way."""


def _lengths(request: ResizeRequest, scales: list[Fraction], in_sizes: list[int]) -> list[int]:
    """Return output lengths of the listed axes, given scales."""
    rule = request.length_rule
    lengths = [length_of(n, scale, rule, roi) for n, scale, roi in zip(in_sizes, scales, request.rois, strict=True)]
    if min(lengths, default=0) < 0:
        raise SpecError(
            "HP120",
            "a 'roi' that ends before it starts has no length that 'scales' could multiply",
            given=f"scales={show(request.given)}, which are output lengths {show(lengths)}",
            allowed="start <= end on every axis with 'scales'; with 'sizes' a roi may be reversed",
            do="pass 'sizes', or swap start and end",
        )
    return lengths


def _coordinates(operator: Operator, value: object, strict: bool) -> str:
    """Return the coordinate_transformation_mode; Resize-10 has none and uses x / scale."""
    name = "coordinate_transformation_mode"
    if name in operator.attributes:
        return choice(operator, name, value, strict)
    if strict or not (isinstance(value, str) and value == "asymmetric"):
        choice(operator, name, value)  # only the default, which asks for nothing, passes
    return "asymmetric"


def _nearest(operator: Operator, value: object, strict: bool) -> str | None:
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
    for name, value in (("sizes", sizes), ("roi", roi)):
        if value is not None and elements(name, value):
            require_attribute(operator, name, value, strict)


def _scales_or_sizes(
    operator: Operator, scales: object, sizes: object, count: int, shape: tuple[int, ...]
) -> tuple[list[object] | None, list[object] | None]:
    """Return exactly one of the two as a list and None for the other."""
    given_scales = None if scales is None else _present("scales", scales, count)
    given_sizes = None if sizes is None else _present("sizes", sizes, count)
    if given_scales is not None and given_sizes is not None:
        raise SpecError(
            "HP104",
            f"{operator.label} takes 'scales' or 'sizes', not both",
            given=f"scales={show(scales)}, sizes={show(sizes)}, X of shape {show(shape)}",
            allowed="exactly one of the two; the other None or empty",
            do="drop 'sizes', or pass scales=None",
        )
    if given_scales is None and given_sizes is None:
        raise SpecError(
            "HP103",
            f"{operator.label} needs 'scales' or 'sizes'",
            given=f"scales={show(scales)}, sizes={show(sizes)}, X of shape {show(shape)}",
            allowed="exactly one of the two, with one value an axis",
            do="pass scales (out / in) or sizes (output lengths)",
        )
    return given_scales, given_sizes


def _present(name: str, values: object, count: int) -> list[object] | None:
    """Return the values as a list, None for an empty argument.

    An empty one is absent, except where no value is wanted (rank 0, or no axis): there it is the value.
    """
    return elements(name, values) or (None if count else [])


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
