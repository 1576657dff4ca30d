"""tf_crop_and_resize outside the input. The input coordinates are -1.5, 0, 1.5, 3 and 4.5 of samples 0 to 3."""

import numpy as np
import pytest

import halfpixel as hp

CROP = {"coordinate_transformation_mode": "tf_crop_and_resize"}


def cropped(values, dtype=np.float32, **request):
    return hp.resize(np.array(values, dtype), sizes=[5], roi=[-0.5, 1.5], **CROP, **request).tolist()


@pytest.mark.rule("R-EXT-01", "R-EXT-02")
@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"mode": "linear"}, [10, 0, 1.5, 3, 10]),
        ({"mode": "nearest"}, [10, 0, 1, 3, 10]),
        ({"mode": "nearest", "nearest_mode": "ceil"}, [10, 0, 2, 3, 10]),
        ({"mode": "cubic"}, [10, 0, 1.5, 3, 10]),
        ({"mode": "linear", "exclude_outside": 1}, [10, 0, 1.5, 3, 10]),
        # Scale 5/4 does not stretch the filter.
        ({"mode": "linear", "antialias": 1}, [10, 0, 1.5, 3, 10]),
    ],
)
def test_outside_is_the_extrapolation_value_in_every_mode(request_, expected):
    assert cropped([0, 1, 2, 3], extrapolation_value=10.0, **request_) == pytest.approx(expected, abs=1e-6)


@pytest.mark.rule("R-EXT-02")
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_one_axis_outside_is_enough(mode):
    x = np.float32([[1, 2], [3, 4]])
    # rows at 0 and 1, columns at -1 and 1
    result = hp.resize(x, sizes=[2, 2], roi=[0, -1, 1, 1], mode=mode, extrapolation_value=9, **CROP)
    assert result.tolist() == [[9, 2], [9, 4]]
    # rows at 0 and 2, columns at 0 and 1
    result = hp.resize(x, sizes=[2, 2], roi=[0, 0, 2, 1], mode=mode, extrapolation_value=9, **CROP)
    assert result.tolist() == [[1, 2], [9, 9]]


@pytest.mark.rule("R-EXT-02")
def test_all_outside():
    result = hp.resize(np.float32([1, 2]), sizes=[2], roi=[2.0, 3.0], extrapolation_value=7, **CROP)
    assert result.tolist() == [7, 7]


@pytest.mark.rule("R-EXT-03")
def test_the_default_is_0():
    assert cropped([5, 6, 7, 8], mode="linear") == [0, 5, 6.5, 8, 0]


@pytest.mark.rule("R-EXT-04")
@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        (np.int8, 300.0, 127),
        (np.int8, -1e30, -128),
        (np.uint8, -3.0, 0),
        (np.uint8, 2.5, 2),
        (np.uint8, 3.5, 4),
        (np.int64, 1e30, 9223372036854775807),
        (np.bool_, 0.5, True),
        (np.bool_, 0.25, False),
        (np.float16, 1e6, np.inf),
        (np.float32, -np.inf, -np.inf),
        (np.complex64, 1.5, 1.5 + 0j),
    ],
)
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_the_value_is_converted_like_a_result(dtype, value, expected, mode):
    result = cropped([1, 1, 0, 0], dtype, mode=mode, extrapolation_value=value)
    assert (result[0], result[1], result[4]) == (expected, 1, expected)


@pytest.mark.rule("R-EXT-05")
@pytest.mark.parametrize("dtype", [object, "<U1"])
def test_strings_have_nothing_to_put_outside(dtype):
    with pytest.raises(hp.SpecError, match="a string cannot be extrapolated"):
        cropped(["a", "b", "c", "d"], dtype)
    inside = hp.resize(np.array(["a", "b", "c"], dtype), sizes=[2], roi=[0, 1], **CROP)
    assert inside.tolist() == ["a", "c"]


@pytest.mark.rule("R-EXT-06")
@pytest.mark.parametrize("mode", ["half_pixel", "asymmetric", "half_pixel_symmetric", "pytorch_half_pixel"])
def test_other_coordinate_modes_do_not_extrapolate(mode):
    x = np.float32([1, 2])
    result = hp.resize(x, [4.0], mode="linear", coordinate_transformation_mode=mode, extrapolation_value=99)
    assert result.max() == 2


@pytest.mark.rule("R-LEN-03")
def test_scales_multiply_what_the_roi_leaves():
    # 4 samples, half of them, twice: 4 samples from 3/4 to 9/4.
    result = hp.resize(np.float32([0, 1, 2, 3]), [2.0], roi=[0.25, 0.75], mode="linear", **CROP)
    assert result.tolist() == [0.75, 1.25, 1.75, 2.25]


@pytest.mark.rule("R-CRD-12", "R-CRD-13")
def test_a_crop_by_hand():
    x = np.float32([0, 10, 20, 30, 40])
    assert hp.resize(x, sizes=[3], roi=[0.25, 0.75], mode="linear", **CROP).tolist() == [10, 20, 30]
    assert hp.resize(x, sizes=[3], roi=[0.75, 0.25], mode="linear", **CROP).tolist() == [30, 20, 10]
    assert hp.resize(x, sizes=[1], roi=[0.25, 0.5], mode="linear", **CROP).tolist() == [15]
