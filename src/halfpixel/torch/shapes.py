"""Shapes and strides of results that are not computed: what tracing, compiling and exporting need to know.

Lengths may be symbolic; as far as the request allows they stay so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from halfpixel.spec.coordinates import WHOLE
from halfpixel.spec.resize import resize_spec
from halfpixel.spec.sizes import float32, length_of
from halfpixel.torch.tensors import ambiguous_layout


def empty_result(x: Tensor, shape: Sequence[Any]) -> Tensor:
    """Return an uninitialised tensor of a shape, its axes in the order in which those of x lie in memory.

    The twin of plan.order.memory_order for tensors without memory.
    """
    if x.is_contiguous():
        return x.new_empty(tuple(shape))
    layout = ambiguous_layout(x)
    if layout is not None:
        return x.new_empty(tuple(shape)).contiguous(memory_format=layout)
    order = _memory_order(x.shape, x.stride())
    inverse = sorted(range(len(order)), key=order.__getitem__)
    return x.new_empty([shape[axis] for axis in order]).permute(inverse)


def _memory_order(shape: Sequence[Any], strides: Sequence[Any]) -> list[int]:
    steps = [stride if length > 1 else 0 for stride, length in zip(strides, shape, strict=True)]
    order: list[int] = []
    for axis, step in enumerate(steps):
        place = len(order)
        for position in range(len(order) - 1, -1, -1):
            earlier = steps[order[position]]
            if step and 0 < earlier < step:
                place = position
            elif step and earlier:
                break
        order.insert(place, axis)
    return order


def resized_shape(
    shape: Sequence[Any],
    scales: Sequence[float] | None,
    sizes: Sequence[Any] | None,
    roi: Sequence[float] | None,
    axes: Sequence[int] | None,
    mode: str,
    coordinate_transformation_mode: str,
    nearest_mode: str,
    cubic_coeff_a: float,
    antialias: bool,
    exclude_outside: bool,
    extrapolation_value: float,
    keep_aspect_ratio_policy: str,
    length_rule: str,
    version: int,
) -> Sequence[Any]:
    """Return the output shape of a resize.

    A policy, a cropped axis and the length rule "float32_floor" make symbolic lengths numbers.

    Raises:
        SpecError, ResourceError: as spec.resize.resize_spec, where the lengths are numbers.
    """
    crops = coordinate_transformation_mode == "tf_crop_and_resize"
    symbolic = any(type(length) is not int for length in (*shape, *(sizes or ()))) and length_rule != "float32_floor"
    if symbolic and keep_aspect_ratio_policy == "stretch" and not crops and (scales is None) != (sizes is None):
        listed = range(len(shape)) if axes is None else [axis % len(shape) for axis in axes]
        result = list(shape)
        if sizes is not None:
            for axis, size in zip(listed, sizes, strict=True):
                result[axis] = size
        for axis, scale in zip(listed, scales or (), strict=sizes is None):
            result[axis] = length_of(shape[axis], float32(scale).as_integer_ratio(), length_rule, WHOLE)
        return result
    return resize_spec(
        [int(length) for length in shape],
        scales,
        None if sizes is None else [int(size) for size in sizes],
        roi=roi,
        axes=axes,
        mode=mode,
        coordinate_transformation_mode=coordinate_transformation_mode,
        nearest_mode=nearest_mode,
        cubic_coeff_a=cubic_coeff_a,
        antialias=antialias,
        exclude_outside=exclude_outside,
        extrapolation_value=extrapolation_value,
        keep_aspect_ratio_policy=keep_aspect_ratio_policy,
        version=version,
        length_rule=length_rule,
    ).out_shape


def upsampled_shape(
    shape: Sequence[Any], scales: Sequence[float] | None, height_scale: float | None, width_scale: float | None
) -> Sequence[Any]:
    """Return the output shape of an upsample whose arguments were checked."""
    factors = scales if scales is not None else (1.0, 1.0, height_scale or 1.0, width_scale or 1.0)
    return [
        length_of(length, float32(factor).as_integer_ratio(), "floor", WHOLE)
        for length, factor in zip(shape, factors, strict=True)
    ]
