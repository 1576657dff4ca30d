"""What is true of a node: the words in which deviations.toml says where a runtime differs.

A fact that needs what is not known (a shape, the values of scales) is left out, and no condition on it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any, TypeAlias

from halfpixel._errors import HalfpixelError
from halfpixel.peers.indices import exact_indices, float_indices, misses_whole_coordinates, overshoots_the_end
from halfpixel.spec.axes import AxisSpec, ResizeSpec
from halfpixel.spec.coordinates import WHOLE
from halfpixel.spec.element_types import ELEMENT_TYPES
from halfpixel.spec.operators import OPERATORS
from halfpixel.spec.resize import resize_spec, upsample_spec

Fact: TypeAlias = str | int | float | bool
Facts: TypeAlias = Mapping[str, Fact]

_ROUNDED_SCALE = Fraction(1, 100_000)
"""A length is whole if it is at most so much larger: 5 * float32(0.6) is 3.0000001, and means 3."""
_OPENVINO_EPSILON = Fraction(1, 100_000)
"""What OpenVINO adds to a scale before it multiplies and takes the floor."""


@dataclass(frozen=True, slots=True)
class Request:
    """One node as a model gives it.

    Attributes:
        op_type, version: of the operator; the version is a since-version.
        attributes: the node's own, plain Python values.
        shape: of the data; None for what is not known, as a whole or for an axis.
        element_type: of the data, "float32", ...; None where unknown.
        scales, sizes, roi: constant values; None where absent or computed at run time.
        computed: names of the inputs among scales, sizes and roi that are computed at run time.
        roi_type: element type of roi; None where there is none.
    """

    op_type: str
    version: int
    attributes: Mapping[str, Any] = field(default_factory=dict)
    shape: tuple[int | None, ...] | None = None
    element_type: str | None = None
    scales: tuple[float, ...] | None = None
    sizes: tuple[int, ...] | None = None
    roi: tuple[float, ...] | None = None
    computed: frozenset[str] = frozenset()
    roi_type: str | None = None

    def value(self, name: str) -> Any:
        """The value of an attribute, the newest version's default where the node does not give it."""
        if name in self.attributes:
            return self.attributes[name]
        attribute = OPERATORS[self.op_type, self.version].attributes.get(name)
        return None if attribute is None else attribute.default

    @property
    def known_shape(self) -> tuple[int, ...] | None:
        """The shape where every length is known."""
        if self.shape is None or any(length is None for length in self.shape):
            return None
        return tuple(length for length in self.shape if length is not None)

    @property
    def resizes(self) -> bool:
        """Resize or Upsample, not a rearrangement."""
        return self.op_type in ("Resize", "Upsample")

    def spec(self, **changes: Any) -> ResizeSpec | None:
        """What the node does, where its shape and its inputs are known and it is legal; None otherwise.

        Args:
            changes: arguments of resize_spec that are to be another than the node's.
        """
        shape = self.known_shape
        if shape is None or self.computed or not self.resizes:
            return None
        try:
            if self.op_type == "Upsample":
                return upsample_spec(shape, self.scales, version=self.version, strict=False, **self._upsampling())
            given = {"scales": self.scales, "sizes": self.sizes, "roi": self.roi, **self.attributes, **changes}
            return resize_spec(shape, version=self.version, strict=False, **given)
        except (HalfpixelError, TypeError):  # not legal: another rule says so
            return None

    def _upsampling(self) -> dict[str, Any]:
        return {name: value for name, value in self.attributes.items() if name != "scales"}


def facts_of(request: Request) -> dict[str, Fact]:
    """Return all that is known of a node. FACTS lists the words and their meaning."""
    facts: dict[str, Fact] = {
        "op_type": request.op_type,
        "version": request.version,
        **({} if request.element_type is None else _element_facts(request.element_type)),
        **({} if request.shape is None else {"rank": len(request.shape), "static": request.known_shape is not None}),
    }
    if not request.resizes:
        return facts | {"mode": request.value("mode") or "DCR"}
    facts |= _attribute_facts(request)
    spec = request.spec()
    if spec is not None:
        facts |= {name: measure(request, spec) for name, measure in _MEASURES.items()}
    return facts


def _element_facts(element: str) -> dict[str, Fact]:
    return {"element_type": element, "kind": ELEMENT_TYPES[element].kind if element in ELEMENT_TYPES else "unknown"}


def _attribute_facts(request: Request) -> dict[str, Fact]:
    """Facts that need no shape."""
    names = ("mode", "coordinate_transformation_mode", "nearest_mode", "keep_aspect_ratio_policy")
    facts: dict[str, Fact] = {name: value for name in names if (value := request.value(name)) is not None}
    early = request.op_type == "Upsample" or request.version == 10
    if early:
        facts["coordinate_transformation_mode"] = "asymmetric"
    facts["mode"] = "linear" if facts.get("mode") == "bilinear" else facts.get("mode", "nearest")
    facts |= {name: bool(request.value(name)) for name in ("antialias", "exclude_outside")}
    facts["cubic_coeff_a"] = float(request.value("cubic_coeff_a") or -0.75)
    axes = request.attributes.get("axes")
    facts["computed"] = bool(request.computed & {"scales", "sizes"})
    facts["negative_axes"] = axes is not None and any(axis < 0 for axis in axes)
    facts["axes_given"] = axes is not None
    facts["no_axes"] = axes is not None and len(axes) == 0
    if axes is not None and request.shape is not None:
        rank = len(request.shape)
        facts["permuted_axes"] = len(axes) == rank and [axis % rank for axis in axes if rank] != list(range(rank))
    by_scales = request.scales is not None or "scales" in request.computed
    facts["by"] = "scales" if by_scales or request.op_type == "Upsample" else "sizes"
    if request.roi_type is not None:
        facts["roi_type"] = request.roi_type
    return facts


def _resized(spec: ResizeSpec) -> list[AxisSpec]:
    """Axes whose length changes."""
    return [axis for axis in spec.axes if axis.in_size != axis.out_size]


def _touches(spec: ResizeSpec, axis: int) -> bool:
    """An axis, counted from the back where negative, changes its length."""
    return any(one.axis == axis % max(len(spec.in_shape), 1) for one in _resized(spec))


def _before_the_last_two(request: Request, spec: ResizeSpec) -> bool:
    return any(axis.axis < len(spec.in_shape) - 2 for axis in spec.axes)


def _float32_length(request: Request, spec: ResizeSpec) -> bool:
    other = request.spec(length_rule="float32_floor") if request.op_type == "Resize" else None
    if request.scales is None or other is None or _crops(request, spec):
        return False
    return other.out_shape != spec.out_shape


def _length_with_epsilon(request: Request, spec: ResizeSpec) -> bool:
    if request.scales is None or spec.op_type != "Resize":
        return False
    scales = (Fraction(*axis.scale) + _OPENVINO_EPSILON for axis in spec.axes)
    return any(int(axis.in_size * scale) != axis.out_size for axis, scale in zip(spec.axes, scales, strict=True))


def _policy_length(precision: str) -> Callable[[Request, ResizeSpec], bool]:
    def differs(request: Request, spec: ResizeSpec) -> bool:
        import numpy as np

        number = getattr(np, precision)
        if request.sizes is None or request.value("keep_aspect_ratio_policy") in (None, "stretch"):
            return False
        return any(
            int(np.floor(number(axis.scale[0]) / number(axis.scale[1]) * number(axis.in_size) + number(0.5)))
            != axis.out_size
            for axis in spec.axes
        )

    return differs


def _policy_changes(request: Request, spec: ResizeSpec) -> bool:
    if request.sizes is None or request.value("keep_aspect_ratio_policy") in (None, "stretch"):
        return False
    return request.spec(keep_aspect_ratio_policy="stretch") != spec


def _crops(request: Request, spec: ResizeSpec) -> bool:
    """The roi of tf_crop_and_resize is not the whole of every axis."""
    if request.value("coordinate_transformation_mode") != "tf_crop_and_resize" or request.roi is None:
        return False
    half = len(request.roi) // 2
    return any((start, end) != WHOLE[:2] for start, end in zip(request.roi[:half], request.roi[half:], strict=False))


def _crops_a_length_that_stays(request: Request, spec: ResizeSpec) -> bool:
    return _crops(request, spec) and any(axis.in_size == axis.out_size for axis in spec.axes)


def _stays_at_another_scale(axis: AxisSpec) -> bool:
    return axis.in_size == axis.out_size and axis.scale[0] != axis.scale[1]


def _fractional_length(request: Request, spec: ResizeSpec) -> bool:
    common = request.sizes is not None and request.value("keep_aspect_ratio_policy") not in (None, "stretch")
    if request.scales is None and not common:
        return False
    parts = (Fraction(axis.in_size * axis.scale[0] % axis.scale[1], axis.scale[1]) for axis in spec.axes)
    return any(part > _ROUNDED_SCALE for part in parts)


def _index_differs(near_halves: bool) -> Callable[[Request, ResizeSpec], bool]:
    def differs(request: Request, spec: ResizeSpec) -> bool:
        coordinates = str(_attribute_facts(request)["coordinate_transformation_mode"])
        return spec.mode == "nearest" and any(
            bool((exact_indices(axis) != float_indices(axis, coordinates, near_halves)).any()) for axis in spec.axes
        )

    return differs


_MEASURES: Mapping[str, Callable[[Request, ResizeSpec], bool]] = {
    "empty": lambda _, spec: prod(spec.out_shape) == 0,
    "empty_input": lambda _, spec: prod(spec.in_shape) == 0,
    "size_0": lambda request, spec: request.sizes is not None and 0 in spec.out_shape and 0 not in spec.in_shape,
    "shrinks": lambda _, spec: any(axis.scale[0] < axis.scale[1] for axis in spec.axes),
    "single_output": lambda _, spec: any(axis.out_size == 1 for axis in spec.axes),
    "fractional_scale": lambda _, spec: any(axis.scale[1] != 1 for axis in spec.axes),
    "fractional_length": _fractional_length,
    "float32_length": _float32_length,
    "length_with_epsilon": _length_with_epsilon,
    "float32_policy": _policy_length("float32"),
    "float64_policy": _policy_length("float64"),
    "policy_changes": _policy_changes,
    "crops": _crops,
    "crops_a_length_that_stays": _crops_a_length_that_stays,
    "crop_overshoots": lambda request, spec: _crops(request, spec) and overshoots_the_end(request.roi, spec),
    "same_shape": lambda _, spec: bool(spec.axes) and spec.in_shape == spec.out_shape,
    "stays_at_another_scale": lambda _, spec: any(_stays_at_another_scale(axis) for axis in spec.axes),
    "index_differs": _index_differs(near_halves=False),
    "index_differs_near_halves": _index_differs(near_halves=True),
    "misses_whole_coordinates": lambda request, spec: misses_whole_coordinates(
        spec, str(_attribute_facts(request)["coordinate_transformation_mode"])
    ),
    "resizes_batch": lambda _, spec: _touches(spec, 0),
    "resizes_channels": lambda _, spec: _touches(spec, 1),
    "resizes_last": lambda _, spec: _touches(spec, -1),
    "resizes_before_the_last_two": _before_the_last_two,
}

FACTS: Mapping[str, str] = {
    "op_type": "the operator",
    "version": "its since-version",
    "static": "every length of X is known",
    "rank": "of X",
    "element_type": "of X",
    "kind": "bool, integer, float, complex or string",
    "mode": "nearest, linear or cubic; DCR or CRD",
    "coordinate_transformation_mode": "asymmetric for Upsample and Resize-10",
    "nearest_mode": "as the node has it",
    "keep_aspect_ratio_policy": "as the node has it",
    "antialias": "is set",
    "exclude_outside": "is set",
    "cubic_coeff_a": "as the node has it",
    "computed": "scales or sizes are computed at run time",
    "by": "scales or sizes",
    "axes_given": "the node has axes",
    "no_axes": "axes is empty",
    "negative_axes": "an axis is counted from the back",
    "permuted_axes": "axes lists every axis, not in ascending order",
    "roi_type": "element type of roi",
    "empty": "the output has no elements",
    "empty_input": "X has no elements",
    "size_0": "sizes asks for a length of 0",
    "shrinks": "an axis has a scale below 1",
    "single_output": "a resampled axis has one output sample",
    "fractional_scale": "the scale of an axis is not whole",
    "fractional_length": "in * scale of an axis is not whole, and scale was not derived from the length",
    "float32_length": "in * scale rounded to float32 has another floor",
    "length_with_epsilon": "in * (scale + 0.00001) has another floor",
    "float32_policy": "a length under a policy is another in float32",
    "float64_policy": "a length under a policy is another in float64",
    "policy_changes": "the policy gives another result than stretch",
    "crops": "tf_crop_and_resize with a roi that is not the whole",
    "crops_a_length_that_stays": "the same, on an axis whose length stays",
    "crop_overshoots": "the same, and its last coordinate is beyond the end in float32",
    "same_shape": "the shape stays, though an axis is resampled",
    "stays_at_another_scale": "an axis keeps its length at a scale that is not 1",
    "index_differs": "nearest: float32 coordinates pick another sample",
    "index_differs_near_halves": "the same, where what is within 1e-6 of a half counts as a half",
    "misses_whole_coordinates": "a whole coordinate comes out above itself in float64",
    "resizes_batch": "the length of axis 0 changes",
    "resizes_channels": "the length of axis 1 changes",
    "resizes_last": "the length of the last axis changes",
    "resizes_before_the_last_two": "an axis before the last two is resampled",
}
"""Every word that a condition may use, and what it means."""
