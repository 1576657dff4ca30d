"""Run tables on arrays: one separable map from arrays of one shape to arrays of another."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from halfpixel._core import Program
from halfpixel._errors import SpecError
from halfpixel.plan.arrays import Export
from halfpixel.plan.elements import Array, averaged_as, converted, moved_as
from halfpixel.plan.memory import check_allocatable, guarded
from halfpixel.plan.order import Order, c_order, in_memory_order, memory_order, runs_in_place
from halfpixel.plan.out import allocate, import_out
from halfpixel.plan.tables import Tables
from halfpixel.plan.threads import thread_count

_MOST_ORDERS = 32
"""Programs kept for each map; more memory orders than this in one process are a loop over permutations."""

_PARTS = {"complex64": "float32", "complex128": "float64"}


class Resampling:
    """The map y[i0, i1, ...] = sum over taps of w0 * w1 * ... * x[...], compiled once for each memory order.

    Args:
        in_shape, out_shape: of x and y.
        tables: axis -> table; every other axis is copied.
        element: ONNX element type of x and y.
        moves: nearest: samples are copied bit for bit and never multiplied.
        fill: what y takes where a table has no taps (extrapolation): one element of averaged_as(element), or None.
    """

    __slots__ = ("_core_tables", "_programs", "element", "fill", "in_shape", "moves", "out_shape", "tables")

    def __init__(
        self,
        in_shape: tuple[int, ...],
        out_shape: tuple[int, ...],
        tables: Tables,
        element: str,
        moves: bool,
        fill: Array | None,
    ) -> None:
        self.in_shape = in_shape
        self.out_shape = out_shape
        self.tables = tables
        self.element = element
        self.moves = moves
        self.fill = fill
        self._programs: dict[Order, Program] = {}
        self._core_tables = tables
        if fill is not None:
            self._core_tables = {axis: table.slice(*table.inside, 0, table.in_size) for axis, table in tables.items()}

    @property
    def inside(self) -> tuple[slice, ...]:
        """What the tables give of the result; the rest takes the fill value."""
        if self.fill is None:
            return tuple(map(slice, repeat(0), self.out_shape))
        inside = {axis: table.inside for axis, table in self.tables.items()}
        return tuple(slice(*inside.get(axis, (0, length))) for axis, length in enumerate(self.out_shape))

    def allocate(self, x: Array) -> Array:
        """Return an uninitialised result for x, of its dtype and with its axes in the same memory order."""
        return allocate(self.out_shape, x.dtype, memory_order(x))

    def run(self, x: Array, out: Array, threads: int) -> None:
        """Write the result for x into out. Both have the right shape and the same element type and byte order."""
        if out.size == 0:
            return
        if x.size == 0 and self.fill is None:  # the gradient of an empty result: a sum over nothing
            out[...] = np.zeros((), out.dtype)
        elif self.element == "string":
            self._take(x, out)
        elif not self.tables:
            np.copyto(out, x)
        elif self.moves or x.dtype.isnative:
            carrier = moved_as(x.dtype) if self.moves else averaged_as(self.element)
            inner = out if self.fill is None else out[self.inside]
            if inner.size:
                self._run_passes(x.view(carrier), inner.view(carrier), threads)
            if self.fill is not None:
                fill_outside(out, self.inside, self.fill)
        else:
            check_allocatable(x.nbytes + out.nbytes, "a copy in native byte order")
            native = x.astype(x.dtype.newbyteorder("="))
            result = self.allocate(native)
            self.run(native, result, threads)
            np.copyto(out, result)

    def program(self, order: Order) -> Program:
        """Return the compiled passes for arrays whose axes lie in the given memory order."""
        program = self._programs.get(order)
        if program is None:
            tables, shape = [*self._core_tables.items()], [*self.in_shape]
            if order != c_order(len(order)):
                place = {axis: position for position, axis in enumerate(order)}
                tables = sorted((place[axis], table) for axis, table in tables)
                shape = [shape[axis] for axis in order]
            part = _PARTS.get(self.element)
            if part and not self.moves:
                shape.append(2)
            name = str(averaged_as(self.element).itemsize) if self.moves else part or self.element
            program = Program(shape, tables, name, self.moves)
            if len(self._programs) >= _MOST_ORDERS:
                self._programs.clear()
            self._programs[order] = program
        return program

    def averages_in(self, order: Order) -> bool:
        """True if passes over memory in this order average the axes in the same order as in C order."""
        resampled = [axis for axis in order if axis in self.tables]
        return self.moves or resampled == sorted(resampled)

    def _run_passes(self, x: Array, out: Array, threads: int) -> None:
        """Run the program on x and out where they lie; copy once what no pass can read or write in place.

        The axes are worked on in the same order however x lies in memory, and so every bit of the result is the same.
        """
        order = self._order(x)
        program = self.program(order)
        source, target = in_memory_order(x, order), in_memory_order(out, order)
        if not runs_in_place(source, program.contiguous_from):
            check_allocatable(source.nbytes, "a dense copy of the input")
            source = np.array(source, order="C")
        in_place = runs_in_place(target, program.contiguous_from)
        if not in_place:
            check_allocatable(target.nbytes, "a dense copy of the output")
        result = target if in_place else np.empty(target.shape, target.dtype)
        program.run(self._parts(source), self._parts(result), threads)
        if not in_place:
            np.copyto(target, result)

    def _order(self, x: Array) -> Order:
        """Return the memory order of x, or C order where that would change the order in which axes are averaged."""
        order = memory_order(x)
        return order if self.averages_in(order) else c_order(x.ndim)

    def _parts(self, x: Array) -> Array:
        """Complex elements as pairs of real ones, on a last axis of 2."""
        part = _PARTS.get(self.element)
        if self.moves or part is None:
            return x
        return x.view(part).reshape((*x.shape, 2))

    def _take(self, x: Array, out: Array) -> None:
        """Strings: copy references along one axis after the other."""
        for axis, table in self.tables.items():
            x = x.take(table.first, axis)
        np.copyto(out, x)


def fill_outside(out: Array, inside: tuple[slice, ...], value: Array) -> None:
    """Write a value wherever any axis is outside.

    Args:
        out: array of any strides and byte order.
        inside: one slice an axis: what stays as it is.
        value: one element of averaged_as(element), in native byte order.
    """
    value = value if out.dtype.isnative else value.byteswap()
    out = out.view(value.dtype)
    for axis, part in enumerate(inside):
        along = np.moveaxis(out, axis, 0)
        along[: part.start] = value
        along[part.stop :] = value
        out = np.moveaxis(along[part], 0, axis)


def fill_value(number: float, element: str, what: str) -> Array:
    """Return a number as the element that fill_outside writes.

    Raises:
        SpecError: HP171 a string would need it.
    """
    if element == "string":
        raise SpecError(
            "HP171",
            f"strings have no value for {what}",
            given="strings, and output samples beside the input",
            allowed="numbers or bool; strings where every output sample lies in the input",
            do="keep the output within the input, or resize indices into a list of strings",
        )
    return converted(number, element)


def apply(resampling: Resampling, x: Array, export: Export, out: object, threads: object) -> Any:
    """Check out= and threads=, run, and hand back what the caller should get.

    Args:
        x: a NumPy array of the right shape and element type.
        export: makes a new result into the caller's kind of array; an out= is returned as it was passed.

    Raises:
        SpecError: HP162-165 out, HP166-167 threads.
        ResourceError: HP301, HP302.
    """
    count = thread_count(threads)
    y = resampling.allocate(x) if out is None else import_out(out, resampling.out_shape, x)
    with guarded("the passes"):
        resampling.run(x, y, count)
    return export(y) if out is None else out
