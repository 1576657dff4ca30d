"""How far a result may be from the exact one.

Copies: not at all. Integers and bool: the rounded exact value, or its neighbour where the exact value is within 1e-4 of
a tie (64-bit integers, summed in float64: or within the float64 bound of it). Floats: |error| <= (4 + taps/8) * eps *
sum |w||x|, with eps of the type that the sum is taken in (float32 for the floats up to 32 bits), and for float16 and
bfloat16 one rounding of a value within that bound. taps is the sum over the axes of the largest number of taps.
"""

import math
from typing import Any

import numpy as np

from tests.oracles import ExactArray, Result
from tests.oracles.rounding import INTEGERS, PARTS, round_ratio

Array = np.ndarray[Any, Any]

NEXT_TO_A_TIE = 1e-4
EPS = {"float16": 2.0**-23, "bfloat16": 2.0**-23, "float32": 2.0**-23}
SMALLEST = {"float16": 2.0**-149, "bfloat16": 2.0**-149, "float32": 2.0**-149, "float64": 2.0**-1074}


def magnitudes(x: Array, result: Result) -> list[float]:
    """sum |w||x| for every output, x real; NaN and infinities count as 0."""
    with np.errstate(over="ignore"):
        total = np.abs(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0))
    for axis, rows in result.rows.items():
        weights = np.zeros((len(rows), total.shape[axis]))
        for i, row in enumerate(rows):
            for index, weight in row:
                weights[i, index] = abs(weight)
        total = np.moveaxis(np.tensordot(weights, total, (1, axis)), 0, axis)
    values: list[float] = total.ravel().tolist()
    return values


def bounds(x: Array, result: Result, eps: float) -> list[float]:
    """(4 + taps/8) * eps * sum |w||x| for every output."""
    taps = sum(max((len(row) for row in rows), default=0) for rows in result.rows.values())
    return [(4 + taps / 8) * eps * magnitude for magnitude in magnitudes(x, result)]


def integer_fits(y: int, numerator: int, denominator: int, element: str, bound: float) -> bool:
    """The rounded exact value, or the neighbour next to a tie."""
    if y == round_ratio(numerator, denominator, element):
        return True
    if element == "bool":
        return abs(numerator / denominator - 0.5) <= NEXT_TO_A_TIE
    low, high = INTEGERS[element]
    slack, unit = max(NEXT_TO_A_TIE, bound if element.endswith("64") else 0.0).as_integer_ratio()
    near = min(max(numerator, low * denominator), high * denominator)
    return 2 * abs(y * denominator - near) * unit <= denominator * (unit + 2 * slack)


def float_fits(y: float, numerator: int, denominator: int, element: str, bound: float) -> bool:
    """The rounded exact value, or within the bound; half types and overflow: one rounding of a value within it."""
    if y == round_ratio(numerator, denominator, element):
        return True
    bound += 8 * SMALLEST[element]
    if element in ("float32", "float64") and math.isfinite(y):
        top, bottom = y.as_integer_ratio()
        return abs((top * denominator - numerator * bottom) / (bottom * denominator)) <= bound
    slack, unit = bound.as_integer_ratio()
    low, high = numerator * unit - slack * denominator, numerator * unit + slack * denominator
    common = denominator * unit
    return round_ratio(low, common, element) <= y <= round_ratio(high, common, element)


def mismatches(y: list[Any], part: ExactArray, element: str, bound: list[float]) -> list[int]:
    """The positions of a real part that are outside the tolerance."""
    fits = float_fits if element in EPS or element == "float64" else integer_fits
    wrong = []
    for index, value in enumerate(y):
        if part.flags and part.flags[index]:
            special = part.value(index)
            right = value == special or (value != value and special != special)
        elif element in SMALLEST and math.isnan(value):
            right = False
        else:
            right = fits(value, part.numerators[index], part.denominator, element, bound[index])
        if not right:
            wrong.append(index)
    return wrong


def native(dtype: Any) -> Any:
    """The element type in native byte order; variable-width strings have none."""
    return dtype if dtype.kind == "T" else dtype.newbyteorder("=")


def bits(array: Array) -> bytes:
    """The bytes in native order and row-major; for strings their UTF-8."""
    if array.dtype.kind in "OUT":
        return "\0".join(array.ravel().tolist()).encode()
    return array.astype(native(array.dtype)).tobytes()


def difference(y: Array, x: Array, result: Result) -> str:
    """Empty if y is a right answer for the exact result from x, else what is wrong with it."""
    if y.shape != result.shape:
        return f"shape {y.shape}, not {result.shape}"
    if native(y.dtype) != native(x.dtype):
        return f"element type {y.dtype}, not {x.dtype}"
    if result.array is not None:
        return "" if bits(y) == bits(result.array) else f"copied {y.tolist()}, not {result.array.tolist()}"
    real = PARTS.get(result.element, result.element)
    halves = [(x.real, y.real), (x.imag, y.imag)] if result.element in PARTS else [(x, y)]
    for (source, part_of_y), part in zip(halves, result.parts, strict=True):
        values = part_of_y.astype(np.float64).ravel().tolist() if real in SMALLEST else part_of_y.ravel().tolist()
        wrong = mismatches(values, part, real, bounds(source, result, EPS.get(real, 2.0**-52)))
        if wrong:
            first = wrong[0]
            exact = part.value(first)
            return (
                f"{len(wrong)} of {len(values)} values; number {first} is {values[first]!r}, exactly {float(exact)!r}"
            )
    return ""
