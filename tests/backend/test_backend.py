"""halfpixel.onnx.backend: onnx's backend interface and its errors."""

import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.backend.base
import pytest
from onnx import TensorProto, helper

import halfpixel as hp
from halfpixel.onnx import backend
from tests.backend.vectors import IR_VERSION

X = np.array([1, 2], np.float32)
SCALES = np.array([2], np.float32)


def resize_model(opset: int = 19, op_type: str = "Resize", **attributes: Any) -> onnx.ModelProto:
    """x and s -> y, of rank 1."""
    names = ["x", "s"] if op_type == "Upsample" else ["x", "", "s"]
    node = helper.make_node(op_type, names, ["y"], **attributes)
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None]) for name in ("x", "s")]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None])
    graph = helper.make_graph([node], "g", inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=IR_VERSION)


def test_it_is_an_onnx_backend() -> None:
    assert issubclass(backend.Backend, onnx.backend.base.Backend)
    rep = backend.prepare(resize_model())
    assert isinstance(rep, onnx.backend.base.BackendRep)
    assert isinstance(backend.Backend.prepare(resize_model()), backend.BackendRep)


def test_outputs_have_positions_and_names() -> None:
    outputs = backend.run_model(resize_model(), [X, SCALES])
    assert outputs[0].tolist() == [1, 1, 2, 2]
    assert outputs["y"] is outputs[0]


@pytest.mark.parametrize("inputs", [[X, SCALES], (X, SCALES), {"x": X, "s": SCALES}])
def test_inputs_by_position_and_by_name(inputs: Any) -> None:
    (y,) = backend.prepare(resize_model()).run(inputs)
    assert y.tolist() == [1, 1, 2, 2]


def test_an_input_with_an_initializer_may_be_left_out() -> None:
    model = resize_model()
    model.graph.initializer.append(onnx.numpy_helper.from_array(SCALES, "s"))
    rep = backend.prepare(model)
    assert rep.run([X])[0].tolist() == [1, 1, 2, 2]
    assert rep.run([X, np.array([1], np.float32)])[0].tolist() == [1, 2]
    assert rep.run({"x": X})[0].tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("inputs", "given"),
    [
        ([X], "1 inputs"),
        ([X, SCALES, X], "3 inputs"),
        ({"x": X}, "inputs named ['x']"),
        ({"x": X, "s": SCALES, "z": X}, "inputs named ['s', 'x', 'z']"),
        (X, "one object of type ndarray"),
    ],
)
def test_wrong_inputs(inputs: Any, given: str) -> None:
    with pytest.raises(hp.ModelError, match=r"HP404[\s\S]*'x', 's'") as caught:
        backend.prepare(resize_model()).run(inputs)
    assert caught.value.given == given


def test_devices() -> None:
    assert backend.supports_device("CPU")
    assert not backend.supports_device("CUDA")
    with pytest.raises(hp.ModelError, match="HP403"):
        backend.prepare(resize_model(), "CUDA")
    with pytest.raises(hp.ModelError, match="HP403"):
        backend.run_node(resize_model().graph.node[0], [X, None, SCALES], "CUDA")


def test_the_checker_is_asked() -> None:
    with pytest.raises(hp.ModelError, match=r"HP401[\s\S]*Unrecognized attribute: scale"):
        backend.prepare(resize_model(scale=2.0))


@pytest.mark.parametrize("opset", [9, 10, 13, 28])
def test_upsample_runs_where_it_is_deprecated(opset: int) -> None:
    """The checker refuses a deprecated operator; semantics reads it as version 9. The rest of the model is checked."""
    model = resize_model(opset, "Upsample")
    assert backend.run_model(model, [X, SCALES])[0].tolist() == [1, 1, 2, 2]
    assert model.graph.node[0].domain == ""
    model.graph.node.append(helper.make_node("Neg", ["nothing"], ["z"]))
    with pytest.raises(hp.ModelError, match="HP401"):
        backend.prepare(model)


def test_only_the_deprecated_upsample_of_onnx_is_let_pass() -> None:
    """Not an Upsample of opset 9, whatever else is imported, nor one of a domain that is not imported."""
    for opset, domain, imported in ((9, "", "elsewhere"), (13, "elsewhere", "nowhere")):
        model = resize_model(opset, "Upsample", bogus=1)
        model.graph.node[0].domain = domain
        model.opset_import.append(helper.make_opsetid(imported, 13))
        with pytest.raises(hp.ModelError) as caught:
            backend.prepare(model)
        assert caught.value.code == "HP401"


def test_the_order_of_opset_imports_does_not_matter() -> None:
    model = resize_model(13, "Upsample")
    model.opset_import.insert(0, helper.make_opsetid("elsewhere", 1))
    assert backend.run_model(model, [X, SCALES])[0].tolist() == [1, 1, 2, 2]


def test_upsample_runs_in_subgraphs_and_functions_where_it_is_deprecated() -> None:
    """Two in a branch, that is."""
    twice = [helper.make_node("Upsample", ["x", "s"], ["z"]), helper.make_node("Upsample", ["z", "s"], ["y"])]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None])
    branch = helper.make_graph(twice, "branch", [], [output])
    choose = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)
    function = helper.make_function("local", "f", ["x", "s", "c"], ["y"], [choose], [helper.make_opsetid("", 13)])
    model = resize_model(13)
    model.graph.input.append(helper.make_tensor_value_info("c", TensorProto.BOOL, []))
    model.graph.node[0].CopyFrom(helper.make_node("f", ["x", "s", "c"], ["y"], domain="local"))
    model.opset_import.append(helper.make_opsetid("local", 1))
    model.functions.append(function)
    assert backend.run_model(model, [X, SCALES, np.array(True)])[0].tolist() == [1, 1, 1, 1, 2, 2, 2, 2]


def test_an_operator_without_an_implementation() -> None:
    """unittest counts it as skipped, everybody else as an error of the family."""
    model = resize_model()
    model.graph.node[0].CopyFrom(helper.make_node("Unheard", ["x", "s"], ["y"], domain="elsewhere"))
    model.opset_import.append(helper.make_opsetid("elsewhere", 1))
    with pytest.raises(hp.ModelError, match="HP402") as caught:
        backend.prepare(model)
    assert isinstance(caught.value, unittest.SkipTest)
    assert "Unheard" in caught.value.given


@pytest.mark.parametrize("source", [None, 3, resize_model().graph, b"", b"junk"])
def test_what_is_not_a_model(source: Any) -> None:
    with pytest.raises(hp.ModelError) as caught:
        backend.prepare(source)
    assert caught.value.code == "HP400"


def test_a_model_in_a_file(tmp_path: Path) -> None:
    onnx.save(resize_model(), tmp_path / "model.onnx")
    assert backend.prepare(tmp_path / "model.onnx").run([X, SCALES])[0].tolist() == [1, 1, 2, 2]


def test_a_model_with_damaged_data() -> None:
    model = resize_model()
    model.graph.initializer.append(onnx.numpy_helper.from_array(SCALES, "s"))
    model.graph.initializer[0].raw_data = b"\x00"
    with pytest.raises(hp.ModelError, match=r"HP401[\s\S]*too small"):
        backend.prepare(model)
    model = resize_model()
    model.graph.node[0].CopyFrom(helper.make_node("Pad", ["x", "s"], ["y"], mode=b"\xff"))
    with pytest.raises(hp.ModelError, match=r"HP406[\s\S]*UnicodeDecodeError"):
        backend.prepare(model)


def test_an_operator_of_onnx_that_fails() -> None:
    """The error of the family carries the one behind it; memory that runs out stays what it is."""
    rep = backend.prepare(resize_model())
    node = helper.make_node("Reshape", ["x", "s"], ["y"])
    with pytest.raises(hp.ModelError, match=r"HP407[\s\S]*ValueError: cannot reshape") as caught:
        backend.run_node(node, [X, np.array([3])])
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(hp.SpecError, match="HP107"):
        rep.run([X, -SCALES])


def test_run_node_takes_inputs_with_and_without_gaps() -> None:
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode="linear")
    for inputs in ([X, None, SCALES], [X, SCALES]):
        assert backend.run_node(node, inputs)[0].tolist() == [1, 1.25, 1.75, 2]
    named = helper.make_node("Resize", ["x", "roi", "scales", "sizes"], ["y"])
    assert backend.run_node(named, [X, None, None, np.array([3])])["y"].tolist() == [1, 1, 2]
    assert backend.run_node(named, (X, None, SCALES, None))["y"].tolist() == [1, 1, 2, 2]


def test_run_node_takes_the_opset() -> None:
    node = helper.make_node("Resize", ["x", "s"], ["y"], mode="linear")
    assert backend.run_node(node, [X, SCALES], opset_version=10)[0].tolist() == [1, 1.5, 2, 2]
    node = helper.make_node("Upsample", ["x", "s"], ["y"], mode="linear")
    assert backend.run_node(node, [X, SCALES])[0].tolist() == [1, 1.5, 2, 2]


def test_run_node_runs_other_operators() -> None:
    (y,) = backend.run_node(helper.make_node("Neg", ["x"], ["y"]), [X])
    assert y.tolist() == [-1, -2]


def test_run_node_of_another_domain() -> None:
    """An Upsample that is not ONNX's has no implementation."""
    with pytest.raises(hp.ModelError) as caught:
        backend.run_node(helper.make_node("Upsample", ["x"], ["y"], domain="elsewhere"), [X])
    assert caught.value.code == "HP402"


def test_run_node_with_wrong_inputs() -> None:
    node = helper.make_node("Resize", ["x", "", "s"], ["y"])
    for inputs in ([X], [X, SCALES, SCALES], [X, None, None, SCALES]):
        with pytest.raises(hp.ModelError) as caught:
            backend.run_node(node, inputs)
        assert caught.value.code == "HP404"
    assert caught.value.given == "4 inputs, 2 of them not None"


def test_run_node_with_an_output_left_out() -> None:
    outputs = backend.run_node(helper.make_node("Dropout", ["x"], ["y", ""]), [X])
    assert len(outputs) == 1


def test_run_node_of_an_opset_that_is_none() -> None:
    with pytest.raises(hp.ModelError, match="HP401"):
        backend.run_node(helper.make_node("Resize", ["x", "", "s"], ["y"]), [X, SCALES], opset_version=0)


def test_without_onnx() -> None:
    """The import says what to install, and no other failure of it is taken for that."""
    code = "import sys; sys.modules[sys.argv[1]] = None\nimport halfpixel as hp\n"
    code += "try:\n    import halfpixel.onnx\nexcept hp.MissingExtraError as error:\n    print(error.code, error.do)\n"
    code += "except ModuleNotFoundError as error:\n    print(error.name)"
    for absent, printed in (("onnx", "HP900 pip install 'halfpixel[onnx]'"), ("ml_dtypes", "ml_dtypes")):
        done = subprocess.run([sys.executable, "-c", code, absent], capture_output=True, text=True, check=True)
        assert done.stdout == f"{printed}\n"
