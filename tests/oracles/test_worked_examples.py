"""The oracle reproduces the published examples: the Resize-19 text's own, and the node tests of ONNX 1.3 to 1.12."""

from typing import Any

import numpy as np
import pytest

from .nodes import run_node
from .vectors import EXAMPLES, HISTORIC, read, tensor

EXAMPLE_CASES = read(EXAMPLES)
HISTORIC_CASES = read(HISTORIC)


def test_no_vector_is_missing() -> None:
    """24 examples and 58 node tests."""
    assert (len(EXAMPLE_CASES), len(HISTORIC_CASES)) == (24, 58)


@pytest.mark.parametrize("case", EXAMPLE_CASES, ids=lambda case: case["name"])
def test_resize_19_example(case: dict[str, Any]) -> None:
    """Each printed number to its last printed digit; dots in the text print nothing."""
    result = run_node("Resize", [tensor(each) for each in case["inputs"]], case["attributes"], opset=19).rounded()
    expected = case["output"]
    assert (list(result.shape), result.dtype.name) == (expected["shape"], expected["dtype"])
    pairs = list(zip(result.ravel().tolist(), expected["data"], strict=True))
    printed = [(y, value) for y, value in pairs if value is not None]
    assert len(printed) >= 2
    for y, value in printed:
        assert y == pytest.approx(value, rel=4e-7, abs=1e-7)


@pytest.mark.parametrize("case", HISTORIC_CASES, ids=lambda case: f"{case['name']}_{case['opset']}")
def test_historic_node_test(case: dict[str, Any]) -> None:
    """The published tolerance of the node tests: rtol 1e-3, atol 1e-7."""
    inputs = [tensor(each) for each in case["inputs"]]
    result = run_node(case["op"], inputs, case["attributes"], opset=case["opset"]).rounded()
    expected = tensor(case["output"])
    assert expected is not None
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-7)
