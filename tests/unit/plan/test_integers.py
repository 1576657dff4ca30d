"""Lines and scales of any size, as the core takes them."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.plan.integers import encoded, line_bytes, scale_bytes
from halfpixel.spec.coordinates import Line

ROI: list[float] = [0, 1, 0.5, 0.1, -0.3, 3.7, 1e5, -1e5, 1e18, 2.0**60, -(2.0**70), 1e30, -1e30, 1e40, -1e40]
ROI += [1e300, -1e300, 1.7e308, 1e-300, 5e-324, -5e-324]


def decoded(text: bytes) -> list[int]:
    return [int.from_bytes(text[at : at + 16], "little", signed=True) for at in range(0, len(text), 16)]


def test_integers_are_16_bytes_little_endian() -> None:
    assert encoded(1, -2) == b"\x01" + bytes(15) + b"\xfe" + b"\xff" * 15
    assert decoded(encoded(2**120 - 1, -(2**120))) == [2**120 - 1, -(2**120)]


def test_everyday_lines_pass_as_they_are() -> None:
    for line in (Line(2, -1, 4), Line(-(2**80), 2**100, 2**90 + 1), Line(0, 0, 1)):
        assert decoded(line_bytes(line, 1000, 2000)) == [line.step, line.start, line.divisor]


def test_long_lines_keep_their_ends_and_near_places() -> None:
    line = Line(3 * 2**200 + 7, -(2**200), 2**200 + 1)  # about -1, 2, 5
    step, start, divisor = decoded(line_bytes(line, 6, 3))
    assert divisor.bit_length() <= 98
    for i, place in enumerate((-1, 2, 5)):
        assert abs(Fraction(step * i + start, divisor) - place) < Fraction(1, 2**60)


def test_ends_that_are_outside_by_a_hair_stay_outside() -> None:
    size, divisor = 2**20, 2**130
    line = Line(divisor, -1, divisor)  # 0, 1, 2, ... less a hair
    step, start, grid = decoded(line_bytes(line, size, size))
    assert start < 0
    assert abs(Fraction(step * 1000 + start, grid) - 1000) < Fraction(1, 2**30)
    line = Line(divisor, 1, divisor)  # and more by a hair
    step, start, grid = decoded(line_bytes(line, size, size))
    assert start >= 0
    assert step * (size - 1) + start > (size - 1) * grid


def test_steep_lines_keep_the_one_sample_that_is_near() -> None:
    for sign in (1, -1):
        line = Line(sign * 2**300, -sign * 2**300 * 5 + 3, 2)  # sample 5 at 3/2, the others astronomically far
        step, start, divisor = decoded(line_bytes(line, 6, 9))
        assert Fraction(step * 5 + start, divisor) == Fraction(3, 2)
        assert all(sign * (step * i + start) * (i - 5) > 6 * divisor * abs(i - 5) for i in range(9) if i != 5)


def test_scales_keep_their_quotient() -> None:
    assert decoded(scale_bytes((3, 7))) == [3, 7]
    assert decoded(scale_bytes((7, 3))) == [1, 1]  # widens nothing
    assert decoded(scale_bytes((2**104, 1))) == [1, 1]
    assert decoded(scale_bytes((2**119 + 2**60, 2**120))) == [2**108 + 2**49, 2**109]
    assert decoded(scale_bytes((1, 2**149))) == [1, 2**60]


@pytest.mark.parametrize("out_size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("in_size", [1, 2, 5])
def test_any_finite_roi_is_inside_and_outside_where_it_should(in_size: int, out_size: int) -> None:
    x = np.arange(in_size, dtype=np.float64) + 1
    choose = random.Random(in_size * 1000 + out_size)
    for _ in range(60):
        start, end = choose.choice(ROI), choose.choice(ROI)
        request: Any = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": -7}
        y = hp.resize(x, sizes=[out_size], mode="linear", roi=[start, end], **request)
        a, b, last = Fraction(start), Fraction(end), in_size - 1
        for i in range(out_size):
            share = Fraction(i, out_size - 1) if out_size > 1 else Fraction(1, 2)
            place = (a + (b - a) * share) * last
            if 0 <= place <= last:
                assert abs(Fraction(float(y[i])) - 1 - place) < Fraction(1, 10**14)
            else:
                assert y[i] == -7


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_tiny_and_huge_scales(mode: Any) -> None:
    plan = hp.plan_resize((5,), "float64", scales=[1e-45], mode=mode, length_rule="ceil")
    assert plan(np.arange(5.0)).tolist() == [4]  # at 3.6e44, beyond the last sample
    one = np.array([3.0])
    assert hp.resize(one, scales=[1e6], mode=mode, antialias=True)[[0, -1]].tolist() == [3, 3]
