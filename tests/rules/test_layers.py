"""The operators as trainable layers."""

import gc
import inspect
import weakref

import numpy as np
import pytest

import halfpixel as hp
from halfpixel import layers

X = np.float32([1, 2])


@pytest.mark.rule("R-LAY-01", "R-LAY-07")
@pytest.mark.parametrize("layer", [layers.Resize, layers.Upsample, layers.DepthToSpace, layers.SpaceToDepth])
def test_defaults_of_training(layer):
    parameters = inspect.signature(layer).parameters
    defaults = {name: parameters[name].default for name in ("training", "lda_coeff", "name")}
    assert defaults == {"training": True, "lda_coeff": 1.0, "name": None}
    assert layer is layers.Resize or parameters["mode"].default in ("nearest", "DCR")


@pytest.mark.rule("R-LAY-02")
def test_defaults_of_the_attributes():
    layer = layers.Resize()
    assert {name: getattr(layer, name) for name in layer.attributes} == {
        "antialias": False,
        "axes": [],
        "coordinate_transformation_mode": "half_pixel",
        "cubic_coeff_a": -0.75,
        "exclude_outside": False,
        "extrapolation_value": 0.0,
        "keep_aspect_ratio_policy": "stretch",
        "mode": "nearest",
        "nearest_mode": "round_prefer_floor",
    }


@pytest.mark.rule("R-LAY-03")
def test_forward_takes_the_operators_inputs_in_order():
    crop = layers.Resize(coordinate_transformation_mode="tf_crop_and_resize", mode="linear")
    assert crop.forward(np.float32([0, 1, 2, 3, 4]), [0.25, 0.75], None, [3]).tolist() == [1, 2, 3]
    assert layers.Resize(mode="linear").forward(X, None, [2.0]).tolist() == [1, 1.25, 1.75, 2]


@pytest.mark.rule("R-AXE-09")
def test_empty_axes_are_all_axes():
    assert layers.Resize(axes=[]).forward(X, scales=[2.0]).tolist() == [1, 1, 2, 2]
    assert layers.Resize(axes=[1]).forward(X.reshape(1, 2), scales=[2.0]).tolist() == [[1, 1, 2, 2]]


@pytest.mark.rule("R-LAY-04")
@pytest.mark.parametrize(("lda_coeff", "expected"), [(1.0, [3.25, 6.75]), (2.0, [6.5, 13.5]), (-0.5, [-1.625, -3.375])])
def test_backward_is_lda_coeff_times_the_gradient(lda_coeff, expected):
    layer = layers.Resize(mode="linear", lda_coeff=lda_coeff)
    layer.forward(X, sizes=[4])
    assert layer.backward(np.float32([1, 2, 3, 4])).tolist() == expected


@pytest.mark.rule("R-LAY-04", "R-LAY-07")
def test_backward_of_the_other_layers():
    upsample = layers.Upsample(lda_coeff=2.0)
    assert upsample.forward(X, [2.0]).tolist() == [1, 1, 2, 2]
    assert upsample.backward(np.float32([1, 2, 3, 4])).tolist() == [6, 14]
    deep = np.arange(8, dtype=np.float32).reshape(1, 8, 1, 1)
    for mode in ("DCR", "CRD"):
        to_space = layers.DepthToSpace(2, mode=mode, lda_coeff=3.0)
        to_depth = layers.SpaceToDepth(2, mode=mode, lda_coeff=3.0)
        wide = to_space.forward(deep)
        assert wide.shape == (1, 2, 2, 2)
        assert to_space.backward(wide).ravel().tolist() == [0, 3, 6, 9, 12, 15, 18, 21]
        assert np.array_equal(to_depth.forward(wide), deep)
        assert np.array_equal(to_depth.backward(deep), 3 * wide)


@pytest.mark.rule("R-LAY-05")
def test_it_keeps_no_tensor():
    layer = layers.Resize(mode="linear")
    x = np.zeros((1, 1, 8, 8), np.float32)
    y = layer.forward(x, sizes=[1, 1, 16, 16])
    watched = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [reference() for reference in watched] == [None, None]
    assert layer.backward(np.ones((1, 1, 16, 16), np.float32)).sum() == 256


@pytest.mark.rule("R-LAY-06")
def test_backward_out_of_training_mode_says_so():
    layer = layers.Resize(training=False)
    layer.forward(X, scales=[2.0])
    with pytest.raises(hp.SpecError, match="backward needs a layer in training mode"):
        layer.backward(np.ones(4, np.float32))


@pytest.mark.rule("R-LAY-06")
@pytest.mark.parametrize(
    "layer", [layers.Resize(), layers.Upsample(), layers.DepthToSpace(2), layers.SpaceToDepth(2)], ids=repr
)
def test_backward_before_forward_says_so(layer):
    with pytest.raises(hp.SpecError, match="backward comes after a forward in training mode"):
        layer.backward(np.ones((1, 4, 2, 2), np.float32))
