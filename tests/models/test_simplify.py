"""What exporters leave, brought back to one node: the same bits, by other runtimes too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import NodeProto, TensorProto, helper

from halfpixel._errors import ModelError
from halfpixel.models.simplify import Simplified, simplify
from halfpixel.models.simplify.averages import window_matrix
from tests.cli.commands import halfpixel
from tests.models.builders import chain, model_of, rearrange, resize, tensor
from tests.models.test_upgrade import data, operators, session

Lengths = Sequence[int | str | None]


def model(
    nodes: Sequence[NodeProto], shape: Lengths, initializers: Sequence[TensorProto] = (), opset: int = 19
) -> onnx.ModelProto:
    """A model from X to Y."""
    x = helper.make_tensor_value_info("X", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * len(shape))
    graph = helper.make_graph(nodes, "main", [x], [y], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def gather_nd(indices: Any, shape: Lengths) -> onnx.ModelProto:
    """Nearest as torch's exporter writes it: space in front, GatherND, space behind."""
    nodes = [
        helper.make_node("Transpose", ["X"], ["front"], perm=[2, 3, 0, 1]),
        helper.make_node("GatherND", ["front", "indices"], ["taken"]),
        helper.make_node("Transpose", ["taken"], ["Y"], perm=[2, 3, 0, 1], name="last"),
    ]
    return model(nodes, shape, [tensor("indices", indices, np.int64)])


def simplified(old: onnx.ModelProto, x: Any, **settings: Any) -> tuple[Simplified, onnx.ModelProto]:
    """The result and its model; onnx's checker takes it, onnxruntime gives the same numbers as before."""
    result = simplify(old, **settings)
    proto = result.model.proto()
    onnx.checker.check_model(proto, full_check=True)
    expected, got = (session(one).run(None, {"X": x})[0] for one in (old, proto))
    if not settings:
        assert got.tobytes() == expected.tobytes()
        assert result.equal
    assert result.nodes == len(operators(proto))
    return result, proto


def attributes(proto: onnx.ModelProto) -> dict[str, Any]:
    """The attributes of the one node beside constants."""
    (node,) = [node for node in proto.graph.node if node.op_type != "Constant"]
    return {one.name: helper.get_attribute_value(one) for one in node.attribute}


def test_nearest_exact_as_gather_nd_is_one_resize() -> None:
    # floor((i + 1/2) in / out): 4 to 6 and 6 to 4.
    rows, columns = np.array([0, 1, 1, 2, 3, 3]), np.array([0, 2, 3, 5])
    indices = np.stack(np.meshgrid(rows, columns, indexing="ij"), -1)
    result, proto = simplified(gather_nd(indices, (1, 2, 4, 6)), data((1, 2, 4, 6)))
    assert operators(proto) == ["Resize"]
    assert attributes(proto) == {
        "mode": b"nearest",
        "coordinate_transformation_mode": b"half_pixel",
        "nearest_mode": b"round_prefer_ceil",
    }
    (change,) = result.changes
    assert (change.name, change.before, change.seen) == ("last", "GatherND and 2 more", "all samples compared")


def test_samples_that_no_resize_takes_stay() -> None:
    indices = np.stack(np.meshgrid([0, 3, 1], [0, 1], indexing="ij"), -1)
    result, proto = simplified(gather_nd(indices, (1, 2, 4, 6)), data((1, 2, 4, 6)))
    assert (result.changes, operators(proto)) == ((), ["Transpose", "GatherND", "Transpose"])


def by_formula(scale: float) -> onnx.ModelProto:
    """Nearest-exact of open lengths: the indices are computed, in float32 as torch does."""
    nodes, constants = [], [tensor("scale", scale, np.float32), tensor("half", 0.5, np.float32)]
    constants += [tensor("zero", 0, np.float32), tensor("one", 1, np.float32), tensor("last", [-1], np.int64)]
    for axis, name in ((2, "h"), (3, "w")):
        nodes += [
            helper.make_node("Shape", ["X"], [f"{name}_1"], start=axis, end=axis + 1),
            helper.make_node("Squeeze", [f"{name}_1"], [name]),
            helper.make_node("Cast", [name], [f"{name}_float"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}_float", "scale"], [f"{name}_grown"]),
            helper.make_node("Floor", [f"{name}_grown"], [f"{name}_out"]),
            helper.make_node("Range", ["zero", f"{name}_out", "one"], [f"{name}_places"]),
            helper.make_node("Add", [f"{name}_places", "half"], [f"{name}_centres"]),
            helper.make_node("Div", [f"{name}_centres", "scale"], [f"{name}_found"]),
            helper.make_node("Cast", [f"{name}_found"], [f"{name}_index"], to=TensorProto.INT64),
        ]
    nodes += [
        helper.make_node("Gather", ["X", "h_index"], ["tall"], axis=2),
        helper.make_node("Gather", ["tall", "w_index"], ["Y"], axis=3),
    ]
    return model(nodes, (1, 2, "h", "w"), constants)


@pytest.mark.parametrize("scale", [2.0, 0.5, 4.0])
def test_open_lengths_with_powers_of_two(scale: float) -> None:
    result, proto = simplified(by_formula(scale), data((1, 2, 9, 13)))
    assert operators(proto) == ["Resize"]
    assert result.changes[0].seen == "all samples of 51 shapes compared"


def test_open_lengths_with_another_scale_stay() -> None:
    """With 1.7 the float32 of the indices rounds otherwise at some length."""
    result, proto = simplified(by_formula(1.7), data((1, 2, 9, 13)))
    assert result.changes == ()
    assert len(operators(proto)) == 20


def reshapes(split: Sequence[int], perm: Sequence[int], joined: Sequence[int], shape: Lengths, opset: int) -> Any:
    nodes = [
        helper.make_node("Reshape", ["X", "split"], ["six"]),
        helper.make_node("Transpose", ["six"], ["turned"], perm=perm),
        helper.make_node("Reshape", ["turned", "joined"], ["Y"]),
    ]
    return model(nodes, shape, [tensor("split", split, np.int64), tensor("joined", joined, np.int64)], opset)


def test_a_pixel_shuffle_is_depth_to_space() -> None:
    old = reshapes([1, 2, 2, 2, 2, 3], [0, 1, 4, 2, 5, 3], [1, 2, 4, 6], (1, 8, 2, 3), 13)
    _, proto = simplified(old, data((1, 8, 2, 3)))
    assert attributes(proto) == {"blocksize": 2, "mode": b"CRD"}
    old = reshapes([1, 2, 2, 2, 2, 3], [0, 3, 4, 1, 5, 2], [1, 2, 4, 6], (1, 8, 2, 3), 13)
    _, proto = simplified(old, data((1, 8, 2, 3)))
    assert attributes(proto) == {"blocksize": 2, "mode": b"DCR"}


def test_a_pixel_unshuffle_needs_opset_28() -> None:
    split, perm, joined = [1, 2, 2, 2, 3, 2], [0, 1, 3, 5, 2, 4], [1, 8, 2, 3]
    assert simplify(reshapes(split, perm, joined, (1, 2, 4, 6), 19)).changes == ()
    new = simplify(reshapes(split, perm, joined, (1, 2, 4, 6), 28))
    assert [change.after for change in new.changes] == [("SpaceToDepth",)]
    assert attributes(new.model.proto()) == {"blocksize": 2, "mode": b"CRD"}


def test_pairs_cancel_only_if_exactly() -> None:
    deep = rearrange("SpaceToDepth", 13)
    _, proto = simplified(chain(deep, rearrange("DepthToSpace", 13)), data((1, 2, 4, 6)))
    assert operators(proto) == ["Identity"]
    kept, _ = simplified(chain(deep, rearrange("DepthToSpace", 13, mode="CRD")), data((1, 2, 4, 6)))
    assert kept.changes == ()
    up, down = resize(13, scales=(1, 1, 2, 2)), resize(13, scales=(1, 1, 0.5, 0.5), x_shape=(1, 2, 8, 12))
    _, proto = simplified(chain(up, down), data((1, 2, 4, 6)))
    assert operators(proto) == ["Identity"]
    other = chain(resize(13, scales=(1, 1, 0.5, 0.5)), resize(13, scales=(1, 1, 2, 2), x_shape=(1, 2, 2, 3)))
    assert simplified(other, data((1, 2, 4, 6)))[0].changes == ()
    averaged = chain(resize(13, scales=(1, 1, 2, 2), mode="linear"), down)
    assert simplified(averaged, data((1, 2, 4, 6)))[0].changes == ()


def test_a_value_that_others_read_stays() -> None:
    nodes = [
        helper.make_node("SpaceToDepth", ["X"], ["deep"], blocksize=2),
        helper.make_node("DepthToSpace", ["deep"], ["back"], blocksize=2),
        helper.make_node("ReduceSum", ["deep"], ["sum"], keepdims=1),
        helper.make_node("Add", ["back", "sum"], ["Y"]),
    ]
    old = model(nodes, (1, 2, 4, 6))
    assert "SpaceToDepth" in operators(simplify(old).model.proto())


@pytest.mark.parametrize("name", ["sizes", "scales"])
def test_computed_inputs_of_known_lengths_become_constants(name: str) -> None:
    computed: Any = {name: "computed"}
    result, proto = simplified(model_of(resize(19, mode="linear", **computed)), data((1, 2, 4, 6)))
    assert operators(proto) == ["Resize"]
    assert result.changes[0].after == (f"Resize with constant {name}",)


def test_sizes_that_are_twice_an_open_length_become_scales() -> None:
    old = model_of(resize(19, sizes="computed", mode="linear", x_shape=(1, 2, "h", "w")))
    result, proto = simplified(old, data((1, 2, 5, 9)))
    assert operators(proto) == ["Resize"]
    assert result.changes[0].after == ("Resize with constant scales",)
    (constant,) = [node for node in proto.graph.node if node.op_type == "Constant"]
    assert onnx.numpy_helper.to_array(constant.attribute[0].t).tolist() == [1, 1, 2, 2]


def with_sizes(nodes: Sequence[NodeProto], constants: Sequence[TensorProto], opset: int) -> onnx.ModelProto:
    """A linear Resize of X (1, 2, h, w) to what some nodes compute as "sizes"."""
    resized = helper.make_node("Resize", ["X", "", "", "sizes"], ["Y"], mode="linear", name="resize")
    return model([*nodes, resized], ("n", 2, "h", "w"), constants, opset)


def test_sizes_that_keep_batch_and_channels_become_sizes_of_the_rest() -> None:
    nodes = [
        helper.make_node("Shape", ["X"], ["kept"], start=0, end=2),
        helper.make_node("Concat", ["kept", "fixed"], ["sizes"], axis=0),
    ]
    old = with_sizes(nodes, [tensor("fixed", [5, 7], np.int64)], 19)
    result, proto = simplified(old, data((3, 2, 4, 6)))
    assert operators(proto) == ["Resize"]
    assert attributes(proto)["axes"] == [2, 3]
    assert result.changes[0].after == ("Resize with constant sizes",)
    # Before version 18 a Resize has no axes.
    assert simplify(with_sizes(nodes, [tensor("fixed", [5, 7], np.int64)], 17)).changes == ()


def test_sizes_that_round_stay() -> None:
    """Half of an odd length is no whole number: its scale is not 1/2."""
    nodes = [
        helper.make_node("Shape", ["X"], ["shape"]),
        helper.make_node("Div", ["shape", "by"], ["sizes"]),
    ]
    assert simplify(with_sizes(nodes, [tensor("by", [1, 1, 2, 2], np.int64)], 19)).changes == ()
    nodes[1:] = [
        helper.make_node("Mul", ["shape", "times"], ["more"]),
        helper.make_node("Div", ["more", "by"], ["sizes"]),
    ]
    constants = [tensor("times", [1, 1, 3, 3], np.int64), tensor("by", [1, 1, 2, 2], np.int64)]
    assert simplify(with_sizes(nodes, constants, 19)).changes == ()


def test_moves_that_depend_on_the_samples_stay() -> None:
    """A Slice from 0 * max(X): everything for numbers, an error for infinity."""
    nodes = [
        helper.make_node("Mul", ["X", "zero"], ["zeros"]),
        helper.make_node("ReduceMax", ["zeros"], ["largest"], keepdims=0),
        helper.make_node("Cast", ["largest"], ["scalar"], to=TensorProto.INT64),
        helper.make_node("Reshape", ["scalar", "one"], ["start"]),
        helper.make_node("Slice", ["X", "start", "end", "axis"], ["part"]),
        helper.make_node("Identity", ["part"], ["Y"]),
    ]
    constants = [tensor("zero", 0, np.float32), tensor("one", [1], np.int64), tensor("end", [99], np.int64)]
    old = model(nodes, (1, 2, 4, 6), [*constants, tensor("axis", [2], np.int64)])
    assert "Slice" in operators(simplify(old).model.proto())


def area_model() -> onnx.ModelProto:
    """5 x 4 to 2 x 4 by windows of 3 rows gathered and added: rows 0-2 and 2-4."""
    nodes = [
        helper.make_node("Gather", ["X", "windows"], ["gathered"], axis=2),
        helper.make_node("Gather", ["gathered", "i0"], ["r0"], axis=3),
        helper.make_node("Gather", ["gathered", "i1"], ["r1"], axis=3),
        helper.make_node("Gather", ["gathered", "i2"], ["r2"], axis=3),
        helper.make_node("Add", ["r0", "r1"], ["s"]),
        helper.make_node("Add", ["s", "r2"], ["t"]),
        helper.make_node("Div", ["t", "three"], ["Y"]),
    ]
    constants = [tensor(f"i{n}", n, np.int64) for n in range(3)]
    constants += [tensor("windows", [[0, 1, 2], [2, 3, 4]], np.int64), tensor("three", 3, np.float32)]
    return model(nodes, (1, 2, 5, 4), constants)


def test_area_becomes_matmul_if_rounding_is_allowed() -> None:
    assert window_matrix(5, 2).tolist() == [[1 / 3, 1 / 3, 1 / 3, 0, 0], [0, 0, 1 / 3, 1 / 3, 1 / 3]]
    old, x = area_model(), data((1, 2, 5, 4))
    assert simplify(old).changes == ()
    result, proto = simplified(old, x, rounding=True)
    assert operators(proto) == ["MatMul"]
    assert not result.changes[0].exact
    y = session(proto).run(None, {"X": x})[0]
    assert np.abs(y[:, :, 0] - x[:, :, :3].mean(2)).max() < 1e-5


def test_area_of_equal_windows_becomes_average_pool() -> None:
    nodes = [
        helper.make_node("Reshape", ["X", "split"], ["six"]),
        helper.make_node("ReduceSum", ["six", "inner"], ["sums"], keepdims=0),
        helper.make_node("Mul", ["sums", "quarter"], ["scaled"]),
        helper.make_node("Mul", ["scaled", "one"], ["Y"]),
    ]
    constants = [tensor("split", [1, 2, 2, 2, 3, 2], np.int64), tensor("inner", [3, 5], np.int64)]
    constants += [tensor("quarter", 0.25, np.float32), tensor("one", 1, np.float32)]
    _, proto = simplified(model(nodes, (1, 2, 4, 6), constants), data((1, 2, 4, 6)), rounding=True)
    assert operators(proto) == ["AveragePool"]
    assert attributes(proto) == {"kernel_shape": [2, 2], "strides": [2, 2]}


def test_a_sum_that_is_no_area_stays() -> None:
    old = area_model()
    old.graph.initializer[-1].CopyFrom(tensor("three", 2, np.float32))
    assert simplify(old, rounding=True).changes == ()


def test_a_wrong_rewriting_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from halfpixel.models.simplify import simplifying
    from halfpixel.models.simplify.constants import Fixed

    monkeypatch.setattr(simplifying, "fixed_input", lambda site: Fixed("sizes", (1, 2, 8, 11), None, "planted"))
    with pytest.raises(ModelError, match="other numbers") as caught:
        simplify(model_of(resize(19, sizes="computed", mode="linear")), tmp_path / "out.onnx")
    assert caught.value.code == "HP440"
    assert not (tmp_path / "out.onnx").exists()


def test_the_command(tmp_path: Path) -> None:
    source, out = tmp_path / "old.onnx", tmp_path / "new.onnx"
    onnx.save(model_of(resize(19, sizes="computed", name="grow")), source)
    ran = halfpixel("simplify", source, out)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"{source}: 4 nodes -> {out}: 1 nodes" in ran.stdout
    as_json = json.loads(halfpixel("simplify", source, out, "--rounding", "--json").stdout)
    assert (as_json["nodes_before"], as_json["nodes"]) == (4, 1)
    onnx.save(area_model(), source)
    assert "MatMul" in halfpixel("simplify", source, out, "--rounding").stdout
