"""The oracle's lengths, scales and coordinates, on requests small enough to check by hand."""

import math
from fractions import Fraction
from typing import Any

import pytest

from .coordinates import coordinates
from .lengths import Axis, RefusedError, request_axes

F = Fraction
NAN, INF = math.nan, math.inf


def lengths(in_shape: list[int], **request: Any) -> list[int]:
    """The output lengths of a request."""
    scales, sizes = request.pop("scales", None), request.pop("sizes", None)
    return [axis.out_size for axis in request_axes(in_shape, scales, sizes, **request)]


@pytest.mark.parametrize(
    ("in_size", "scale", "rule", "expected"),
    [
        (86, 256 / 86, "floor", 255),
        (86, 256 / 86, "float32_floor", 256),
        (10, 0.7, "floor", 6),
        (10, 0.7, "float32_floor", 7),
        (88, 120 / 88, "floor", 120),
        (5, 0.5, "floor", 2),
        (5, 0.5, "round", 3),
        (5, 0.25, "round", 1),
        (5, 0.25, "ceil", 2),
        (5, 1.0, "ceil", 5),
    ],
)
def test_length_rules(in_size: int, scale: float, rule: str, expected: int) -> None:
    """floor takes the exact product with the float32 scale; the others round the same product otherwise."""
    assert lengths([in_size], scales=[scale], rule=rule) == [expected]


@pytest.mark.parametrize(
    ("in_shape", "sizes", "axes", "policy", "expected"),
    [
        ([6, 15], [25, 10000], None, "not_larger", [25, 63]),
        ([6, 27], [13, 10000], None, "not_larger", [13, 59]),
        ([2, 3, 4], [4, 7], [1, 2], "not_smaller", [2, 5, 7]),
        ([2, 3, 4], [7, 4], [-1, -2], "not_smaller", [2, 5, 7]),
        ([1, 1, 3, 4], [1, 1, 6, 6], None, "not_larger", [1, 1, 3, 4]),
        ([3, 4], [9, 2], None, "stretch", [9, 2]),
    ],
)
def test_policies(
    in_shape: list[int], sizes: list[int], axes: list[int] | None, policy: str, expected: list[int]
) -> None:
    """25/6 * 15 = 62.5 -> 63, 13/6 * 27 = 58.5 -> 59; the common ratio is over the listed axes."""
    assert lengths(in_shape, sizes=sizes, axes=axes, policy=policy) == expected


def test_policy_scale_is_common_and_not_rounded() -> None:
    """2 x 3 into 1 x 9 keeping the ratio: scale 1/2 on both axes, lengths 1 and 1.5 -> 2."""
    first, second = request_axes([2, 3], None, [1, 9], policy="not_larger")
    assert (first.out_size, second.out_size, first.scale, second.scale) == (1, 2, F(1, 2), F(1, 2))
    assert coordinates(second, "align_corners") == [0, 4]


def test_roi_counts_in_the_length() -> None:
    """floor(8 * 0.5 * 1.5) = 6 in tf_crop_and_resize; elsewhere roi is not read."""
    assert lengths([8], scales=[1.5], roi=[0.25, 0.75], crop=True) == [6]
    assert lengths([8], scales=[1.5], roi=[0.25, 0.75]) == [12]


@pytest.mark.parametrize(
    "request_",
    [
        {"in_shape": [4]},
        {"in_shape": [4], "scales": [2.0], "sizes": [8]},
        {"in_shape": [4], "scales": [2.0, 2.0]},
        {"in_shape": [4], "sizes": [2, 2]},
        {"in_shape": [4], "scales": [0.0]},
        {"in_shape": [4], "scales": [-1.0]},
        {"in_shape": [4], "scales": [NAN]},
        {"in_shape": [4], "scales": [INF]},
        {"in_shape": [4], "sizes": [-1]},
        {"in_shape": [4, 4], "scales": [2.0], "axes": [2]},
        {"in_shape": [4, 4], "scales": [2.0, 2.0], "axes": [1, -1]},
        {"in_shape": [0], "sizes": [3]},
        {"in_shape": [4], "scales": [2.0], "crop": True},
        {"in_shape": [4], "scales": [2.0], "crop": True, "roi": [0.0]},
        {"in_shape": [2, 2], "sizes": [2**40, 2**40]},
        {"in_shape": [0], "sizes": [0], "policy": "not_larger"},
    ],
)
def test_refused(request_: dict[str, Any]) -> None:
    """Requests without an answer."""
    with pytest.raises(RefusedError):
        lengths(request_.pop("in_shape"), **request_)


def test_empty_is_absent_but_for_rank_0() -> None:
    """An empty scales tensor next to sizes is no scales; of rank 0 it is the value."""
    assert lengths([4], scales=[], sizes=[8]) == [8]
    assert lengths([], scales=[]) == []
    assert lengths([3, 4], scales=[], axes=[]) == [3, 4]
    assert lengths([0, 3], scales=[2.0, 0.3]) == [0, 0]


@pytest.mark.parametrize(
    ("mode", "in_size", "out_size", "scale", "expected"),
    [
        ("half_pixel", 20, 6, F(6, 20), [F(7, 6), F(9, 2), F(47, 6), F(67, 6), F(29, 2), F(107, 6)]),
        ("half_pixel", 4, 5, F(13, 10), [F(-3, 26), F(17, 26), F(37, 26), F(57, 26), F(77, 26)]),
        ("half_pixel_symmetric", 4, 2, F(6, 10), [F(2, 3), F(7, 3)]),
        ("pytorch_half_pixel", 5, 1, F(1, 5), [0]),
        ("pytorch_half_pixel", 4, 1, F(3, 10), [0]),
        ("pytorch_half_pixel", 4, 2, F(1, 2), [F(1, 2), F(5, 2)]),
        ("align_corners", 4, 2, F(6, 10), [0, F(15, 7)]),
        ("align_corners", 5, 9, F(9, 5), [0, F(1, 2), 1, F(3, 2), 2, F(5, 2), 3, F(7, 2), 4]),
        ("align_corners", 5, 1, F(1, 5), [0]),
        ("align_corners", 1, 3, F(3), [0, 0, 0]),
        ("asymmetric", 7, 4, F(6, 10), [0, F(5, 3), F(10, 3), 5]),
        ("tf_half_pixel_for_nn", 4, 3, F(3, 4), [F(2, 3), 2, F(10, 3)]),
    ],
)
def test_coordinates(mode: str, in_size: int, out_size: int, scale: Fraction, expected: list[Fraction]) -> None:
    """The formulas of the text, by hand."""
    assert coordinates(Axis(0, in_size, out_size, scale), mode) == expected


@pytest.mark.parametrize(
    ("out_size", "start", "end", "expected"),
    [
        (3, F(2, 5), F(3, 5), [F(6, 5), F(3, 2), F(9, 5)]),
        (1, F(1, 4), F(3, 4), [F(3, 2)]),
        (5, F(-1, 2), F(3, 2), [F(-3, 2), 0, F(3, 2), 3, F(9, 2)]),
        (2, F(1), F(0), [3, 0]),
    ],
)
def test_crop_coordinates(out_size: int, start: Fraction, end: Fraction, expected: list[Fraction]) -> None:
    """From start * 3 to end * 3 over 4 samples, both ends exact; the middle for one sample."""
    assert coordinates(Axis(0, 4, out_size, F(out_size, 4), start, end), "tf_crop_and_resize") == expected
