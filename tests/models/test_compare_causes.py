"""Planted differences: what another implementation would give is data, made by the oracles with another reading."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from halfpixel.models.compare.expected import expected_of
from halfpixel.models.compare.nodes import result_of
from halfpixel.models.compare.result import DIFFERS, EQUAL, ROUNDING, TIES, RuntimeResult
from halfpixel.models.readings.changes import changes_of
from halfpixel.models.readings.reading import reading_of
from halfpixel.peers.runtimes import NodeCall, Outcome
from halfpixel.peers.runtimes.outcome import RAN
from tests.oracles import Attributes, resize, space_to_depth
from tests.oracles.nodes import run_node

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Planted:
    """A node, and what is read otherwise.

    Attributes:
        shape: of X.
        given: attributes of the node.
        read: attributes that the other takes instead.
        scales, sizes, roi: of the node.
        other: keywords of the oracle that are not attributes, such as sizes instead of scales.
        key: the cause that must be named first.
    """

    key: str
    shape: tuple[int, ...]
    given: dict[str, Any]
    read: dict[str, Any] = field(default_factory=dict)
    scales: tuple[float, ...] | None = None
    sizes: tuple[int, ...] | None = None
    roi: tuple[float, ...] | None = None
    other: dict[str, Any] = field(default_factory=dict)


LINEAR, CUBIC, CROP = {"mode": "linear"}, {"mode": "cubic"}, {"coordinate_transformation_mode": "tf_crop_and_resize"}


def coordinates(mode: str) -> dict[str, str]:
    return {"coordinate_transformation_mode": mode}


PLANTED = [
    Planted("antialias_ignored", (9, 13), {**LINEAR, "antialias": 1}, {"antialias": False}, sizes=(4, 6)),
    Planted("antialias_ignored", (9, 13), {**CUBIC, "antialias": 1}, {"antialias": False}, scales=(0.5, 0.4)),
    Planted(
        "exclude_outside_ignored", (5, 6), {**CUBIC, "exclude_outside": 1}, {"exclude_outside": False}, sizes=(9, 8)
    ),
    Planted("antialias_renormalised", (9, 13), {**LINEAR, "antialias": 1}, {"exclude_outside": True}, sizes=(4, 6)),
    Planted("cubic_coeff_a_0.5", (5, 6), CUBIC, {"cubic_coeff_a": -0.5}, sizes=(9, 8)),
    Planted("cubic_coeff_a_0.75", (5, 6), {**CUBIC, "cubic_coeff_a": -0.5}, {"cubic_coeff_a": -0.75}, sizes=(9, 8)),
    Planted("coordinates_asymmetric", (5, 6), LINEAR, coordinates("asymmetric"), scales=(2, 2)),
    Planted(
        "coordinates_half_pixel",
        (5, 6),
        {**LINEAR, **coordinates("asymmetric")},
        coordinates("half_pixel"),
        scales=(2, 3),
    ),
    Planted("coordinates_align_corners", (5, 6), LINEAR, coordinates("align_corners"), sizes=(9, 8)),
    Planted("nearest_floor", (7, 9), {}, {"nearest_mode": "floor"}, sizes=(15, 20)),
    Planted("nearest_ceil", (7, 9), coordinates("asymmetric"), {"nearest_mode": "ceil"}, sizes=(15, 20)),
    Planted("length_float32_product", (10, 4), LINEAR, {"length_rule": "float32_floor"}, scales=(0.7, 1)),
    Planted("length_rounded", (10, 4), LINEAR, {"length_rule": "round"}, scales=(1, 1.7)),
    Planted("length_ceil", (10, 4), LINEAR, {"length_rule": "ceil"}, scales=(1, 1.3)),
    Planted(
        "policy_ignored",
        (6, 15),
        {**LINEAR, "keep_aspect_ratio_policy": "not_larger"},
        {"keep_aspect_ratio_policy": "stretch"},
        sizes=(9, 50),
    ),
    Planted("scale_from_lengths", (7, 9), LINEAR, scales=(1.3, 1.9), other={"scales": None, "sizes": (9, 17)}),
    Planted(
        "align_corners_integer",
        (4, 9),
        {**LINEAR, **coordinates("align_corners")},
        scales=(0.6, 2.3),
        other={"scales": None, "sizes": (2, 20)},
    ),
    Planted("same_length_copied", (6, 4), LINEAR, scales=(2, 1.2), other={"scales": (2, 1), "sizes": None}),
    Planted(
        "roi_ignored", (6, 7), {**LINEAR, **CROP}, sizes=(5, 9), roi=(0.1, 0.2, 0.7, 0.9), other={"roi": (0, 0, 1, 1)}
    ),
    Planted("order_of_axes", (6, 7), {**LINEAR, "axes": [1, 0]}, {"axes": (0, 1)}, sizes=(5, 9)),
    Planted("mode_nearest", (6, 7), LINEAR, {"mode": "nearest"}, sizes=(5, 9)),
    Planted("antialias_added", (9, 13), LINEAR, {"antialias": True}, sizes=(4, 6)),
]


def called(planted: Planted, x: Array) -> NodeCall:
    """The node of a planted difference."""
    scales = None if planted.scales is None else np.array(planted.scales, np.float32)
    sizes = None if planted.sizes is None else np.array(planted.sizes, np.int64)
    roi = None if planted.roi is None else np.array(planted.roi, np.float32)
    return NodeCall("Resize", (x, roi, scales, sizes), planted.given, 19, frozenset({1, 2, 3}))


def fake(call: NodeCall, output: Array, tolerance: float | None = None) -> RuntimeResult:
    """What a comparison says of a runtime that gives this output."""
    expected = expected_of(call.op_type, call.inputs, call.attributes, call.opset)
    return result_of("fake", Outcome(RAN, {"Y": output}), call, expected, tolerance)


def keys(result: RuntimeResult) -> list[str]:
    """The changes of the cause that is named."""
    return [] if result.cause is None else [change.key for change in result.cause.changes]


def squares(shape: tuple[int, ...], element: str = "float32") -> Array:
    """0, 3, 12, 27, ... modulo 97: each pair of neighbours differs in its own way."""
    return (np.arange(math.prod(shape), dtype=np.int64) ** 2 * 3 % 97).reshape(shape).astype(element)


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.key)
def test_the_planted_reading_is_named(planted: Planted) -> None:
    x = squares(planted.shape)
    # roi and scales reach the oracle as the node has them: in float32.
    roi = None if planted.roi is None else [float(np.float32(value)) for value in planted.roi]
    words = {"scales": planted.scales, "sizes": planted.sizes, "roi": roi, **planted.other}
    attributes = Attributes(**{**planted.given, **planted.read})
    output = resize(x, words["scales"], words["sizes"], attributes, words["roi"]).rounded()
    result = fake(called(planted, x), output)
    assert result.above
    assert keys(result) == [planted.key]


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.key)
def test_an_equal_output_has_no_difference(planted: Planted) -> None:
    x = squares(planted.shape)
    call = called(planted, x)
    roi = None if planted.roi is None else [float(np.float32(value)) for value in planted.roi]
    given = {**planted.given, **({"axes": tuple(planted.given["axes"])} if "axes" in planted.given else {})}
    result = fake(call, resize(x, planted.scales, planted.sizes, Attributes(**given), roi).rounded())
    assert result.status in (EQUAL, ROUNDING)
    assert result.found is None


CROPPED = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
FLOOR_14 = {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "ceil"}
LONE = {"mode": "cubic", "coordinate_transformation_mode": "pytorch_half_pixel"}
COUNT = np.arange(1, 10, dtype=np.float32)
LITERALS: list[tuple[str, NodeCall, Any]] = [
    (
        "negative_axes",
        NodeCall(
            "Resize",
            (squares_of_24 := np.arange(24, dtype=np.float32).reshape(2, 3, 4) ** 2, None, None, np.array([4, 7])),
            {"axes": [-2, -1], "keep_aspect_ratio_policy": "not_smaller"},
            19,
        ),
        squares_of_24,
    ),
    ("length_epsilon", NodeCall("Resize", (COUNT[:3], None, np.array([0.3333333], np.float32)), {}, 19), [2]),
    (
        "float32",
        NodeCall(
            "Resize",
            (COUNT[:3], np.array([-0.1, 1], np.float32), None, np.array([9])),
            {**CROPPED, "extrapolation_value": -99.0},
            19,
        ),
        [-99, 1.075, 1.35, 1.625, 1.9, 2.175, 2.45, 2.725, -99],
    ),
    (
        "extrapolation_ignored",
        NodeCall(
            "Resize",
            (COUNT[:3], np.array([-0.5, 1], np.float32), None, np.array([4])),
            {**CROPPED, "extrapolation_value": -99.0},
            19,
        ),
        [1, 1, 2, 3],
    ),
    (
        "crop_fractional",
        NodeCall("Resize", (COUNT[:4], np.array([0, 1], np.float32), np.array([0.6], np.float32)), CROPPED, 19),
        [1, 22 / 7],
    ),
    ("lone_sample", NodeCall("Resize", (COUNT[:5], None, None, np.array([1])), LONE, 19), [0.90625]),
    (
        "excluded_as_zero",
        NodeCall(
            "Resize",
            (COUNT[:4], None, np.array([2], np.float32)),
            {"nearest_mode": "floor", "exclude_outside": 1},
            19,
        ),
        [0, 1, 1, 2, 2, 3, 3, 4],
    ),
    (
        "scale_1_resampled",
        NodeCall("Resize", (COUNT[:4].reshape(2, 2), None, np.array([1, 2], np.float32)), FLOOR_14, 11),
        [[4, 4, 4, 4], [4, 4, 4, 4]],
    ),
    (
        "float64_window",
        NodeCall("Resize", (COUNT[:7] ** 2, None, None, np.array([17])), {}, 19),
        [1, 1, 4, 4, 4, 9, 9, 16, 9, 16, 25, 25, 36, 36, 36, 49, 49],
    ),
    (
        "through_float32",
        NodeCall("Resize", (np.array([2**31 - 1, 2**24 + 1], np.int32), None, np.array([2], np.float32)), {}, 19),
        [2147483520, 2147483520, 2**24, 2**24],
    ),
    (
        "through_float32",
        NodeCall("Resize", (np.array([0.1, 1e300]), None, np.array([2], np.float32)), {}, 19),
        [np.float32(0.1), np.float32(0.1), np.inf, np.inf],
    ),
    (
        "through_int32",
        NodeCall("Resize", (np.array([2**53 + 1, 2**63 - 1]), None, np.array([2], np.float32)), {}, 19),
        [1, 1, -1, -1],
    ),
    (
        "imaginary_lost",
        NodeCall("Resize", (np.array([1 + 2j, 3 - 1j], np.complex64), None, np.array([2], np.float32)), {}, 19),
        [1, 1, 3, 3],
    ),
]


@pytest.mark.parametrize(("key", "call", "output"), LITERALS, ids=[key for key, _, _ in LITERALS])
def test_what_was_seen_in_a_runtime_is_named(key: str, call: NodeCall, output: Any) -> None:
    """Numbers that runtimes gave."""
    x = np.asarray(call.inputs[0])
    assert keys(fake(call, np.array(output).astype(x.dtype))) == [key]


@pytest.mark.parametrize(("arithmetic", "lengths"), [("float32", (25, 62)), ("float64", (13, 58))])
def test_lengths_of_a_policy_in_floating_point_are_named(arithmetic: str, lengths: tuple[int, int]) -> None:
    """25 / 6 * 15 is 62.5, and 13 / 6 * 27 is 58.5: exactly halves, and not in floating point."""
    in_sizes = {"float32": (6, 15), "float64": (6, 27)}[arithmetic]
    x = np.ones(in_sizes, np.float32)
    attributes = {"keep_aspect_ratio_policy": "not_larger"}
    call = NodeCall("Resize", (x, None, None, np.array([lengths[0], 10000])), attributes, 19)
    assert keys(fake(call, np.ones(lengths, np.float32))) == [f"policy_in_{arithmetic}"]


def fractions(element: str, x: Array) -> list[Fraction]:
    """Exact averages of linear half_pixel at scales 2 and 2.5."""
    (part,) = resize(x, [2, 2.5], None, Attributes(mode="linear")).parts
    return [Fraction(numerator, part.denominator) for numerator in part.numerators]


ROUNDINGS = {
    "integers_truncate": math.trunc,
    "integers_half_up": lambda value: math.floor(value + Fraction(1, 2)),
    "integers_half_away": lambda value: (
        math.floor(value + Fraction(1, 2)) if value > 0 else -math.floor(Fraction(1, 2) - value)
    ),
    "integers_floor": math.floor,
}


@pytest.mark.parametrize("key", ROUNDINGS)
def test_the_rounding_of_integers_is_named(key: str) -> None:
    x = (squares((7, 10), "int8") - 50).astype(np.int8)
    call = NodeCall("Resize", (x, None, np.array([2, 2.5], np.float32)), {"mode": "linear"}, 19)
    values = [ROUNDINGS[key](value) for value in fractions("int8", x)]
    result = fake(call, np.array(values, np.int8).reshape(14, 25))
    assert keys(result) == [key]


def test_values_that_wrap_are_named() -> None:
    x = np.array([[0, 255, 255, 0, 0, 255]], np.uint8)
    call = NodeCall("Resize", (x, None, np.array([1, 2], np.float32)), {"mode": "cubic"}, 19)
    (part,) = resize(x, [1, 2], None, Attributes(mode="cubic")).parts
    wrapped = [round(Fraction(numerator, part.denominator)) % 256 for numerator in part.numerators]
    result = fake(call, np.array(wrapped, np.uint8).reshape(1, 12))
    assert keys(result) == ["wraps"]


def test_a_relabelled_model_is_seen_through() -> None:
    """Resize-10's numbers from a node that says 11: other coordinates in linear, two changes in nearest."""
    x, scales = squares((7, 10)), np.array([1.7, 0.6], np.float32)
    linear = run_node("Resize", [x, scales], {"mode": "linear"}, opset=10).rounded()
    call = NodeCall("Resize", (x, np.empty(0, np.float32), scales), {"mode": "linear"}, 11)
    assert keys(fake(call, linear)) == ["coordinates_asymmetric"]
    nearest = run_node("Resize", [x, scales], {"mode": "nearest"}, opset=10).rounded()
    call = NodeCall("Resize", (x, np.empty(0, np.float32), scales), {"mode": "nearest"}, 11)
    assert sorted(keys(fake(call, nearest))) == ["coordinates_asymmetric", "nearest_by_scale"]


def test_upsample_with_the_defaults_of_resize_11_is_named() -> None:
    x = squares((5, 7))
    output = resize(x, [1.7, 2.6], None, Attributes(mode="nearest")).rounded()
    call = NodeCall("Upsample", (x, np.array([1.7, 2.6], np.float32)), {"mode": "nearest"}, 9)
    assert keys(fake(call, output)) == ["defaults_of_11"]


def test_two_changes_at_once_are_found() -> None:
    x = squares((9, 13))
    read = Attributes(mode="linear", coordinate_transformation_mode="asymmetric")
    planted = Planted("", x.shape, {**LINEAR, "antialias": 1}, sizes=(4, 6))
    result = fake(called(planted, x), resize(x, None, [4, 6], read).rounded())
    assert sorted(keys(result)) == ["antialias_ignored", "coordinates_asymmetric"]


def test_none_is_said_to_be_found_where_none_is() -> None:
    x = squares((7, 9))
    planted = Planted("", x.shape, LINEAR, sizes=(9, 12))
    output = resize(x, None, [9, 12], Attributes(mode="linear")).rounded()
    output[4, 5] += 20
    result = fake(called(planted, x), output)
    assert result.status == DIFFERS
    assert result.cause is None
    assert result.why.startswith("no reading found (")
    assert result.difference is not None
    assert (result.difference.position, result.difference.count) == ((4, 5), 1)
    assert result.difference.where == "here and there"


def test_a_shape_that_no_reading_gives_is_said_to_be_so() -> None:
    x = squares((7, 9))
    result = fake(called(Planted("", x.shape, LINEAR, sizes=(9, 12)), x), np.zeros((30, 31), np.float32))
    assert result.status == DIFFERS
    assert "no reading found that gives this shape" in result.why


def test_another_element_type_is_said() -> None:
    x = squares((7, 9))
    result = fake(called(Planted("", x.shape, {}, sizes=(9, 12)), x), np.zeros((9, 12), np.float64))
    assert keys(result) == ["other_type"]


def test_ties_are_reported_apart() -> None:
    """20 -> 6 samples: outputs 1 and 4 lie exactly between two inputs, and only there the roundings part."""
    x = squares((20,))
    read = resize(x, None, [6], Attributes(nearest_mode="round_prefer_ceil")).rounded()
    result = fake(called(Planted("", x.shape, {}, sizes=(6,)), x), read)
    assert result.status == TIES
    assert result.difference is not None
    assert (result.difference.count, result.difference.ties) == (2, 2)
    assert result.difference.largest_apart_from_ties == 0
    assert keys(result) == ["nearest_round_prefer_ceil"]


def test_float32_coordinates_are_named_at_ties() -> None:
    """14 -> 2 by floor: output 1 lies exactly on input 7, in float32 just below."""
    x = squares((14,))
    given = {**coordinates("asymmetric"), "nearest_mode": "floor"}
    result = fake(called(Planted("", x.shape, given, sizes=(2,)), x), x[[0, 6]])
    assert result.status == TIES
    assert keys(result) == ["float32"]


def test_the_border_is_named_where_differences_lie() -> None:
    x = squares((40, 40))
    planted = Planted("", x.shape, {**CUBIC, "exclude_outside": 1}, sizes=(70, 60))
    result = fake(called(planted, x), resize(x, None, [70, 60], Attributes(mode="cubic")).rounded())
    assert result.difference is not None
    assert result.difference.where == "at the border"


def test_nan_that_spreads_is_named() -> None:
    x = np.array([[1, 2, np.nan, 4, 5, 6]], np.float32)
    call = NodeCall("Resize", (x, None, np.array([1, 2], np.float32)), {**LINEAR, **coordinates("asymmetric")}, 19)
    exact = [1, 1.5, 2, np.nan, np.nan, np.nan, 4, 4.5, 5, 5.5, 6, 6]
    assert fake(call, np.array([exact], np.float32)).status == EQUAL
    spread = [1, 1.5, np.nan, np.nan, np.nan, np.nan, 4, 4.5, 5, 5.5, 6, 6]
    result = fake(call, np.array([spread], np.float32))
    assert keys(result) == ["nan_spreads"]
    assert result.difference is not None
    assert result.difference.where == "at NaN and infinity"


def test_infinity_that_is_clipped_is_named() -> None:
    x = np.array([1, np.inf, 3], np.float32)
    call = NodeCall("Resize", (x, None, np.array([2], np.float32)), {}, 19)
    largest = np.finfo(np.float32).max
    result = fake(call, np.array([1, 1, largest, largest, 3, 3], np.float32))
    assert keys(result) == ["nan_not_kept"]


def test_another_reading_is_found_beside_nan() -> None:
    x = squares((9, 13))
    x[4, 6] = np.nan
    planted = Planted("", x.shape, {**LINEAR, "antialias": 1}, sizes=(4, 6))
    result = fake(called(planted, x), resize(x, None, [4, 6], Attributes(mode="linear")).rounded())
    assert keys(result)[-1] == "antialias_ignored"


@pytest.mark.parametrize(
    "element", ["bool", "string", "int64", "complex64", "float16", "bfloat16", "float64", "uint16"]
)
def test_every_kind_of_element_is_compared(element: str) -> None:
    x = squares((6, 7), "int64")
    if element == "bool":
        x = x % 2 == 0
    elif element == "string":
        x = np.array([[f"w{value}" for value in row] for row in x.tolist()], object)
    elif element == "bfloat16":
        x = x.astype(pytest.importorskip("ml_dtypes").bfloat16)
    else:
        x = x.astype(element)
    call = called(Planted("", x.shape, {}, sizes=(15, 17)), x)
    equal = resize(x, None, [15, 17], Attributes()).rounded()
    assert fake(call, equal).status == EQUAL
    other = resize(x, None, [15, 17], Attributes(nearest_mode="floor")).rounded()
    assert keys(fake(call, other)) == ["nearest_floor"]


def test_wide_integers_keep_every_bit() -> None:
    """2^53 + 1 through float64 is 2^53; 2^40 + 1 passes, but not through float32."""
    x = np.array([2**53 + 1, 2**40 + 1], np.int64)
    call = NodeCall("Resize", (x, None, np.array([2], np.float32)), {}, 19)
    lost = x.repeat(2).astype(np.float64).astype(np.int64)
    result = fake(call, lost)
    assert result.difference is not None
    assert result.difference.largest == 1
    assert keys(result) == ["through_float64"]


@pytest.mark.parametrize("shape", [(0, 4), (3, 0)])
def test_arrays_without_samples_are_compared_by_shape(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.float32)
    call = NodeCall("Resize", (x, None, np.array([2, 2], np.float32)), LINEAR, 19)
    assert fake(call, np.zeros((2 * shape[0], 2 * shape[1]), np.float32)).status == EQUAL
    assert fake(call, np.zeros((2 * shape[0], 2 * shape[1] + 1), np.float32)).status == DIFFERS


def test_the_tolerance_is_in_units_of_the_type() -> None:
    """Integer multiples of the last place of 1.5, beside the exact result 1.5."""
    x = np.full((3, 3), 1.5, np.float32)
    call = called(Planted("", x.shape, LINEAR, sizes=(5, 5)), x)
    output = np.full((5, 5), 1.5, np.float32)
    output[2, 2] += 3 * 2.0**-23
    result = fake(call, output, tolerance=3.0)
    assert result.difference is not None
    assert (result.status, result.difference.largest, result.difference.unit) == (ROUNDING, 3.0, "ULP")
    result = fake(call, output, tolerance=0.0)
    assert result.status == DIFFERS
    assert result.why == "rounding alone"
    assert fake(call, np.full((5, 5), 1.5, np.float32), tolerance=0.0).status == EQUAL


def test_a_small_sample_beside_a_large_one_is_not_hidden() -> None:
    """The unit belongs to the samples around, not to the largest of the tensor."""
    x = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 1e9]], np.float32)
    call = NodeCall("Resize", (x, None, np.array([1, 2], np.float32)), LINEAR, 19)
    output = resize(x, [1, 2], None, Attributes(mode="linear")).rounded()
    output[0, 2] *= np.float32(1.01)
    assert fake(call, output).status == DIFFERS


def test_integers_next_to_a_tie_may_be_either_neighbour() -> None:
    """Float32 may put a value just above a half below it; on the tie itself there is one right answer."""
    x = np.array([0, 20000], np.uint16)
    call = NodeCall("Resize", (x, None, None, np.array([7001], np.int64)), LINEAR, 19)
    expected = expected_of("Resize", call.inputs, LINEAR, 19)
    away = np.abs(expected.exact - np.floor(expected.exact) - 0.5)
    inner = (expected.ours > 0) & (expected.ours < 20000)
    near, far = (np.flatnonzero(inner & where)[0] for where in ((away > 1e-6) & (away < 1e-3), away > 0.1))
    for place, status in ((near, ROUNDING), (far, DIFFERS)):
        output = expected.ours.copy()
        output[place] = int(output[place]) + (1 if expected.exact[place] > output[place] else -1)
        assert fake(call, output).status == status
        assert fake(call, output, tolerance=0.0).above
    x = np.array([0, 1, 1, 0], np.uint8)
    call = NodeCall("Resize", (x, None, np.array([2], np.float32)), {**LINEAR, **coordinates("asymmetric")}, 19)
    output = np.array([0, 0, 1, 1, 1, 0, 0, 0], np.uint8)
    assert fake(call, output).status == EQUAL
    assert fake(call, np.array([0, 1, 1, 1, 1, 1, 0, 0], np.uint8)).status == TIES


def test_the_largest_difference_is_looked_at_wherever_it_is() -> None:
    """One sample of 400 x 500 is off: a search that looks elsewhere would call it rounding."""
    x = np.ones((400, 500), np.float32)
    call = NodeCall("Resize", (x, None, np.array([1.7, 1], np.float32)), LINEAR, 19)
    output = np.ones((680, 500), np.float32)
    output[333, 222] = 2
    result = fake(call, output)
    assert result.cause is None
    assert result.found is not None
    assert result.found.closest is not None
    assert result.found.closest.missed == 1


@pytest.mark.parametrize(("mode", "key"), [("CRD", "mode_DCR"), ("DCR", "mode_CRD")])
def test_a_swapped_order_of_channels_is_named(mode: str, key: str) -> None:
    x = squares((1, 3, 4, 6))
    call = NodeCall("SpaceToDepth", (x,), {"blocksize": 2, "mode": mode}, 28)
    assert fake(call, space_to_depth(x, 2, mode)).status == EQUAL
    result = fake(call, space_to_depth(x, 2, "DCR" if mode == "CRD" else "CRD"))
    assert keys(result) == [key]
    assert result.found is not None
    assert len(result.found.causes) == 1
    assert result.found.tried == 5  # six orders of row, column and channel, without the node's own


def test_swapped_rows_and_columns_of_blocks_are_named() -> None:
    x = squares((1, 8, 2, 3))
    call = NodeCall("DepthToSpace", (x,), {"blocksize": 2, "mode": "DCR"}, 13)
    swapped = x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 3, 4, 2, 5, 1).reshape(1, 2, 4, 6)
    assert keys(fake(call, swapped)) == ["order_qrc"]


def test_changes_that_change_nothing_are_left_out() -> None:
    reading, _ = reading_of("Resize", [squares((4, 4)), None, np.array([2, 2], np.float32)], LINEAR, 19)
    found = changes_of(reading)
    assert len({change.key for change in found}) == len(found)
    assert all(change.applied(reading) != reading for change in found)
    assert "coordinates_half_pixel" not in {change.key for change in found}
