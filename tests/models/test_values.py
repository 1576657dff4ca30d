"""What is the same in every run: folding of shape arithmetic, and words for where a value comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx_ir
import pytest
from onnx import NodeProto, TensorProto, helper

from halfpixel import models
from halfpixel.models.values import constant_value, partly_constant, source_of
from tests.models import builders

SHAPE = (None, 3, 32, 48)
"""Of X: its first length is unknown."""


def value_of(nodes: Sequence[NodeProto], opset: int = 13, **constants: Any) -> onnx_ir.Value:
    """The last output of nodes, in a graph with the input X and constants."""
    initializers = [builders.tensor(name, array, np.asarray(array).dtype) for name, array in constants.items()]
    inputs = [
        helper.make_tensor_value_info("X", TensorProto.FLOAT, SHAPE),
        helper.make_tensor_value_info("passed", TensorProto.INT64, [2]),
    ]
    name = nodes[-1].output[0]
    outputs = [helper.make_tensor_value_info(name, TensorProto.INT64, None)]
    graph = helper.make_graph(nodes, "main", inputs, outputs, initializers)
    return models.load(builders.finished(graph, opset)).ir.graph.outputs[0]


def node(op_type: str, inputs: str, output: str = "out", **attributes: Any) -> NodeProto:
    return helper.make_node(op_type, ["" if name == "-" else name for name in inputs.split()], [output], **attributes)


SHAPE_OF_X = node("Shape", "X", "shape")


@pytest.mark.parametrize(
    ("nodes", "constants", "expected"),
    [
        ([SHAPE_OF_X, node("Gather", "shape i")], {"i": np.int64(3)}, 48),
        ([SHAPE_OF_X, node("Gather", "shape i")], {"i": np.array([-1, 1])}, [48, 3]),
        ([SHAPE_OF_X, node("Slice", "shape a b")], {"a": [2], "b": [4]}, [32, 48]),
        ([SHAPE_OF_X, node("Slice", "shape a b - s")], {"a": [-1], "b": [-(2**63)], "s": [-1]}, None),
        ([SHAPE_OF_X, node("Slice", "shape a b - s")], {"a": [3], "b": [0], "s": [-1]}, [48, 32, 3]),
        ([SHAPE_OF_X, node("Slice", "shape a b axes")], {"a": [1], "b": [2**63 - 1], "axes": [0]}, [3, 32, 48]),
        ([node("Shape", "X", start=2)], {}, [32, 48]),
        ([node("Shape", "X", start=-3, end=-1)], {}, [3, 32]),
        ([node("Shape", "X")], {}, None),
        ([node("Size", "X")], {}, None),
        ([node("Concat", "a b", axis=0)], {"a": [1, 2], "b": [3]}, [1, 2, 3]),
        ([node("Add", "a b")], {"a": [1, 2], "b": [3]}, [4, 5]),
        ([node("Sub", "a b")], {"a": [1, 2], "b": [3]}, [-2, -1]),
        ([node("Mul", "a b")], {"a": np.float32([1.5, 2]), "b": np.float32(2)}, [3.0, 4.0]),
        ([node("Div", "a b")], {"a": [7, -7, 7, -7], "b": [2, 2, -2, -2]}, [3, -3, -3, 3]),
        ([node("Div", "a b")], {"a": [7], "b": [0]}, None),
        ([node("Div", "a b")], {"a": np.float32([7]), "b": np.float32([2])}, [3.5]),
        ([node("Floor", "a")], {"a": np.float32([1.5, -1.5])}, [1.0, -2.0]),
        ([node("Ceil", "a")], {"a": np.float32([1.5, -1.5])}, [2.0, -1.0]),
        ([node("Round", "a")], {"a": np.float32([0.5, 1.5, 2.5])}, [0.0, 2.0, 2.0]),
        ([node("Neg", "a")], {"a": [1, -2]}, [-1, 2]),
        ([node("Abs", "a")], {"a": [1, -2]}, [1, 2]),
        ([node("Sqrt", "a")], {"a": np.float32([4])}, [2.0]),
        ([node("Min", "a b c")], {"a": [5, 1], "b": [3], "c": [4, 4]}, [3, 1]),
        ([node("Max", "a b c")], {"a": [5, 1], "b": [3], "c": [4, 4]}, [5, 4]),
        ([node("Cast", "a", to=TensorProto.INT64)], {"a": np.float32([1.9, -1.9])}, [1, -1]),
        ([node("Cast", "a", to=TensorProto.FLOAT)], {"a": [2**24 + 1]}, [2.0**24]),
        ([node("Unsqueeze", "a axes")], {"a": np.int64(4), "axes": [0]}, [4]),
        ([node("Squeeze", "a axes")], {"a": [[4, 5]], "axes": [0]}, [4, 5]),
        ([node("Squeeze", "a")], {"a": [[[4]]]}, 4),
        ([node("Reshape", "a shape")], {"a": [[1, 2], [3, 4]], "shape": [-1]}, [1, 2, 3, 4]),
        ([node("Reshape", "a shape")], {"a": [[1, 2], [3, 4]], "shape": [0, 2]}, [[1, 2], [3, 4]]),
        ([node("Transpose", "a")], {"a": [[1, 2], [3, 4]]}, [[1, 3], [2, 4]]),
        ([node("Transpose", "a", perm=[0, 1])], {"a": [[1, 2], [3, 4]]}, [[1, 2], [3, 4]]),
        ([node("Expand", "a shape")], {"a": [7], "shape": [3]}, [7, 7, 7]),
        ([node("ConstantOfShape", "shape")], {"shape": [2]}, [0.0, 0.0]),
        ([node("ConstantOfShape", "shape", value=builders.tensor("v", [9], np.int64))], {"shape": [2]}, [9, 9]),
        ([node("ReduceProd", "a", axes=[0])], {"a": [2, 3, 4]}, [24]),
        ([node("ReduceSum", "a", keepdims=0)], {"a": [[2, 3], [4, 5]]}, 14),
        ([node("ReduceSum", "a", noop_with_empty_axes=1)], {"a": [2, 3]}, [2, 3]),
        ([node("Equal", "a b")], {"a": [1, 2], "b": [1, 3]}, [True, False]),
        ([node("Where", "c a b")], {"c": [True, False], "a": [1, 2], "b": [8, 9]}, [1, 9]),
        ([node("Identity", "a")], {"a": [5]}, [5]),
        ([node("Constant", "", value=builders.tensor("v", [1, 2], np.int64))], {}, [1, 2]),
        ([node("Constant", "", value_ints=[1, 2])], {}, [1, 2]),
        ([node("Constant", "", value_float=0.5)], {}, 0.5),
        ([node("Constant", "", value_floats=[0.5, 2])], {}, [0.5, 2.0]),
        ([node("Constant", "", value_int=3)], {}, 3),
        ([node("Constant", "", value_string=b"x")], {}, None),
        ([node("Add", "a passed")], {"a": [1, 2]}, None),
        ([node("Tile", "a a")], {"a": [1]}, None),
        ([node("Add", "a b")], {"a": [1, 2], "b": [1, 2, 3]}, None),
        ([node("Gather", "a i")], {"a": [1, 2], "i": [5]}, None),
        ([SHAPE_OF_X, node("Mul", "shape twice")], {"twice": [2]}, None),
        ([SHAPE_OF_X, node("Mul", "shape twice", "m"), node("Gather", "m i")], {"twice": [2], "i": [2, 3]}, [64, 96]),
    ],
)
def test_constant_value(nodes: list[NodeProto], constants: dict[str, Any], expected: Any) -> None:
    found = constant_value(value_of(nodes, **constants))
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert found.tolist() == expected


def test_attributes_of_older_versions() -> None:
    sliced = [SHAPE_OF_X, node("Slice", "shape", starts=[2], ends=[4], axes=[0])]
    assert constant_value(value_of(sliced, 9)).tolist() == [32, 48]  # type: ignore[union-attr]
    lifted = [SHAPE_OF_X, node("Gather", "shape i", "one"), node("Unsqueeze", "one", axes=[0])]
    assert constant_value(value_of(lifted, 11, i=np.int64(1))).tolist() == [3]  # type: ignore[union-attr]


def test_a_shape_of_which_one_length_is_unknown() -> None:
    found = partly_constant(value_of([SHAPE_OF_X, node("Mul", "shape twice")], twice=[2]))
    assert found is not None
    assert found.known.tolist() == [False, True, True, True]
    assert found.values.tolist()[1:] == [6, 64, 96]


def test_lengths_that_inference_knows() -> None:
    """X goes through a Conv of stride 2: its Shape is known once onnx has inferred it."""
    built = builders.resize(13, sizes="computed", x_shape=(1, 3, 32, 48))
    built.before.insert(0, helper.make_node("Conv", ["X", "w"], ["C"], strides=[2, 2]))
    built.before[1].input[0] = built.node.input[0] = "C"
    built.initializers.append(builders.tensor("w", np.zeros((5, 3, 1, 1)), np.float32))
    (site,) = models.find_sites(models.load(builders.model_of(built)))
    assert site.in_shape == (1, 5, 16, 24)
    assert site.constant("sizes").tolist() == [1, 5, 32, 48]  # type: ignore[union-attr]
    assert site.out_shape == (1, 5, 32, 48)


def test_folding_is_bounded() -> None:
    chain = [node("Identity", "a" if i == 0 else f"n{i - 1}", f"n{i}") for i in range(70)]
    assert constant_value(value_of(chain[:60], a=[1])).tolist() == [1]  # type: ignore[union-attr]
    assert constant_value(value_of(chain, a=[1])) is None
    assert constant_value(value_of([node("Identity", "a")], a=np.zeros(4097, np.int64))) is None
    assert constant_value(value_of([node("Expand", "a s")], a=[1], s=[2**40])) is None


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([node("Identity", "passed")], "computed: Identity of passed"),
        ([SHAPE_OF_X, node("Mul", "shape twice")], "computed: Mul of Shape(X)"),
        ([SHAPE_OF_X, node("Concat", "shape passed", axis=0)], "computed: Concat of Shape(X), passed"),
        ([node("Shape", "X")], "computed: Shape of Shape(X)"),
        ([node("Add", "twice twice")], "computed: Add of constants"),
        ([node("Constant", "", value_int=1)], "constant"),
    ],
)
def test_source_of(nodes: list[NodeProto], words: str) -> None:
    assert source_of(value_of(nodes, twice=[2])) == words


def test_source_of_names_four_ends() -> None:
    sums = [node("Shape", "X", "s0"), *[node("Relu", "passed", f"p{i}") for i in range(3)]]
    shapes = [node("Shape", f"p{i}", f"s{i + 1}") for i in range(3)]
    joined = node("Concat", "s0 s1 s2 s3 passed", axis=0)
    found = source_of(value_of([*sums, *shapes, joined]))
    assert found.startswith("computed: Concat of Shape(")
    assert found.endswith(", ...")
