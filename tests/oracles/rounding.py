"""One rounding from a fraction to an element type."""

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np

# significand bits, exponent of the smallest normal number, exponent of the largest
FLOATS = {
    "float16": (11, -14, 15),
    "bfloat16": (8, -126, 127),
    "float32": (24, -126, 127),
    "float64": (53, -1022, 1023),
}
PARTS = {"complex64": "float32", "complex128": "float64"}
INTEGERS = {
    f"{sign}int{bits}": (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}


def element_of(array: "np.ndarray[Any, Any]") -> str:
    """ONNX's element type of a NumPy array, under NumPy's name for it."""
    return "string" if array.dtype.kind in "OUT" else array.dtype.newbyteorder("=").name


def dtype_of(element: str) -> "np.dtype[Any]":
    """The NumPy type that carries an element type."""
    if element == "string":
        return np.dtype(object)
    return np.dtype(ml_dtypes.bfloat16) if element == "bfloat16" else np.dtype(element)


def half_to_even(numerator: int, denominator: int) -> int:
    """The integer nearest to numerator / denominator, halves to the even one. denominator > 0."""
    quotient, rest = divmod(numerator, denominator)
    twice = 2 * rest
    return quotient + (twice > denominator or (twice == denominator and quotient % 2))


def round_float(numerator: int, denominator: int, element: str) -> float:
    """The nearest number of a binary format, halves to even, subnormals kept, overflow to infinity."""
    if numerator < 0:
        return -round_float(-numerator, denominator, element)
    if numerator == 0:
        return 0.0
    digits, smallest, largest = FLOATS[element]
    exponent = numerator.bit_length() - denominator.bit_length()
    if numerator << max(-exponent, 0) < denominator << max(exponent, 0):
        exponent -= 1
    unit = max(exponent, smallest) - digits + 1
    significand = half_to_even(numerator << max(-unit, 0), denominator << max(unit, 0))
    if exponent > largest or (exponent == largest and significand == 2**digits):
        return math.inf
    return math.ldexp(significand, unit)


def round_ratio(numerator: int, denominator: int, element: str) -> int | float | bool:
    """numerator / denominator as a real element type: see round_value."""
    if element == "bool":
        return 2 * numerator >= denominator
    if element in INTEGERS:
        low, high = INTEGERS[element]
        return min(max(half_to_even(numerator, denominator), low), high)
    return round_float(numerator, denominator, element)


def round_value(value: Fraction, element: str) -> int | float | bool:
    """An exact value as an element type.

    Integers: half to even, saturated. bool: true from one half up. Floats: nearest, half to even.
    """
    return round_ratio(value.numerator, value.denominator, element)
