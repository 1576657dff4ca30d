"""Check out= before anything is written, and allocate results."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from halfpixel._errors import SpecError
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import BFLOAT16_BITS, Array, element_of
from halfpixel.plan.memory import ALWAYS_TRIED, check_allocatable, out_of_memory
from halfpixel.plan.order import Order, in_axis_order

_OVERLAP_WORK = 10_000
"""Steps that the exact overlap test may take; beyond them the arrays count as overlapping."""


def import_out(out: object, shape: tuple[int, ...], x: Array) -> Array:
    """Return out as a NumPy array after every check.

    Args:
        out: what the caller passed as out=.
        shape: the shape of the result.
        x: the input; out needs its dtype and may share no memory with it.

    Raises:
        SpecError: HP162 shape, HP163 dtype, HP164 read-only, HP165 overlap with x or with itself.
        ElementTypeError: HP221-223 when it is no array that can be written here.
    """
    array, _ = import_array(out, "out")
    if array.shape != shape:
        raise _refused("HP162", "out has another shape than the result", array, f"shape {shape}")
    if array.dtype != x.dtype and not _both_bfloat16(array, x):
        raise _refused("HP163", "out has another dtype than the input", array, f"dtype {x.dtype}")
    if not array.flags.writeable:
        raise _refused("HP164", "out is read-only", array, "a writeable array")
    if overlaps(array, x):
        raise _refused("HP165", "out shares memory with the input", array, "memory of its own")
    if not _is_injective(array):
        raise _refused("HP165", "out overlaps itself", array, "an array whose elements are all in different places")
    return array


def allocate(shape: tuple[int, ...], dtype: np.dtype[Any], order: Order) -> Array:
    """Return an uninitialised array of a shape whose axes lie in memory in the given order, outermost first.

    Raises:
        ResourceError: HP301 it does not fit into memory, HP302 the system refuses.
    """
    count = dtype.itemsize * math.prod(shape)
    if count >= ALWAYS_TRIED:
        check_allocatable(count, _result(shape, dtype))
    try:
        dense = np.empty([shape[axis] for axis in order], dtype)
    except (MemoryError, ValueError) as error:
        raise out_of_memory(_result(shape, dtype)) from error
    return in_axis_order(dense, order)


def _result(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str:
    return f"an output of shape {shape} and dtype {dtype}"


def overlaps(a: Array, b: Array) -> bool:
    """True if two arrays share an element, or if finding out would take too long."""
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, _OVERLAP_WORK)  # type: ignore[arg-type]  # every integer is taken
    except np.exceptions.TooHardError:
        return True


def _is_injective(array: Array) -> bool:
    """True if every stride steps over all that the smaller strides reach: no element lies on another."""
    if array.size == 0:
        return True
    reach = array.itemsize
    steps = zip(array.strides, array.shape, strict=True)
    for stride, length in sorted((abs(stride), length) for stride, length in steps if length > 1):
        if stride < reach:
            return False
        reach += stride * (length - 1)
    return True


def _both_bfloat16(a: Array, b: Array) -> bool:
    return BFLOAT16_BITS in (a.dtype, b.dtype) and element_of(a.dtype) == element_of(b.dtype) == "bfloat16"


def _refused(code: str, sentence: str, out: Array, allowed: str) -> SpecError:
    return SpecError(
        code,
        sentence,
        given=f"out of shape {out.shape}, dtype {out.dtype}{'' if out.flags.writeable else ', read-only'}",
        allowed=allowed,
        do="pass such an array, or leave out= away and take the result",
    )
