"""From one axis of a spec to its table: first input sample, count and weights of every output sample."""

from __future__ import annotations

from halfpixel._core import AxisTable, cubic_table, linear_table, nearest_table
from halfpixel.plan.memory import check_allocatable
from halfpixel.spec.axes import AxisSpec, ResizeSpec

_BITS = 120
"""The core takes integers of up to 120 bits."""

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
    line = integers(axis.line.step, axis.line.start, axis.line.divisor)
    scale = integers(*axis.scale) if spec.antialias else None
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


def integers(*values: int) -> bytes:
    """Return integers as the core takes them: 16 bytes each, little endian, two's complement.

    Beyond 120 bits all are shifted right alike, which keeps their quotients to a relative 2**-60.
    """
    excess = max(value.bit_length() for value in values) - _BITS
    if excess > 0:
        values = tuple(value >> excess for value in values)
    return b"".join(value.to_bytes(16, "little", signed=True) for value in values)
