"""The table of one axis, for people: read-only arrays, the matrix, the coordinates."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from halfpixel._core import AxisTable as CoreTable
from halfpixel.spec.axes import AxisSpec

Integers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]


class AxisTable:
    """How every output sample of one axis combines input samples.

    y[i] = sum over t < count[i] of weights[offset[i] + t] * x[first[i] + t]; an extrapolated sample has count 0.

    Attributes:
        axis: counted from the front.
        in_size, out_size: lengths in samples.
        max_taps: the largest count.
        inside: outputs [begin, end) that are computed; those outside take the extrapolation value.
        first, count, offset: int64, shape (out_size,), read-only. Samples may share weights.
        weights: float64, read-only, rounded once; an averaging pass rounds them to its own precision.
    """

    def __init__(self, spec: AxisSpec, table: CoreTable) -> None:
        self._spec = spec
        self._table = table

    @property
    def axis(self) -> int:
        return self._spec.axis

    @property
    def in_size(self) -> int:
        return self._spec.in_size

    @property
    def out_size(self) -> int:
        return self._spec.out_size

    @property
    def max_taps(self) -> int:
        return self._table.max_taps

    @property
    def inside(self) -> tuple[int, int]:
        return self._table.inside

    @property
    def first(self) -> Integers:
        return self._table.first

    @property
    def count(self) -> Integers:
        return self._table.count

    @property
    def offset(self) -> Integers:
        return self._table.offset

    @property
    def weights(self) -> Floats:
        return self._table.weights

    def matrix(self) -> Floats:
        """Return the table as a dense matrix of shape (out_size, in_size): y = matrix @ x. For small axes."""
        matrix = np.zeros((self.out_size, self.in_size))
        for i, (first, count, offset) in enumerate(zip(self.first, self.count, self.offset, strict=True)):
            matrix[i, first : first + count] = self.weights[offset : offset + count]
        return matrix

    @cached_property
    def coordinates(self) -> Floats:
        """Input coordinates of the output samples, shape (out_size,), read-only: each the exact fraction rounded once.

        Unit: input samples; 0.0 is the centre of the first one. Before clamping into the input.
        """
        line = self._spec.line
        last = line.step * max(self.out_size - 1, 0) + line.start
        if max(abs(line.start), abs(last), line.divisor, abs(line.step)) < 2**53:
            numerators = line.step * np.arange(self.out_size, dtype=np.int64) + line.start
            coordinates = numerators / np.float64(line.divisor)
        else:
            coordinates = np.array([(line.step * i + line.start) / line.divisor for i in range(self.out_size)], float)
        coordinates.flags.writeable = False
        return coordinates
