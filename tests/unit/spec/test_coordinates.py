"""Coordinates as exact fractions, and which axes are resampled. Every expected value can be checked by hand."""

from fractions import Fraction
from math import gcd

import pytest

from halfpixel.spec.resize import resize_spec

FLOAT32_06 = Fraction(5033165, 8388608)  # float32(0.6) = 0.60000002384...
CROP = "tf_crop_and_resize"


def positions(in_size, mode, **request):
    """The input coordinates of the output samples of a single axis."""
    (axis,) = resize_spec((in_size,), coordinate_transformation_mode=mode, **request).axes
    return [Fraction(axis.line.step * i + axis.line.start, axis.line.divisor) for i in range(axis.out_size)]


@pytest.mark.rule("R-CRD-04")
def test_half_pixel():
    # (i + 1/2) / scale - 1/2
    assert positions(2, "half_pixel", scales=[2.0]) == [Fraction(-1, 4), Fraction(1, 4), Fraction(3, 4), Fraction(5, 4)]
    assert positions(4, "half_pixel", sizes=[3]) == [Fraction(1, 6), Fraction(3, 2), Fraction(17, 6)]
    assert positions(5, "half_pixel", sizes=[1]) == [2]


@pytest.mark.rule("R-CRD-02")
def test_sizes_make_ties_exact():
    # From 20 to 6 one output sample covers 10/3: (i + 1/2) * 10/3 - 1/2.
    assert positions(20, "half_pixel", sizes=[6]) == [
        Fraction(7, 6),
        Fraction(9, 2),
        Fraction(47, 6),
        Fraction(67, 6),
        Fraction(29, 2),
        Fraction(107, 6),
    ]
    assert resize_spec((20,), sizes=[6]).axes[0].scale == (3, 10)


@pytest.mark.rule("R-CRD-01")
def test_scales_count_as_they_are_given():
    scale = FLOAT32_06
    assert resize_spec((4,), [0.6]).axes[0].scale == (scale.numerator, scale.denominator)
    assert positions(4, "half_pixel", scales=[0.6]) == [
        Fraction(1, 2) / scale - Fraction(1, 2),
        Fraction(3, 2) / scale - Fraction(1, 2),
    ]
    # The length is 5, the scale stays 1.25 and does not become 5/4 by way of the length.
    assert positions(3, "asymmetric", scales=[1.25]) == [0, Fraction(4, 5), Fraction(8, 5)]


@pytest.mark.rule("R-CRD-05")
def test_half_pixel_symmetric():
    # in / 2 * (1 - out / (in * scale)) + (i + 1/2) / scale - 1/2 with in * scale = 2.5 and out = 2
    assert positions(5, "half_pixel_symmetric", scales=[0.5]) == [1, 3]
    assert positions(5, "half_pixel", scales=[0.5]) == [Fraction(1, 2), Fraction(5, 2)]
    # The output's centre is the input's: with 0.6 that is 1.5, and the two samples lie 1 / scale apart.
    first, second = positions(4, "half_pixel_symmetric", scales=[0.6])
    assert second - first == 1 / FLOAT32_06
    assert (first + second) / 2 == Fraction(3, 2)


@pytest.mark.rule("R-CRD-05")
def test_half_pixel_symmetric_is_half_pixel_for_whole_lengths():
    assert positions(4, "half_pixel_symmetric", sizes=[7]) == positions(4, "half_pixel", sizes=[7])
    assert positions(4, "half_pixel_symmetric", scales=[0.5]) == positions(4, "half_pixel", scales=[0.5])


@pytest.mark.rule("R-CRD-06")
def test_pytorch_half_pixel_is_half_pixel_for_more_than_one_sample():
    assert positions(4, "pytorch_half_pixel", sizes=[3]) == [Fraction(1, 6), Fraction(3, 2), Fraction(17, 6)]


@pytest.mark.rule("R-CRD-07")
def test_pytorch_half_pixel_is_zero_for_one_sample():
    assert positions(4, "pytorch_half_pixel", sizes=[1]) == [0]
    assert positions(4, "pytorch_half_pixel", scales=[0.3]) == [0]


@pytest.mark.rule("R-CRD-08")
def test_align_corners_puts_end_samples_on_end_samples():
    assert positions(5, "align_corners", sizes=[9]) == [Fraction(i, 2) for i in range(9)]
    assert positions(4, "align_corners", sizes=[3]) == [0, Fraction(3, 2), 3]
    assert positions(2, "align_corners", scales=[2.0]) == [0, Fraction(1, 3), Fraction(2, 3), 1]


@pytest.mark.rule("R-CRD-09")
def test_align_corners_does_not_round_the_length():
    # 4 x 0.6 is 2.4 samples: 3 / 1.4 = 15/7 = 2.142857, with the float32 0.6.
    assert positions(4, "align_corners", scales=[0.6]) == [0, 3 / (4 * FLOAT32_06 - 1)]
    assert positions(5, "align_corners", scales=[0.5]) == [0, Fraction(8, 3)]  # 4 / (2.5 - 1)


@pytest.mark.rule("R-CRD-10")
def test_align_corners_is_zero_for_one_sample():
    assert positions(4, "align_corners", sizes=[1]) == [0]
    assert positions(4, "align_corners", scales=[0.25]) == [0]
    assert positions(1, "align_corners", sizes=[3]) == [0, 0, 0]
    assert positions(3, "align_corners", scales=[0.5], length_rule="ceil") == [0, 4]  # L is 3/2: 2 / (1/2)
    assert positions(2, "align_corners", scales=[0.25], length_rule="round") == [0]  # half a sample, rounded up


@pytest.mark.rule("R-CRD-11")
def test_asymmetric():
    assert positions(2, "asymmetric", scales=[2.0]) == [0, Fraction(1, 2), 1, Fraction(3, 2)]
    assert positions(4, "asymmetric", sizes=[3]) == [0, Fraction(4, 3), Fraction(8, 3)]


@pytest.mark.rule("R-CRD-15")
@pytest.mark.parametrize("version", [11, 13])
def test_tf_half_pixel_for_nn(version):
    assert positions(4, "tf_half_pixel_for_nn", sizes=[3], version=version) == [Fraction(2, 3), 2, Fraction(10, 3)]
    assert positions(2, "tf_half_pixel_for_nn", scales=[2.0], version=version) == [
        Fraction(1, 4),
        Fraction(3, 4),
        Fraction(5, 4),
        Fraction(7, 4),
    ]


@pytest.mark.rule("R-CRD-12", "R-INP-13")
def test_tf_crop_and_resize():
    assert positions(5, CROP, sizes=[3], roi=[0.25, 0.75]) == [1, 2, 3]
    assert positions(5, CROP, sizes=[2], roi=[-0.5, 1.5]) == [-2, 6]
    assert positions(5, CROP, sizes=[3], roi=[0.75, 0.25]) == [3, 2, 1]  # reversed
    assert positions(4, CROP, scales=[2.0], roi=[0.25, 0.75]) == [
        Fraction(3, 4),
        Fraction(5, 4),
        Fraction(7, 4),
        Fraction(9, 4),
    ]


@pytest.mark.rule("R-CRD-13")
def test_tf_crop_and_resize_to_one_sample_takes_the_middle():
    assert positions(5, CROP, sizes=[1], roi=[0.25, 0.75]) == [2]
    assert positions(5, CROP, sizes=[1], roi=[0.0, 0.25]) == [Fraction(1, 2)]


@pytest.mark.rule("R-CRD-14")
@pytest.mark.parametrize(("start", "end"), [(0.1, 0.7), (0.4, 0.6), (-0.3, 1.1), (0.75, 0.1)])
def test_tf_crop_and_resize_ends_are_exact(start, end):
    first, *_, last = positions(8, CROP, sizes=[7], roi=[start, end])
    assert (first, last) == (7 * Fraction(start), 7 * Fraction(end))


@pytest.mark.rule("R-INP-10")
def test_roi_lists_all_starts_and_then_all_ends():
    request = {"coordinate_transformation_mode": CROP, "sizes": [3, 3], "roi": [0.25, 0.5, 0.75, 1.0]}
    rows, columns = resize_spec((5, 5), **request).axes
    assert (rows.line.step, rows.line.start, rows.line.divisor) == (1, 1, 1)
    assert (columns.line.step, columns.line.start, columns.line.divisor) == (1, 2, 1)
    last, first = resize_spec((5, 5, 5), **request, axes=[2, 0]).axes[::-1]
    assert (first.axis, first.line.start, last.axis, last.line.start) == (0, 2, 2, 1)


@pytest.mark.rule("R-CRD-03")
def test_each_axis_has_its_own_coordinates():
    rows, columns = resize_spec((2, 4), [2.0, 0.5]).axes
    assert (rows.line.step, rows.line.start, rows.line.divisor) == (2, -1, 4)
    assert (columns.line.step, columns.line.start, columns.line.divisor) == (4, 1, 2)


@pytest.mark.rule("R-CRD-16")
def test_an_axis_whose_scale_is_not_1_is_resampled_at_the_same_length():
    scale = Fraction(10905190, 8388608)  # float32(1.3)
    assert positions(3, "asymmetric", scales=[1.3]) == [0, 1 / scale, 2 / scale]
    assert positions(2, "half_pixel", scales=[1.25]) == [Fraction(-1, 10), Fraction(7, 10)]


@pytest.mark.rule("R-CRD-17")
@pytest.mark.parametrize(
    "mode", ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", CROP]
)
@pytest.mark.parametrize("request_", [{"scales": [1.0]}, {"sizes": [3]}])
def test_an_axis_of_scale_1_and_whole_roi_is_copied(mode, request_):
    spec = resize_spec((3,), **request_, coordinate_transformation_mode=mode, roi=[0.0, 1.0], version=13)
    assert spec.axes == ()


@pytest.mark.rule("R-CRD-17")
def test_another_length_at_scale_1_is_no_copy():
    # float32 cannot hold 2^24 + 1, so that this rule shortens the axis by a sample.
    (axis,) = resize_spec((2**24 + 1,), [1.0], length_rule="float32_floor").axes
    assert (axis.scale, axis.out_size) == ((1, 1), 2**24)


@pytest.mark.rule("R-CRD-17")
def test_a_crop_at_the_same_length_is_no_copy():
    assert positions(3, CROP, sizes=[3], roi=[0.0, 0.5]) == [0, Fraction(1, 2), 1]
    assert positions(3, CROP, sizes=[3], roi=[1.0, 0.0]) == [2, 1, 0]


@pytest.mark.rule("R-CRD-18", "R-WGT-13")
def test_the_default_is_half_pixel_nearest():
    spec = resize_spec((2,), [2.0])
    assert spec == resize_spec((2,), [2.0], mode="nearest", coordinate_transformation_mode="half_pixel")


@pytest.mark.rule("R-EXT-06")
@pytest.mark.parametrize("mode", ["half_pixel", "align_corners", "asymmetric", CROP])
def test_only_tf_crop_and_resize_extrapolates(mode):
    (axis,) = resize_spec((4,), sizes=[8], coordinate_transformation_mode=mode, roi=[0.0, 2.0]).axes
    assert axis.extrapolate is (mode == CROP)


@pytest.mark.parametrize("mode", ["half_pixel", "half_pixel_symmetric", "align_corners", "asymmetric", CROP])
@pytest.mark.parametrize("request_", [{"scales": [0.7]}, {"scales": [3.1]}, {"sizes": [6]}, {"sizes": [9]}])
def test_lines_are_in_lowest_terms(mode, request_):
    (axis,) = resize_spec((8,), **request_, coordinate_transformation_mode=mode, roi=[0.2, 0.9]).axes
    assert gcd(axis.line.step, axis.line.start, axis.line.divisor) == 1
    assert axis.line.divisor > 0
    assert gcd(*axis.scale) == 1


@pytest.mark.rule("R-WGT-03")
def test_cubic_coeff_a_is_a_float32():
    assert resize_spec((2,), [2.0], mode="cubic", cubic_coeff_a=-0.6).cubic_coeff_a == -0.60000002384185791015625
    assert resize_spec((2,), [2.0], mode="cubic").cubic_coeff_a == -0.75


@pytest.mark.rule("R-WGT-08", "R-AA-05", "R-EXT-03")
def test_the_other_defaults_ask_for_nothing():
    spec = resize_spec((2,), [2.0])
    assert (spec.antialias, spec.exclude_outside, spec.extrapolation_value) == (False, False, 0.0)
    assert spec.axes[0].nearest_mode == "round_prefer_floor"
