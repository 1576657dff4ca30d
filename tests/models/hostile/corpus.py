"""Hostile model files: how each is made, and what reading it must give.

``CORPUS`` has for each a function that makes it in an empty folder and returns its path, and the code of the error
that ``halfpixel.models.ls`` must raise, or None where it must answer. Small files that no program would write lie
beside this file as they are; ``KEPT`` lists them with their codes.
"""

from __future__ import annotations

import gzip
import itertools
import os
import pickle
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

from tests.models import builders

Maker = Callable[[Path], Path]
CORPUS: dict[str, tuple[Maker, str | None]] = {}

KEPT = {
    "git_lfs_pointer.onnx": "HP400",
    "cut_within_a_number.onnx": "HP400",
    "group_never_closed.onnx": "HP400",
    "one_zero_byte.onnx": "HP400",
    "name_not_utf8.onnx": "HP411",
}
"""File beside this one -> the code that reading it gives."""


def hostile(code: str | None) -> Callable[[Maker], Maker]:
    """Put the function that makes a file into the corpus."""

    def put(maker: Maker) -> Maker:
        CORPUS[maker.__name__] = (maker, code)
        return maker

    return put


def good() -> ModelProto:
    """A sound model to spoil: a Resize of X (1, 2, 4, 6) by scales of an initializer."""
    return builders.model_of(builders.resize(13, name="resize"))


def written(folder: Path, model: ModelProto | bytes) -> Path:
    """Write a model or bytes into model.onnx."""
    path = folder / "model.onnx"
    path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    return path


# What is no model at all


@hostile("HP400")
def empty_file(folder: Path) -> Path:
    return written(folder, b"")


@hostile("HP400")
def cut_in_half(folder: Path) -> Path:
    content = good().SerializeToString()
    return written(folder, content[: len(content) // 2])


@hostile("HP400")
def cut_by_a_byte(folder: Path) -> Path:
    return written(folder, good().SerializeToString()[:-1])


@hostile("HP400")
def random_bytes(folder: Path) -> Path:
    return written(folder, np.random.default_rng(1).bytes(5000))


@hostile("HP400")
def archive(folder: Path) -> Path:
    path = folder / "model.onnx"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("model.onnx", good().SerializeToString())
    return path


@hostile("HP400")
def compressed(folder: Path) -> Path:
    return written(folder, gzip.compress(good().SerializeToString()))


@hostile("HP400")
def pickled(folder: Path) -> Path:
    return written(folder, pickle.dumps({"weights": [1.0, 2.0]}))


@hostile("HP400")
def web_page(folder: Path) -> Path:
    return written(folder, b"<!DOCTYPE html><html><body>404: not found</body></html>")


@hostile("HP400")
def other_protobuf(folder: Path) -> Path:
    return written(folder, helper.make_tensor("t", TensorProto.FLOAT, [2], [1, 2]).SerializeToString())


@hostile("HP405")
def no_file(folder: Path) -> Path:
    return folder / "missing.onnx"


@hostile("HP405")
def a_folder(folder: Path) -> Path:
    return folder


@hostile("HP405")
def a_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "model.onnx")
    return folder / "model.onnx"


@hostile("HP405")
def an_endless_device(folder: Path) -> Path:
    return Path("/dev/zero")


@hostile("HP410")
def longer_than_a_message(folder: Path) -> Path:
    path = written(folder, good())
    os.truncate(path, 2**31)  # a hole: takes no room on the disk
    return path


# Opsets


@hostile("HP400")
def no_opset(folder: Path) -> Path:
    model = good()
    del model.opset_import[:]
    return written(folder, model)


@hostile(None)
def opset_999(folder: Path) -> Path:
    model = good()
    model.opset_import[0].version = 999
    return written(folder, model)


@hostile("HP417")
def opset_0(folder: Path) -> Path:
    model = good()
    model.opset_import[0].version = 0
    return written(folder, model)


@hostile("HP417")
def opset_before_resize(folder: Path) -> Path:
    model = good()
    model.opset_import[0].version = 9
    return written(folder, model)


@hostile("HP417")
def negative_opset(folder: Path) -> Path:
    model = good()
    model.opset_import[0].version = -(2**63)
    return written(folder, model)


@hostile("HP417")
def only_another_domain(folder: Path) -> Path:
    model = good()
    model.opset_import[0].domain = "ai.onnx.ml"
    return written(folder, model)


@hostile("HP411")
def domain_imported_twice(folder: Path) -> Path:
    model = good()
    model.opset_import.append(helper.make_opsetid("ai.onnx", 19))
    return written(folder, model)


# Graphs


def _chain(edges: Sequence[tuple[str, str]], read: str = "X") -> ModelProto:
    """Relu nodes from name to name; Y is the output."""
    nodes = [helper.make_node("Relu", [one], [two], name=f"{one}_{two}") for one, two in edges]
    model = good()
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


@hostile("HP411")
def circle_of_two(folder: Path) -> Path:
    model = _chain([("b", "a"), ("a", "b"), ("X", "Y")])
    return written(folder, model)


@hostile("HP411")
def node_that_reads_itself(folder: Path) -> Path:
    return written(folder, _chain([("Y", "Y")]))


@hostile("HP411")
def circle_through_a_subgraph(folder: Path) -> Path:
    model = builders.in_if(builders.resize(13))
    branch = model.graph.node[0].attribute[0].g
    branch.node[0].input[0] = "Y"  # the result of the If that holds it
    branch.node[0].output[0] = branch.output[0].name = "inner"
    return written(folder, model)


@hostile(None)
def nodes_in_any_order(folder: Path) -> Path:
    model = builders.chain(builders.resize(13), builders.resize(13))
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return written(folder, model)


@hostile("HP411")
def value_defined_twice(folder: Path) -> Path:
    return written(folder, _chain([("X", "Y"), ("X", "Y")]))


@hostile("HP411")
def input_defined_again(folder: Path) -> Path:
    return written(folder, _chain([("X", "X"), ("X", "Y")]))


@hostile("HP411")
def initializer_twice(folder: Path) -> Path:
    model = good()
    model.graph.initializer.append(model.graph.initializer[0])
    return written(folder, model)


@hostile("HP411")
def value_that_nothing_defines(folder: Path) -> Path:
    return written(folder, _chain([("ghost", "Y")]))


@hostile("HP411")
def output_that_nothing_defines(folder: Path) -> Path:
    model = good()
    model.graph.output[0].name = "ghost"
    return written(folder, model)


@hostile(None)
def one_node_name_for_all(folder: Path) -> Path:
    model = builders.chain(*[builders.resize(13, name="same") for _ in range(3)])
    return written(folder, model)


@hostile("HP411")
def sparse_initializer(folder: Path) -> Path:
    model = good()
    model.graph.sparse_initializer.add().values.name = "sparse"
    return written(folder, model)


def _nested(depth: int) -> bytes:
    """A model with an If in an If in an If: the bytes, since no program would write that many."""

    def field(number: int, content: bytes) -> bytes:
        length, digits = len(content), b""
        while length > 127:
            digits += bytes([length & 127 | 128])
            length >>= 7
        return bytes([number << 3 | 2]) + digits + bytes([length]) + content

    graph = b""
    for _ in range(depth):
        attribute = field(1, b"then_branch") + field(6, graph) + b"\xa0\x01\x05"
        graph = field(1, field(4, b"If") + field(5, attribute))
    return b"\x08\x08" + field(7, graph) + field(8, b"\x10\x0d")


@hostile("HP400")
def subgraphs_10000_deep(folder: Path) -> Path:
    return written(folder, _nested(10_000))


@hostile(None)
def subgraphs_20_deep(folder: Path) -> Path:
    return written(folder, _nested(20))


@hostile(None)
def million_inputs_of_a_node(folder: Path) -> Path:
    model = good()
    model.graph.node.append(helper.make_node("Concat", ["X"] * 1_000_000, ["Z"], axis=0))
    return written(folder, model)


@hostile(None)
def long_chain_of_shapes(folder: Path) -> Path:
    """Twenty thousand Identity nodes between a constant and the sizes."""
    built = builders.resize(13, sizes="passed")
    names = ["sizes", *[f"s{i}" for i in range(20_000)]]
    built.before = [helper.make_node("Identity", [one], [two]) for one, two in itertools.pairwise(names)]
    built.node.input[3] = names[-1]
    return written(folder, builders.model_of(built))


@hostile(None)
def sizes_that_double_and_double(folder: Path) -> Path:
    """Concat of a vector with itself, sixty times: 2^62 numbers if anyone computed them."""
    built = builders.resize(13, sizes=[1, 2, 8, 12])
    names = ["sizes", *[f"s{i}" for i in range(60)]]
    built.before = [helper.make_node("Concat", [one, one], [two], axis=0) for one, two in itertools.pairwise(names)]
    built.node.input[3] = names[-1]
    return written(folder, builders.model_of(built))


@hostile(None)
def constant_of_huge_shape(folder: Path) -> Path:
    built = builders.resize(13, sizes=[2**40, 2**40])
    built.before = [helper.make_node("ConstantOfShape", ["sizes"], ["s"])]
    built.node.input[3] = "s"
    return written(folder, builders.model_of(built))


# Functions


def _calling(calls: dict[str, list[str]]) -> ModelProto:
    """A model of functions that call others; the main graph calls the first."""
    imports = [helper.make_opsetid("", 13), helper.make_opsetid("pkg", 1)]
    functions = []
    for name, called in calls.items():
        names = ["X", *[f"v{i}" for i in range(len(called))]]
        pairs = zip(called, names, names[1:], strict=False)
        nodes = [helper.make_node(one, [read], [made], domain="pkg") for one, read, made in pairs]
        nodes.append(helper.make_node("Relu", [names[-1]], ["Y"]))
        functions.append(helper.make_function("pkg", name, ["X"], ["Y"], nodes, imports))
    model = _chain([])
    model.graph.node.append(helper.make_node(next(iter(calls)), ["X"], ["Y"], domain="pkg"))
    model.functions.extend(functions)
    model.opset_import.append(helper.make_opsetid("pkg", 1))
    return model


@hostile("HP411")
def function_that_calls_itself(folder: Path) -> Path:
    return written(folder, _calling({"f": ["f"]}))


@hostile("HP411")
def functions_in_a_circle(folder: Path) -> Path:
    return written(folder, _calling({"f": ["g"], "g": ["h"], "h": ["f"]}))


@hostile("HP411")
def function_defined_twice(folder: Path) -> Path:
    model = _calling({"f": []})
    model.functions.append(model.functions[0])
    return written(folder, model)


@hostile(None)
def functions_worth_billions_of_nodes(folder: Path) -> Path:
    """Sixty functions, each calling the next one twice, and a Resize whose shape would need them all."""
    model = _calling({f"f{i}": [f"f{i + 1}"] * 2 for i in range(60)} | {"f60": []})
    del model.graph.output[:]
    model.graph.node[0].output[0] = "grown"
    sound = good()
    sound.graph.node[0].input[0] = "grown"
    model.graph.node.extend(sound.graph.node)
    model.graph.output.extend(sound.graph.output)
    return written(folder, model)


@hostile(None)
def functions_20000_deep(folder: Path) -> Path:
    return written(folder, _calling({f"f{i}": [f"f{i + 1}"] for i in range(20_000)} | {"f20000": []}))


# Shapes, tensors and attributes


@hostile(None)
def shape_of_2_to_the_62(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, x_shape=(2**62, 2**62, 2**62, 2**62))))


@hostile(None)
def axis_of_a_billion_samples(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, x_shape=(1, 1, 1, 10**9), mode="cubic")))


@hostile(None)
def negative_length(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, x_shape=(1, 2, -4, 6))))


@hostile(None)
def scales_that_are_no_numbers(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, scales=[np.nan, np.inf, -1, 0])))


@hostile(None)
def scales_of_1e38(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, scales=[1e38] * 4)))


@hostile(None)
def sizes_of_2_to_the_63(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, sizes=[2**63 - 1] * 4)))


@hostile(None)
def scales_of_another_rank(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, scales=[2.0] * 1000)))


@hostile(None)
def blocksize_0(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.rearrange("DepthToSpace", blocksize=0)))


@hostile(None)
def blocksize_of_2_to_the_62(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.rearrange("SpaceToDepth", blocksize=2**62)))


@hostile(None)
def no_blocksize(folder: Path) -> Path:
    model = builders.model_of(builders.rearrange("DepthToSpace"))
    del model.graph.node[0].attribute[:]
    return written(folder, model)


@hostile(None)
def unknown_mode(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, mode="lanczos")))


@hostile(None)
def mode_that_is_a_number(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, mode=3)))


@hostile(None)
def mode_that_is_a_tensor(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, mode=builders.tensor("m", [1], np.int64))))


@hostile(None)
def mode_that_is_not_utf8(folder: Path) -> Path:
    return written(folder, builders.model_of(builders.resize(13, mode=b"\xff\xfe")))


@hostile(None)
def node_without_inputs(folder: Path) -> Path:
    model = good()
    del model.graph.node[0].input[:]
    return written(folder, model)


@hostile(None)
def node_without_outputs(folder: Path) -> Path:
    model = good()
    model.graph.node.append(helper.make_node("Resize", ["X", "", "scales"], []))
    return written(folder, model)


@hostile(None)
def node_of_a_thousand_inputs(folder: Path) -> Path:
    model = good()
    model.graph.node[0].input.extend(["X"] * 1000)
    return written(folder, model)


@hostile(None)
def upsample_without_scales(folder: Path) -> Path:
    model = builders.model_of(builders.upsample(7))
    del model.graph.node[0].attribute[:]
    return written(folder, model)


@hostile("HP411")
def attribute_without_a_type(folder: Path) -> Path:
    model = good()
    model.graph.node[0].attribute.add(name="mode", s=b"linear")
    return written(folder, model)


@hostile(None)
def graph_attribute_without_a_graph(folder: Path) -> Path:
    model = good()
    model.graph.node.append(NodeProto(op_type="If", input=["X"], output=["Z"]))
    model.graph.node[-1].attribute.add(name="then_branch", type=AttributeProto.GRAPH)
    return written(folder, model)


@hostile("HP413")
def constant_without_a_tensor(folder: Path) -> Path:
    built = builders.resize(13, sizes=[1, 2, 8, 12])
    built.before = [NodeProto(op_type="Constant", output=["constant"])]
    built.before[0].attribute.add(name="value", type=AttributeProto.TENSOR)
    built.node.input[3] = "constant"
    return written(folder, builders.model_of(built))


@hostile("HP411")
def function_output_that_is_not_utf8(folder: Path) -> Path:
    content = _calling({"f": []}).SerializeToString()
    return written(folder, content.replace(b"\x2a\x01Y", b"\x2a\x01\xff"))


@hostile(None)
def reference_outside_a_function(folder: Path) -> Path:
    model = good()
    model.graph.node[0].attribute.add(name="mode", ref_attr_name="mode", type=AttributeProto.STRING)
    return written(folder, model)


@hostile(None)
def data_that_is_a_sequence(folder: Path) -> Path:
    model = good()
    model.graph.input[0].CopyFrom(helper.make_tensor_sequence_value_info("X", TensorProto.FLOAT, None))
    return written(folder, model)


def _with_tensor(**fields: object) -> ModelProto:
    """The sound model with another tensor for scales."""
    model = good()
    model.graph.initializer[-1].CopyFrom(TensorProto(name="scales", **fields))  # type: ignore[arg-type]
    return model


@hostile("HP413")
def tensor_of_a_terabyte_in_four_bytes(folder: Path) -> Path:
    return written(folder, _with_tensor(dims=[2**40], data_type=TensorProto.FLOAT, raw_data=b"\0\0\0\0"))


@hostile("HP413")
def tensor_whose_length_overflows(folder: Path) -> Path:
    return written(folder, _with_tensor(dims=[2**62, 4], data_type=TensorProto.FLOAT, raw_data=b""))


@hostile("HP413")
def tensor_of_negative_length(folder: Path) -> Path:
    return written(folder, _with_tensor(dims=[-4], data_type=TensorProto.FLOAT, float_data=[1, 1, 2, 2]))


@hostile("HP413")
def tensor_with_too_few_numbers(folder: Path) -> Path:
    return written(folder, _with_tensor(dims=[4], data_type=TensorProto.FLOAT, float_data=[1, 1, 2]))


@hostile("HP413")
def tensor_without_data(folder: Path) -> Path:
    return written(folder, _with_tensor(dims=[4], data_type=TensorProto.FLOAT))


@hostile("HP413")
def tensor_of_unknown_type(folder: Path) -> Path:
    return written(folder, _with_tensor(dims=[4], data_type=99, raw_data=bytes(16)))


@hostile("HP413")
def tensor_in_a_constant_that_is_too_short(folder: Path) -> Path:
    constant = TensorProto(name="c", dims=[100], data_type=TensorProto.INT64, raw_data=bytes(8))
    model = good()
    model.graph.node.append(helper.make_node("Constant", [], ["c"], value=constant))
    return written(folder, model)


# External data


def _external(folder: Path, location: str, offset: object = None, length: object = None) -> Path:
    """The sound model, its scales in another file; weights.bin has the 16 bytes that it needs."""
    folder.joinpath("weights.bin").write_bytes(np.array([1, 1, 2, 2], np.float32).tobytes())
    model = good()
    scales = model.graph.initializer[-1]
    scales.ClearField("raw_data")
    builders.refer_to(scales, location)
    for key, value in (("offset", offset), ("length", length)):
        if value is not None:
            scales.external_data.add(key=key, value=str(value))
    return written(folder, model)


@hostile(None)
def external_data_as_it_should_be(folder: Path) -> Path:
    return _external(folder, "weights.bin", 0, 16)


@hostile("HP412")
def external_data_at_an_absolute_path(folder: Path) -> Path:
    return _external(folder, str(folder / "weights.bin"))


@hostile("HP412")
def external_data_of_the_system(folder: Path) -> Path:
    return _external(folder, "/etc/passwd", 0, 16)


@hostile("HP412")
def external_data_above_the_folder(folder: Path) -> Path:
    below = folder / "below"
    below.mkdir()
    _external(folder, "weights.bin")
    return _external(below, "../weights.bin")


@hostile("HP412")
def external_data_up_and_down(folder: Path) -> Path:
    (folder / "sub").mkdir()
    return _external(folder, "sub/../weights.bin")


@hostile("HP412")
def external_data_with_backslashes(folder: Path) -> Path:
    return _external(folder, "..\\weights.bin")


@hostile("HP412")
def external_data_behind_a_link_out(folder: Path) -> Path:
    outside, inside = folder / "outside", folder / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret.bin").write_bytes(bytes(16))
    (inside / "link.bin").symlink_to(outside / "secret.bin")
    return _external(inside, "link.bin")


@hostile("HP412")
def external_data_behind_a_linked_folder(folder: Path) -> Path:
    outside, inside = folder / "outside", folder / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret.bin").write_bytes(bytes(16))
    (inside / "data").symlink_to(outside)
    return _external(inside, "data/secret.bin")


@hostile(None)
def external_data_behind_a_link_within(folder: Path) -> Path:
    (folder / "link.bin").symlink_to(folder / "weights.bin")
    return _external(folder, "link.bin")


@hostile("HP412")
def external_data_with_a_second_name(folder: Path) -> Path:
    path = _external(folder, "second.bin")
    os.link(folder / "weights.bin", folder / "second.bin")
    return path


@hostile("HP412")
def external_data_that_is_missing(folder: Path) -> Path:
    return _external(folder, "missing.bin")


@hostile("HP412")
def external_data_that_is_a_folder(folder: Path) -> Path:
    (folder / "data").mkdir()
    return _external(folder, "data")


@hostile("HP412")
def external_data_without_a_location(folder: Path) -> Path:
    return _external(folder, "")


@hostile("HP412")
def external_data_at_a_zero_byte(folder: Path) -> Path:
    return _external(folder, "weights\0.bin")


@hostile("HP412")
def external_data_beyond_the_end(folder: Path) -> Path:
    return _external(folder, "weights.bin", 8, 16)


@hostile("HP412")
def external_data_far_beyond_the_end(folder: Path) -> Path:
    return _external(folder, "weights.bin", 2**70, 16)


@hostile("HP412")
def external_data_before_the_start(folder: Path) -> Path:
    return _external(folder, "weights.bin", -8, 16)


@hostile("HP412")
def external_data_of_another_length(folder: Path) -> Path:
    return _external(folder, "weights.bin", 0, 12)


@hostile("HP412")
def external_data_at_no_number(folder: Path) -> Path:
    return _external(folder, "weights.bin", "zero")


# Size


@hostile(None)
def million_nodes(folder: Path) -> Path:
    graph = GraphProto(name="main")
    for i in range(999_999):
        graph.node.add(op_type="Relu", name=f"Relu_{i}", input=[f"x{i}"], output=[f"x{i + 1}"])
    graph.node.append(helper.make_node("Resize", ["x999999", "", "scales"], ["Y"], name="resize"))
    graph.initializer.append(builders.tensor("scales", [1, 1, 2, 2], np.float32))
    graph.input.append(helper.make_tensor_value_info("x0", TensorProto.FLOAT, [1, 2, 4, 6]))
    graph.output.append(helper.make_tensor_value_info("Y", TensorProto.FLOAT, [1, 2, 8, 12]))
    return written(folder, ModelProto(ir_version=8, graph=graph, opset_import=[helper.make_opsetid("", 13)]))


@hostile("HP410")
def bytes_that_become_a_hundred_times_as_many(folder: Path) -> Path:
    """Forty million bytes of nodes with nothing in them."""
    nodes = b"\x0a\x00" * 20_000_000
    length, digits = len(nodes), b""
    while length > 127:
        digits += bytes([length & 127 | 128])
        length >>= 7
    return written(folder, b"\x08\x08\x3a" + digits + bytes([length]) + nodes + b"\x42\x02\x10\x0d")


def nested_message(depth: int) -> ModelProto:
    """A message in memory, nested deeper than any file can be."""
    model = good()
    graph = model.graph
    for _ in range(depth):
        attribute = graph.node.add(op_type="If").attribute.add(name="then_branch", type=AttributeProto.GRAPH)
        graph = attribute.g
    return model


def make_kept(folder: Path) -> None:
    """Write the files that are kept beside this one: how they were made."""
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 4745517\n"
    model = good()
    content = model.SerializeToString()
    files = {
        "git_lfs_pointer.onnx": pointer,
        "cut_within_a_number.onnx": content + b"\x08\xff",
        "group_never_closed.onnx": content + b"\x3b",
        "one_zero_byte.onnx": b"\0",
        "name_not_utf8.onnx": content.replace(b"scales", b"sc\xffl\xfes"),
    }
    for name, one in files.items():
        (folder / name).write_bytes(one)
    assert onnx.ModelProto.FromString(content) == model
