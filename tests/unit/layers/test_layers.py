"""The layers: forward, backward, training mode, and their ONNX nodes."""

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import onnx
import pytest

import halfpixel as hp
from halfpixel import layers
from halfpixel.onnx import backend

X = np.array([1, 2], np.float32)
IMAGE = np.arange(8, dtype=np.float32).reshape(1, 8, 1, 1)


def error(call: Any) -> hp.HalfpixelError:
    with pytest.raises(hp.HalfpixelError) as caught:
        call()
    return caught.value


def test_defaults_are_those_of_the_document() -> None:
    layer = layers.Resize()
    assert vars(layer) | {"_gradient": None, "_given": None} == {
        "antialias": False,
        "axes": [],
        "coordinate_transformation_mode": "half_pixel",
        "cubic_coeff_a": -0.75,
        "exclude_outside": False,
        "extrapolation_value": 0,
        "keep_aspect_ratio_policy": "stretch",
        "mode": "nearest",
        "nearest_mode": "round_prefer_floor",
        "training": True,
        "lda_coeff": 1,
        "name": None,
        "_gradient": None,
        "_given": None,
    }


def test_forward_with_scales_sizes_and_roi() -> None:
    layer = layers.Resize(mode="linear")
    assert layer.forward(X, scales=[2]).tolist() == [1, 1.25, 1.75, 2]
    assert layer.forward(X, None, None, [4]).tolist() == [1, 1.25, 1.75, 2]
    assert layer(X, sizes=np.array([4])).tolist() == [1, 1.25, 1.75, 2]
    crop = layers.Resize(mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9)
    assert crop.forward(X, [0, 2], None, [3]).tolist() == [1, 2, 9]


def test_backward_is_the_transpose() -> None:
    """[1, .75 .25, .25 .75, 1] transposed times 1, 10, 100, 1000."""
    layer = layers.Resize(mode="linear")
    layer.forward(X, scales=[2])
    dY = np.array([1, 10, 100, 1000], np.float32)
    assert layer.backward(dY).tolist() == [1 + 7.5 + 25, 2.5 + 75 + 1000]
    assert layer.backward(dY).tolist() == [33.5, 1077.5]


def test_backward_of_nearest_sums_over_the_copies() -> None:
    layer = layers.Resize()
    layer.forward(X, scales=[2])
    assert layer.backward(np.array([1, 10, 100, 1000], np.float32)).tolist() == [11, 1100]


def test_extrapolated_samples_give_nothing() -> None:
    layer = layers.Resize(mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9)
    layer.forward(X, [0, 2], None, [3])
    assert layer.backward(np.array([1, 10, 100], np.float32)).tolist() == [1, 10]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128", "bfloat16"])
def test_lda_coeff_is_a_factor_on_the_derivative(dtype: str) -> None:
    """On the derivative only: forward is as without it."""
    import ml_dtypes

    x = X.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    layer = layers.Resize(lda_coeff=-0.5)
    y = layer.forward(x, scales=[2])
    assert y.tolist() == [1, 1, 2, 2]
    dX = layer.backward(y)
    assert dX.dtype == x.dtype
    assert dX.tolist() == [-1, -2]


def test_lda_coeff_of_rank_0() -> None:
    layer = layers.Resize(lda_coeff=3.0)
    layer.forward(np.array(5, np.float32), sizes=[])
    dX = layer.backward(np.array(2, np.float32))
    assert type(dX) is np.ndarray
    assert dX.item() == 6


def test_backward_keeps_the_kind_of_array() -> None:
    import torch

    layer = layers.Resize(lda_coeff=2.0)
    y = layer.forward(torch.tensor([1.0, 2.0]), scales=[2])
    dX = layer.backward(y)
    assert isinstance(dX, torch.Tensor)
    assert dX.tolist() == [4, 8]


def test_empty_axes_are_absent() -> None:
    """The layer's default is "empty", and an explicit empty list is read the same: all axes."""
    for layer in (layers.Resize(), layers.Resize(axes=[])):
        assert layer.forward(X[None], scales=[1, 2]).tolist() == [[1, 1, 2, 2]]
    assert layers.Resize(axes=[-1]).forward(X[None], scales=[2]).tolist() == [[1, 1, 2, 2]]


def test_only_shapes_are_kept() -> None:
    """Between forward and backward neither X nor Y is held, and a change of the caller's scales does no harm."""
    layer = layers.Resize()
    x = X.copy()
    scales = np.array([2], np.float32)
    y = layer.forward(x, scales=scales)
    kept = [weakref.ref(x), weakref.ref(y), weakref.ref(scales)]
    scales[0] = 3
    del x, y, scales
    gc.collect()
    assert [each() for each in kept] == [None, None, None]
    assert layer.backward(np.ones(4, np.float32)).tolist() == [2, 2]


def test_attributes_may_change_after_the_layer_is_made() -> None:
    """backward belongs to the forward before it."""
    layer = layers.Resize()
    layer.forward(X, scales=[2])
    layer.mode = "linear"
    assert layer.backward(np.array([1, 10, 100, 1000], np.float32)).tolist() == [11, 1100]
    assert layer.forward(X, scales=[2]).tolist() == [1, 1.25, 1.75, 2]
    layer.mode = "lanczos"
    assert error(lambda: layer.forward(X, scales=[2])).code == "HP112"


def test_upsample() -> None:
    layer = layers.Upsample(mode="linear", lda_coeff=2)
    assert layer.forward(X, [2]).tolist() == [1, 1.5, 2, 2]
    assert layer.backward(np.array([1, 10, 100, 1000], np.float32)).tolist() == [2 * (1 + 5), 2 * (5 + 100 + 1000)]


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_the_rearrangements_undo_each_other(mode: Any) -> None:
    wide = layers.DepthToSpace(2, mode=mode)
    y = wide.forward(IMAGE)
    assert y.ravel().tolist() == ([0, 2, 4, 6, 1, 3, 5, 7] if mode == "DCR" else list(range(8)))
    assert wide.backward(y).tolist() == IMAGE.tolist()
    deep = layers.SpaceToDepth(2, mode=mode, lda_coeff=0.5)
    assert deep.forward(y).tolist() == IMAGE.tolist()
    assert (deep.backward(IMAGE) * 2).tolist() == y.tolist()


def all_layers(**keywords: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    return [
        (layers.Resize(**keywords), (X, None, [2])),
        (layers.Upsample(**keywords), (X, [2])),
        (layers.DepthToSpace(2, **keywords), (IMAGE,)),
        (layers.SpaceToDepth(1, **keywords), (IMAGE,)),
    ]


@pytest.mark.parametrize("number", range(4))
def test_message_of_backward_without_training(number: int) -> None:
    layer, inputs = all_layers(training=False)[number]
    y = layer.forward(*inputs)
    found = error(lambda: layer.backward(y))
    assert (type(found), found.code) == (hp.SpecError, "HP191")
    assert str(found) == (
        "[HP191] backward needs a layer in training mode\n"
        f"  given:   {layer.op_type} layer with training=False\n"
        "  allowed: training=True during forward and backward\n"
        "  do:      make the layer with training=True, or set layer.training = True before forward"
    )


@pytest.mark.parametrize("number", range(4))
def test_message_of_backward_without_forward(number: int) -> None:
    layer, inputs = all_layers()[number]
    assert error(lambda: layer.backward(X)).code == "HP192"
    y = layer.forward(*inputs)
    layer.backward(y)
    layer.training = False
    layer.forward(*inputs)
    layer.training = True
    assert error(lambda: layer.backward(y)).code == "HP192"


@pytest.mark.parametrize("number", range(4))
def test_message_of_a_derivative_of_another_shape(number: int) -> None:
    layer, inputs = all_layers()[number]
    y = layer.forward(*inputs)
    found = error(lambda: layer.backward(np.concatenate([y, y])))
    assert isinstance(found, hp.SpecError)
    assert str(y.shape) in found.allowed


@pytest.mark.parametrize("number", range(4))
def test_message_of_a_derivative_of_integers(number: int) -> None:
    layer, inputs = all_layers()[number]
    y = layer.forward(inputs[0].astype(np.int32), *inputs[1:])
    found = error(lambda: layer.backward(y))
    assert isinstance(found, hp.ElementTypeError)
    assert "float32" in found.allowed


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "1", None, True, 1j])
def test_message_of_lda_coeff(value: Any) -> None:
    for make in (layers.Resize, layers.Upsample, lambda **k: layers.DepthToSpace(2, **k)):
        found = error(lambda make=make: make(lda_coeff=value))
        assert (type(found), found.code) == (hp.SpecError, "HP190")
        assert found.sentence == "lda_coeff is not a finite number"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: layers.Resize(mode="lanczos"), "HP112"),  # type: ignore[arg-type]
        (lambda: layers.Resize(axes=0), "HP181"),  # type: ignore[arg-type]
        (lambda: layers.Resize(coordinate_transformation_mode="tf_half_pixel_for_nn"), "HP113"),
        (lambda: layers.Upsample(mode="cubic"), "HP112"),
        (lambda: layers.DepthToSpace(2.0), "HP181"),  # type: ignore[arg-type]
        (lambda: layers.SpaceToDepth(2, mode="RCD"), "HP112"),  # type: ignore[arg-type]
    ],
)
def test_wrong_attributes_are_refused_when_the_layer_is_made(make: Any, code: str) -> None:
    assert error(make).code == code


@pytest.mark.parametrize("keywords", [{"training": 1}, {"training": "yes"}, {"training": None}, {"name": 3}])
def test_message_of_training_and_name(keywords: dict[str, Any]) -> None:
    found = error(lambda: layers.Resize(**keywords))
    assert (type(found), found.code) == (hp.SpecError, "HP194")
    assert found.sentence == ("the name of a layer is text" if "name" in keywords else "'training' is a flag")


@pytest.mark.parametrize("number", range(4))
def test_a_layer_can_be_copied_and_pickled(number: int) -> None:
    """With the forward call that it keeps."""
    layer, inputs = all_layers(lda_coeff=2.0)[number]
    dX = layer.backward(layer.forward(*inputs))
    for twin in (pickle.loads(pickle.dumps(layer)), copy.deepcopy(layer)):
        assert repr(twin) == repr(layer)
        assert np.array_equal(twin.backward(layer.forward(*inputs)), dX)


def test_repr_shows_what_was_asked_for() -> None:
    assert repr(layers.DepthToSpace(2)) == (
        "DepthToSpace(blocksize=2, mode='DCR', training=True, lda_coeff=1.0, name=None)"
    )


def attributes_of(node: onnx.NodeProto) -> dict[str, Any]:
    return {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}


def test_onnx_node_leaves_defaults_out() -> None:
    node = layers.Resize(name="up").to_onnx_node()
    assert (node.op_type, node.name, node.domain) == ("Resize", "up", "")
    assert (list(node.input), list(node.output)) == (["X", "", "scales"], ["Y"])
    assert attributes_of(node) == {}
    assert attributes_of(layers.DepthToSpace(2).to_onnx_node()) == {"blocksize": 2}
    assert attributes_of(layers.SpaceToDepth(2, mode="CRD").to_onnx_node()) == {"blocksize": 2, "mode": b"CRD"}
    assert attributes_of(layers.Upsample().to_onnx_node()) == {}


def test_onnx_node_has_every_attribute_of_its_type() -> None:
    layer = layers.Resize(
        antialias=True,
        axes=[-1],
        coordinate_transformation_mode="tf_crop_and_resize",
        cubic_coeff_a=-0.5,
        exclude_outside=True,
        extrapolation_value=2,
        keep_aspect_ratio_policy="not_larger",
        mode="cubic",
        nearest_mode="ceil",
    )
    node = layer.to_onnx_node()
    onnx.checker.check_node(node)
    assert attributes_of(node) == {
        "antialias": 1,
        "axes": [-1],
        "coordinate_transformation_mode": b"tf_crop_and_resize",
        "cubic_coeff_a": -0.5,
        "exclude_outside": 1,
        "extrapolation_value": 2.0,
        "keep_aspect_ratio_policy": b"not_larger",
        "mode": b"cubic",
        "nearest_mode": b"ceil",
    }


def test_onnx_node_names_the_inputs_of_the_last_forward() -> None:
    layer = layers.Resize(mode="linear")
    layer.forward(X, sizes=[4])
    assert list(layer.to_onnx_node().input) == ["X", "", "", "sizes"]
    layer.forward(X, [0, 1], [2], [])
    assert list(layer.to_onnx_node().input) == ["X", "roi", "scales"]
    assert list(layer.to_onnx_node(["a", "", "", "b"], "c").input) == ["a", "", "", "b"]


@pytest.mark.parametrize("inputs", [["X"], ["X", "", "a", "b"], ["", "", "a"], ["X", "", "a", "", "b"], []])
def test_message_of_names_of_no_request(inputs: list[str]) -> None:
    found = error(lambda: layers.Resize().to_onnx_node(inputs))
    assert (type(found), found.code) == (hp.SpecError, "HP193")


@pytest.mark.parametrize("number", range(4))
def test_onnx_node_computes_what_the_layer_does(number: int) -> None:
    layer, inputs = all_layers()[number]
    y = layer.forward(*inputs)
    given = [None if value is None else np.asarray(value, np.float32) for value in inputs]
    opset = 9 if layer.op_type == "Upsample" else 28
    (again,) = backend.run_node(layer.to_onnx_node(), given, opset_version=opset)
    assert again.tolist() == y.tolist()


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_layers_loads_no_framework() -> None:
    code = "import halfpixel.layers, sys\nprint([m for m in ('onnx', 'torch', 'ml_dtypes') if m in sys.modules])"
    assert run_python(code) == "[]\n"


def test_message_of_an_onnx_node_without_onnx() -> None:
    code = "import sys; sys.modules['onnx'] = None\nimport halfpixel as hp, halfpixel.layers\n"
    code += "try:\n    halfpixel.layers.Resize().to_onnx_node()\n"
    code += "except hp.MissingExtraError as error:\n    print(error.code, error.do)"
    assert run_python(code) == "HP900 pip install 'halfpixel[onnx]'\n"


def test_another_missing_module_is_not_taken_for_onnx() -> None:
    code = "import sys; sys.modules['ml_dtypes'] = None\nimport halfpixel as hp, halfpixel.layers\n"
    code += "try:\n    halfpixel.layers.Resize().to_onnx_node()\n"
    code += "except ModuleNotFoundError as error:\n    print(error.name)"
    assert run_python(code) == "ml_dtypes\n"
