"""The short way of a call on tensors: dense memory known by its address, where even arrays would cost too much."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from halfpixel import _core
from halfpixel._core import HostMap
from halfpixel.plan.elements import dtype_of, element_of
from halfpixel.plan.host import backward_of, forward_of, kept, map_in_order, rearrange_map
from halfpixel.plan.memory import guarded
from halfpixel.plan.order import Order, c_order
from halfpixel.plan.plan import Plan
from halfpixel.plan.resampling import Resampling
from halfpixel.plan.threads import default_threads, thread_count
from halfpixel.spec.element_types import ELEMENT_TYPES
from halfpixel.spec.rearrange import RearrangeSpec

DenseCall: TypeAlias = _core.DenseCall
"""A map of dense tensors of one shape and type, in one of a few memory orders; see tensor_calls."""
tensor_calls: Callable[[object], tuple[Callable[..., Any], ...] | None] = _core.tensor_calls
"""A library's capsule __dlpack_c_exchange_api__ -> the functions that call maps on its tensors.

run_dense(call, x, threads), run_kept(plan, key, x, threads) and short_call(plans, x, threads, *arguments), each with
None for what the long way must decide; None in their place where the capsule's version is unknown.
"""
FORWARD, BACKWARD = "dense", "dense backward"
"""Under these a plan keeps its calls. The core looks for the first by its name."""

_KINDS = ("bool", "integer", "float")
_CHANNELS_LAST: dict[int, Order] = {4: (0, 2, 3, 1), 5: (0, 2, 3, 4, 1)}
MOST_BYTES = 2**22
"""Beyond this size of a result an array costs nothing in comparison, and gets its memory in a better way."""


def dense_call(plan: Plan) -> DenseCall | None:
    """Return the call of a plan on dense tensors in C order or with channels last, made at the first use.

    None for rank 0, for strings, for complex numbers (another library may hold them as conjugated), for empty and for
    large results.

    Raises:
        ResourceError: HP302.
    """
    call: DenseCall | None = kept(plan, FORWARD, lambda: _dense_call(plan, transposed=False))
    return call


def dense_gradient(plan: Plan) -> DenseCall | None:
    """Return the same for the gradient of a plan.

    Raises:
        ElementTypeError: HP225 an integer or bool plan.
        ResourceError: HP302.
    """
    call: DenseCall | None = kept(plan, BACKWARD, lambda: _dense_call(plan, transposed=True))
    return call


def dense_rearrangement(spec: RearrangeSpec, dtype: object) -> DenseCall | None:
    """Return the call of a rearrangement on dense tensors in C order, to be kept by the caller; None as for dense_call.

    Raises:
        ElementTypeError: HP201, HP220, HP221.
    """
    numpy_dtype = dtype_of(dtype)
    if not _is_simple(spec.out_shape, numpy_dtype):
        return None
    rows = c_order(len(spec.in_shape)), rearrange_map(spec, numpy_dtype)
    return _made(element_of(numpy_dtype), spec.in_shape, spec.out_shape, [rows])


def _dense_call(plan: Plan, transposed: bool) -> DenseCall | None:
    if not _is_simple(plan.in_shape if transposed else plan.output_shape, plan.dtype):
        return None
    with guarded("the map"):
        resampling = backward_of(plan) if transposed else forward_of(plan)
        maps = [(order, map_in_order(resampling, order)) for order in _orders(resampling)]
        return _made(plan.element_type, resampling.in_shape, resampling.out_shape, maps)


def _orders(resampling: Resampling) -> list[Order]:
    """The memory orders that a tensor may be read in: where both fit, C order comes first."""
    rank = len(resampling.in_shape)
    last = _CHANNELS_LAST.get(rank)
    return [c_order(rank)] if last is None or not resampling.averages_in(last) else [c_order(rank), last]


def _made(
    element: str, in_shape: tuple[int, ...], out_shape: tuple[int, ...], maps: Iterable[tuple[Order, HostMap]]
) -> DenseCall:
    return DenseCall(element, in_shape, out_shape, [*maps], thread_count, default_threads)


def _is_simple(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
    kind = ELEMENT_TYPES[element_of(dtype)].kind
    return bool(shape) and kind in _KINDS and 0 < math.prod(shape) * dtype.itemsize <= MOST_BYTES
