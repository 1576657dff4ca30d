"""Gradients and transforms: every operator is a linear map, its transpose is an operator, and so on without end.

``Applied`` is the autograd function of every operator: backward applies the transposed map to dy, forward mode applies
the linear part to the tangent; vmap applies the map to one more axis. Each is an operator again, so that all of it can
be nested.
The operators themselves carry this, not the functions that people call, so that it is the same under torch.autograd,
torch.func, torch.compile and torch.export.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import Tensor
from torch._functorch.utils import enable_single_level_autograd_function
from torch.autograd import forward_ad

from halfpixel._errors import HalfpixelError
from halfpixel.plan.plan import Plan
from halfpixel.torch import kernels
from halfpixel.torch.errors import torch_error
from halfpixel.torch.tensors import gradient, is_differentiated, is_plain, resampled

Arguments: TypeAlias = tuple[Any, ...]

_C: Any = torch._C
_is_batched = _C._functorch.is_legacy_batchedtensor
"""A batch of gradients, of torch.autograd.grad(is_grads_batched=True), looks like a plain tensor otherwise."""
_unwrap_if_dead = _C._functorch.unwrap_if_dead
"""The tensor behind one that a transform of torch.func left over."""


@dataclass(frozen=True, eq=False)
class LinearMap:
    """An operator y = A x (+ a constant) by its arguments after the tensor.

    Attributes:
        operator: of torch.ops.halfpixel.
        transposed: arguments and the shape of x -> the map and the arguments of the transpose of A.
        batched: arguments, rank without and length of a new first axis -> the arguments for all of it at once; None
            where the operator has a fixed rank, and the new axis is folded into the first one.
        linear: arguments -> those without the constant.
    """

    operator: Any
    transposed: Callable[[Arguments, Sequence[int]], tuple[LinearMap, Arguments]]
    batched: Callable[[Arguments, int, int], Arguments] | None
    linear: Callable[[Arguments], Arguments] = tuple


class Applied(torch.autograd.Function):
    """One linear map on one tensor, recorded: ``apply(x, linear_map, arguments)``."""

    @staticmethod
    def forward(x: Tensor, linear_map: LinearMap, arguments: Arguments) -> Tensor:
        with _all_modes():
            return _unrecorded(linear_map, x, arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        x, ctx.linear_map, ctx.arguments = inputs
        ctx.shape = x.shape

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        transposed, arguments = ctx.linear_map.transposed(ctx.arguments, ctx.shape)
        return transposed.operator(dys[0], *arguments), None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        with _all_modes():
            return ctx.linear_map.operator(tangents[0], *ctx.linear_map.linear(ctx.arguments))


_PlanCall: TypeAlias = tuple[Plan, int | None, LinearMap, Arguments]
"""A plan and threads, and the operator and the arguments that say the same."""


class AppliedPlan(torch.autograd.Function):
    """The same for a tensor that only reverse mode watches, past torch's dispatcher: for small tensors half the time.

    See ``apply_plan``; a gradient that is watched itself goes through the operator.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, call: _PlanCall) -> Tensor:
        ctx.call = call
        return resampled(call[0], x, call[1])

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        dy = dys[0]
        plan, threads, linear_map, arguments = ctx.call
        if is_plain(dy) and not _is_batched(dy):
            try:
                return gradient(plan, dy, threads), None
            except HalfpixelError as error:
                raise torch_error(error) from None
        transposed, arguments = linear_map.transposed(arguments, plan.in_shape)
        return transposed.operator(dy, *arguments), None


@contextlib.contextmanager
def _all_modes() -> Iterator[None]:
    """Let outer levels of torch.func record: an autograd function turns both modes off, and they would see nothing."""
    with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
        yield


_apply_one_level: Any = super(torch.autograd.Function, Applied).apply
_apply_plan_one_level: Any = super(torch.autograd.Function, AppliedPlan).apply


def apply_plan(x: Tensor, plan: Plan, threads: int | None, linear_map: LinearMap, arguments: Arguments) -> Tensor:
    """Apply a plan to a tensor that only reverse mode watches; the map and its arguments are the same as operator."""
    y: Tensor = _apply_plan_one_level(_unwrap_if_dead(x), (plan, threads, linear_map, arguments))
    return y


def _unrecorded(linear_map: LinearMap, x: Tensor, arguments: Arguments) -> Tensor:
    with _C._AutoDispatchBelowAutograd():
        y: Tensor = linear_map.operator(x, *arguments)
        return y


def _recorded(linear_map: LinearMap, x: Tensor, arguments: Arguments) -> Tensor:
    """Apply the map at one level: torch.func has split the call into its levels before it comes here."""
    with enable_single_level_autograd_function():
        y: Tensor = _apply_one_level(x, linear_map, arguments)
        return y


def _over_batch(linear_map: LinearMap, x: Tensor, arguments: Arguments) -> Tensor:
    """Apply the map to every part of x along its first axis, in one call."""
    if linear_map.batched is None:
        y: Tensor = linear_map.operator(x.flatten(0, 1), *arguments)
        return y.reshape(*x.shape[:2], *y.shape[1:])
    stacked: Tensor = linear_map.operator(x, *linear_map.batched(arguments, x.dim() - 1, x.shape[0]))
    return stacked


def _register(linear_map: LinearMap) -> LinearMap:
    """Give the operator gradients, forward mode and vmap, wherever torch calls it from."""
    name = linear_map.operator.name().partition("::")[2]

    def differentiable(x: Tensor, *arguments: Any) -> Tensor:
        return (_recorded if is_differentiated(x) else _unrecorded)(linear_map, x, arguments)

    def vmap(info: Any, in_dims: tuple[Any, ...], x: Tensor, *arguments: Any) -> tuple[Tensor, int]:
        return _over_batch(linear_map, x.movedim(in_dims[0], 0), arguments), 0

    kernels.LIBRARY.impl(name, kernels.untraced(differentiable), "Autograd")
    torch.library.register_vmap(f"halfpixel::{name}", vmap, lib=kernels.LIBRARY)
    return linear_map


def _batched_resize(arguments: Arguments, rank: int, length: int) -> Arguments:
    """One more axis in front, copied. Versions without ``axes`` list every axis."""
    scales, sizes, roi, axes, *others = arguments
    version = others[-2]
    if axes is not None or version >= 18:
        listed = range(rank) if axes is None else axes
        return scales, sizes, roi, [axis % rank + 1 for axis in listed], *others
    half = len(roi or ()) // 2
    return (
        None if scales is None else [1.0, *scales],
        None if sizes is None else [length, *sizes],
        None if roi is None else [0.0, *roi[:half], 1.0, *roi[half:]],
        None,
        *others,
    )


def _linear_resize(arguments: Arguments) -> Arguments:
    """An extrapolated sample is a constant: its derivative is 0."""
    return *arguments[:10], 0.0, *arguments[11:]


def _batched_upsample(arguments: Arguments, rank: int, length: int) -> Arguments:
    scales, height_scale, width_scale, mode, version, threads = arguments
    if scales is None:
        scales, mode, version = (1.0, 1.0, height_scale, width_scale), mode.removeprefix("bi"), 9
    return (1.0, *scales), None, None, mode, version, threads


def _same(arguments: Arguments, rank: int, length: int) -> Arguments:
    return arguments


def _batched_gradient(
    batched: Callable[[Arguments, int, int], Arguments],
) -> Callable[[Arguments, int, int], Arguments]:
    """The same for the gradient, whose first argument is the shape of x."""

    def call(arguments: Arguments, rank: int, length: int) -> Arguments:
        return [length, *arguments[0]], *batched(arguments[1:], rank, length)

    return call


def _pair(
    operator: Any,
    gradient: Any,
    batched: Callable[[Arguments, int, int], Arguments],
    linear: Callable[[Arguments], Arguments] = tuple,
) -> LinearMap:
    """Register an operator and its gradient, each the transpose of the other."""
    forward = LinearMap(operator, lambda arguments, shape: (backward, (shape, *arguments)), batched, linear)
    backward = LinearMap(
        gradient, lambda arguments, shape: (forward, linear(arguments[1:])), _batched_gradient(batched)
    )
    _register(backward)
    return _register(forward)


def _inverse_of(other: Callable[[], LinearMap]) -> Callable[[Arguments, Sequence[int]], tuple[LinearMap, Arguments]]:
    """A rearrangement is a permutation: its transpose is its inverse, in the version that has every mode."""

    def transposed(arguments: Arguments, shape: Sequence[int]) -> tuple[LinearMap, Arguments]:
        blocksize, mode, _, threads = arguments
        return other(), (blocksize, mode, 28, threads)

    return transposed


RESIZE = _pair(kernels.resize, kernels.resize_grad, _batched_resize, _linear_resize)
UPSAMPLE = _pair(kernels.upsample, kernels.upsample_grad, _batched_upsample)
INTERPOLATE = _pair(kernels.interpolate, kernels.interpolate_grad, _same)
DEPTH_TO_SPACE: LinearMap = _register(LinearMap(kernels.depth_to_space, _inverse_of(lambda: SPACE_TO_DEPTH), None))
SPACE_TO_DEPTH: LinearMap = _register(LinearMap(kernels.space_to_depth, _inverse_of(lambda: DEPTH_TO_SPACE), None))
