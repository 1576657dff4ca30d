"""compare on whole models: where nodes stand, what they are given, what is reported, the command."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from halfpixel import ModelError
from halfpixel.cli import run
from halfpixel.models import compare
from halfpixel.models.compare import Comparison
from halfpixel.models.compare.feeds import random_array

from .builders import (
    Node,
    chain,
    in_function,
    in_if,
    in_loop,
    model_of,
    rearrange,
    resize,
    upsample,
    with_external_data,
)

pytestmark = pytest.mark.needs("module:onnx", "module:onnx_ir", "module:onnxruntime")

ORT = ["onnxruntime"]
CORNERS = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}


def corners(**words: Any) -> Node:
    """A node whose numbers onnxruntime gets otherwise: align_corners with the length 3.6."""
    return resize(scales=(1, 1, 0.6, 0.6), **CORNERS, **words)


def same(**words: Any) -> Node:
    """A node that every runtime runs alike."""
    return resize(mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric", **words)


def keys(comparison: Comparison) -> list[list[str]]:
    """The cause of the first result of each node."""
    causes = [node.results[0].cause for node in comparison.nodes]
    return [[change.key for change in cause.changes] if cause is not None else [] for cause in causes]


def test_equal_models_do_not_differ() -> None:
    found = compare(chain(same(name="a"), same(name="b"), rearrange("SpaceToDepth")), ORT)
    assert not found.differs
    assert [result.status for node in found.nodes for result in node.results] == ["equal"] * 3
    assert [whole.status for whole in found.whole] == ["equal"]
    assert found.runtimes["onnxruntime"].startswith("1.")


@pytest.mark.parametrize(
    ("model", "scope"),
    [
        (model_of(corners()), ()),
        (in_if(corners()), ("If_3.then_branch",)),
        (in_loop(corners()), ("Loop_0.body",)),
        (in_function(corners()), ("function pkg::Grow",)),
    ],
    ids=["main graph", "If", "Loop", "function"],
)
def test_a_node_is_compared_wherever_it_stands(model: onnx.ModelProto, scope: tuple[str, ...]) -> None:
    found = compare(model, ORT, inputs={"condition": np.array(True)} if scope[:1] == ("If_3.then_branch",) else None)
    (node,) = found.nodes
    assert (node.scope, node.label, node.given) == (scope, "Resize-19", "captured")
    assert keys(found) == [["align_corners_integer"]]
    assert found.differs


def test_a_node_gets_what_the_model_gives_it() -> None:
    """The second node is given the output of the first one, computed exactly."""
    x = np.arange(8, dtype=np.float32).reshape(1, 1, 2, 4)
    found = compare(chain(same(name="a", x_shape=(1, 1, 2, 4)), corners(name="b")), ORT, inputs={"X": x})
    assert [node.name for node in found.nodes] == ["a", "b"]
    assert found.nodes[1].call is not None
    np.testing.assert_array_equal(found.nodes[1].call.inputs[0], x.repeat(2, 2).repeat(2, 3))


def test_references_to_attributes_of_a_function_are_filled_in() -> None:
    """The call passes mode=linear; the node itself says nothing of it."""
    model = in_function(resize(scales=(1, 1, 0.5, 0.5)), references={"mode": None})
    (node,) = compare(model, ORT).nodes
    assert node.call is not None
    assert node.call.attributes == {"mode": "linear"}


@pytest.mark.parametrize("how", ["computed", "passed"])
def test_scales_and_sizes_that_are_no_constants(how: str) -> None:
    for words in ({"scales": how}, {"sizes": how}):
        found = compare(model_of(resize(mode="linear", **words)), ORT)
        (node,) = found.nodes
        assert node.call is not None
        assert (how == "passed") == (node.call.constants == frozenset())
        assert node.expected is not None
        assert node.expected.ours.shape == (1, 2, 8, 12)
        assert not found.differs


def test_old_operators() -> None:
    models = [model_of(upsample(7, mode="linear")), model_of(upsample(9)), model_of(resize(10)), model_of(resize(11))]
    assert [compare(model, ORT).differs for model in models] == [False] * 4


def test_random_data_of_the_declared_shape() -> None:
    found = compare(model_of(corners(x_shape=("N", 2, 6, "W"))), ORT, random=True, seed=3)
    (node,) = found.nodes
    assert node.given == "random"
    assert node.call is not None
    np.testing.assert_array_equal(node.call.inputs[0], random_array((1, 2, 6, 64), "float32", 3))
    assert found.whole == ()
    found = compare(model_of(corners(name="a", x_shape=("N", 2, 6, "W"))), ORT, random=True, shapes={"a": (1, 2, 6, 7)})
    assert found.nodes[0].call is not None
    assert found.nodes[0].call.inputs[0].shape == (1, 2, 6, 7)


def test_a_model_that_does_not_run_leaves_random_data() -> None:
    """Another operator has no implementation: the node behind it gets random data, and it is said why."""
    built = corners(name="resize")
    unknown = helper.make_node("NoSuchOperator", ["X"], ["Z"], domain="some.where")
    built.node.input[0] = "Z"
    graph = helper.make_graph(
        [unknown, built.node],
        "g",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, (1, 2, 4, 6))],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * 4)],
        built.initializers,
        value_info=[helper.make_tensor_value_info("Z", TensorProto.FLOAT, (1, 2, 4, 6))],
    )
    imports = [helper.make_opsetid("", 19), helper.make_opsetid("some.where", 1)]
    found = compare(helper.make_model(graph, opset_imports=imports, ir_version=8), ORT)
    assert "NoSuchOperator" in found.failure
    assert found.nodes[0].given == "random"
    assert keys(found) == [["align_corners_integer"]]


@pytest.mark.parametrize(("x_type", "element"), [(TensorProto.BOOL, "bool"), (TensorProto.STRING, "string")])
def test_bool_and_strings(x_type: int, element: str) -> None:
    """onnxruntime refuses both; that is no difference."""
    found = compare(model_of(same(x_type=x_type)), ORT)
    (node,) = found.nodes
    assert node.expected is not None
    assert node.expected.element == element
    assert node.results[0].status == "refused"
    assert not found.differs


def test_arrays_without_samples() -> None:
    found = compare(model_of(resize(mode="linear", x_shape=(1, 2, 0, 6))), ORT)
    assert found.nodes[0].results[0].status == "equal"


def test_nan_and_infinity() -> None:
    x = np.ones((1, 2, 4, 6), np.float32)
    x[0, 0, 1, 2], x[0, 1, 3, 3] = np.nan, np.inf
    found = compare(model_of(resize(mode="linear")), ORT, inputs={"X": x})
    assert keys(found) == [["nan_spreads"]]


def test_a_node_that_breaks_a_rule_is_said_to() -> None:
    built = resize(scales=(1, 1, 2, 2), sizes=(1, 2, 8, 12))
    found = compare(model_of(built), ORT, random=True)
    assert found.nodes[0].error.startswith("[HP104]")
    assert found.nodes[0].results == ()


def test_random_data_depends_on_the_seed() -> None:
    arrays = [random_array((2, 3), "float32", seed) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(arrays[0], arrays[1])
    assert (arrays[0] != arrays[2]).all()


@pytest.mark.needs("module:openvino")
def test_an_input_of_rank_0_reaches_openvino() -> None:
    found = compare(in_if(same()), ["openvino"], inputs={"condition": np.array(True)})
    assert found.whole[0].status == "equal"


@pytest.mark.needs("module:openvino")
def test_external_data_is_found_beside_the_model(tmp_path: Path) -> None:
    path = with_external_data(model_of(corners(name="down", x_shape=(1, 2, 9, 9))), tmp_path / "m.onnx")
    found = compare(path, ["openvino"])
    assert keys(found) == [["align_corners_integer"]]
    assert found.whole[0].status == "differs"
    assert found.path == path


def test_only_some_nodes() -> None:
    found = compare(chain(corners(name="a", x_shape=(1, 2, 9, 9)), same(name="b")), ORT, nodes=["b"], whole=False)
    assert [node.name for node in found.nodes] == ["b"]
    assert not found.differs
    with pytest.raises(ModelError) as caught:
        compare(model_of(same(name="a")), ORT, nodes=["c"])
    assert caught.value.code == "HP414"


def test_the_whole_model_is_compared() -> None:
    found = compare(model_of(corners(x_shape=(1, 2, 9, 9))), ORT)
    (whole,) = found.whole
    assert whole.above
    largest, absolute, unit, above = whole.outputs["Y"]
    assert (unit, above) == ("ULP", True)
    assert largest > 4096
    assert absolute > 0.01


def test_another_operator_is_told_apart() -> None:
    """Each runtime draws random numbers of its own, and no resize-like node is to blame for that."""
    built = same(name="up")
    drawn = helper.make_node("RandomUniformLike", ["Y"], ["Z"], seed=1.0)
    graph = helper.make_graph(
        [built.node, drawn],
        "g",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, (1, 2, 4, 6))],
        [helper.make_tensor_value_info("Z", TensorProto.FLOAT, [None] * 4)],
        built.initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=8)
    found = compare(model, ORT)
    (whole,) = found.whole
    assert whole.status == "elsewhere"
    assert not found.differs
    assert compare(model, ORT, model_tolerance=100).differs


def test_the_tolerance() -> None:
    model = model_of(resize(mode="cubic", scales=(1, 1, 1.7, 2.3)))
    assert not compare(model, ORT, whole=False).differs
    strict = compare(model, ORT, tolerance=0, whole=False)
    assert strict.differs
    assert strict.nodes[0].results[0].why == "rounding alone"
    assert "--tolerance 0" in strict.command


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"inputs": {"Z": np.zeros(3)}}, "HP432"),
        ({"shapes": {"Z": (1, 2)}}, "HP432"),
        ({"shapes": {"X": (1, 2)}}, "HP431"),
        ({"with_": ["tensorrt"]}, "HP430"),
    ],
)
def test_mistakes(words: dict[str, Any], code: str) -> None:
    with pytest.raises(ModelError) as caught:
        compare(model_of(same()), **{"with_": ORT, **words})
    assert caught.value.code == code


def test_an_input_without_a_rank_or_type_needs_to_be_given() -> None:
    model = model_of(same())
    model.graph.input[0].type.tensor_type.ClearField("shape")
    with pytest.raises(ModelError) as caught:
        compare(model, ORT)
    assert caught.value.code == "HP431"
    model.graph.input[0].type.CopyFrom(helper.make_sequence_type_proto(helper.make_tensor_type_proto(1, None)))
    with pytest.raises(ModelError) as caught:
        compare(model, ORT)
    assert caught.value.code == "HP432"


def test_the_model_is_not_changed() -> None:
    model = model_of(corners())
    before = model.SerializeToString()
    compare(model, ORT)
    assert model.SerializeToString() == before


@pytest.fixture(scope="module")
def mixed() -> Comparison:
    """Three nodes: one differs, one ties apart, one is refused; and the whole model."""
    built = [
        corners(name="corners", x_shape=(1, 2, 19, 19)),
        resize(name="ties", scales=(1, 1, 0.6, 0.6), nearest_mode="floor", coordinate_transformation_mode="asymmetric"),
        resize(name="refused", mode="linear", exclude_outside=1),
    ]
    return compare(chain(*built), ORT)


def test_plain_data(mixed: Comparison) -> None:
    data = json.loads(json.dumps(mixed.as_data(), allow_nan=False))
    assert data["differs"] is True
    corners_data, ties, refused = data["nodes"]
    assert corners_data["operator"] == "Resize-19"
    assert corners_data["in_shape"] == [1, 2, 19, 19]
    assert corners_data["results"][0]["cause"]["keys"] == ["align_corners_integer"]
    assert ties["results"][0]["status"] == "ties"
    assert ties["results"][0]["difference"]["largest_apart_from_ties"] == 0
    assert ties["results"][0]["difference"]["at_ties"] == ties["results"][0]["difference"]["above_tolerance"]
    assert refused["results"][0]["status"] == "refused"
    assert "exclude_outside" in refused["results"][0]["words"]


def test_sarif(mixed: Comparison) -> None:
    (log,) = mixed.sarif()["runs"]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    assert rules == ["HPC001", "HPC002", "HPC003", "HPC004", "HPC005"]
    found = {(one["ruleId"], one["level"]): one for one in log["results"]}
    assert set(found) >= {("HPC001", "error"), ("HPC002", "warning"), ("HPC003", "note")}
    differs = found["HPC001", "error"]
    assert rules[differs["ruleIndex"]] == "HPC001"
    assert differs["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "corners"
    assert "align_corners with the integer length" in differs["message"]["text"]
    assert differs["properties"]["causes"] == ["align_corners_integer"]


def test_junit(mixed: Comparison) -> None:
    (suite,) = ET.fromstring(mixed.junit())
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "2")
    cases = {case.get("name"): case for case in suite}
    failure = cases["corners in onnxruntime"].find("failure")
    assert failure is not None
    assert "align_corners with the integer length" in (failure.get("message") or "")
    assert cases["refused in onnxruntime"].find("skipped") is not None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one, and a wide terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def write(folder: Path, model: onnx.ModelProto, name: str = "model.onnx") -> None:
    (folder / name).write_bytes(model.SerializeToString())


def test_the_command_exits_0_where_nothing_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, model_of(same(name="up")))
    assert run(["compare", "model.onnx", "--with", "onnxruntime"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "up"
    assert lines[2].split() == ["onnxruntime", compare_version(), "equal"]
    assert lines[-1] == "1 results: no difference above its tolerance"


def compare_version() -> str:
    import onnxruntime

    return str(onnxruntime.__version__)


def test_the_command_exits_1_and_names_the_cause(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, model_of(corners(name="down", x_shape=(1, 2, 9, 9))))
    words = ["--html", "page.html", "--sarif", "log.sarif", "--junit", "tests.xml"]
    assert run(["compare", "model.onnx", "--with", "onnxruntime", *words]) == 1
    out = capsys.readouterr().out
    assert "cause: align_corners with the integer length" in out
    assert "everywhere" in out
    assert out.splitlines()[-1] == "1 results: 1 differ, the cause found for 1"
    assert json.loads((folder / "log.sarif").read_text())["version"] == "2.1.0"
    assert ET.parse(folder / "tests.xml").getroot().tag == "testsuites"
    assert "align_corners with the integer length" in (folder / "page.html").read_text()


def test_the_command_takes_inputs_and_says_how_to_repeat_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, model_of(corners(name="down", x_shape=("N", 2, "H", 9))))
    np.save(folder / "x.npy", np.ones((1, 2, 5, 9), np.float32))
    command = ["compare", "model.onnx", "--with", "onnxruntime", "--no-model", "--json"]
    assert run([*command, "--input", "X=x.npy"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["nodes"][0]["in_shape"] == [1, 2, 5, 9]
    assert data["command"] == "halfpixel compare model.onnx --with onnxruntime --input=X=x.npy"
    assert run([*command, "--shape", "X=1,2,6,9", "--seed", "4"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["nodes"][0]["in_shape"] == [1, 2, 6, 9]
    assert data["command"] == "halfpixel compare model.onnx --with onnxruntime --seed 4 --shape X=1,2,6,9"


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["--with", "tensorrt"], 2, "HP603"),
        (["--input", "X"], 2, "HP603"),
        (["--shape", "X=a"], 2, "HP603"),
        (["--shape", "X=-1,2"], 2, "HP603"),
        (["--input", "X=absent.npy"], 3, "HP500"),
        (["--input", "X=two.npz"], 3, "HP511"),
        (["--node", "absent"], 3, "HP414"),
    ],
)
def test_mistakes_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, error: str
) -> None:
    write(folder, model_of(same()))
    np.savez(folder / "two.npz", a=np.zeros(3), b=np.zeros(3))
    assert run(["compare", "model.onnx", *words]) == code
    assert error in capsys.readouterr().err


def test_a_picture_as_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A grey picture is an array of rank 2."""
    from PIL import Image

    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(6, 8)).save(folder / "grey.png")
    built = resize(name="up", scales=(2, 2), x_shape=(6, 8), x_type=TensorProto.UINT8, nearest_mode="floor")
    write(folder, model_of(built))
    assert run(["compare", "model.onnx", "--with", "onnxruntime", "--input", "X=grey.png", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"][0]["in_shape"] == [6, 8]
