"""Arrays of fractions with one common denominator, NaN and infinities kept in flags beside them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .rounding import round_ratio
from .weights import Row

NAN, PLUS_INFINITY, MINUS_INFINITY = 1, 2, 4


@dataclass(frozen=True)
class ExactArray:
    """Values numerators[i] / denominator in row-major order.

    flags[i] says which of NaN, +infinity and -infinity are among the taps of value i (then its numerator has no
    meaning); None where all values are finite.
    """

    shape: tuple[int, ...]
    numerators: list[int]
    denominator: int
    flags: list[int] | None = None

    def value(self, index: int) -> Fraction | float:
        """Value number index: a fraction, or a float that is NaN or infinite."""
        flag = self.flags[index] if self.flags else 0
        if not flag:
            return Fraction(self.numerators[index], self.denominator)
        return {PLUS_INFINITY: math.inf, MINUS_INFINITY: -math.inf}.get(flag, math.nan)

    def round(self, element: str) -> list[Any]:
        """Every value as an element type."""
        rounded: list[Any] = [round_ratio(numerator, self.denominator, element) for numerator in self.numerators]
        for index, flag in enumerate(self.flags or ()):
            if flag:
                rounded[index] = self.value(index)
        return rounded


def exact_array(array: "np.ndarray[Any, Any]") -> ExactArray:
    """The values of a real array (integers, bool, floats of any width), exactly."""
    if array.dtype.kind in "iu":
        return ExactArray(array.shape, array.ravel().tolist(), 1)
    values = array.astype(np.float64).ravel().tolist()
    finite = [value if math.isfinite(value) else 0.0 for value in values]
    ratios = [value.as_integer_ratio() for value in finite]
    denominator = max((ratio[1] for ratio in ratios), default=1)
    numerators = [numerator * (denominator // divisor) for numerator, divisor in ratios]
    flags = [
        0 if math.isfinite(value) else NAN if math.isnan(value) else PLUS_INFINITY if value > 0 else MINUS_INFINITY
        for value in values
    ]
    return ExactArray(array.shape, numerators, denominator, flags if any(flags) else None)


def flipped(flag: int) -> int:
    """The flags of a value times a negative weight."""
    return flag & NAN | (flag & PLUS_INFINITY) << 1 | (flag & MINUS_INFINITY) >> 1


def weighted_sum(slices: Sequence[list[int]], weights: Sequence[int], count: int) -> list[int]:
    """The element-wise sum of slices times weights."""
    total = [0] * count
    for values, weight in zip(slices, weights, strict=True):
        total = [left + weight * value for left, value in zip(total, values, strict=True)]
    return total


def union(slices: Sequence[list[int]], weights: Sequence[int], count: int) -> list[int]:
    """The flags of the element-wise sum."""
    total = [0] * count
    for flags, weight in zip(slices, weights, strict=True):
        signed = flags if weight > 0 else [flipped(flag) for flag in flags]
        total = [left | flag for left, flag in zip(total, signed, strict=True)]
    return total


Combine = Callable[[Sequence[list[int]], Sequence[int], int], list[int]]


def combine_axis(
    values: list[int], shape: Sequence[int], axis: int, rows: Sequence[Sequence[tuple[int, int]]], combine: Combine
) -> list[int]:
    """Replace the axis by one combined slice for each row of (index, integer weight)."""
    inner = math.prod(shape[axis + 1 :])
    block = shape[axis] * inner
    result: list[int] = []
    for outer in range(math.prod(shape[:axis])):
        start = outer * block
        for row in rows:
            slices = [values[start + index * inner : start + (index + 1) * inner] for index, _ in row]
            result += combine(slices, [weight for _, weight in row], inner)
    return result


def apply_rows(array: ExactArray, axis: int, rows: Sequence[Row]) -> ExactArray:
    """Sample i of the axis becomes the sum over rows[i] of weight * sample; an empty row gives 0."""
    common = math.lcm(*(weight.denominator for row in rows for _, weight in row))
    scaled = [[(index, weight.numerator * (common // weight.denominator)) for index, weight in row] for row in rows]
    shape = (*array.shape[:axis], len(rows), *array.shape[axis + 1 :])
    numerators = combine_axis(array.numerators, array.shape, axis, scaled, weighted_sum)
    flags = array.flags and combine_axis(array.flags, array.shape, axis, scaled, union)
    return ExactArray(shape, numerators, array.denominator * common, flags)


def transposed(rows: Sequence[Row], in_size: int) -> list[Row]:
    """The rows of the transposed matrix."""
    columns: list[Row] = [[] for _ in range(in_size)]
    for i, row in enumerate(rows):
        for index, weight in row:
            columns[index].append((i, weight))
    return columns
