"""The short way of a call: a microsecond matters where the work itself takes one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from halfpixel.plan.elements import Array, averaged_as
from halfpixel.plan.memory import out_of_memory
from halfpixel.plan.resampling import Resampling
from halfpixel.spec.element_types import ELEMENT_TYPES

_KINDS = ("bool", "integer", "float")
_MOST_BYTES = 2**24
"""Beyond this size of a result the checks of the long way cost nothing in comparison."""


class DirectCall:
    """The short way of a call: dense native arrays, nothing to fill, a result of moderate size."""

    __slots__ = ("carrier", "dtype", "program", "shape")

    def __init__(self, forward: Resampling, dtype: np.dtype[Any]) -> None:
        self.shape = forward.out_shape
        self.dtype = dtype
        self.carrier = averaged_as(forward.element)
        self.program = forward.program(tuple(range(len(forward.in_shape))))

    def takes(self, out: Any, x: Array) -> bool:
        """True if out can be written as it is; all other cases are decided, and refused, by import_out."""
        return (
            out.__class__ is np.ndarray
            and out.dtype is self.dtype
            and out.shape == self.shape
            and out.flags.carray
            and not np.may_share_memory(out, x)
        )

    def run(self, x: Array, out: Array | None, threads: int) -> Array:
        """Return the result in out, or in a new array."""
        try:
            y = np.empty(self.shape, self.dtype) if out is None else out
            if self.carrier is self.dtype:
                self.program.run(x, y, threads)
            else:
                self.program.run(x.view(self.carrier), y.view(self.carrier), threads)
        except MemoryError as error:
            raise out_of_memory(f"an output of shape {self.shape}") from error
        return y


def direct_call(forward: Resampling, dtype: np.dtype[Any]) -> DirectCall | None:
    """Return the short way for a map, or None where it has none."""
    count = math.prod(forward.out_shape)
    simple = forward.fill is None and bool(forward.tables) and ELEMENT_TYPES[forward.element].kind in _KINDS
    if simple and dtype.isnative and 0 < count * dtype.itemsize <= _MOST_BYTES:
        return DirectCall(forward, dtype)
    return None
