"""A step of today's Resize -> the attributes and inputs of a wanted version, where that version has the same numbers.

Source: docs/semantics.md; ONNX Resize 10, 11, 13, 18, 19 and Upsample 7, 9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from halfpixel.models.refusals import NoEqualError
from halfpixel.models.upgrade.forms import (
    Fixed,
    Given,
    Numbers,
    OldNode,
    Operand,
    Spread,
    Step,
    effective,
    float32_fraction,
)
from halfpixel.spec.operators import operator_of
from halfpixel.spec.sizes import common_scale, length_of


def as_version(step: Step, op_type: str, version: int, old: OldNode) -> Step:
    """Return a step in the words of a since-version.

    Args:
        step: from reading.as_today.
        op_type, version: "Resize" and 10, 11, 13, 18 or 19; "Upsample" and 7 or 9.
        old: the node that the step comes from: its shape, and the values of its inputs.

    Raises:
        NoEqualError: the version has no node with these numbers.
    """
    operator = operator_of(op_type, version)
    if old.element_type is not None and old.element_type not in operator.element_types:
        raise NoEqualError(f"{operator.label} does not take {old.element_type}")
    coordinates = operator.attributes.get("coordinate_transformation_mode")
    if coordinates is not None and _coordinates(step) not in coordinates.values:
        step = _with_other_coordinates(step, old, operator.label)
    for name, without in _WITHOUT.items():
        if name not in operator.attributes:
            step = without(step, old, operator.label)
            step = replace(step, attributes={key: step.attributes[key] for key in step.attributes if key != name})
    mode = effective(step.attributes, "mode", "nearest")
    if mode not in operator.attributes["mode"].values:
        raise NoEqualError(f"{operator.label} has no mode {mode!r}")
    unknown = [name for name in step.attributes if name not in operator.attributes]
    if unknown:
        raise NoEqualError(f"{operator.label} has no attribute {unknown[0]!r}")
    names = {entry.name for entry in operator.inputs}
    if step.sizes is not None and "sizes" not in names:
        step = _with_scales(step, old, operator.label)
    if "roi" not in names:
        step = replace(step, roi=None)
    return _as_upsample(step, old, operator.label, "scales" in names) if op_type == "Upsample" else step


def _coordinates(step: Step) -> str:
    return str(effective(step.attributes, "coordinate_transformation_mode", "half_pixel"))


def _with_other_coordinates(step: Step, old: OldNode, label: str) -> Step:
    """Say the coordinates of one version in another's words.

    tf_half_pixel_for_nn is half_pixel plus 1/2: rounding its coordinate down is rounding half_pixel's to the nearest,
    ties up; rounding it to the nearest, ties down, is rounding half_pixel's up. half_pixel_symmetric is half_pixel
    where the output length is exactly in * scale.
    """
    coordinates = _coordinates(step)
    attributes = {**step.attributes, "coordinate_transformation_mode": "half_pixel"}
    if coordinates == "tf_half_pixel_for_nn" and effective(step.attributes, "mode", "nearest") == "nearest":
        nearest_mode = effective(step.attributes, "nearest_mode", "round_prefer_floor")
        if nearest_mode in _HALF_A_SAMPLE_EARLIER:
            return replace(step, attributes={**attributes, "nearest_mode": _HALF_A_SAMPLE_EARLIER[nearest_mode]})
        raise NoEqualError(
            f"{label} has no tf_half_pixel_for_nn, and none of its nearest modes is {nearest_mode!r} of it"
        )
    if coordinates == "half_pixel_symmetric" and _lengths_are_exact(step, old):
        return replace(step, attributes=attributes)
    why = " where in * scale is not known to be a whole number" if coordinates == "half_pixel_symmetric" else ""
    raise NoEqualError(f"{label} has no coordinate_transformation_mode {coordinates!r}{why}")


_HALF_A_SAMPLE_EARLIER = {"floor": "round_prefer_ceil", "round_prefer_floor": "ceil"}


def _lengths_are_exact(step: Step, old: OldNode) -> bool:
    """True if every output length is known to be exactly in * scale."""
    if step.sizes is not None:
        return bool(effective(step.attributes, "keep_aspect_ratio_policy", "stretch") == "stretch")
    values, lengths = _values(step.scales, old), _listed_lengths(step, old)
    if values is None or lengths is None or None in lengths:
        return values is not None and all(float(value).is_integer() for value in values)
    return all(
        (n * float32_fraction(s)).denominator == 1 for n, s in zip(lengths, values, strict=True) if n is not None
    )


def _without_antialias(step: Step, old: OldNode, label: str) -> Step:
    if effective(step.attributes, "antialias", 0) and effective(step.attributes, "mode", "nearest") != "nearest":
        raise NoEqualError(f"{label} has no antialias")
    return step


def _without_policy(step: Step, old: OldNode, label: str) -> Step:
    """A policy does nothing to scales, and to sizes that keep the aspect ratio as they are."""
    policy = effective(step.attributes, "keep_aspect_ratio_policy", "stretch")
    axes = step.attributes.get("axes")
    if policy == "stretch" or step.sizes is None or (axes is not None and len(axes) == 1):
        return step
    sizes, lengths = _values(step.sizes, old), _listed_lengths(step, old)
    if sizes is None or lengths is None:
        raise NoEqualError(f"{label} has no keep_aspect_ratio_policy, and the lengths are known only at run time")
    in_sizes = [n for n in lengths if n is not None]
    if len(in_sizes) == len(lengths) == len(sizes):
        scale = common_scale(in_sizes, [int(size) for size in sizes], policy)
        out_sizes = tuple(length_of(n, scale, "round") for n in in_sizes)
        if all(Fraction(out, n) == Fraction(*scale) for out, n in zip(out_sizes, in_sizes, strict=True) if n):
            return replace(step, sizes=Fixed(out_sizes))
    raise NoEqualError(
        f"{label} has no keep_aspect_ratio_policy {policy!r}, whose scale is no quotient of lengths here"
    )


def _without_axes(step: Step, old: OldNode, label: str) -> Step:
    """One value for each axis instead of one for each listed axis; the rank must be known."""
    listed = step.attributes.get("axes")
    if listed is None:
        return step
    if old.in_shape is None:
        raise NoEqualError(f"{label} has no axes, and the rank of the input is not known")
    rank = len(old.in_shape)
    axes = tuple(axis + rank if axis < 0 else axis for axis in listed)
    roi = step.roi if _coordinates(step) == "tf_crop_and_resize" else None
    return replace(
        step,
        roi=None if roi is None else _spread(roi, axes, old, (0.0,) * rank + (1.0,) * rank),
        scales=None if step.scales is None else _spread(step.scales, axes, old, (1.0,) * rank),
        sizes=None if step.sizes is None else _spread(step.sizes, axes, old, old.in_shape),
    )


def _spread(operand: Operand, axes: tuple[int, ...], old: OldNode, others: tuple[float | None, ...]) -> Operand:
    """Put an operand's values at the listed axes of ``others`` (of both halves of it for a roi)."""
    rank = len(old.in_shape or ())
    values = _values(operand, old)
    places = [half * rank + axis for half in range(len(others) // max(rank, 1)) for axis in axes]
    unlisted = [value for place, value in enumerate(others) if place not in places]
    if values is None or None in unlisted:
        if isinstance(operand, Given):
            return Spread(operand.name, axes, rank)
        raise NoEqualError("the lengths of the axes beside 'axes' are not known")
    spread = list(others)
    for place, value in zip(places, values, strict=True):
        spread[place] = value
    return Fixed(tuple(value for value in spread if value is not None))


def _only_asymmetric(step: Step, old: OldNode, label: str) -> Step:
    if _coordinates(step) != "asymmetric":
        raise NoEqualError(f"{label} has the coordinates x / scale ('asymmetric') only, not {_coordinates(step)!r}")
    return step


def _nearest_by_scale(step: Step, old: OldNode, label: str) -> Step:
    """Version 10 rounds down where an axis grows and up where it shrinks."""
    if effective(step.attributes, "mode", "nearest") != "nearest":
        return step
    nearest_mode = effective(step.attributes, "nearest_mode", "round_prefer_floor")
    scales = _values(_with_scales(step, old, label).scales, old)
    if scales is not None and nearest_mode == "floor" and all(scale >= 1 for scale in scales):
        return step
    if scales is not None and nearest_mode == "ceil" and all(scale <= 1 for scale in scales):
        return step
    raise NoEqualError(
        f"{label} nearest rounds down where the scale is 1 or more and up where it is less, which is not known to be "
        f"what {nearest_mode!r} does here"
    )


def _only_edge_taps(step: Step, old: OldNode, label: str) -> Step:
    if effective(step.attributes, "exclude_outside", 0) and effective(step.attributes, "mode", "nearest") == "cubic":
        raise NoEqualError(f"{label} has no exclude_outside")
    return step


def _as_it_is(step: Step, old: OldNode, label: str) -> Step:
    return step


_WITHOUT: dict[str, Callable[[Step, OldNode, str], Step]] = {
    "antialias": _without_antialias,
    "keep_aspect_ratio_policy": _without_policy,
    "axes": _without_axes,
    "coordinate_transformation_mode": _only_asymmetric,
    "nearest_mode": _nearest_by_scale,
    "exclude_outside": _only_edge_taps,
    # Without effect outside the mode cubic and the coordinates tf_crop_and_resize, which are refused on their own.
    "cubic_coeff_a": _as_it_is,
    "extrapolation_value": _as_it_is,
}
"""Attribute -> what a version without it needs, in this order: the policy is for the listed axes."""


def _with_scales(step: Step, old: OldNode, label: str) -> Step:
    """Say sizes as scales, where float32 holds each quotient exactly."""
    if step.sizes is None:
        return step
    sizes, lengths = _values(step.sizes, old), old.in_shape
    if sizes is not None and lengths is not None and len(sizes) == len(lengths):
        quotients = [
            Fraction(int(out), n) if n else Fraction(1) for out, n in zip(sizes, lengths, strict=True) if n is not None
        ]
        if len(quotients) == len(lengths) and all(q > 0 and float32_fraction(float(q)) == q for q in quotients):
            return replace(step, sizes=None, scales=Fixed(tuple(float(q) for q in quotients)))
    raise NoEqualError(f"{label} takes no 'sizes', and no float32 scales are known to be exactly their quotients")


def _as_upsample(step: Step, old: OldNode, label: str, with_input: bool) -> Step:
    """Upsample: scales of 1 or more; an input from version 9 on, an attribute before."""
    values = _values(step.scales, old)
    if values is None or any(value < 1 for value in values):
        raise NoEqualError(f"{label} takes scales of 1 or more, and these are not known to be")
    if with_input:
        return replace(step, op_type="Upsample")
    return replace(
        step, op_type="Upsample", scales=None, attributes={**step.attributes, "scales": [float(v) for v in values]}
    )


def _values(operand: Operand | None, old: OldNode) -> Numbers | None:
    """Return the values of an operand, None where they are known only at run time."""
    if isinstance(operand, Fixed):
        return operand.values
    return old.inputs.get(operand.name) if isinstance(operand, Given) else None


def _listed_lengths(step: Step, old: OldNode) -> list[int | None] | None:
    """Return the input lengths of the axes that scales and sizes are for; None for an unknown rank."""
    if old.in_shape is None:
        return None
    axes: Any = step.attributes.get("axes")
    return list(old.in_shape) if axes is None else [old.in_shape[axis] for axis in axes]
