"""Wrong requests of Resize: each kind of mistake has its code and says what to do; none is a bare error of Python."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from halfpixel._errors import ERROR_CODES, HalfpixelError, SpecError
from halfpixel.spec.resize import resize_spec
from halfpixel.spec.sizes import output_sizes

NAN, INF = float("nan"), float("inf")
HUGE = pytest.param(10**5000, id="huge")  # more digits than Python prints
CROP = {"coordinate_transformation_mode": "tf_crop_and_resize", "sizes": [2, 2]}


def refusal(shape=(4, 4), **request):
    with pytest.raises(SpecError) as info:
        resize_spec(shape, **request)
    assert info.value.code in ERROR_CODES
    return info.value


class Hostile:
    """Raises something of its own whatever is asked of it."""

    def __float__(self):
        raise ZeroDivisionError

    __index__ = __iter__ = __float__

    def __repr__(self):
        raise RuntimeError


@pytest.mark.rule("R-INP-01")
def test_both_scales_and_sizes():
    error = refusal((1, 3, 32, 32), scales=[1, 1, 2, 2], sizes=[1, 3, 64, 64])
    assert str(error) == (
        "[HP104] Resize-19 takes 'scales' or 'sizes', not both\n"
        "  given:   scales=[1, 1, 2, 2], sizes=[1, 3, 64, 64], X of shape (1, 3, 32, 32)\n"
        "  allowed: exactly one of the two; the other None or empty\n"
        "  do:      drop 'sizes', or pass scales=None"
    )
    assert refusal((), scales=[], sizes=[]).code == "HP104"


@pytest.mark.rule("R-INP-02")
@pytest.mark.parametrize("request_", [{}, {"scales": []}, {"sizes": []}, {"scales": [], "sizes": []}])
def test_neither_scales_nor_sizes(request_):
    error = refusal(**request_)
    assert (error.code, error.sentence) == ("HP103", "Resize-19 needs 'scales' or 'sizes'")
    assert error.do == "pass scales (out / in) or sizes (output lengths)"
    assert error.given == f"scales={request_.get('scales')}, sizes={request_.get('sizes')}, X of shape (4, 4)"
    assert refusal((), version=13).code == "HP103"


@pytest.mark.rule("R-INP-05")
@pytest.mark.parametrize("request_", [{"scales": [2.0]}, {"scales": [2.0] * 3}, {"scales": [2.0, 2.0], "axes": [0]}])
def test_a_wrong_number_of_scales(request_):
    error = refusal(**request_)
    assert error.code == "HP105"
    assert error.sentence.startswith(f"'scales' has {len(request_['scales'])} values for ")
    assert "X of shape (4, 4)" in error.given


@pytest.mark.rule("R-INP-06")
@pytest.mark.parametrize("request_", [{"sizes": [2]}, {"sizes": [2] * 3}, {"sizes": [2, 2], "axes": [0]}])
def test_a_wrong_number_of_sizes(request_):
    assert refusal(**request_).code == "HP106"
    assert refusal((), sizes=[3]).code == "HP106"
    assert refusal(**request_).sentence.startswith(f"'sizes' has {len(request_['sizes'])} values for ")


@pytest.mark.rule("R-INP-07")
@pytest.mark.parametrize("scale", [0, 0.0, -0.0, -1.0, NAN, INF, -INF, 1e39, 1e-46, HUGE, -(10**400), Decimal("NaN")])
def test_scales_that_are_not_finite_and_positive(scale):
    error = refusal(scales=[1.0, scale])
    assert (error.code, error.sentence) == ("HP107", "a scale is not a finite number above 0")
    assert error.given.startswith("scales=[1.0, ")
    with pytest.raises(SpecError, match="HP107"):
        output_sizes((4, 4), [1.0, scale])


@pytest.mark.rule("R-INP-08")
@pytest.mark.parametrize("sizes", [[-1, 4], [4, -(2**70)], [4.0, -2.0]])
def test_negative_sizes(sizes):
    error = refusal(sizes=sizes)
    assert (error.code, error.allowed) == ("HP109", "integers from 0 on")
    assert error.given.startswith("sizes=[")


@pytest.mark.rule("R-AXE-04")
@pytest.mark.parametrize("axis", [2, -3, 2**70])
def test_an_axis_out_of_range(axis):
    error = refusal(sizes=[4], axes=[axis])
    assert (error.code, error.allowed) == ("HP110", "-2 to 1")
    assert error.given.startswith("axes=[")
    assert refusal((), sizes=[4], axes=[0]).allowed == "no axis, as X has rank 0"


@pytest.mark.rule("R-AXE-05")
@pytest.mark.parametrize("axes", [[0, 0], [1, -1], [-2, 0]])
def test_a_repeated_axis(axes):
    error = refusal(sizes=[4, 4], axes=axes)
    assert (error.code, error.sentence) == ("HP111", "an axis is listed twice")
    assert error.given.startswith(f"axes={axes}, which are [")


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("mode", "nearest, linear, cubic"),
        ("nearest_mode", "round_prefer_floor, round_prefer_ceil, floor, ceil"),
        ("keep_aspect_ratio_policy", "stretch, not_larger, not_smaller"),
        (
            "coordinate_transformation_mode",
            "half_pixel, half_pixel_symmetric, pytorch_half_pixel, align_corners, asymmetric, tf_crop_and_resize",
        ),
    ],
)
@pytest.mark.parametrize(
    "value", ["bilinear", "Linear", "", None, 1, True, b"linear", ["linear"], np.zeros(2), Hostile()]
)
def test_an_unknown_word(name, allowed, value):
    error = refusal(scales=[2.0, 2.0], **{name: value})
    assert (error.code, error.allowed) == ("HP112", allowed)
    assert error.sentence.endswith(f"is not a value of {name!r}")


def test_an_unknown_word_shows_the_words_of_the_version():
    words = "half_pixel, pytorch_half_pixel, align_corners, asymmetric, tf_half_pixel_for_nn, tf_crop_and_resize"
    assert refusal(scales=[2.0, 2.0], coordinate_transformation_mode="centre", version=11).allowed == words
    # Version 13 has no such attribute: the words are those of the version that has.
    error = refusal(scales=[2.0, 2.0], keep_aspect_ratio_policy="fit", version=13)
    assert (error.code, error.allowed) == ("HP112", "stretch, not_larger, not_smaller")


@pytest.mark.parametrize("name", ["antialias", "exclude_outside"])
@pytest.mark.parametrize(
    "value", [2, -1, 0.5, NAN, None, "1", "", [1], np.array([True]), np.array([0, 1]), 1j, Hostile()]
)
def test_a_flag_that_is_neither_0_nor_1(name, value):
    error = refusal(scales=[2.0, 2.0], **{name: value})
    assert (error.code, error.do) == ("HP115", f"pass {name}=True or {name}=False")


@pytest.mark.parametrize("name", ["antialias", "exclude_outside"])
def test_flags(name):
    for value in (1, 1.0, np.True_, np.int64(1)):
        assert getattr(resize_spec((4,), [2.0], **{name: value}), name) is True
    for value in (0, np.False_, np.int8(0)):
        assert getattr(resize_spec((4,), [2.0], **{name: value}), name) is False


@pytest.mark.parametrize("value", [NAN, INF, -INF, 1e39, None, "-0.75", True, 1j, [0.5], np.array([0.5]), Hostile()])
def test_a_cubic_coeff_a_that_is_no_finite_number(value):
    error = refusal(scales=[2.0, 2.0], mode="cubic", cubic_coeff_a=value)
    assert (error.code, error.sentence) == ("HP114", "'cubic_coeff_a' is not a finite number")


@pytest.mark.parametrize("value", [NAN, np.float32("nan"), None, "0", False, 1j, np.array([0.5]), Hostile()])
def test_an_extrapolation_value_that_is_no_number(value):
    error = refusal(scales=[2.0, 2.0], extrapolation_value=value)
    assert (error.code, error.sentence) == ("HP114", "'extrapolation_value' is not a number")


def test_an_extrapolation_value_may_be_infinite():
    assert resize_spec((4,), [2.0], extrapolation_value=-INF).extrapolation_value == -INF


@pytest.mark.rule("R-INP-12")
@pytest.mark.parametrize("roi", [None, [], [0.0, 1.0], [0.0] * 8])
def test_tf_crop_and_resize_needs_two_values_an_axis(roi):
    error = refusal(roi=roi, **CROP)
    assert error.code == "HP117"
    assert error.sentence == f"tf_crop_and_resize needs a 'roi' of 4 values, not {len(roi or [])}"
    assert error.given == f"roi={roi}, X of shape (4, 4)"
    assert refusal(roi=[0.0] * 4, axes=[1], **(CROP | {"sizes": [2]})).code == "HP117"


@pytest.mark.parametrize("value", [NAN, INF, -INF, 10**400])
def test_a_roi_that_is_not_finite(value):
    error = refusal(roi=[0.0, 0.0, 1.0, value], **CROP)
    assert (error.code, error.sentence) == ("HP118", "a value of 'roi' is not finite")
    assert error.given.startswith("roi=[0.0, 0.0, 1.0, ")


def test_a_reversed_roi_has_no_length_for_scales():
    error = refusal((4,), scales=[2.0], roi=[1.0, 0.0], coordinate_transformation_mode="tf_crop_and_resize")
    assert (error.code, error.do) == ("HP120", "pass 'sizes', or swap start and end")
    assert error.given == "scales=[2.0], which are output lengths [-8]"


NOT_NUMBERS = [
    2.0,
    "22",
    b"\x02\x02",
    {2: 3, 3: 2},
    {2.0, 3.0},
    [True, 2],
    [np.True_, 2],
    np.array([True, True]),
    ["2", "2"],
    [None, 2],
    [2j, 2],
    [[2], [2]],
    np.array([[2, 2]]),
    np.array(2),
    np.array([2j, 2j]),
    np.array(["2", "2"]),
    np.array(["2020-01-01", "2020-01-02"], "datetime64[ns]"),
    np.array([2, 2], "timedelta64[s]"),
    [np.array([2]), 2],
    [Hostile(), 2],
    Hostile(),
    object(),
    iter,
]


@pytest.mark.parametrize("name", ["scales", "sizes", "axes", "roi"])
@pytest.mark.parametrize("values", NOT_NUMBERS)
def test_what_is_no_sequence_of_numbers(name, values):
    request = {"scales": [2.0, 2.0], "axes": None, "roi": [0.0, 0.0, 1.0, 1.0]}
    if name == "sizes":
        request["scales"] = None
    crop = {"coordinate_transformation_mode": "tf_crop_and_resize"}
    error = refusal(**crop, **(request | {name: values}))
    assert error.code == "HP116"
    assert error.sentence.startswith(f"{name!r} cannot be read as ")
    assert error.given.startswith(f"{name}=")
    assert error.do == f"pass {name!r} as a list of {'integers' if name in ('axes', 'sizes') else 'numbers'}"
    if name == "scales":
        with pytest.raises(SpecError, match="'scales' cannot be read as real numbers"):
            output_sizes((4, 4), values)


@pytest.mark.parametrize("value", [2.5, NAN, INF, Fraction(5, 2), Decimal("2.5"), np.float32(2.5)])
def test_sizes_with_a_fraction(value):
    assert refusal(sizes=[4, value]).code == "HP116"


@pytest.mark.parametrize("value", [1.0, Fraction(1), np.float64(1)])
def test_axes_are_integers_by_type(value):
    assert refusal(sizes=[4], axes=[value]).code == "HP116"


@pytest.mark.rule("R-INP-14")
@pytest.mark.parametrize(
    "scales",
    [
        (2, 0.5),
        [2.0, Fraction(1, 2)],
        [Decimal(2), Decimal("0.5")],
        np.array([2, 0.5]),
        np.array([2, 0.5], np.float16),
        np.array([2, 0.5], ml_dtypes.bfloat16),
        np.array([2, 0.5], object),
        [np.float32(2), np.float64(0.5)],
        [np.int8(2), np.array(0.5)],
        (scale for scale in (2, 0.5)),
    ],
)
def test_scales_are_any_real_numbers(scales):
    assert resize_spec((4, 4), scales) == resize_spec((4, 4), [2.0, 0.5])


@pytest.mark.rule("R-INP-14")
@pytest.mark.parametrize(
    "sizes",
    [
        (8, 2),
        np.array([8, 2]),
        np.array([8, 2], np.uint8),
        [np.int64(8), 2.0],
        [Fraction(8), Decimal(2)],
        range(8, 1, -6),
    ],
)
def test_sizes_are_any_whole_numbers(sizes):
    spec = resize_spec((4, 4), sizes=sizes)
    assert spec == resize_spec((4, 4), sizes=[8, 2])
    assert all(type(length) is int for length in spec.out_shape)


class Eight:
    def __index__(self):
        return 8


def test_sizes_of_integer_types_are_never_rounded():
    # float64 cannot hold 2^53 + 1
    assert resize_spec((4,), sizes=[np.int64(2**53 + 1)]).out_shape == (2**53 + 1,)
    assert resize_spec((4,), sizes=np.uint64([2**53 + 1])).out_shape == (2**53 + 1,)
    assert resize_spec((4,), sizes=[Eight()]).out_shape == (8,)
    assert resize_spec((4,), scales=[Eight()]).out_shape == (32,)


def test_axes_may_come_as_an_array():
    assert resize_spec((4, 4), sizes=[8], axes=np.array([-1])) == resize_spec((4, 4), sizes=[8], axes=[1])


@pytest.mark.parametrize(
    "shape",
    [4, None, "44", b"44", [-1, 4], (4, -1), (4, 2.0), (4, True), (4, "4"), {4}, np.zeros((1, 2), int), Hostile()],
)
def test_what_is_no_shape(shape):
    error = refusal(shape, scales=[2.0, 2.0])
    assert (error.code, error.do) == ("HP121", "pass x.shape")
    assert error.given.startswith("x_shape=")
    with pytest.raises(SpecError, match="HP121"):
        output_sizes(shape, [2.0, 2.0])


def test_a_shape_may_be_a_list_or_an_array():
    assert (
        resize_spec([4, 4], [2.0, 2.0]) == resize_spec(np.array([4, 4]), [2.0, 2.0]) == resize_spec((4, 4), [2.0, 2.0])
    )


def test_messages_stay_short():
    error = refusal(scales=[2.0] * 100000)
    assert len(str(error)) < 1000
    error = refusal(mode="x" * 100000)
    assert len(str(error)) < 1000


def test_a_spec_is_frozen_hashable_and_picklable():
    spec = resize_spec((4, 4), [2.0, 2.0])
    assert hash(spec) == hash(resize_spec((4, 4), [2.0, 2.0]))
    assert pickle.loads(pickle.dumps(spec)) == spec
    with pytest.raises(AttributeError):
        spec.mode = "linear"


# How many of the values below each argument takes; roi is ignored without tf_crop_and_resize.
TAKEN = {
    "scales": 0,
    "sizes": 2,  # None and []
    "roi": 15,
    "axes": 1,  # None
    "mode": 1,
    "coordinate_transformation_mode": 0,
    "nearest_mode": 0,
    "keep_aspect_ratio_policy": 0,
    "cubic_coeff_a": 3,  # -1, 2**70 and pi
    "extrapolation_value": 4,  # the same and the huge one, which is infinity
    "antialias": 1,
    "exclude_outside": 1,
    "version": 0,
    "length_rule": 0,
}


@pytest.mark.parametrize("name", TAKEN)
def test_whatever_a_caller_passes_a_refusal_is_of_the_family(name):
    values = [
        None,
        True,
        -1,
        2**70,
        10**5000,
        NAN,
        math.pi,
        "nearest",
        b"x",
        [],
        [[]],
        {},
        object(),
        Hostile(),
        np.zeros(3),
    ]
    refused = []
    for value in values:
        try:
            resize_spec((4, 4), **({"scales": [2.0, 2.0]} | {name: value}))
        except HalfpixelError as error:
            refused.append(error)
    assert [error for error in refused if not str(error).startswith(f"[{error.code}]")] == []
    assert len(values) - len(refused) == TAKEN[name]
