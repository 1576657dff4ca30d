"""The published vectors as arrays and as one-node models."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import helper

DATA = Path(__file__).with_name("data")

# An IR version that onnx's checker takes together with each of the opsets 7 to 28.
IR_VERSION = 10


def read(name: str) -> list[dict[str, Any]]:
    """The objects of one file of tests/backend/data."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def dtype_of(name: str) -> Any:
    """The NumPy dtype that carries an element type."""
    return {"bfloat16": ml_dtypes.bfloat16, "string": object}.get(name, name)


def tensor(shape: Sequence[int], dtype: str, data: Any) -> np.ndarray[Any, Any]:
    """A described tensor; data is a row-major list or the name of a sequence."""
    index = np.arange(int(np.prod(shape)))
    sequences = {"arange": index, "ones": np.ones_like(index), "mod7": index % 7, "alternating01": index % 2}
    values = sequences[data] if isinstance(data, str) else data
    return np.array(values, dtype_of(dtype)).reshape(shape)


def one_node_model(
    op_type: str, inputs: Sequence[np.ndarray[Any, Any] | None], attributes: dict[str, Any], opset: int
) -> onnx.ModelProto:
    """A model of one node whose inputs are named i0, i1, ...; an absent one has no name."""
    names = ["" if value is None else f"i{number}" for number, value in enumerate(inputs)]
    while names[-1] == "":
        names.pop()
    node = helper.make_node(op_type, names, ["y"], **attributes)
    given = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in zip(names, inputs, strict=False)
        if value is not None
    ]
    assert inputs[0] is not None
    element = helper.np_dtype_to_tensor_dtype(inputs[0].dtype)
    rank = inputs[0].ndim
    output = helper.make_tensor_value_info("y", element, [None] * rank)
    graph = helper.make_graph([node], "one_node", given, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=IR_VERSION)
