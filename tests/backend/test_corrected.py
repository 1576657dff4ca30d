"""Operators that onnx computes otherwise than their texts say."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from halfpixel.onnx import Evaluator
from tests.models import builders

PARAMETERS = {
    "scale": np.float32([1, 2]),
    "bias": np.float32([0, 1]),
    "mean": np.float32([1, -1]),
    "var": np.float32([3, 8]),
}


def normalisation(opset: int, outputs: int = 1, **attributes: Any) -> onnx.ModelProto:
    names = ["Y", "mean_out", "var_out"][:outputs]
    node = helper.make_node("BatchNormalization", ["X", *PARAMETERS], names, epsilon=1.0, **attributes)
    info = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names]
    constants = [onnx.numpy_helper.from_array(array, name) for name, array in PARAMETERS.items()]
    inputs = [helper.make_tensor_value_info("X", TensorProto.FLOAT, [2, 2, 1])]
    graph = helper.make_graph([node], "main", inputs, info, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


X = np.float32([[[3], [2]], [[1], [-4]]])
# (x - mean) / sqrt(var + 1) * scale + bias: the denominators are 2 and 3
EXPECTED = [[[1], [3]], [[0], [-1]]]


@pytest.mark.parametrize("opset", [7, 9, 13, 14, 15])
@pytest.mark.parametrize("attributes", [{}, {"momentum": 0.5}])
def test_a_node_of_one_output_does_not_train(opset: int, attributes: dict[str, Any]) -> None:
    (y,) = Evaluator(normalisation(opset, **attributes)).run(None, {"X": X})
    assert y.tolist() == EXPECTED


def test_onnx_still_trains_it() -> None:
    """When this fails, BatchNormalization need no longer be replaced."""
    (y,) = ReferenceEvaluator(normalisation(9)).run(None, {"X": X})
    assert y.tolist() != EXPECTED


def test_training() -> None:
    model = normalisation(15, 3, training_mode=1, momentum=0.25)
    y, mean, var = Evaluator(model).run(None, {"X": X})
    # Of channel 0: mean 2, variance 1. Of channel 1: mean -1, variance 9.
    assert np.allclose(y[:, 0, 0], [1 / 2**0.5, -1 / 2**0.5])
    assert np.allclose(y[:, 1, 0], [2 * 3 / 10**0.5 + 1, -2 * 3 / 10**0.5 + 1])
    assert mean.tolist() == [0.25 * 1 + 0.75 * 2, 0.25 * -1 + 0.75 * -1]
    assert var.tolist() == [0.25 * 3 + 0.75 * 1, 0.25 * 8 + 0.75 * 9]


def loop(shape: list[int], rounds: int | None, until: int = 100) -> onnx.ModelProto:
    """A Loop that adds X to a sum, and gives the sum of each round and the number of the round."""
    body = helper.make_graph(
        [
            helper.make_node("Add", ["sum", "X"], ["sum_out"]),
            helper.make_node("Identity", ["sum_out"], ["scan"]),
            helper.make_node("Identity", ["i"], ["number"]),
            helper.make_node("Less", ["i", "last"], ["go_on_out"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("sum", TensorProto.FLOAT, shape),
        ],
        [
            helper.make_tensor_value_info("go_on_out", TensorProto.BOOL, []),
            helper.make_tensor_value_info("sum_out", TensorProto.FLOAT, shape),
            helper.make_tensor_value_info("scan", TensorProto.FLOAT, shape),
            helper.make_tensor_value_info("number", TensorProto.INT64, []),
        ],
    )
    constants = [onnx.numpy_helper.from_array(np.array(until, np.int64), "last")]
    if rounds is not None:
        constants.append(onnx.numpy_helper.from_array(np.array(rounds, np.int64), "rounds"))
    names = ["" if rounds is None else "rounds", "", "X"]
    node = helper.make_node("Loop", names, ["total", "sums", "numbers"], body=body)
    outputs = [
        helper.make_tensor_value_info("total", TensorProto.FLOAT, shape),
        helper.make_tensor_value_info("sums", TensorProto.FLOAT, [None, *shape]),
        helper.make_tensor_value_info("numbers", TensorProto.INT64, [None]),
    ]
    inputs = [helper.make_tensor_value_info("X", TensorProto.FLOAT, shape)]
    graph = helper.make_graph([node], "main", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


@pytest.mark.parametrize("shape", [[], [2], [2, 3], [1, 1, 2, 2]])
@pytest.mark.parametrize(("rounds", "until"), [(3, 100), (0, 100), (9, 2), (None, 1)])
def test_rounds_become_a_new_axis(shape: list[int], rounds: int | None, until: int) -> None:
    x = np.ones(shape, np.float32)
    model = loop(shape, rounds, until)
    total, sums, numbers = Evaluator(model).run(None, {"X": x})
    # The condition is looked at after a round: round `until` is the last.
    count = min(until + 1, 100 if rounds is None else rounds)
    assert total.tolist() == (x * (count + 1)).tolist()
    assert sums.shape == (count, *shape)
    assert sums.tolist() == [(x * (i + 2)).tolist() for i in range(count)]
    assert numbers.dtype == np.int64
    assert numbers.tolist() == list(range(count))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    for ours, theirs in zip((total, sums, numbers), session.run(None, {"X": x}), strict=True):
        assert ours.shape == theirs.shape
        assert ours.tolist() == theirs.tolist()


def test_onnx_still_puts_rounds_behind_each_other() -> None:
    """When this fails, Loop need no longer be replaced."""
    model = builders.in_loop(builders.resize(13))
    (stacked,) = ReferenceEvaluator(model).run(None, {"X": np.ones((1, 2, 4, 6), np.float32)})
    assert stacked.shape == (2, 2, 8, 12)
    (stacked,) = Evaluator(model).run(None, {"X": np.ones((1, 2, 4, 6), np.float32)})
    assert stacked.shape == (2, 1, 2, 8, 12)
