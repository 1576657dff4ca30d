"""Resize and Upsample of every version -> steps of today's Resize with the same numbers.

Resize-10 and every Upsample take x = i / scale: coordinates "asymmetric"; linear as such, nearest by floor on an axis
that grows and by ceil on one that shrinks. One node of a later version has one nearest_mode for all axes, so that a
node which does both becomes two. Source: docs/semantics.md, ONNX Resize 10 to 19, Upsample 1 to 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any

from halfpixel.models.refusals import ChoiceError, NoEqualError
from halfpixel.models.upgrade.forms import (
    Bounded,
    Fixed,
    Given,
    OldNode,
    Operand,
    Step,
    Taken,
    effective,
    float32_fraction,
)
from halfpixel.spec.operators import operator_of

ASSUMPTIONS = ("grow", "shrink", "either")
"""What a caller may say about nearest scales that are known only when the model runs."""


def as_today(old: OldNode, assume: str | None = None) -> list[Step | Taken]:
    """Return the steps of Resize-19 that give an old node's numbers, in the order in which they run.

    Args:
        old: the node.
        assume: for Resize-10 nearest with scales known only at run time: "grow" (each is 1 or more), "shrink" (each is
            1 or less) or "either" (any; two nodes, with Max and Min of the scales).

    Raises:
        ChoiceError: assume is needed.
        NoEqualError: no Resize of today has these numbers.
    """
    known = operator_of(old.op_type, old.version).attributes
    if "coordinate_transformation_mode" in known:
        return [_modern(old)]
    foreign = [name for name in old.attributes if name not in known]
    if foreign:
        raise NoEqualError(f"{old.label} has no attribute {foreign[0]!r}")
    mode = effective(old.attributes, "mode", "nearest")
    scales, values = _old_scales(old)
    attributes = {"mode": "linear" if mode == "bilinear" else mode, "coordinate_transformation_mode": "asymmetric"}
    if old.op_type == "Upsample" and values is not None and any(float(value) < 1 for value in values):
        raise NoEqualError(f"{old.label} only grows, and a scale is below 1")
    if attributes["mode"] != "nearest":
        return [Step(attributes, scales=scales)]
    if old.op_type == "Upsample":
        return [_nearest(attributes, scales, "floor")]
    if values is None:
        return _by_assumption(attributes, scales, assume)
    return _nearest_of_known(old, attributes, scales, tuple(float(value) for value in values))


def _old_scales(old: OldNode) -> tuple[Operand, tuple[float, ...] | None]:
    """Return the scales of Resize-10 or an Upsample, and their values where they are known."""
    attributes = operator_of(old.op_type, old.version).attributes
    numbers: tuple[float, ...]
    if "height_scale" in attributes:
        missing = [name for name in ("height_scale", "width_scale") if name not in old.attributes]
        if missing:
            raise NoEqualError(f"{old.label} without the attribute {missing[0]!r} has no meaning")
        numbers = (1.0, 1.0, float(old.attributes["height_scale"]), float(old.attributes["width_scale"]))
        return Fixed(numbers), numbers
    if "scales" in attributes:
        if "scales" not in old.attributes:
            raise NoEqualError("Upsample-7 without the attribute 'scales' has no meaning")
        numbers = tuple(float(value) for value in old.attributes["scales"])
        return Fixed(numbers), numbers
    if "scales" not in old.inputs:
        raise NoEqualError(f"{old.label} without 'scales' has no meaning")
    return Given("scales"), old.inputs["scales"]


def _nearest(attributes: dict[str, Any], scales: Operand, nearest_mode: str) -> Step:
    return Step({**attributes, "nearest_mode": nearest_mode}, scales=scales)


def _by_assumption(attributes: dict[str, Any], scales: Operand, assume: str | None) -> list[Step | Taken]:
    if assume == "grow":
        return [_nearest(attributes, scales, "floor")]
    if assume == "shrink":
        return [_nearest(attributes, scales, "ceil")]
    if assume == "either" and isinstance(scales, Given):
        return [
            _nearest(attributes, Bounded(scales.name, "Min"), "ceil"),
            _nearest(attributes, Bounded(scales.name, "Max"), "floor"),
        ]
    raise ChoiceError(
        "Resize-10 nearest rounds down where an axis grows and up where it shrinks, a later Resize one way on all "
        "axes, and the scales are known only when the model runs"
    )


def _nearest_of_known(
    old: OldNode, attributes: dict[str, Any], scales: Operand, values: tuple[float, ...]
) -> list[Step | Taken]:
    """Resize-10 nearest with known scales: one step where one direction serves, else one for each direction."""
    ratios = [float32_fraction(value) for value in values]
    lengths = old.in_shape if old.in_shape is not None and len(old.in_shape) == len(ratios) else [None] * len(ratios)
    for nearest_mode in ("floor", "ceil"):
        if all(_serves(nearest_mode, ratio, length) for ratio, length in zip(ratios, lengths, strict=True)):
            return [_nearest(attributes, scales, nearest_mode)]
    shrinking = tuple(min(value, 1.0) for value in values)
    growing = tuple(max(value, 1.0) for value in values)
    steps: list[Step | Taken] = []
    for part, nearest_mode in ((shrinking, "ceil"), (growing, "floor")):
        taken = _taken(part, lengths, nearest_mode)
        steps += [_nearest(attributes, Fixed(part), nearest_mode)] if taken is None else taken
    return steps


def _serves(nearest_mode: str, ratio: Fraction, in_size: int | None) -> bool:
    """True if a nearest_mode takes the samples that the old node takes on an axis."""
    by_version_10 = "floor" if ratio >= 1 else "ceil"
    if nearest_mode == by_version_10 or ratio == 1:
        return True
    if in_size is None or in_size * ratio > _LONGEST:
        return False
    return indices(in_size, ratio, nearest_mode) == indices(in_size, ratio, by_version_10)


def indices(in_size: int, ratio: Fraction, nearest_mode: str) -> tuple[int, ...]:
    """Return the input sample of each output sample: i / scale, rounded down or up, kept inside."""
    places = (i / ratio for i in range(floor(in_size * ratio)))
    rounded = (floor(place) if nearest_mode == "floor" else -floor(-place) for place in places)
    return tuple(min(index, in_size - 1) for index in rounded)


_LONGEST = 1 << 16
"""Axes longer than this are not compared sample by sample."""


def _taken(scales: tuple[float, ...], lengths: Any, nearest_mode: str) -> list[Step | Taken] | None:
    """Gathers instead of a step that keeps every length but not every sample; None where the step does."""
    moved = [axis for axis, scale in enumerate(scales) if scale != 1]
    ratios = [float32_fraction(scales[axis]) for axis in moved]
    if any(lengths[axis] is None or lengths[axis] > _LONGEST for axis in moved):
        return None
    if any(floor(lengths[axis] * ratio) != lengths[axis] for axis, ratio in zip(moved, ratios, strict=True)):
        return None
    return [Taken(axis, indices(lengths[axis], ratio, nearest_mode)) for axis, ratio in zip(moved, ratios, strict=True)]


def _modern(old: OldNode) -> Step:
    """Resize 11 and later: today's words already."""
    attributes = dict(old.attributes)
    present: dict[str, Given | Fixed] = {name: Given(name) for name in ("roi", "scales", "sizes") if name in old.inputs}
    if (
        attributes.get("axes") == [] and not {"scales", "sizes"} & present.keys()
    ):  # no axis: the empty tensor is the value
        present["scales"] = Fixed(())
    if len({"scales", "sizes"} & present.keys()) != 1:
        raise NoEqualError(f"{old.label} takes 'scales' or 'sizes', and this node has {_both_or_none(present)}")
    if "scales" in present:  # there the policy does nothing, and onnx's shape inference refuses it
        attributes.pop("keep_aspect_ratio_policy", None)
    return Step(attributes, present.get("roi"), present.get("scales"), present.get("sizes"))


def _both_or_none(present: Mapping[str, object]) -> str:
    return "both" if "scales" in present else "neither"
