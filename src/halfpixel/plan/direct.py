"""The short way of a call: a microsecond matters where the work itself takes one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from halfpixel import _core
from halfpixel.plan.elements import Array
from halfpixel.plan.order import c_order
from halfpixel.plan.resampling import Resampling
from halfpixel.plan.threads import default_threads, thread_count
from halfpixel.spec.element_types import ELEMENT_TYPES

_KINDS = ("bool", "integer", "float")
_MOST_BYTES = 2**24
"""Beyond this size of a result the checks of the long way cost nothing in comparison."""

DirectCall: TypeAlias = Callable[[Any, Any, Any], Array | None]
"""(x, out, threads) -> the result for x, in out or in a new array; None where the long way must decide or refuse.

Taken are dense native arrays of the map's shape and dtype, and an out apart from x. Raises SpecError HP166, HP167.
"""


def direct_call(resampling: Resampling, dtype: np.dtype[Any]) -> DirectCall | None:
    """Return the short way for a map, or None where it has none: something to fill, nothing to do, a large result."""
    size = math.prod(resampling.out_shape) * dtype.itemsize
    if not (math.prod(resampling.in_shape) and 0 < size <= _MOST_BYTES and dtype.isnative):
        return None
    if resampling.fill is not None or not resampling.tables or ELEMENT_TYPES[resampling.element].kind not in _KINDS:
        return None
    program = resampling.program(c_order(len(resampling.in_shape)))
    return _core.direct_call(program, dtype, thread_count, default_threads)
