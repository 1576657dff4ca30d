"""Output lengths: scales, sizes, policies, axes, roi. Every expected number can be checked by hand."""

import pytest

from halfpixel._errors import ResourceError, SpecError
from halfpixel.spec.resize import resize_spec
from halfpixel.spec.sizes import output_sizes

CROP = "tf_crop_and_resize"


def length(in_size, **request):
    return resize_spec((in_size,), **request).out_shape[0]


@pytest.mark.rule("R-LEN-01")
@pytest.mark.parametrize(
    ("in_size", "scale", "expected"),
    [
        (86, 256 / 86, 255),  # float32(256 / 86) is a little below 256 / 86
        (224, 706 / 224, 705),
        (10, 0.7, 6),  # float32(0.7) is 0.699999988
        (88, 120 / 88, 120),  # float32(120 / 88) is a little above
        (4, 0.6, 2),
        (4, 0.8, 3),
        (2, 2.94, 5),
        (5, 1.0, 5),
        (3, 1.3, 3),
        (16777217, 1.0, 16777217),  # 2^24 + 1, which float32 cannot hold
    ],
)
def test_scales_give_the_floor_of_the_exact_product(in_size, scale, expected):
    assert length(in_size, scales=[scale]) == expected
    assert output_sizes((in_size,), [scale]) == (expected,)


@pytest.mark.rule("R-LEN-02")
@pytest.mark.parametrize(
    ("in_size", "scale", "expected"),
    [(86, 256 / 86, 256), (224, 706 / 224, 706), (10, 0.7, 7), (4, 0.6, 2), (2**24 + 1, 1.0, 2**24)],
)
def test_float32_floor_rounds_the_product_first(in_size, scale, expected):
    assert length(in_size, scales=[scale], length_rule="float32_floor") == expected
    assert output_sizes((in_size,), [scale], rule="float32_floor") == (expected,)


@pytest.mark.rule("R-LEN-13")
@pytest.mark.parametrize(
    ("in_size", "scale", "rounded", "ceiling"),
    [(5, 0.5, 3, 3), (4, 0.6, 2, 3), (4, 0.5, 2, 2), (3, 1.25, 4, 4), (2, 1.25, 3, 3), (9, 0.25, 2, 3), (0, 2.0, 0, 0)],
)
def test_round_is_half_up_and_ceil_is_up(in_size, scale, rounded, ceiling):
    assert output_sizes((in_size,), [scale], rule="round") == (rounded,)
    assert output_sizes((in_size,), [scale], rule="ceil") == (ceiling,)


@pytest.mark.rule("R-LEN-13")
@pytest.mark.parametrize("rule", ["floor", "round", "ceil", "float32_floor"])
def test_a_length_rule_leaves_the_scale_as_given(rule):
    (axis,) = resize_spec((5,), scales=[0.5], length_rule=rule).axes
    assert axis.scale == (1, 2)
    assert (axis.line.step, axis.line.start, axis.line.divisor) == (4, 1, 2)


@pytest.mark.rule("R-LEN-03")
@pytest.mark.parametrize(
    ("roi", "scale", "expected"),
    [([0.25, 0.75], 2.0, 4), ([0.0, 1.0], 2.0, 8), ([-0.5, 1.5], 1.0, 8), ([0.5, 0.5], 9.0, 0), ([0.0, 0.25], 1.5, 1)],
)
def test_a_roi_shortens_the_length_that_scales_give(roi, scale, expected):
    request = {"scales": [scale], "roi": roi, "coordinate_transformation_mode": CROP}
    assert length(4, **request) == expected


@pytest.mark.rule("R-LEN-02")
def test_float32_floor_leaves_the_roi_out():
    request = {"scales": [2.0], "roi": [0.25, 0.75], "coordinate_transformation_mode": CROP}
    assert length(4, **request, length_rule="float32_floor") == 8


@pytest.mark.rule("R-INP-11")
@pytest.mark.parametrize("roi", [[0.25, 0.75], [], [float("nan")], [1.0, 2.0, 3.0], "anything"])
def test_a_roi_counts_only_in_tf_crop_and_resize(roi):
    assert resize_spec((4,), [2.0], roi=roi) == resize_spec((4,), [2.0])


@pytest.mark.rule("R-LEN-04", "R-LEN-15")
def test_sizes_are_taken_as_given():
    assert resize_spec((1, 1, 3, 4), sizes=[1, 1, 6, 6]).out_shape == (1, 1, 6, 6)
    assert resize_spec((1, 1, 3, 4), sizes=[1, 1, 6, 6], keep_aspect_ratio_policy="stretch").out_shape == (1, 1, 6, 6)


POLICIES = [
    # shape, axes, sizes, not_larger, not_smaller
    ((2, 2), None, [7, 8], (7, 7), (8, 8)),
    ((2, 4), None, [1, 3], (1, 2), (2, 3)),  # 2 * 3 / 4 = 1.5 is 2, half up
    ((1, 1, 2, 2), [2, 3], [7, 8], (1, 1, 7, 7), (1, 1, 8, 8)),
    ((1, 1, 4, 2), [3, 2], [8, 7], (1, 1, 7, 4), (1, 1, 16, 8)),  # 7 / 4 and 8 / 2; 2 * 7 / 4 = 3.5 is 4
    ((3, 9), None, [1, 6], (1, 3), (2, 6)),
    ((9, 4), None, [3, 4], (3, 1), (9, 4)),  # 4 * 3 / 9 = 1.33 is 1
    ((0, 4), None, [0, 2], (0, 2), (0, 2)),
    ((5, 4), None, [0, 2], (0, 0), (3, 2)),  # 5 / 2 = 2.5 is 3
    ((10**15 + 1, 3), None, [10**15, 3], (10**15, 3), (10**15 + 1, 3)),
]


@pytest.mark.rule("R-LEN-05", "R-LEN-07")
@pytest.mark.parametrize(("shape", "axes", "sizes", "not_larger", "_"), POLICIES)
def test_not_larger(shape, axes, sizes, not_larger, _):
    spec = resize_spec(shape, sizes=sizes, axes=axes, keep_aspect_ratio_policy="not_larger")
    assert spec.out_shape == not_larger


@pytest.mark.rule("R-LEN-06", "R-LEN-07")
@pytest.mark.parametrize(("shape", "axes", "sizes", "_", "not_smaller"), POLICIES)
def test_not_smaller(shape, axes, sizes, _, not_smaller):
    spec = resize_spec(shape, sizes=sizes, axes=axes, keep_aspect_ratio_policy="not_smaller")
    assert spec.out_shape == not_smaller


@pytest.mark.rule("R-LEN-08")
def test_under_a_policy_coordinates_use_the_common_scale():
    rows, columns = resize_spec((2, 4), sizes=[1, 3], keep_aspect_ratio_policy="not_smaller").axes
    assert rows.scale == columns.scale == (3, 4)
    assert (rows.in_size, rows.out_size) == (2, 2)  # resampled, although the length stays
    assert (rows.line.step, rows.line.start, rows.line.divisor) == (8, 1, 6)  # (i + 1/2) * 4 / 3 - 1/2


@pytest.mark.rule("R-LEN-09")
@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
def test_a_policy_does_not_apply_to_scales(policy):
    request = {"scales": [2.0, 3.0]}
    assert resize_spec((2, 2), **request, keep_aspect_ratio_policy=policy) == resize_spec((2, 2), **request)


@pytest.mark.rule("R-LEN-10", "R-AXE-01", "R-AXE-06", "R-AXE-07")
def test_axes_that_are_not_listed_keep_their_length():
    assert resize_spec((2, 3, 4, 5), sizes=[8, 9], axes=[3, 1]).out_shape == (2, 9, 4, 8)
    assert resize_spec((2, 3, 4, 5), [2.0, 3.0], axes=[3, 1]).out_shape == (2, 9, 4, 10)
    assert [axis.axis for axis in resize_spec((2, 3, 4, 5), sizes=[8, 9], axes=[3, 1]).axes] == [1, 3]


@pytest.mark.rule("R-AXE-02")
def test_without_axes_all_are_meant():
    assert resize_spec((2, 3), sizes=[4, 5]) == resize_spec((2, 3), sizes=[4, 5], axes=[0, 1])


@pytest.mark.rule("R-AXE-03")
def test_a_negative_axis_counts_from_the_back():
    assert resize_spec((2, 3, 4), sizes=[8, 6], axes=[-1, -3]) == resize_spec((2, 3, 4), sizes=[8, 6], axes=[2, 0])


@pytest.mark.rule("R-AXE-08")
@pytest.mark.parametrize("request_", [{"scales": []}, {"sizes": []}])
def test_an_empty_list_of_axes_is_no_axis(request_):
    spec = resize_spec((2, 3), axes=[], **request_)
    assert (spec.out_shape, spec.axes) == ((2, 3), ())


@pytest.mark.rule("R-LEN-11")
def test_a_length_may_become_zero():
    assert resize_spec((2, 3), sizes=[0, 6]).out_shape == (0, 6)
    spec = resize_spec((2, 3), [0.25, 1.0])
    assert spec.out_shape == (0, 3)
    assert spec.axes[0].out_size == 0
    assert (spec.axes[0].line.step, spec.axes[0].line.start, spec.axes[0].line.divisor) == (0, 0, 1)


@pytest.mark.rule("R-LEN-12")
def test_a_length_of_zero_stays():
    assert resize_spec((0, 3), [5.0, 2.0]).out_shape == (0, 6)
    assert resize_spec((0, 3), sizes=[0, 6]).out_shape == (0, 6)
    assert [axis.axis for axis in resize_spec((0, 3), [5.0, 2.0]).axes] == [1]
    for policy in ("stretch", "not_larger", "not_smaller"):
        with pytest.raises(SpecError, match="cannot grow") as info:
            resize_spec((0, 3), sizes=[1, 6], keep_aspect_ratio_policy=policy)
        assert (info.value.code, info.value.given) == ("HP119", "sizes=[1, 6], X of shape (0, 3)")


@pytest.mark.rule("R-INP-04")
@pytest.mark.parametrize("request_", [{"scales": []}, {"sizes": []}])
def test_for_rank_0_the_empty_tensor_is_the_value(request_):
    spec = resize_spec((), **request_)
    assert (spec.out_shape, spec.axes) == ((), ())


@pytest.mark.rule("R-INP-03")
def test_an_empty_tensor_is_absent():
    assert resize_spec((2,), [], [4]) == resize_spec((2,), None, [4])
    assert resize_spec((2,), [2.0], []) == resize_spec((2,), [2.0], None)


@pytest.mark.rule("R-INP-09")
@pytest.mark.parametrize("rank", range(1, 9))
def test_any_rank(rank):
    assert resize_spec((3,) * rank, sizes=[5] * rank).out_shape == (5,) * rank


@pytest.mark.rule("R-LEN-14")
@pytest.mark.parametrize(
    "request_",
    [
        {"sizes": [2**40, 2**40]},
        {"sizes": [2**63, 1]},
        {"sizes": [2**62, 2]},
        {"sizes": [0, 2**64]},
        {"scales": [1.25e12, 1.25e12]},
        {"scales": [3.0e38, 1.0]},
        {"scales": [3.0e38, 1.0], "length_rule": "float32_floor"},
    ],
)
def test_more_elements_than_63_bits_count_are_refused(request_):
    with pytest.raises(ResourceError, match="more elements than 63 bits can count") as info:
        resize_spec((2, 2), **request_)
    assert info.value.code == "HP300"
    assert info.value.allowed == "at most 2**63 - 1 elements"


@pytest.mark.parametrize(
    ("request_", "given"),
    [
        ({"sizes": [2**62, 2]}, "sizes=[4611686018427387904, 2], which is an output of shape (4611686018427387904, 2)"),
        (
            {"scales": [2**62, 2]},
            "scales=[4611686018427387904, 2], which is an output of shape (9223372036854775808, 4)",
        ),
    ],
)
def test_the_refusal_shows_what_asked_for_it(request_, given):
    with pytest.raises(ResourceError) as info:
        resize_spec((2, 2), **request_)
    assert info.value.given == given
    if "scales" in request_:
        with pytest.raises(ResourceError) as info:
            output_sizes((2, 2), request_["scales"])
        assert info.value.given == given


def test_just_below_the_limit_is_a_shape():
    assert resize_spec((2, 2), sizes=[2**31, 2**31]).out_shape == (2**31, 2**31)
    assert resize_spec((2, 2), sizes=[2**63 - 1, 1]).out_shape == (2**63 - 1, 1)
    with pytest.raises(ResourceError):
        output_sizes((2, 2), [2.0**32, 2.0**32])


@pytest.mark.parametrize("rule", ["nearest", "FLOOR", "", None, 1, ["floor"]])
def test_an_unknown_length_rule_is_an_error(rule):
    with pytest.raises(SpecError, match="is not a rule for lengths") as info:
        output_sizes((2,), [2.0], rule=rule)
    assert info.value.code == "HP126"
    with pytest.raises(SpecError, match="is not a rule for lengths"):
        resize_spec((2,), [2.0], length_rule=rule)
