"""From one axis of a spec to its table: first input sample, count and weights of every output sample."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from halfpixel._core import AxisTable, cubic_table, linear_table, nearest_table, taps_table
from halfpixel.plan.integers import line_bytes, scale_bytes
from halfpixel.plan.memory import check_allocatable
from halfpixel.spec.axes import AxisSpec, ResizeSpec

Integers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Tables = dict[int, AxisTable]
"""axis -> its table; axes that are copied have none."""

_TAPS = {"nearest": 1, "linear": 2, "cubic": 4, "area": 2}


def tables_of(spec: ResizeSpec) -> Tables:
    """Return the table of every resampled axis of a spec that has samples on both sides.

    An axis without samples has no table: then the output is empty and nothing runs.

    Raises:
        ResourceError: HP301 a table does not fit into memory.
    """
    made: dict[tuple[object, ...], AxisTable] = {}
    tables: Tables = {}
    for axis in spec.axes:
        if not (axis.in_size and axis.out_size):
            continue
        key = axis[1:]  # all but its number
        table = made.get(key)
        if table is None:
            check_allocatable(_table_bytes(spec, axis), f"the table of axis {axis.axis}")
            table = made[key] = _table(spec, axis)
        tables[axis.axis] = table
    return tables


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


def _table(spec: ResizeSpec, axis: AxisSpec) -> AxisTable:
    if spec.mode == "area":
        return area_table(axis.in_size, axis.out_size)
    line = line_bytes(axis.line, axis.in_size, axis.out_size)
    scale = scale_bytes(axis.scale) if spec.antialias else None
    if spec.mode == "nearest":
        return nearest_table(axis.in_size, axis.out_size, line, axis.nearest_mode, axis.extrapolate)
    if spec.mode == "linear":
        return linear_table(axis.in_size, axis.out_size, line, scale, spec.exclude_outside, axis.extrapolate)
    a = spec.cubic_coeff_a
    return cubic_table(axis.in_size, axis.out_size, line, scale, a, spec.exclude_outside, axis.extrapolate)


def _table_bytes(spec: ResizeSpec, axis: AxisSpec) -> int:
    """An upper estimate of a table's memory: 24 bytes an output sample, 8 a tap; antialias and area read all input."""
    taps = _TAPS[spec.mode]
    spread = 2 * taps * axis.in_size if spec.antialias or spec.mode == "area" else 0
    return (24 + 8 * taps) * axis.out_size + 8 * spread
