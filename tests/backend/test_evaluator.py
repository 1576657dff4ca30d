"""halfpixel.onnx.Evaluator: our operators wherever a model holds them, in the version that the model asks for."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

import halfpixel as hp
from halfpixel.onnx import Evaluator, new_ops

FLOAT = TensorProto.FLOAT
TWO_BY_TWO = np.array([[[[1, 2], [3, 4]]]], np.float32)
DOUBLED = np.array([1, 1, 2, 2], np.float32)
# 1 2 / 3 4 doubled in linear mode, by x / 2 (Resize-10, Upsample) and by (x + 1/2) / 2 - 1/2 (Resize from 11 on).
ASYMMETRIC = [1, 1.5, 2, 2, 2, 2.5, 3, 3, 3, 3.5, 4, 4, 3, 3.5, 4, 4]
HALF_PIXEL = [1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4]


def value(name: str, element: int = FLOAT, shape: Any = None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def model(
    nodes: list[onnx.NodeProto],
    inputs: list[onnx.ValueInfoProto],
    opset: int = 19,
    domains: tuple[str, ...] = (),
    **extras: Any,
) -> onnx.ModelProto:
    """A model with the output y."""
    initializers = extras.pop("initializers", {})
    graph = helper.make_graph(
        nodes, "g", inputs, [value("y")], [onnx.numpy_helper.from_array(v, k) for k, v in initializers.items()]
    )
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=opsets, **extras)


def run(proto: Any, **feeds: Any) -> Any:
    (y,) = Evaluator(proto).run(None, feeds)
    return y


def resize_linear(*inputs: str) -> onnx.NodeProto:
    return helper.make_node("Resize", list(inputs), ["y"], mode="linear")


@pytest.mark.parametrize(
    ("opset", "expected"), [(10, ASYMMETRIC), (12, HALF_PIXEL), (17, HALF_PIXEL), (28, HALF_PIXEL)]
)
def test_the_models_opset_picks_the_version(opset: int, expected: list[float]) -> None:
    inputs = ["x", "s"] if opset == 10 else ["x", "", "s"]
    y = run(model([resize_linear(*inputs)], [value("x"), value("s")], opset), x=TWO_BY_TWO, s=DOUBLED)
    assert y.ravel().tolist() == expected


@pytest.mark.parametrize("opset", [1, 6, 7, 8, 9, 10, 19])
def test_upsample_of_every_version(opset: int) -> None:
    """Scales are two attributes in 1, one attribute in 7, an input from 9 on; linear is called bilinear in 1."""
    if opset < 7:
        node = helper.make_node("Upsample", ["x"], ["y"], mode="bilinear", height_scale=2.0, width_scale=2.0)
    elif opset < 9:
        node = helper.make_node("Upsample", ["x"], ["y"], mode="linear", scales=[1.0, 1.0, 2.0, 2.0])
    else:
        node = helper.make_node("Upsample", ["x", "s"], ["y"], mode="linear")
    y = run(model([node], [value("x"), value("s")], opset), x=TWO_BY_TWO, s=DOUBLED)
    assert y.ravel().tolist() == ASYMMETRIC


def test_negative_axes_bool_strings_and_large_integers() -> None:
    """What the stock evaluator cannot run, or loses bits of."""
    node = helper.make_node("Resize", ["x", "", "", "n"], ["y"], axes=[-1])
    proto = model([node], [value("x"), value("n")])
    size = np.array([4], np.int64)
    assert run(proto, x=np.array([[True, False]]), n=size).tolist() == [[True, True, False, False]]
    assert run(proto, x=np.array([["a", "b"]], object), n=size).tolist() == [["a", "a", "b", "b"]]
    assert run(proto, x=np.array([[2**53 + 1, -1]]), n=size).tolist() == [[2**53 + 1, 2**53 + 1, -1, -1]]


def test_initializers_and_other_operators() -> None:
    """x + x, resized by an initializer, negated: only the middle one is ours."""
    nodes = [
        helper.make_node("Add", ["x", "x"], ["double"]),
        helper.make_node("Resize", ["double", "", "s"], ["large"]),
        helper.make_node("Neg", ["large"], ["y"]),
    ]
    proto = model(nodes, [value("x")], initializers={"s": np.array([2], np.float32)})
    assert run(proto, x=np.array([1, 2], np.float32)).tolist() == [-2, -2, -4, -4]


def if_model(node: onnx.NodeProto, inputs: list[onnx.ValueInfoProto]) -> onnx.ModelProto:
    branch = helper.make_graph([node], "branch", [], [value("y")])
    choose = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)
    return model([choose], [value("c", TensorProto.BOOL), *inputs])


def test_inside_a_subgraph() -> None:
    """A negative axis, so that the stock operator would fail."""
    node = helper.make_node("Resize", ["x", "", "", "n"], ["y"], axes=[-1])
    y = run(if_model(node, [value("x"), value("n")]), c=np.array(True), x=np.array([[True]]), n=np.array([2]))
    assert y.tolist() == [[True, True]]


def function(name: str, node: onnx.NodeProto, opset: int = 19, domains: tuple[str, ...] = (), **keywords: Any) -> Any:
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    inputs = [each for each in node.input if each]
    return helper.make_function("local", name, inputs, ["y"], [node], opsets, **keywords)


def call(name: str, *inputs: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(name, list(inputs), ["y"], domain="local", **attributes)


def test_inside_a_local_function_with_an_opset_of_its_own() -> None:
    """The model is of opset 19, its function of opset 10: x / scale."""
    small = function("small", resize_linear("x", "s"), opset=10)
    proto = model([call("small", "x", "s")], [value("x"), value("s")], domains=("local",), functions=[small])
    assert run(proto, x=TWO_BY_TWO, s=DOUBLED).ravel().tolist() == ASYMMETRIC


def test_inside_a_function_of_a_function_and_inside_its_subgraph() -> None:
    node = helper.make_node("Resize", ["x", "", "", "n"], ["y"], axes=[-1])
    branch = helper.make_graph([node], "branch", [], [value("y")])
    inner = helper.make_function(
        "local",
        "inner",
        ["c", "x", "n"],
        ["y"],
        [helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)],
        [helper.make_opsetid("", 19)],
    )
    outer = function("outer", call("inner", "c", "x", "n"), domains=("local",))
    proto = model(
        [call("outer", "c", "x", "n")],
        [value("c", TensorProto.BOOL), value("x"), value("n")],
        domains=("local",),
        functions=[inner, outer],
    )
    assert run(proto, c=np.array(False), x=np.array([[True]]), n=np.array([2])).tolist() == [[True, True]]


def linked_resize() -> onnx.NodeProto:
    """A Resize whose mode is that of the function which it is in."""
    node = helper.make_node("Resize", ["x", "", "s"], ["y"])
    node.attribute.append(onnx.AttributeProto(name="mode", ref_attr_name="how", type=onnx.AttributeProto.STRING))
    return node


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"how": "linear"}, [1, 1.25, 1.75, 2]), ({"how": "nearest"}, [1, 1, 2, 2]), ({}, [1, 1, 2, 2])],
)
def test_an_attribute_of_the_function(given: dict[str, str], expected: list[float]) -> None:
    """One that the caller leaves out is left out in the body, where nearest is the default."""
    proto = model(
        [call("f", "x", "s", **given)],
        [value("x"), value("s")],
        domains=("local",),
        functions=[function("f", linked_resize(), attributes=["how"])],
    )
    assert run(proto, x=np.array([1, 2], np.float32), s=np.array([2], np.float32)).tolist() == expected


@pytest.mark.parametrize(("given", "expected"), [({}, [1, 1.25, 1.75, 2]), ({"how": "nearest"}, [1, 1, 2, 2])])
def test_an_attribute_of_the_function_with_a_default(given: dict[str, str], expected: list[float]) -> None:
    default = helper.make_attribute("how", "linear")
    proto = model(
        [call("f", "x", "s", **given)],
        [value("x"), value("s")],
        domains=("local",),
        functions=[function("f", linked_resize(), attribute_protos=[default])],
    )
    assert run(proto, x=np.array([1, 2], np.float32), s=np.array([2], np.float32)).tolist() == expected


def test_attributes_of_a_later_version_with_a_plain_meaning() -> None:
    """antialias came with 18, half_pixel_symmetric with 19; models of earlier opsets hold them."""
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode="linear", antialias=1)
    y = run(
        model([node], [value("x"), value("s")], 13), x=np.arange(4, dtype=np.float32), s=np.array([0.5], np.float32)
    )
    assert y.tolist() == [0.625, 2.375]
    node = helper.make_node(
        "Resize", ["x", "", "s"], ["y"], mode="linear", coordinate_transformation_mode="half_pixel_symmetric"
    )
    y = run(
        model([node], [value("x"), value("s")], 18), x=np.arange(4, dtype=np.float32), s=np.array([0.5], np.float32)
    )
    assert y.tolist() == [0.5, 2.5]


def test_an_error_keeps_its_class_from_every_depth() -> None:
    """The stock evaluator would replace a TypeError from a subgraph or a function by one without a code."""
    feeds = {"x": np.array(["a"], object), "s": np.array([2], np.float32)}
    inputs = [value("x", TensorProto.STRING), value("s")]
    local = function("f", resize_linear("x", "", "s"))
    for proto in (
        model([resize_linear("x", "", "s")], inputs),
        if_model(resize_linear("x", "", "s"), inputs),
        model([call("f", "x", "s")], inputs, domains=("local",), functions=[local]),
    ):
        present = {each.name: feeds.get(each.name, np.array(True)) for each in proto.graph.input}
        with pytest.raises(hp.ElementTypeError, match="HP202"):
            run(proto, **present)


def test_an_error_of_another_operator_stays_as_it_is() -> None:
    proto = model([helper.make_node("Reshape", ["x", "s"], ["y"])], [value("x"), value("s")])
    with pytest.raises(ValueError, match="cannot reshape") as caught:
        run(proto, x=np.ones(3, np.float32), s=np.array([2]))
    assert not isinstance(caught.value, hp.HalfpixelError)


def test_own_operator_classes_win() -> None:
    class Resize(OpRun):
        def _run(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
            return (np.array([42]),)

    proto = model([resize_linear("x", "", "s")], [value("x"), value("s")])
    assert Evaluator(proto, new_ops=[Resize]).run(None, {"x": TWO_BY_TWO, "s": DOUBLED})[0].tolist() == [42]


def test_new_ops_for_a_stock_evaluator() -> None:
    """It fills in the attributes of the newest schema; ours are those of the node."""
    proto = model([resize_linear("x", "s")], [value("x"), value("s")], 10)
    (y,) = ReferenceEvaluator(proto, new_ops=new_ops()).run(None, {"x": TWO_BY_TWO, "s": DOUBLED})
    assert y.ravel().tolist() == ASYMMETRIC


def test_new_ops_are_the_four() -> None:
    assert [each.__name__ for each in new_ops()] == ["Resize", "Upsample", "DepthToSpace", "SpaceToDepth"]


def test_both_names_of_the_default_domain() -> None:
    """The stock evaluator does not know "ai.onnx"."""
    small = function("small", resize_linear("x", "s"), opset=10)
    proto = model([resize_linear("x", "", "s")], [value("x"), value("s")])
    local = model([call("small", "x", "s")], [value("x"), value("s")], domains=("local",), functions=[small])
    for each, holder, expected in ((proto, proto, HALF_PIXEL), (local, local.functions[0], ASYMMETRIC)):
        holder.opset_import[0].domain = "ai.onnx"
        assert run(each, x=TWO_BY_TWO, s=DOUBLED).ravel().tolist() == expected
        assert holder.opset_import[0].domain == "ai.onnx"


def test_a_graph_a_file_and_bytes(tmp_path: Path) -> None:
    proto = model([resize_linear("x", "", "s")], [value("x"), value("s")])
    path = tmp_path / "model.onnx"
    onnx.save(proto, path)
    for source in (path, str(path), path.read_bytes()):
        assert run(source, x=TWO_BY_TWO, s=DOUBLED).ravel().tolist() == HALF_PIXEL
    (y,) = Evaluator(proto.graph, {"": 19}).run(None, {"x": TWO_BY_TWO, "s": DOUBLED})
    assert y.ravel().tolist() == HALF_PIXEL


def test_external_data_is_found_beside_the_file(tmp_path: Path) -> None:
    proto = model([resize_linear("x", "", "s")], [value("x")], initializers={"s": DOUBLED})
    onnx.save(proto, tmp_path / "model.onnx", save_as_external_data=True, size_threshold=0)
    assert run(tmp_path / "model.onnx", x=TWO_BY_TWO).ravel().tolist() == HALF_PIXEL


@pytest.mark.parametrize("content", [b"", b"not a model", b"\x00" * 40])
def test_what_is_not_a_model(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    for source in (path, content):
        with pytest.raises(hp.ModelError) as caught:
            Evaluator(source)
        assert caught.value.code == "HP400"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(hp.ModelError, match=r"HP405[\s\S]*missing\.onnx"):
        Evaluator(tmp_path / "missing.onnx")
    with pytest.raises(hp.ModelError, match="HP405"):
        Evaluator(tmp_path)
    proto = model([resize_linear("x", "", "s")], [value("x")], initializers={"s": DOUBLED})
    onnx.save(proto, tmp_path / "model.onnx", save_as_external_data=True, size_threshold=0, location="weights")
    (tmp_path / "weights").unlink()
    with pytest.raises(hp.ModelError, match=r"HP405[\s\S]*weights"):
        Evaluator(tmp_path / "model.onnx")
