"""The shortest way of a call: dense memory known by its address, where even making arrays would cost too much."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from halfpixel._core import HostMap, run_map
from halfpixel.plan.elements import dtype_of, element_of
from halfpixel.plan.host import forward_map, rearrange_map
from halfpixel.plan.memory import out_of_memory
from halfpixel.plan.plan import Plan
from halfpixel.plan.threads import thread_count
from halfpixel.spec.element_types import ELEMENT_TYPES
from halfpixel.spec.rearrange import RearrangeSpec

_KINDS = ("bool", "integer", "float")
MOST_BYTES = 2**20
"""Beyond this size of a result an array costs nothing in comparison, and gets its memory in a better way."""


class DenseCall:
    """A forward map on addresses.

    Attributes:
        out_shape: of the result.
        alignment: every address is a multiple of it.
    """

    __slots__ = ("_map", "alignment", "out_shape")

    def __init__(self, host_map: HostMap, out_shape: tuple[int, ...], alignment: int) -> None:
        self._map = host_map
        self.out_shape = out_shape
        self.alignment = alignment

    def run(self, x: int, out: int, threads: object) -> None:
        """Read the input at address x and write the result at address out.

        Both are dense in C order, aligned, in native byte order, as large as the plan says, and apart: the caller's
        care.

        Raises:
            SpecError: HP166, HP167 threads.
            ResourceError: HP302.
        """
        count = thread_count(threads)
        try:
            run_map(self._map, x, out, count)
        except MemoryError as error:
            raise out_of_memory(f"an output of shape {self.out_shape}") from error


def dense_call(plan: Plan) -> DenseCall | None:
    """Return the call of a plan on addresses, made at the first use.

    None for rank 0, for strings, for complex numbers (another library may hold them as conjugated), for empty and for
    large results.
    """
    call = plan._lazy.get("dense", plan)
    if call is plan:
        call = plan._lazy.setdefault("dense", _dense_call(plan))
    return cast("DenseCall | None", call)


def dense_rearrangement(spec: RearrangeSpec, dtype: object) -> DenseCall | None:
    """Return the call of a rearrangement on addresses, to be kept by the caller; None as for dense_call.

    Raises:
        ElementTypeError: HP201, HP220, HP221.
    """
    numpy_dtype = dtype_of(dtype)
    if not _is_simple(spec.out_shape, numpy_dtype):
        return None
    return DenseCall(rearrange_map(spec, numpy_dtype), spec.out_shape, numpy_dtype.itemsize)


def _dense_call(plan: Plan) -> DenseCall | None:
    if not _is_simple(plan.output_shape, plan.dtype):
        return None
    return DenseCall(forward_map(plan), plan.output_shape, plan.dtype.itemsize)


def _is_simple(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
    kind = ELEMENT_TYPES[element_of(dtype)].kind
    return bool(shape) and kind in _KINDS and 0 < math.prod(shape) * dtype.itemsize <= MOST_BYTES
