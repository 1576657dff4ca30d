"""The four operators on tensors, with ONNX's arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Never

import torch
from torch import Tensor
from torch.overrides import handle_torch_function, has_torch_function_unary

from halfpixel._errors import HalfpixelError
from halfpixel._typing import (
    CoordinateTransformationMode,
    Integers,
    KeepAspectRatioPolicy,
    LengthRule,
    Like,
    Mode,
    NearestMode,
    RealNumbers,
    RearrangeMode,
    UpsampleMode,
)
from halfpixel.ops import rearrange, resizing, upsampling
from halfpixel.ops.presets import (
    ANTIALIAS,
    COORDINATE_TRANSFORMATION_MODE,
    CUBIC_COEFF_A,
    EXCLUDE_OUTSIDE,
    LENGTH_RULE,
    MODE,
    NEAREST_MODE,
    attributes_like,
)
from halfpixel.ops.request import PLANS, unknown_keyword
from halfpixel.plan.dense import DenseCall, dense_rearrangement
from halfpixel.spec.rearrange import RearrangeSpec, depth_to_space_spec, space_to_depth_spec
from halfpixel.spec.upsample import upsample_spec
from halfpixel.torch import kernels, linear
from halfpixel.torch.errors import refusal, torch_error
from halfpixel.torch.tensors import (
    array_of,
    check_tensor,
    failure,
    is_only_recorded,
    is_plain,
    resampled,
    run_dense,
    short_call,
    tensor_of,
    written,
)


def resize(
    x: Tensor,
    scales: RealNumbers | None = None,
    sizes: Integers | None = None,
    *,
    roi: RealNumbers | None = None,
    axes: Integers | None = None,
    mode: Mode = MODE,
    coordinate_transformation_mode: CoordinateTransformationMode = COORDINATE_TRANSFORMATION_MODE,
    nearest_mode: NearestMode = NEAREST_MODE,
    cubic_coeff_a: float = CUBIC_COEFF_A,
    antialias: bool = ANTIALIAS,
    exclude_outside: bool = EXCLUDE_OUTSIDE,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: KeepAspectRatioPolicy = "stretch",
    version: int = 19,
    like: Like | None = None,
    out: Tensor | None = None,
    threads: int | None = None,
    **unknown: Never,
) -> Tensor:
    """Resize a tensor of any rank and element type; the arguments and results are those of halfpixel.resize.

    Example:
        >>> halfpixel.torch.resize(torch.tensor([1.0, 2.0]), [2], mode="linear")
        tensor([1.0000, 1.2500, 1.7500, 2.0000])

    Args:
        x: tensor on the CPU; any strides, never copied where the passes can read it in place.
        out: as in halfpixel.resize; only where no gradient is recorded and nothing is compiled or transformed.
        scales, sizes, like and the other keywords: as in halfpixel.resize.

    Returns:
        tensor of x's dtype, its axes in the memory order of x (channels last stays channels last).

    Raises:
        ValueError: HP1xx, the request breaks a rule of the operator.
        TypeError: HP221, x is no tensor.
        NotImplementedError: HP2xx, a device or an element type that is not supported.
        RuntimeError: HP223 out= where a gradient is recorded; HP3xx memory.

    Source: ONNX Resize.
    """
    if unknown:
        _refuse_unknown("resize", unknown, (*resizing.KEYWORDS, "out", "threads"))
    length_rule: LengthRule = LENGTH_RULE
    if like is not None:
        given = (mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, antialias, exclude_outside)
        try:
            chosen = attributes_like(like, *given, length_rule)
        except HalfpixelError as error:
            raise torch_error(error) from None
        mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, antialias, exclude_outside, length_rule = (
            chosen
        )
    if antialias is ANTIALIAS:
        antialias = False
    if exclude_outside is EXCLUDE_OUTSIDE:
        exclude_outside = False
    if not torch.compiler.is_compiling() and is_plain(x):
        try:
            if out is None:
                y = short_call(
                    PLANS,
                    x,
                    threads,
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
                )
                if y is not None:
                    return y
            plan = resizing.resize_plan(
                x.shape,
                x.dtype,
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
            )
            return resampled(plan, x, threads) if out is None else written(plan, x, out, threads)
        except HalfpixelError as error:
            raise failure(error, x) from None
    options = (
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
        keep_aspect_ratio_policy,
        length_rule,
        version,
    )
    arguments = (_list(scales), _list(sizes), _list(roi), None if axes is None else [*axes], *options)
    if out is None and not torch.compiler.is_compiling() and is_only_recorded(x):
        try:
            plan = kernels.resize_plan(tuple(x.shape), x.dtype, *arguments)
            recorded: Tensor = linear.apply_plan(x, plan, threads, linear.RESIZE, (*arguments, threads))
            return recorded
        except HalfpixelError as error:
            raise torch_error(error) from None
    return _watched(linear.RESIZE, x, (*arguments, threads), out, kernels.resize_plan, arguments)


def upsample(
    x: Tensor,
    scales: RealNumbers | None = None,
    *,
    height_scale: float | None = None,
    width_scale: float | None = None,
    mode: UpsampleMode = "nearest",
    version: int = 9,
    out: Tensor | None = None,
    threads: int | None = None,
    **unknown: Never,
) -> Tensor:
    """Enlarge a tensor as ONNX Upsample does; the arguments and results are those of halfpixel.upsample.

    Example:
        >>> halfpixel.torch.upsample(torch.tensor([1.0, 2.0]), [2])
        tensor([1., 1., 2., 2.])

    Args:
        x, out, threads: as in resize.
        scales, height_scale, width_scale, mode, version: as in halfpixel.upsample.

    Raises:
        ValueError, TypeError, NotImplementedError, RuntimeError: as resize.

    Source: ONNX Upsample.
    """
    if unknown:
        _refuse_unknown("upsample", unknown, upsampling.KEYWORDS)
    if not torch.compiler.is_compiling() and is_plain(x):
        try:
            plan = upsampling.upsample_plan(x.shape, x.dtype, scales, height_scale, width_scale, mode, version)
            return resampled(plan, x, threads) if out is None else written(plan, x, out, threads)
        except HalfpixelError as error:
            raise failure(error, x) from None
    arguments = (_list(scales), height_scale, width_scale, mode, version, threads)
    return _watched(linear.UPSAMPLE, x, arguments, out, _check_upsample, arguments)


def depth_to_space(
    x: Tensor,
    blocksize: int,
    *,
    mode: RearrangeMode = "DCR",
    version: int = 28,
    out: Tensor | None = None,
    threads: int | None = None,
    **unknown: Never,
) -> Tensor:
    """Move channels into blocks of rows and columns: [N, C, H, W] -> [N, C / b^2, H * b, W * b].

    Mode "CRD" is torch.nn.functional.pixel_shuffle. Arguments and results are those of halfpixel.depth_to_space.

    Raises:
        ValueError, TypeError, NotImplementedError, RuntimeError: as resize.

    Source: ONNX DepthToSpace.
    """
    if unknown:
        _refuse_unknown("depth_to_space", unknown, rearrange.KEYWORDS)
    if not torch.compiler.is_compiling() and is_plain(x):
        return _rearranged(depth_to_space_spec, rearrange.depth_to_space, x, blocksize, mode, version, out, threads)
    arguments = (blocksize, mode, version, threads)
    return _watched(linear.DEPTH_TO_SPACE, x, arguments, out, _check_depth_to_space, arguments)


def space_to_depth(
    x: Tensor,
    blocksize: int,
    *,
    mode: RearrangeMode = "DCR",
    version: int = 28,
    out: Tensor | None = None,
    threads: int | None = None,
    **unknown: Never,
) -> Tensor:
    """Move blocks of rows and columns into channels: [N, C, H, W] -> [N, C * b^2, H / b, W / b].

    Mode "CRD" is torch.nn.functional.pixel_unshuffle. Arguments and results are those of halfpixel.space_to_depth.

    Raises:
        ValueError, TypeError, NotImplementedError, RuntimeError: as resize.

    Source: ONNX SpaceToDepth.
    """
    if unknown:
        _refuse_unknown("space_to_depth", unknown, rearrange.KEYWORDS)
    if not torch.compiler.is_compiling() and is_plain(x):
        return _rearranged(space_to_depth_spec, rearrange.space_to_depth, x, blocksize, mode, version, out, threads)
    arguments = (blocksize, mode, version, threads)
    return _watched(linear.SPACE_TO_DEPTH, x, arguments, out, _check_space_to_depth, arguments)


def _rearranged(
    spec_of: Callable[..., RearrangeSpec],
    function: Callable[..., Any],
    x: Tensor,
    blocksize: int,
    mode: RearrangeMode,
    version: int,
    out: Any,
    threads: int | None,
) -> Tensor:
    """A rearrangement of a tensor that nothing watches."""
    try:
        if out is None:
            call = _rearrangement(spec_of, x.shape, x.dtype, blocksize, mode, version)
            y = None if call is None else run_dense(call, x, threads)
            if y is not None:
                return y
        result = function(array_of(x), blocksize, mode=mode, version=version, out=out, threads=threads)
    except HalfpixelError as error:
        raise failure(error, x) from None
    return tensor_of(result, x) if out is None else out


def _rearrangement(*request: Any) -> DenseCall | None:
    try:
        return _kept_rearrangement(*request)
    except TypeError:  # an argument that cannot be hashed: the long way says what is wrong with it
        return None


@lru_cache(maxsize=256, typed=True)
def _kept_rearrangement(
    spec_of: Callable[..., RearrangeSpec], shape: Any, dtype: object, blocksize: Any, mode: Any, version: Any
) -> DenseCall | None:
    return dense_rearrangement(spec_of(tuple(shape), blocksize, mode=mode, version=version), dtype)


def _watched(
    linear_map: linear.LinearMap,
    x: Any,
    arguments: linear.Arguments,
    out: object,
    check: Callable[..., object],
    checked: linear.Arguments,
) -> Tensor:
    """The call that torch watches: for a gradient, a transform, a mode, a trace or a compiler.

    Args:
        check: refuses a wrong request; called with shape, dtype and the checked arguments where the shape is numbers.
    """
    if torch.compiler.is_compiling():
        _refuse_out(out)
        compiled: Tensor = linear_map.operator(x, *arguments)
        return compiled
    if not isinstance(x, Tensor) and has_torch_function_unary(x):
        watched: Tensor = handle_torch_function(linear_map.operator, (x,), x, *arguments)
        return watched
    check_tensor(x)
    _refuse_out(out)
    if all(type(length) is int for length in x.shape):
        try:
            check(tuple(x.shape), x.dtype, *checked)
        except HalfpixelError as error:
            raise torch_error(error) from None
    y: Tensor = linear_map.operator(x, *arguments)
    return y


def _check_upsample(
    shape: tuple[int, ...], dtype: object, scales: Any, height: Any, width: Any, mode: Any, version: Any, threads: Any
) -> None:
    upsample_spec(shape, scales, height_scale=height, width_scale=width, mode=mode, version=version)


def _check_depth_to_space(
    shape: tuple[int, ...], dtype: object, blocksize: Any, mode: Any, version: Any, threads: Any
) -> None:
    depth_to_space_spec(shape, blocksize, mode=mode, version=version)


def _check_space_to_depth(
    shape: tuple[int, ...], dtype: object, blocksize: Any, mode: Any, version: Any, threads: Any
) -> None:
    space_to_depth_spec(shape, blocksize, mode=mode, version=version)


def _list(values: Iterable[Any] | None) -> list[Any] | None:
    """Numbers as torch's operators take them; a tensor or an array of numbers is read."""
    if values is None:
        return None
    return values.tolist() if hasattr(values, "tolist") else [*values]


def _refuse_out(out: object) -> None:
    if out is not None:
        raise refusal(
            "HP223",
            "a result written to out= has no gradient and cannot be traced",
            given="out= together with a gradient, a transform or a compiler",
            allowed="out= on tensors that need no gradient, or under torch.no_grad()",
            do="leave out= away, or wrap the call in torch.no_grad()",
        )


def _refuse_unknown(function: str, unknown: dict[str, Any], known: Iterable[str]) -> None:
    raise torch_error(unknown_keyword(function, unknown, known))
