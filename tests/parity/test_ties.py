"""Ties that binary arithmetic computes exactly: integers go to the even neighbour, bool to true, in every pass."""

from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.oracles import Attributes, resize
from tests.oracles.rounding import INTEGERS

from .random_arrays import Array

LINEAR = {"mode": "linear"}
# scales and attributes whose weights are small multiples of a power of two
REQUESTS: list[tuple[float, dict[str, Any]]] = [
    (2.0, {**LINEAR, "coordinate_transformation_mode": "asymmetric"}),
    (2.0, LINEAR),
    (4.0, LINEAR),
    (0.5, LINEAR),
    (0.5, {**LINEAR, "antialias": True}),
    (0.25, {**LINEAR, "antialias": True}),
    (2.0, {"mode": "cubic", "cubic_coeff_a": -0.5}),
    (2.0, {"mode": "cubic"}),
    (0.5, {"mode": "cubic"}),
]


def integers(element: str, count: int) -> Array:
    """Numbers around 0 and at both ends of the type (of 40 bits at most, so that sums in float64 are exact)."""
    low, high = (0, 1) if element == "bool" else INTEGERS[element]
    low, high = max(low, -(2**40)), min(high, 2**40)
    generator = np.random.default_rng(3)
    near = generator.integers(max(low, -9), min(high, 9), count, endpoint=True)
    ends = np.where(generator.random(count) < 0.5, low + (near & 1), high - (near & 1))
    return np.where(generator.random(count) < 0.7, near, ends).astype(element)


@pytest.mark.parametrize("element", ["bool", *INTEGERS])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_exact_ties(axis: int, element: str) -> None:
    """One resized axis of three, before, between and after the others: the rounded exact value, no neighbour."""
    shape = [3, 5, 4]
    shape[axis] = 44
    x = integers(element, 44 * 60 // [3, 5, 4][axis]).reshape(shape)
    ties = 0
    for scale, attributes in REQUESTS:
        exact = resize(x, [scale], None, Attributes(axes=(axis,), **attributes))
        y = hp.resize(x, [scale], axes=[axis], **attributes)
        np.testing.assert_array_equal(y, exact.rounded(), err_msg=f"{scale} {attributes}")
        (part,) = exact.parts
        ties += (
            sum(2 * numerator % part.denominator == 0 and numerator % part.denominator for numerator in part.numerators)
            > 0
        )
    assert ties >= 5
