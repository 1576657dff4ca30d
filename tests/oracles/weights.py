"""Taps and weights of one output sample, from its input coordinate. A row is a list of (input index, weight)."""

import math
from collections.abc import Callable
from fractions import Fraction

Row = list[tuple[int, Fraction]]
Kernel = Callable[[Fraction], Fraction]

ONE = Fraction(1)
ROUNDINGS: dict[str, Callable[[Fraction], int]] = {
    "round_prefer_floor": lambda x: math.ceil(x - Fraction(1, 2)),
    "round_prefer_ceil": lambda x: math.floor(x + Fraction(1, 2)),
    "floor": math.floor,
    "ceil": math.ceil,
}


def clamp(index: int, in_size: int) -> int:
    """The nearest index that is inside."""
    return min(max(index, 0), in_size - 1)


def nearest_row(x: Fraction, in_size: int, nearest_mode: str) -> Row:
    """One tap of weight 1 at the rounded, clamped coordinate."""
    return [(clamp(ROUNDINGS[nearest_mode](x), in_size), ONE)]


def linear_kernel(distance: Fraction) -> Fraction:
    """The triangle 1 - |t| on |t| < 1."""
    return max(Fraction(0), 1 - abs(distance))


def cubic_kernel(a: Fraction) -> Kernel:
    """Keys' kernel with coefficient a on |t| < 2 (IEEE 1163711, equation 4)."""

    def kernel(distance: Fraction) -> Fraction:
        t = abs(distance)
        if t < 1:
            return (a + 2) * t**3 - (a + 3) * t**2 + 1
        return a * (t**3 - 5 * t**2 + 8 * t - 4) if t < 2 else Fraction(0)

    return kernel


def taps(x: Fraction, kernel: Kernel, radius: int, widen: Fraction) -> Row:
    """Every integer position under the kernel widened by widen, weights divided by their sum, zeros left out.

    Positions may lie outside the input: the border rule comes after.
    """
    reach = radius * widen
    found = [(j, kernel((j - x) / widen)) for j in range(math.floor(x - reach), math.ceil(x + reach) + 1)]
    total = sum((weight for _, weight in found), Fraction(0))
    return [(j, weight / total) for j, weight in found if weight]


def clamp_border(row: Row, in_size: int) -> Row:
    """Taps outside take the edge sample: their weight joins the edge tap."""
    folded: dict[int, Fraction] = {}
    for j, weight in row:
        index = clamp(j, in_size)
        folded[index] = folded.get(index, Fraction(0)) + weight
    return [(index, weight) for index, weight in sorted(folded.items()) if weight]


def exclude_border(row: Row, in_size: int, x: Fraction) -> Row:
    """Taps outside get weight 0, the rest is divided by its sum; the edge sample where nothing is left inside."""
    inside = [(j, weight) for j, weight in row if 0 <= j < in_size]
    total = sum((weight for _, weight in inside), Fraction(0))
    if not total:
        return [(clamp(math.floor(x), in_size), ONE)]
    return [(j, weight / total) for j, weight in inside]


def filter_row(x: Fraction, in_size: int, kernel: Kernel, radius: int, widen: Fraction, exclude_outside: bool) -> Row:
    """The taps of a linear or cubic sample after the border rule."""
    row = taps(x, kernel, radius, widen)
    return exclude_border(row, in_size, x) if exclude_outside else clamp_border(row, in_size)
