"""The operators of the torch library 'halfpixel': schema, CPU kernel and shape function of each.

An operator takes a tensor and plain arguments. Kernels know nothing of gradients: see linear.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeAlias

import torch
from torch import Tensor

from halfpixel._errors import HalfpixelError
from halfpixel.ops import rearrange, resizing, upsampling
from halfpixel.plan.cache import Cache
from halfpixel.plan.plan import Plan, plan_from_spec
from halfpixel.torch.errors import torch_error
from halfpixel.torch.interpolation_spec import interpolation_spec
from halfpixel.torch.shapes import empty_result, resized_shape, upsampled_shape
from halfpixel.torch.tensors import array_of, gradient, resampled, tensor_of

_torch: Any = torch
LIBRARY: Any = _torch.library.Library("halfpixel", "DEF")
Kernel: TypeAlias = Callable[..., Tensor]

RESIZE = (
    "float[]? scales, SymInt[]? sizes, float[]? roi, int[]? axes, str mode, str coordinate_transformation_mode, "
    "str nearest_mode, float cubic_coeff_a, bool antialias, bool exclude_outside, float extrapolation_value, "
    "str keep_aspect_ratio_policy, str length_rule, int version, int? threads"
)
UPSAMPLE = "float[]? scales, float? height_scale, float? width_scale, str mode, int version, int? threads"
INTERPOLATE = "SymInt[] size, float[]? scale_factors, str mode, bool align_corners, bool antialias"
REARRANGE = "int blocksize, str mode, int version, int? threads"

_plans: Cache[Plan] = Cache()


def resize_plan(shape: Sequence[int], dtype: object, *arguments: Any) -> Plan:
    """Return the plan of the operator's arguments, without the last one, threads."""
    scales, sizes, roi, axes, mode, coordinates, nearest, a, antialias, exclude, value, policy, rule, version = (
        arguments
    )
    return resizing.resize_plan(
        tuple(shape),
        dtype,
        scales,
        sizes,
        roi,
        axes,
        mode,
        coordinates,
        nearest,
        a,
        antialias,
        exclude,
        value,
        policy,
        version,
        rule,
    )


def interpolation_plan(shape: Sequence[int], dtype: object, *arguments: Any) -> Plan:
    """Return the plan of the operator's arguments."""
    size, factors, *others = arguments
    frozen = None if factors is None else tuple(factors)
    key: Hashable = (tuple(shape), dtype, tuple(size), frozen, *others)
    plan = _plans.get(key)
    if plan is None:
        plan = _plans.put(key, plan_from_spec(interpolation_spec(shape, size, frozen, *others), dtype))
    return plan


def untraced(kernel: Kernel) -> Kernel:
    """Keep torch.compile out of a kernel: it would trace the frames that a compiled graph calls."""
    hidden: Kernel = _torch._disable_dynamo(kernel)
    return hidden


def _reported(kernel: Kernel) -> Kernel:
    """Raise torch's exceptions instead of the family's."""

    @wraps(kernel)
    def call(*arguments: Any) -> Tensor:
        try:
            return kernel(*arguments)
        except HalfpixelError as error:
            raise torch_error(error) from None

    return call


def _define(name: str, schema: str, kernel: Kernel, shape: Kernel) -> Any:
    """Define an operator with its kernel and shape function; return it as torch.ops has it."""
    LIBRARY.define(f"{name}({schema}) -> Tensor")
    LIBRARY.impl(name, untraced(_reported(kernel)), "CPU")
    torch.library.register_fake(f"halfpixel::{name}", _reported(shape), lib=LIBRARY)
    return getattr(torch.ops.halfpixel, name).default


def _resize(x: Tensor, *arguments: Any) -> Tensor:
    plan = resize_plan(x.shape, x.dtype, *arguments[:-1])
    return resampled(plan, x, arguments[-1])


def _resize_grad(dy: Tensor, x_shape: Sequence[int], *arguments: Any) -> Tensor:
    plan = resize_plan(tuple(x_shape), dy.dtype, *arguments[:-1])
    return gradient(plan, dy, arguments[-1])


def _upsample(
    x: Tensor, scales: Any, height_scale: Any, width_scale: Any, mode: Any, version: int, *threads: Any
) -> Tensor:
    plan = upsampling.upsample_plan(tuple(x.shape), x.dtype, scales, height_scale, width_scale, mode, version)
    return resampled(plan, x, threads[0])


def _upsample_grad(
    dy: Tensor, x_shape: Sequence[int], scales: Any, height_scale: Any, width_scale: Any, mode: Any, *others: Any
) -> Tensor:
    dx = upsampling.upsample_grad(
        array_of(dy),
        tuple(x_shape),
        scales,
        height_scale=height_scale,
        width_scale=width_scale,
        mode=mode,
        version=others[0],
        threads=others[1],
    )
    return tensor_of(dx, dy)


def _interpolate(x: Tensor, *arguments: Any) -> Tensor:
    return resampled(interpolation_plan(x.shape, x.dtype, *arguments), x)


def _interpolate_grad(dy: Tensor, x_shape: Sequence[int], *arguments: Any) -> Tensor:
    return gradient(interpolation_plan(tuple(x_shape), dy.dtype, *arguments), dy)


def _depth_to_space(x: Tensor, blocksize: int, mode: Any, version: int, threads: int | None) -> Tensor:
    y = rearrange.depth_to_space(array_of(x), blocksize, mode=mode, version=version, threads=threads)
    return tensor_of(y, x)


def _space_to_depth(x: Tensor, blocksize: int, mode: Any, version: int, threads: int | None) -> Tensor:
    y = rearrange.space_to_depth(array_of(x), blocksize, mode=mode, version=version, threads=threads)
    return tensor_of(y, x)


def _shape_of_grad(dy: Tensor, x_shape: Sequence[Any], *arguments: Any) -> Tensor:
    return empty_result(dy, x_shape)


def _shape_of_resize(x: Tensor, *arguments: Any) -> Tensor:
    return empty_result(x, resized_shape(x.shape, *arguments[:-1]))


def _shape_of_upsample(x: Tensor, *arguments: Any) -> Tensor:
    return empty_result(x, upsampled_shape(x.shape, *arguments[:3]))


def _shape_of_interpolate(x: Tensor, size: Sequence[Any], *arguments: Any) -> Tensor:
    return empty_result(x, (*x.shape[: x.dim() - len(size)], *size))


def _shape_of_space(x: Tensor, blocksize: int, *arguments: Any) -> Tensor:
    batch, channels, height, width = x.shape
    return empty_result(x, (batch, channels // blocksize**2, height * blocksize, width * blocksize))


def _shape_of_depth(x: Tensor, blocksize: int, *arguments: Any) -> Tensor:
    batch, channels, height, width = x.shape
    return empty_result(x, (batch, channels * blocksize**2, height // blocksize, width // blocksize))


resize = _define("resize", f"Tensor x, {RESIZE}", _resize, _shape_of_resize)
resize_grad = _define("resize_grad", f"Tensor dy, SymInt[] x_shape, {RESIZE}", _resize_grad, _shape_of_grad)
upsample = _define("upsample", f"Tensor x, {UPSAMPLE}", _upsample, _shape_of_upsample)
upsample_grad = _define("upsample_grad", f"Tensor dy, SymInt[] x_shape, {UPSAMPLE}", _upsample_grad, _shape_of_grad)
interpolate = _define("interpolate", f"Tensor x, {INTERPOLATE}", _interpolate, _shape_of_interpolate)
interpolate_grad = _define(
    "interpolate_grad", f"Tensor dy, SymInt[] x_shape, {INTERPOLATE}", _interpolate_grad, _shape_of_grad
)
depth_to_space = _define("depth_to_space", f"Tensor x, {REARRANGE}", _depth_to_space, _shape_of_space)
space_to_depth = _define("space_to_depth", f"Tensor x, {REARRANGE}", _space_to_depth, _shape_of_depth)
