"""Nodes as models hold them: versions by opset, inputs by type."""

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

X = np.float32([1, 2])
SCALES = np.float32([2])
SIZES = np.int64([4])
EMPTY = np.zeros(0, np.float32)


def run(op_type, inputs, opset, **attributes):
    return hp.run_node(op_type, inputs, attributes, opset=opset).tolist()


@pytest.mark.rule("R-VER-09")
def test_the_opset_picks_the_version():
    # i / scale at 10, half_pixel from 11 on
    assert run("Resize", [X, SCALES], 10, mode="linear") == [1, 1.5, 2, 2]
    assert run("Resize", [X, EMPTY, SCALES], 12, mode="linear") == [1, 1.25, 1.75, 2]
    assert run("Resize", [X, None, SCALES], 17, mode="linear") == [1, 1.25, 1.75, 2]
    with pytest.raises(hp.SpecError, match="Resize-13 has no 'antialias': it came with Resize-18"):
        run("Resize", [X, None, SCALES], 17, antialias=1)
    with pytest.raises(hp.SpecError, match="there is no Resize in opset 9"):
        run("Resize", [X, SCALES], 9)


@pytest.mark.rule("R-VER-03")
def test_inputs_by_version():
    assert run("Resize", [X, EMPTY, EMPTY, SIZES], 11) == [1, 1, 2, 2]
    assert run("Resize", [X, None, None, SIZES], 13) == [1, 1, 2, 2]
    with pytest.raises(hp.SpecError):
        run("Resize", [X], 11)


@pytest.mark.rule("R-UPS-04", "R-UPS-05")
def test_upsample_by_version():
    x = np.float32([[[[1, 2]]]])
    assert run("Upsample", [x], 6, height_scale=1.0, width_scale=2.0) == [[[[1, 1, 2, 2]]]]
    assert run("Upsample", [X], 8, scales=[2.0]) == [1, 1, 2, 2]
    assert run("Upsample", [X, SCALES], 9) == [1, 1, 2, 2]
    assert run("Upsample", [X, SCALES], 19) == [1, 1, 2, 2]


@pytest.mark.rule("R-UPS-06")
def test_the_example_of_upsample_10():
    x = np.float32([[[[1, 2], [3, 4]]]])
    scales = np.float32([1, 1, 2, 3])
    wider = [[1, 1, 1, 2, 2, 2], [1, 1, 1, 2, 2, 2], [3, 3, 3, 4, 4, 4], [3, 3, 3, 4, 4, 4]]
    assert run("Upsample", [x, scales], 9, mode="nearest") == [[wider]]


@pytest.mark.rule("R-VER-10")
def test_tf_half_pixel_for_nn_in_13():
    # coordinates 2/3, 2, 10/3
    inputs = [np.float32([0, 1, 2, 3]), None, None, np.int64([3])]
    request = {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "floor"}
    assert run("Resize", inputs, 13, **request) == [0, 2, 3]


@pytest.mark.rule("R-AXE-08")
def test_an_explicit_empty_axes_is_a_copy():
    assert run("Resize", [X, None, np.zeros(0, np.float32)], 18, axes=[]) == [1, 2]
    assert run("Resize", [X, None, None, np.zeros(0, np.int64)], 18, axes=[]) == [1, 2]


@pytest.mark.rule("R-INP-15")
@pytest.mark.parametrize(
    "inputs",
    [
        [X, None, np.float64([2])],
        [X, None, np.float16([2])],
        [X, None, np.int64([2])],
        [X, None, None, np.int32([4])],
        [X, None, None, np.float32([4])],
        [X, np.int64([0, 1]), None, SIZES],
        [X, np.array([0, 1], ml_dtypes.bfloat16), None, SIZES],
    ],
)
def test_inputs_of_another_type_are_an_error(inputs):
    with pytest.raises(hp.ElementTypeError):
        run("Resize", inputs, 19, coordinate_transformation_mode="tf_crop_and_resize")


@pytest.mark.rule("R-INP-15")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_roi_has_three_types(dtype):
    inputs = [np.float32([0, 1, 2, 3, 4]), np.array([0.25, 0.75], dtype), None, np.int64([3])]
    assert run("Resize", inputs, 19, coordinate_transformation_mode="tf_crop_and_resize") == [1, 2, 3]


@pytest.mark.rule("R-VER-04")
def test_bfloat16_from_13_on():
    x = np.array([1, 2], ml_dtypes.bfloat16)
    assert run("Resize", [x, None, SCALES], 13) == [1, 1, 2, 2]
    with pytest.raises(hp.ElementTypeError, match="Resize-11 does not take bfloat16"):
        run("Resize", [x, EMPTY, SCALES], 11)


@pytest.mark.rule("R-VER-08")
def test_not_strict():
    attributes = {"coordinate_transformation_mode": "half_pixel_symmetric", "mode": "linear"}
    inputs = [np.float32([1, 2, 3, 4, 5]), None, np.float32([0.5])]
    with pytest.raises(hp.SpecError, match="it came with Resize-19"):
        hp.run_node("Resize", inputs, attributes, opset=18)
    assert hp.run_node("Resize", inputs, attributes, opset=18, strict=False).tolist() == [2, 4]
