"""Reading: everything that decides the numbers of a Resize or Upsample, the standard's choice as defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpixel.plan.elements import element_of
from halfpixel.spec.axes import ResizeSpec
from halfpixel.spec.operators import operator_of, since_version
from halfpixel.spec.resize import resize_spec, upsample_spec

CROP = "tf_crop_and_resize"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a request.

    Attributes:
        in_shape: lengths of X.
        element: ONNX element type of X.
        scales, sizes, roi: as given, one (roi: two) an entry of axes; exactly one of scales and sizes.
        axes: the axes that they are for, counted from the front.
        mode, ..., keep_aspect_ratio_policy: the attributes. nearest_mode None is version 10's rule: floor where an
            axis grows, ceil where it shrinks.
        length_rule: how scales become lengths: "floor", "round", "ceil", "float32_floor" of the product, or
            "epsilon_floor", which adds 1e-5 to the scale first.
        roi_in_length: whether the product counts what the roi cuts off.
        policy_arithmetic: in what the lengths under a policy are computed: "exact", "float32" or "float64".
        lengths_as_scale: whether coordinates use out / in where scales are given.
        copies: which axes are copied: "scale 1", "same length", "same shape" (all, where no length changes) or "none".
        fractional_crop: whether tf_crop_and_resize spreads over in * scale, not rounded.
        lone_sample: the coordinate that pytorch_half_pixel gives a single output sample.
        arithmetic: in what coordinates are computed: "exact", "float32", "float32 reciprocal" (times 1 / scale),
            "float64", "float32 ties" (within 1e-6 of a half is a half), or "float64 window" (just above a whole
            coordinate the taps slide down by one sample and the weights do not).
        excluded_as_zero: whether nearest gives 0 where its sample lies outside and exclude_outside is set.
        extrapolates: whether tf_crop_and_resize takes extrapolation_value outside the input.
        rounding: of averages of integers: "half_even", "truncate", "floor", "half_up", "half_away".
        between: whether integers are also rounded between the axes.
        wraps: whether an integer that does not fit wraps around.
        carrier: the type that values pass through: "own", "float32", "float64", "int32" or "real" (no imaginary part).
        from_the_back: whether an entry of axes was given as a negative number.
    """

    in_shape: tuple[int, ...]
    element: str
    scales: tuple[float, ...] | None
    sizes: tuple[int, ...] | None
    roi: tuple[float, ...] | None
    axes: tuple[int, ...]
    mode: str = "nearest"
    coordinate_transformation_mode: str = "half_pixel"
    nearest_mode: str | None = "round_prefer_floor"
    cubic_coeff_a: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    extrapolation_value: float = 0.0
    keep_aspect_ratio_policy: str = "stretch"
    length_rule: str = "floor"
    roi_in_length: bool = True
    policy_arithmetic: str = "exact"
    lengths_as_scale: bool = False
    copies: str = "scale 1"
    fractional_crop: bool = False
    lone_sample: float = 0.0
    arithmetic: str = "exact"
    excluded_as_zero: bool = False
    extrapolates: bool = True
    rounding: str = "half_even"
    between: bool = False
    wraps: bool = False
    carrier: str = "own"
    from_the_back: bool = False

    @property
    def crops(self) -> bool:
        """Whether the roi counts."""
        return self.coordinate_transformation_mode == CROP

    @property
    def averages(self) -> bool:
        """Whether samples are multiplied by weights, not copied."""
        return self.mode != "nearest"


def reading_of(
    op_type: str, inputs: Sequence[Any], attributes: Mapping[str, Any], opset: int
) -> tuple[Reading, ResizeSpec]:
    """Return the standard's reading of a node of Resize or Upsample, and its spec.

    Args:
        op_type, inputs, attributes, opset: as ``halfpixel.run_node`` takes them.

    Raises:
        SpecError, ResourceError: the node breaks a rule of its operator.
    """
    operator = operator_of(op_type, since_version(op_type, opset))
    given = {entry.name: value for entry, value in zip(operator.inputs[1:], inputs[1:], strict=False)}
    numbers = {name: None if value is None else np.asarray(value).tolist() for name, value in given.items()}
    x = np.asarray(inputs[0])
    maker = resize_spec if op_type == "Resize" else upsample_spec
    options: dict[str, Any] = {**numbers, **plain_attributes(attributes)}
    spec = maker(x.shape, **options, version=operator.version, strict=False)
    rank = x.ndim
    axes = options.get("axes")
    listed = tuple(range(rank)) if axes is None else tuple(int(axis) % rank for axis in axes)
    old = op_type == "Upsample" or operator.version == 10
    scales = options.get("scales") or None
    if options.get("height_scale") is not None:
        scales = [1.0, 1.0, options["height_scale"], options["width_scale"]]
    reading = Reading(
        x.shape,
        element_of(x.dtype),
        None if not scales else tuple(float(np.float32(scale)) for scale in scales),
        tuple(options["sizes"]) if options.get("sizes") else None,
        tuple(float(value) for value in options.get("roi") or ()) or None,
        listed,
        mode=spec.mode,
        coordinate_transformation_mode="asymmetric"
        if old
        else options.get("coordinate_transformation_mode", "half_pixel"),
        nearest_mode=None if old else options.get("nearest_mode", "round_prefer_floor"),
        cubic_coeff_a=spec.cubic_coeff_a,
        antialias=spec.antialias,
        exclude_outside=spec.exclude_outside,
        extrapolation_value=spec.extrapolation_value,
        keep_aspect_ratio_policy=options.get("keep_aspect_ratio_policy", "stretch"),
        from_the_back=axes is not None and any(axis < 0 for axis in axes),
    )
    return reading, spec


def plain_attributes(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as plain values: bytes as text, arrays as lists."""
    plain: dict[str, Any] = {}
    for name, value in attributes.items():
        if isinstance(value, bytes):
            plain[name] = value.decode()
        elif isinstance(value, np.ndarray | list | tuple):
            plain[name] = np.asarray(value).tolist()
        else:
            plain[name] = value
    return plain
