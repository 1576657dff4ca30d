"""From one axis of a spec to its table: first input sample, count and weights of every output sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from halfpixel._core import AxisTable, cubic_table, linear_table, nearest_table, taps_table
from halfpixel.plan.cache import Cache
from halfpixel.plan.integers import line_bytes, scale_bytes
from halfpixel.plan.memory import check_allocatable
from halfpixel.spec.axes import AxisSpec, ResizeSpec

Integers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Tables = dict[int, AxisTable]
"""axis -> its table; axes that are copied have none."""

_TAPS = {"nearest": 1, "linear": 2, "cubic": 4, "area": 2}
_KEPT: Cache[AxisTable] = Cache(most_bytes=2**24)


def table_of(spec: ResizeSpec, axis: AxisSpec) -> AxisTable:
    """Return the table of an axis that has samples on both sides.

    Raises:
        ResourceError: HP301 it does not fit into memory.
    """
    check_allocatable(_table_bytes(spec, axis), f"the table of axis {axis.axis}")
    if spec.mode == "area":
        return area_table(axis.in_size, axis.out_size)
    line = line_bytes(axis.line, axis.in_size, axis.out_size)
    if spec.mode == "nearest":
        return nearest_table(axis.in_size, axis.out_size, line, axis.nearest_mode, axis.extrapolate)
    scale = scale_bytes(axis.scale) if spec.antialias else None
    if spec.mode == "linear":
        return linear_table(axis.in_size, axis.out_size, line, scale, spec.exclude_outside, axis.extrapolate)
    a = spec.cubic_coeff_a
    return cubic_table(axis.in_size, axis.out_size, line, scale, a, spec.exclude_outside, axis.extrapolate)


def kept_table_of(spec: ResizeSpec, axis: AxisSpec) -> AxisTable:
    """Return table_of(spec, axis), for spec and others to share: pictures of many shapes have lengths in common."""
    key = axis[1:], spec.mode, spec.cubic_coeff_a, spec.antialias, spec.exclude_outside  # all but the axis's number
    table = _KEPT.get(key)
    return _KEPT.put(key, table_of(spec, axis)) if table is None else table


def tables_of(spec: ResizeSpec, table: Callable[[ResizeSpec, AxisSpec], AxisTable] = table_of) -> Tables:
    """Return the table of every resampled axis of a spec that has samples on both sides.

    An axis without samples has no table: then the output is empty and nothing runs.

    Args:
        table: how a table is got: kept_table_of where lengths may come again.

    Raises:
        ResourceError: HP301 a table does not fit into memory.
    """
    return {axis.axis: table(spec, axis) for axis in spec.axes if axis.in_size and axis.out_size}


def transposed(tables: Tables) -> Tables:
    """Return the tables of the gradient."""
    return {axis: table.transpose() for axis, table in tables.items()}


def table_bytes(tables: Tables) -> int:
    """Return the memory that tables hold."""
    return sum([table.nbytes for table in set(tables.values())])


def area_table(in_size: int, out_size: int) -> AxisTable:
    """Return the table of means over whole samples, each output sample over those that it covers.

    Output sample i is the mean of the input samples from floor(i * in / out) to ceil((i + 1) * in / out) - 1.

    Source: adaptive average pooling, which torch.nn.functional.interpolate calls "area".
    """
    first, count = area_windows(in_size, out_size)
    return taps_table(in_size, out_size, first, count, np.repeat(1.0 / count, count))


def area_windows(in_size: int, out_size: int) -> tuple[Integers, Integers]:
    """Return the first sample and the number of samples of each window of area_table.

    With in = whole * out + rest the products stay below in and out^2: no table that fits into memory overflows.
    """
    whole, rest = divmod(in_size, out_size)
    i = np.arange(out_size + 1, dtype=np.int64)
    first = whole * i[:-1] + rest * i[:-1] // out_size
    end = whole * i[1:] - (-rest * i[1:] // out_size)
    return first, end - first


def _table_bytes(spec: ResizeSpec, axis: AxisSpec) -> int:
    """An upper estimate of a table's memory: 24 bytes an output sample, 12 a tap; antialias and area read all input."""
    taps = _TAPS[spec.mode]
    spread = 2 * taps * axis.in_size if spec.antialias or spec.mode == "area" else 0
    return (24 + 12 * taps) * axis.out_size + 12 * spread
