"""Tables that come from no line: means over whole samples, and taps as they are given."""

from fractions import Fraction
from math import ceil, floor

import numpy as np
import pytest

from halfpixel._core import AxisTable, taps_table
from halfpixel.plan.tables import area_table, area_windows


def rows(table: AxisTable) -> list[list[float]]:
    """The weights of each output sample, one an input sample."""
    dense = np.zeros((table.out_size, table.in_size))
    for i, (first, count, offset) in enumerate(zip(table.first, table.count, table.offset, strict=True)):
        dense[i, first : first + count] = table.weights[offset : offset + count]
    lists: list[list[float]] = dense.tolist()
    return lists


def test_area_of_five_samples() -> None:
    """To 2: samples 0 to 2 and 2 to 4. To 3: 0 1, 1 2 3, 3 4. To 10: each twice."""
    third = 1 / 3
    assert rows(area_table(5, 2)) == [[third, third, third, 0, 0], [0, 0, third, third, third]]
    assert rows(area_table(5, 3)) == [[0.5, 0.5, 0, 0, 0], [0, third, third, third, 0], [0, 0, 0, 0.5, 0.5]]
    assert rows(area_table(5, 1)) == [[0.2] * 5]
    assert area_table(5, 10).first.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert area_table(5, 10).max_taps == 1
    assert area_table(5, 5).is_identity


@pytest.mark.parametrize("in_size", [1, 2, 7, 12, 30])
@pytest.mark.parametrize("out_size", [1, 3, 7, 8, 29, 30])
def test_area_by_fractions(in_size: int, out_size: int) -> None:
    table = area_table(in_size, out_size)
    for i in range(out_size):
        begin, end = floor(Fraction(i * in_size, out_size)), ceil(Fraction((i + 1) * in_size, out_size))
        assert (table.first[i], table.count[i]) == (begin, end - begin)
        assert table.weights[table.offset[i]] == 1 / (end - begin)


def test_windows_whose_products_have_more_than_63_bits() -> None:
    """2^62 + 1 samples to 8: i * (2^59 + 1/8), whole samples outwards."""
    first, count = area_windows(2**62 + 1, 8)
    assert first.tolist() == [i * 2**59 for i in range(8)]
    assert count.tolist() == [2**59 + 1] * 8


def taps(first: list[int], count: list[int], weights: list[float]) -> AxisTable:
    return taps_table(4, len(first), np.array(first), np.array(count), np.array(weights))


def test_taps_are_taken_as_they_are() -> None:
    table = taps([0, 3, 1], [2, 0, 2], [0.5, 0.25, 1.0, -1.0])
    assert rows(table) == [[0.5, 0.25, 0, 0], [0, 0, 0, 0], [0, 1.0, -1.0, 0]]
    assert rows(table.transpose()) == [[0.5, 0, 0], [0.25, 0, 1.0], [0, 0, -1.0], [0, 0, 0]]
    assert (table.inside, table.max_taps, table.is_shrinking) == ((0, 3), 2, True)


@pytest.mark.parametrize(
    ("first", "count", "weights", "reason"),
    [
        ([3], [2], [0.5, 0.5], "outside the input"),
        ([-1], [1], [1.0], "outside the input"),
        ([0], [-1], [], "outside the input"),
        ([0, 1], [1, 1], [1.0], "fewer weights"),
        ([0], [1], [1.0, 0.0], "more weights"),
        ([0], [1, 1], [1.0, 1.0], "one count"),
        ([0], [1], [np.nan], "finite"),
        ([0], [1], [np.inf], "finite"),
    ],
)
def test_taps_that_do_not_fit_are_refused(
    first: list[int], count: list[int], weights: list[float], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        taps(first, count, weights)
