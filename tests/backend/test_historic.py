"""The node tests that ONNX 1.3 to 1.12 published for opsets 8 to 13, as nodes and as models."""

from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.onnx import backend
from tests.backend.vectors import one_node_model, read, tensor

CASES = read("onnx_node_tests_historic.jsonl")


def label(case: dict[str, Any]) -> str:
    return f"{case['name']}-onnx{case['onnx']}"


def inputs_of(case: dict[str, Any]) -> list[np.ndarray[Any, Any] | None]:
    return [
        None if given is None else tensor(given["shape"], given["dtype"], given["data"]) for given in case["inputs"]
    ]


def check(y: np.ndarray[Any, Any], case: dict[str, Any]) -> None:
    expected = case["output"]
    assert (y.dtype, list(y.shape)) == (np.dtype(expected["dtype"]), expected["shape"])
    np.testing.assert_allclose(y.ravel(), expected["data"], rtol=1e-3, atol=1e-7)


def test_no_case_is_missing() -> None:
    assert len(CASES) == 58


@pytest.mark.parametrize("case", CASES, ids=label)
def test_node(case: dict[str, Any]) -> None:
    check(hp.run_node(case["op"], inputs_of(case), case["attributes"], opset=case["opset"]), case)


@pytest.mark.parametrize("case", CASES, ids=label)
def test_model(case: dict[str, Any]) -> None:
    inputs = inputs_of(case)
    model = one_node_model(case["op"], inputs, case["attributes"], case["opset"])
    (y,) = backend.run_model(model, [value for value in inputs if value is not None])
    check(y, case)
