"""Tensors as NumPy arrays and back on the same memory, and what kind of call torch expects for a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import forward_ad

from halfpixel._errors import HalfpixelError
from halfpixel.plan.arrays import import_array
from halfpixel.plan.dense import BACKWARD, FORWARD, DenseCall, dense_call, dense_gradient, tensor_calls
from halfpixel.plan.elements import BFLOAT16_BITS, Array
from halfpixel.plan.plan import Plan
from halfpixel.torch.errors import refusal, torch_error

_PLAIN = (Tensor, torch.nn.Parameter)
_DEVICES = ("cpu", "meta")
_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
_C: Any = torch._C
_grad_enabled = torch.is_grad_enabled
_transforms_active = _C._are_functorch_transforms_active
_dispatch_modes = _C._len_torch_dispatch_stack
_tracing_state = _C._get_tracing_state


def _no_call(*arguments: object) -> None:
    """A torch without DLPack's table of functions, and one of another version, has no short way."""


_exchange: Any = getattr(Tensor, "__dlpack_c_exchange_api__", None)
_calls: Any = None if _exchange is None else tensor_calls(_exchange)
run_dense: Callable[[DenseCall, Tensor, int | None], Tensor | None]
"""(call, x, threads) -> the result for a CPU tensor; None where its shape, type or memory is not as the call needs.

Raises SpecError HP166, HP167.
"""
run_kept: Callable[[Plan, str, Tensor, int | None], Tensor | None]
"""(plan, FORWARD or BACKWARD, x, threads) -> the same of the call that the plan keeps; None where it keeps none."""
short_call: Callable[..., Tensor | None]
"""(plans, x, threads, *arguments) -> the result of the plan under request_key(x.dtype, x.shape, *arguments).

None for a request without a plan, and where run_dense has none.
"""
run_dense, run_kept, short_call = _calls or (_no_call, _no_call, _no_call)


def is_plain(x: Any) -> bool:
    """True if nothing watches the call: a dense CPU tensor without gradient, mode, transform or trace."""
    return (
        x.__class__ in _PLAIN
        and x.is_cpu
        and not (x.requires_grad and _grad_enabled())
        and not _transforms_active()
        and forward_ad._current_level < 0
        and not _dispatch_modes()
        and _tracing_state() is None
    )


def is_only_recorded(x: Any) -> bool:
    """True if nothing but reverse mode watches the call: all else is as for is_plain."""
    return (
        x.__class__ in _PLAIN
        and x.is_cpu
        and x.requires_grad
        and _grad_enabled()
        and not _transforms_active()
        and forward_ad._current_level < 0
        and not _dispatch_modes()
        and _tracing_state() is None
    )


def is_differentiated(x: Tensor) -> bool:
    """True if torch's autograd must see the call, backwards or forwards."""
    return (x.requires_grad and torch.is_grad_enabled()) or forward_ad._current_level >= 0


def check_tensor(x: Any) -> None:
    """Refuse what is no tensor in memory that the CPU reads; tensors without memory (meta, fake) pass.

    Raises:
        TypeError: HP221.
        NotImplementedError: HP222 a tensor on a GPU or another device.
    """
    if not isinstance(x, Tensor):
        raise refusal(
            "HP221",
            "the input is not a tensor",
            given=f"an object of type {type(x).__name__}",
            allowed="torch.Tensor",
            do="pass torch.from_numpy(array), or call halfpixel.resize, which takes arrays",
        )
    if x.device.type not in _DEVICES:
        raise refusal(
            "HP222",
            f"halfpixel runs on the CPU and copies no tensor from another device; there is no kernel for {x.device}",
            given=f"a tensor on {x.device}",
            allowed="tensors on the CPU",
            do="move it: x.cpu(), or keep torch.nn.functional.interpolate for this tensor",
        )


def array_of(x: Tensor) -> Array:
    """Return a NumPy view of a CPU tensor; a gradient it may have is the caller's care.

    Raises:
        ElementTypeError: HP222 sparse, quantized, or an element type that NumPy lacks.
    """
    if x.requires_grad:
        x = x.detach()
    try:
        if x.dtype is torch.bfloat16:
            bits: Array = x.view(torch.uint16).numpy()
            return bits.view(BFLOAT16_BITS)
        array: Array = x.numpy()
        return array
    except (TypeError, RuntimeError):  # conjugated, negated, sparse, quantized, float8: the long way decides
        return import_array(x.clone() if x._is_zerotensor() else x, "the input")[0]


def resampled(plan: Plan, x: Tensor, threads: int | None = None) -> Tensor:
    """Return the plan's result for a CPU tensor of its shape and type.

    Raises:
        SpecError: HP166, HP167 threads.
        ElementTypeError: HP222 sparse or quantized.
        ResourceError: HP301, HP302.
    """
    y = run_kept(plan, FORWARD, x, threads)
    if y is None:
        call = dense_call(plan)
        y = None if call is None else run_dense(call, x, threads)
    return tensor_of(plan(array_of(x), None, threads), x) if y is None else y


def gradient(plan: Plan, dy: Tensor, threads: int | None = None) -> Tensor:
    """Return the plan's gradient for a CPU tensor of its output's shape and its type.

    Raises:
        SpecError, ElementTypeError, ResourceError: as plan.grad.
    """
    dx = run_kept(plan, BACKWARD, dy, threads)
    if dx is None:
        call = dense_gradient(plan)
        dx = None if call is None else run_dense(call, dy, threads)
    return tensor_of(plan.grad(array_of(dy), None, threads), dy) if dx is None else dx


def written(plan: Plan, x: Tensor, out: Any, threads: int | None) -> Any:
    """Write the plan's result for x into out and return it.

    Raises:
        SpecError: HP162-167 out, threads.
        ElementTypeError, ResourceError: as resampled.
    """
    plan(array_of(x), out, threads)
    return out


def failure(error: HalfpixelError, x: Tensor) -> Exception:
    """Return the exception to raise for an error of a call on x: that NumPy cannot read x counts before all others."""
    try:
        array_of(x)
    except HalfpixelError as unreadable:
        return torch_error(unreadable)
    return torch_error(error)


def tensor_of(y: Array, x: Tensor) -> Tensor:
    """Return a tensor on the memory of the result for x."""
    if y.dtype.kind == "V":
        result = torch.from_numpy(y.view(np.uint16)).view(torch.bfloat16)
    else:
        result = torch.from_numpy(y)
    if not x.is_contiguous():
        layout = ambiguous_layout(x)
        if layout is not None:
            return result.contiguous(memory_format=layout)
    return result


def ambiguous_layout(x: Tensor) -> torch.memory_format | None:
    """Return channels last where x has it but an axis of length 1 hides it from its strides; else None.

    The memory order of such an array does not tell where an axis of length 1 belongs once it grows.
    """
    layout = _CHANNELS_LAST.get(x.dim())
    if layout is None or x.is_contiguous() or not x.is_contiguous(memory_format=layout):
        return None
    return layout if any(length == 1 for length in x.shape) else None
