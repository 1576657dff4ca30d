"""Nearest, linear and cubic on samples that can be computed by hand."""

import numpy as np
import pytest

import halfpixel as hp


def resized(values, scales=None, sizes=None, dtype=np.float32, **request):
    """The result for a single axis as a list."""
    return hp.resize(np.array(values, dtype), scales, sizes, **request).tolist()


def asymmetric(values, scale, **request):
    return resized(values, [scale], coordinate_transformation_mode="asymmetric", **request)


NEAREST = [
    # coordinates 0, 1/4, 1/2, 3/4, 1, 5/4, 3/2, 7/4
    pytest.param("round_prefer_floor", [1, 1, 1, 2, 2, 2, 2, 2], marks=pytest.mark.rule("R-NEA-01")),
    pytest.param("round_prefer_ceil", [1, 1, 2, 2, 2, 2, 2, 2], marks=pytest.mark.rule("R-NEA-02")),
    pytest.param("floor", [1, 1, 1, 1, 2, 2, 2, 2], marks=pytest.mark.rule("R-NEA-03")),
    pytest.param("ceil", [1, 2, 2, 2, 2, 2, 2, 2], marks=pytest.mark.rule("R-NEA-04")),
]


@pytest.mark.rule("R-NEA-05")
@pytest.mark.parametrize(("nearest_mode", "expected"), NEAREST)
def test_nearest_modes(nearest_mode, expected):
    assert asymmetric([1, 2], 4.0, nearest_mode=nearest_mode) == expected


@pytest.mark.rule("R-NEA-01")
def test_round_prefer_floor_is_the_default():
    assert asymmetric([1, 2, 3], 2.0) == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("R-NEA-05")
def test_an_index_before_the_first_or_after_the_last_sample_is_clamped():
    # coordinates -1/4, 1/4, 3/4, 5/4
    assert resized([1, 2], [2.0], nearest_mode="floor") == [1, 1, 1, 2]
    assert resized([1, 2], [2.0], nearest_mode="ceil") == [1, 2, 2, 2]


@pytest.mark.rule("R-NEA-06")
def test_nearest_ignores_exclude_outside_and_antialias():
    expected = [1, 3]
    assert resized([1, 2, 3, 4], [0.5], nearest_mode="floor") == expected
    assert resized([1, 2, 3, 4], [0.5], nearest_mode="floor", exclude_outside=1, antialias=1) == expected


@pytest.mark.rule("R-NEA-07")
@pytest.mark.parametrize("nearest_mode", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
def test_linear_ignores_nearest_mode(nearest_mode):
    assert asymmetric([1, 2], 4.0, mode="linear", nearest_mode=nearest_mode)[:5] == [1, 1.25, 1.5, 1.75, 2]


@pytest.mark.rule("R-CRD-20")
def test_resize_10_nearest_takes_samples_0_and_2():
    assert resized([1, 2, 3, 4], [0.6], version=10) == [1, 3]
    assert resized([1, 2], [2.0], version=10) == [1, 1, 2, 2]


@pytest.mark.rule("R-CRD-19")
def test_resize_10_linear():
    assert resized([1, 2], [2.0], mode="linear", version=10) == [1, 1.5, 2, 2]
    assert hp.upsample(np.float32([1, 2]), [2.0], mode="linear").tolist() == [1, 1.5, 2, 2]


@pytest.mark.rule("R-UPS-06")
def test_upsample_repeats_samples():
    x = np.float32([[[[1, 2], [3, 4]]]])
    twice = [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]
    assert hp.upsample(x, height_scale=2, width_scale=2, version=1)[0, 0].tolist() == twice
    wider = [[1, 1, 1, 2, 2, 2], [1, 1, 1, 2, 2, 2], [3, 3, 3, 4, 4, 4], [3, 3, 3, 4, 4, 4]]
    assert hp.upsample(x, [1, 1, 2, 3])[0, 0].tolist() == wider


@pytest.mark.rule("R-INP-16")
def test_a_scale_below_1_takes_samples_away():
    assert resized([1, 2, 3, 4], [0.5], nearest_mode="floor") == [1, 3]
    assert resized([1, 2], [1.5], nearest_mode="floor") == [1, 1, 2]


@pytest.mark.rule("R-CRD-17")
def test_tf_half_pixel_for_nn_copies_an_axis_of_scale_1():
    request = {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "mode": "linear", "version": 11}
    assert resized([1, 2, 4], [1.0], **request) == [1, 2, 4]
    # coordinates 2/3, 2, 10/3: the axis that does change is half a sample to the right
    assert resized([0, 3, 6, 9], None, [3], **request) == pytest.approx([2, 6, 9])


@pytest.mark.rule("R-CRD-16")
def test_an_axis_of_the_same_length_but_another_scale_is_resampled():
    assert asymmetric([1, 2], 1.25, mode="linear") == pytest.approx([1, 1.8])


@pytest.mark.rule("R-CRD-09")
def test_align_corners_with_a_fractional_length():
    result = resized([1, 2, 3, 4], [0.6], mode="linear", coordinate_transformation_mode="align_corners")
    assert result == pytest.approx([1, 3.142857], abs=1e-6)


@pytest.mark.rule("R-WGT-01")
def test_linear_is_bilinear_on_two_axes():
    result = hp.resize(np.float32([[1, 2], [3, 4]]), [2.0, 2.0], mode="linear")
    assert result.tolist() == [
        [1, 1.25, 1.75, 2],
        [1.5, 1.75, 2.25, 2.5],
        [2.5, 2.75, 3.25, 3.5],
        [3, 3.25, 3.75, 4],
    ]


@pytest.mark.rule("R-WGT-02", "R-WGT-03")
def test_cubic_half_way_between_two_samples():
    # Keys' kernel at 1/2 and 3/2 with a = -3/4: 19/32 and -3/32.
    assert asymmetric([0, 32, 0, 0, 0, 0], 2.0, mode="cubic")[1:8:2] == [19, 19, -3, 0]


@pytest.mark.rule("R-WGT-02")
def test_cubic_on_two_axes_is_the_product():
    x = np.zeros((6, 6), np.float32)
    x[2, 2] = 1024
    result = hp.resize(x, [2.0, 2.0], mode="cubic", coordinate_transformation_mode="asymmetric")
    assert result[1:8:2, 1:8:2].tolist() == [
        [9, -57, -57, 9],
        [-57, 361, 361, -57],
        [-57, 361, 361, -57],
        [9, -57, -57, 9],
    ]


@pytest.mark.rule("R-WGT-02")
def test_cubic_with_another_coefficient():
    # a = -1/2: 9/16 and -1/16.
    result = asymmetric([0, 16, 0, 0, 0, 0], 2.0, mode="cubic", cubic_coeff_a=-0.5)
    assert result[1:8:2] == [9, 9, -1, 0]


@pytest.mark.rule("R-WGT-04")
@pytest.mark.parametrize(("mode", "expected"), [("nearest", [1, 1, 2, 2]), ("linear", [1, 1.25, 1.75, 2])])
def test_nearest_and_linear_ignore_cubic_coeff_a(mode, expected):
    assert resized([1, 2], [2.0], mode=mode, cubic_coeff_a=-3.0) == expected


@pytest.mark.rule("R-WGT-05")
def test_taps_outside_take_the_edge_sample():
    # At 1/2 the taps are -1, 0, 1, 2 with -3/32, 19/32, 19/32, -3/32; tap -1 falls to sample 0.
    assert asymmetric([32, 0, 0, 0], 2.0, mode="cubic")[1] == 16
    # linear at -1/4 and 5/4
    assert resized([1, 2], [2.0], mode="linear") == [1, 1.25, 1.75, 2]


@pytest.mark.rule("R-WGT-06")
def test_exclude_outside_divides_by_what_is_left():
    # At 1/2 tap -1 is dropped; 19, 19 and -3 of 35 are left.
    assert asymmetric([35, 0, 0, 0], 2.0, mode="cubic", exclude_outside=1)[1] == 19
    assert resized([1, 2], [2.0], mode="linear", exclude_outside=1) == [1, 1.25, 1.75, 2]


@pytest.mark.rule("R-WGT-07")
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_exclude_outside_with_nothing_left_takes_the_edge_sample(mode):
    # L is 1.5: with a length of 2 the second sample lies at 2, where the only tap is outside.
    request = {"mode": mode, "coordinate_transformation_mode": "align_corners", "exclude_outside": 1}
    plan = hp.plan_resize((2,), np.float32, [0.75], length_rule="ceil", **request)
    assert plan(np.float32([3, 7])).tolist() == [3, 7]


@pytest.mark.rule("R-WGT-09")
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_a_tap_of_weight_0_is_no_tap(mode):
    # coordinates 0, 2, 4
    values = [1, np.nan, 3, np.inf, 5]
    assert resized(values, None, [3], mode=mode, coordinate_transformation_mode="align_corners") == [1, 3, 5]


@pytest.mark.rule("R-WGT-10")
def test_nan_and_infinity_in_a_tap():
    nan = pytest.approx(np.nan, nan_ok=True)
    assert resized([1, np.nan], [2.0], mode="linear") == [1, nan, nan, nan]
    assert resized([1, np.inf], [2.0], mode="linear") == [1, np.inf, np.inf, np.inf]
    assert resized([-np.inf, np.inf], [2.0], mode="linear") == [-np.inf, nan, nan, np.inf]


@pytest.mark.rule("R-WGT-11")
def test_overflow_is_infinite():
    # At 3/2: 60000 * (19 + 19 + 3 + 3) / 32 = 82500, float16 ends at 65504.
    values = [-60000, 60000, 60000, -60000]
    assert asymmetric(values, 2.0, mode="cubic", dtype=np.float16)[3] == np.inf
    assert asymmetric(values, 2.0, mode="cubic", dtype=np.float32)[3] == 82500


@pytest.mark.rule("R-WGT-12")
def test_nothing_is_rounded_between_axes():
    # (0 + 1 + 1 + 1) / 4 = 3/4 is 1; rows rounded first would be 0 and 1, and their mean 1/2 would be 0.
    assert hp.resize(np.uint8([[0, 1], [1, 1]]), sizes=[1, 1], mode="linear").tolist() == [[1]]
    # (2048 + 1 + 1 + 0) / 4 = 512.5; in float16 the first row would be 1024, and the end 512.
    assert hp.resize(np.float16([[2048, 1], [1, 0]]), sizes=[1, 1], mode="linear").tolist() == [[512.5]]


@pytest.mark.rule("R-WGT-14")
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("antialias", [0, 1])
@pytest.mark.parametrize("size", [3, 7, 20])
def test_a_constant_stays_constant(mode, antialias, size):
    result = hp.resize(np.full((7, 7), 3.5), sizes=[size, size], mode=mode, antialias=antialias)
    assert result.ravel().tolist() == pytest.approx([3.5] * size**2, rel=1e-15)


@pytest.mark.rule("R-WGT-13")
def test_the_default_mode_is_nearest():
    assert resized([1, 2], [2.0]) == [1, 1, 2, 2]


@pytest.mark.rule("R-AA-01", "R-AA-03")
def test_antialias_stretches_the_filter_and_clamps_after_normalising():
    # Scale 1/2: at 1/2 the taps -1, 0, 1, 2 have 1/4, 3/4, 3/4, 1/4 of 2; tap -1 falls to sample 0.
    assert resized([8, 0, 0, 0], None, [2], mode="linear", antialias=1) == [4, 0]
    assert resized([1, 2, 3, 4], None, [2], mode="linear", antialias=1) == [1.625, 3.375]
    # The worked example: scale 0.6, at 1/3 the taps -1, 0, 1 have 0.2, 0.8, 0.6 of 1.6.
    assert resized([1, 2, 3, 4], [0.6], mode="linear", antialias=1) == pytest.approx([1.375, 3.0], abs=1e-6)


@pytest.mark.rule("R-AA-01")
def test_antialias_stretches_the_cubic_filter():
    # Scale 1/2: taps 1/2, 3/2, 5/2, 7/2 away from 9/2 count as 1/4, 3/4, 5/4, 7/4: 225, 67, -27, -9 of 512 (a = -3/4).
    weights = [-9, -27, 67, 225, 225, 67, -27, -9]
    result = hp.resize(np.eye(12), axes=[1], sizes=[6], mode="cubic", antialias=1)[:, 2]
    assert (result * 512).tolist() == [0, *weights, 0, 0, 0]


@pytest.mark.rule("R-AA-02")
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_antialias_does_nothing_to_an_axis_that_grows(mode):
    plain = resized([1, 5, 2], None, [7], mode=mode)
    assert resized([1, 5, 2], None, [7], mode=mode, antialias=1) == plain


@pytest.mark.rule("R-AA-04")
def test_antialias_with_exclude_outside_divides_by_what_is_left():
    # At 1/2: 3/4, 3/4 and 1/4 of 7/4.
    result = resized([7, 0, 0, 0], None, [2], mode="linear", antialias=1, exclude_outside=1)
    assert result == pytest.approx([3, 0])


@pytest.mark.rule("R-AA-05")
def test_antialias_is_off_by_default():
    assert resized([8, 0, 0, 0], None, [2], mode="linear") == [4, 0]
    assert resized([8, 0, 0, 0, 0, 0, 0, 0], None, [2], mode="linear") == [0, 0]  # taps 1 and 2 only
