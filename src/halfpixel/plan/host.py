"""Maps that other hosts run without Python: one dense array in C order to another, by an address.

The shared libraries of other hosts (JAX's calls, an execution provider) get the address of the interface,
``interface()``, and that of a map, ``HostMap.address``; core/run/host_interface.hpp says how they call one with the
other. A map of a plan lives as long as its plan; who keeps the address must keep one of the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

import numpy as np

from halfpixel._core import HostMap, host_interface
from halfpixel._errors import ElementTypeError
from halfpixel.plan.elements import Array, averaged_as, element_of, moved_as
from halfpixel.plan.memory import guarded
from halfpixel.plan.order import Order, c_order
from halfpixel.plan.plan import Plan
from halfpixel.plan.resampling import Resampling
from halfpixel.plan.tables import Tables
from halfpixel.plan.threads import instruction_set
from halfpixel.spec.element_types import check_element_type
from halfpixel.spec.rearrange import RearrangeSpec

Kept = TypeVar("Kept")


def interface() -> int:
    """Return the address of the HostInterface: the functions that run every map."""
    return host_interface()


def forward_map(plan: Plan) -> HostMap:
    """Return what a call of the plan does: in_shape to output_shape, elements of the plan's type in native byte order.

    Raises:
        ElementTypeError: HP226 strings.
        ResourceError: HP302.
    """
    return kept(plan, "host forward", lambda: _map_of_plan(plan, lambda: forward_of(plan)))


def gradient_map(plan: Plan) -> HostMap:
    """Return what plan.grad does: output_shape to in_shape.

    Raises:
        ElementTypeError: HP225 an integer, bool or string plan.
        ResourceError: HP302.
    """
    return kept(plan, "host backward", lambda: _map_of_plan(plan, lambda: backward_of(plan)))


@lru_cache(maxsize=256)
def rearrange_map(spec: RearrangeSpec, dtype: np.dtype[Any]) -> HostMap:
    """Return what a DepthToSpace or SpaceToDepth does; the caller keeps it alive.

    Raises:
        ElementTypeError: HP201, HP220; HP226 strings.
    """
    check_rearrangeable(spec, dtype)
    to_space = spec.op_type == "DepthToSpace"
    deep = spec.in_shape if to_space else spec.out_shape
    return HostMap.rearranged(deep, spec.blocksize, spec.mode == "CRD", to_space, moved_as(dtype).itemsize)


def check_rearrangeable(spec: RearrangeSpec, dtype: np.dtype[Any]) -> None:
    """Refuse elements that a version does not take, or that another host cannot move.

    Raises:
        ElementTypeError: HP201, HP220; HP226 strings.
        SpecError: HP168.
    """
    element = element_of(dtype)
    check_element_type(spec.op_type, spec.version, element, spec.mode)
    _check_no_strings(element)
    instruction_set()


def tables_of(plan: Plan, transposed: bool) -> Tables:
    """Return axis -> table of a call of the plan, or of its gradient."""
    return (backward_of(plan) if transposed else forward_of(plan)).tables


def fill_of(plan: Plan) -> Array | None:
    """Return what samples beside the input take: one element of averaged_as(element); None where there are none."""
    return forward_of(plan).fill


def forward_of(plan: Plan) -> Resampling:
    """Return the map of a call of the plan."""
    return plan._forward


def backward_of(plan: Plan) -> Resampling:
    """Return the map of its gradient, made at the first use.

    Raises:
        ElementTypeError: HP225 an integer, bool or string plan.
        ResourceError: HP302.
    """
    return cast("Resampling", (plan._lazy.get("backward") or plan._backward())[0])


def kept(plan: Plan, key: str, make: Callable[[], Kept]) -> Kept:
    """Return make(), kept with the plan under the key. Threads that make it at once all return the one that is kept."""
    found = plan._lazy.get(key, plan)
    if found is plan:
        found = plan._lazy.setdefault(key, make())
    return cast("Kept", found)


def _map_of_plan(plan: Plan, resampling: Callable[[], Resampling]) -> HostMap:
    _check_no_strings(plan.element_type)
    with guarded("the map"):
        made = resampling()
        return map_in_order(made, c_order(len(made.in_shape)))


def map_in_order(resampling: Resampling, order: Order) -> HostMap:
    """Return a map of dense arrays whose axes lie in memory in an order in which the resampling averages."""
    shape = [resampling.out_shape[axis] for axis in order]
    if 0 in shape or 0 in resampling.in_shape:  # no output, or a sum over nothing
        zero = bytes(averaged_as(resampling.element).itemsize)
        return HostMap.constant(math.prod(resampling.in_shape) * len(zero), shape, zero)
    value = b"" if resampling.fill is None else resampling.fill.tobytes()
    inside = [resampling.inside[axis] for axis in order]
    return HostMap(resampling.program(order), shape, [(part.start, part.stop) for part in inside], value)


def _check_no_strings(element: str) -> None:
    if element == "string":
        raise ElementTypeError(
            "HP226",
            "strings are Python objects, which another host cannot move",
            given="element type string",
            allowed="bool, integers, floating point and complex",
            do="resize indices into a list of strings",
        )
