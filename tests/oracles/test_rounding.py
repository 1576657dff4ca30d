"""The one rounding: literals a person can check, and the conversions of NumPy and ml_dtypes."""

import math
import random
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from .rounding import FLOATS, round_value


@pytest.mark.parametrize(
    ("value", "element", "expected"),
    [
        (Fraction(5, 2), "uint8", 2),
        (Fraction(7, 2), "uint8", 4),
        (Fraction(-5, 2), "int8", -2),
        (Fraction(-7, 2), "int8", -4),
        (Fraction(26, 10), "int16", 3),
        (Fraction(-26, 10), "int16", -3),
        (Fraction(300), "uint8", 255),
        (Fraction(-1, 2), "uint8", 0),
        (Fraction(-3), "uint8", 0),
        (Fraction(-129), "int8", -128),
        (Fraction(2**63), "int64", 2**63 - 1),
        (Fraction(2**64 - 1), "uint64", 2**64 - 1),
        (Fraction(1, 2), "bool", True),
        (Fraction(49, 100), "bool", False),
        (Fraction(-1), "bool", False),
        (Fraction(1, 3), "float16", 0.333251953125),
        (Fraction(2049), "float16", 2048.0),
        (Fraction(2051), "float16", 2052.0),
        (Fraction(65519), "float16", 65504.0),
        (Fraction(65520), "float16", math.inf),
        (Fraction(-65520), "float16", -math.inf),
        (Fraction(1, 2**25), "float16", 0.0),
        (Fraction(3, 2**25), "float16", 2.0**-23),
        (Fraction(257), "bfloat16", 256.0),
        (Fraction(259), "bfloat16", 260.0),
        (Fraction(2**24 + 1), "float32", 2.0**24),
        (Fraction(2**24 + 3), "float32", 2.0**24 + 4),
        (Fraction(2**128), "float32", math.inf),
        (Fraction(2**53 + 1), "float64", 2.0**53),
        (Fraction(1, 2**1075), "float64", 0.0),
        (Fraction(3, 2**1075), "float64", 2.0**-1073),
    ],
)
def test_literals(value: Fraction, element: str, expected: float) -> None:
    """Half to even and saturation for integers, one half up for bool, nearest even and overflow for floats."""
    assert round_value(value, element) == expected


@pytest.mark.parametrize("element", FLOATS)
def test_agrees_with_conversions(element: str) -> None:
    """A float64 rounded to a narrower format is what NumPy (for bfloat16: ml_dtypes) converts it to."""
    generator = random.Random(1)
    dtype = ml_dtypes.bfloat16 if element == "bfloat16" else element
    significant, smallest, largest = FLOATS[element]
    for _ in range(3000):
        exponent = generator.randint(smallest - significant - 2, largest + 1)
        value = math.ldexp(generator.choice([generator.random(), generator.randrange(4096) / 4096]), exponent)
        with np.errstate(over="ignore"):
            converted = float(np.float64(value).astype(dtype))
        assert round_value(Fraction(value), element) == converted


def test_float64_is_true_division() -> None:
    """Python divides integers with one rounding, so a quotient has the same bits."""
    generator = random.Random(2)
    for _ in range(3000):
        numerator, denominator = generator.randint(-(10**40), 10**40), generator.randint(1, 10**30)
        assert round_value(Fraction(numerator, denominator), "float64") == numerator / denominator
