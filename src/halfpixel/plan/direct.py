"""The short way of a call: a microsecond matters where the work itself takes one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from halfpixel.plan.elements import Array, averaged_as
from halfpixel.plan.memory import out_of_memory
from halfpixel.plan.order import c_order
from halfpixel.plan.resampling import Resampling
from halfpixel.plan.threads import thread_count
from halfpixel.spec.element_types import ELEMENT_TYPES

_KINDS = ("bool", "integer", "float")
_MOST_BYTES = 2**24
"""Beyond this size of a result the checks of the long way cost nothing in comparison."""


class DirectCall:
    """The short way of a call: dense native arrays, nothing to fill, a result of moderate size."""

    __slots__ = ("_carrier", "_dtype", "_in_shape", "_out_shape", "_run")

    def __init__(self, resampling: Resampling, dtype: np.dtype[Any]) -> None:
        self._in_shape = resampling.in_shape
        self._out_shape = resampling.out_shape
        self._dtype = dtype
        self._carrier = averaged_as(resampling.element)
        self._run = resampling.program(c_order(len(resampling.in_shape))).run

    def __call__(self, x: Any, out: Any, threads: object) -> Array | None:
        """Return the result for x, in out or in a new array; None where the long way must decide or refuse.

        Raises:
            SpecError: HP166, HP167 threads.
            ResourceError: HP302.
        """
        if x.__class__ is not np.ndarray or x.dtype is not self._dtype or x.shape != self._in_shape:
            return None
        flags = x.flags
        if not (flags.c_contiguous and flags.aligned):
            return None
        if out is not None and not self._takes(out, x):
            return None
        count = thread_count(threads)
        try:
            y: Array = np.empty(self._out_shape, self._dtype) if out is None else out
            if self._carrier is self._dtype:
                self._run(x, y, count)
            else:
                self._run(x.view(self._carrier), y.view(self._carrier), count)
        except MemoryError as error:
            raise out_of_memory(f"an output of shape {self._out_shape}") from error
        return y

    def _takes(self, out: Any, x: Array) -> bool:
        """True if out can be written as it is; all other cases are decided, and refused, by import_out."""
        return (
            out.__class__ is np.ndarray
            and out.dtype is self._dtype
            and out.shape == self._out_shape
            and out.flags.carray
            and not np.may_share_memory(out, x)
        )


def direct_call(resampling: Resampling, dtype: np.dtype[Any]) -> DirectCall | None:
    """Return the short way for a map, or None where it has none."""
    size = math.prod(resampling.out_shape) * dtype.itemsize
    if not (math.prod(resampling.in_shape) and 0 < size <= _MOST_BYTES and dtype.isnative):
        return None
    simple = resampling.fill is None and resampling.tables and ELEMENT_TYPES[resampling.element].kind in _KINDS
    return DirectCall(resampling, dtype) if simple else None
