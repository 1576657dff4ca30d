"""From one axis of a spec to its table: first input sample, count and weights of every output sample."""

from __future__ import annotations

from halfpixel._core import AxisTable, cubic_table, linear_table, nearest_table
from halfpixel.plan.integers import line_bytes, scale_bytes
from halfpixel.plan.memory import check_allocatable
from halfpixel.spec.axes import AxisSpec, ResizeSpec

Tables = dict[int, AxisTable]
"""axis -> its table; axes that are copied have none."""


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
        key = (axis.in_size, axis.out_size, axis.line, axis.scale, axis.nearest_mode, axis.extrapolate)
        if key not in made:
            check_allocatable(_table_bytes(spec, axis), f"the table of axis {axis.axis}")
            made[key] = _table(spec, axis)
        tables[axis.axis] = made[key]
    return tables


def transposed(tables: Tables) -> Tables:
    """Return the tables of the gradient."""
    return {axis: table.transpose() for axis, table in tables.items()}


def table_bytes(tables: Tables) -> int:
    """Return the memory that tables hold."""
    return sum(table.first.nbytes * 3 + table.weights.nbytes for table in set(tables.values()))


def _table(spec: ResizeSpec, axis: AxisSpec) -> AxisTable:
    line = line_bytes(axis.line, axis.in_size, axis.out_size)
    scale = scale_bytes(axis.scale) if spec.antialias else None
    if spec.mode == "nearest":
        return nearest_table(axis.in_size, axis.out_size, line, axis.nearest_mode, axis.extrapolate)
    if spec.mode == "linear":
        return linear_table(axis.in_size, axis.out_size, line, scale, spec.exclude_outside, axis.extrapolate)
    a = spec.cubic_coeff_a
    return cubic_table(axis.in_size, axis.out_size, line, scale, a, spec.exclude_outside, axis.extrapolate)


def _table_bytes(spec: ResizeSpec, axis: AxisSpec) -> int:
    """An upper estimate of a table's memory: 24 bytes an output sample, 8 a tap; antialias reads every input."""
    taps = {"nearest": 1, "linear": 2, "cubic": 4}[spec.mode]
    spread = 2 * taps * axis.in_size if spec.antialias else 0
    return (24 + 8 * taps) * axis.out_size + 8 * spread
