"""The oracle gives the right value, or refuses, in every case made from public bug reports."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from .coordinates import half_pixel
from .exact import ExactArray
from .lengths import Axis, RefusedError
from .nodes import run_node
from .resize import Attributes, Result, resize_grad
from .vectors import REPORTED, read, reported_inputs
from .weights import filter_row, linear_kernel

CASES = read(REPORTED)
REFUSED = [case for case in CASES if isinstance(case["expect"], str)]
ANSWERED = [case for case in CASES if not isinstance(case["expect"], str)]

# where the text leaves two readings: the shape this project takes
DECIDED = {"R007a": (255,), "R007b": (705,), "R070a": (4,)}


def run(case: dict[str, Any]) -> Result:
    """The oracle's answer."""
    return run_node(case["op"], reported_inputs(case), case["attrs"], opset=case["version"])


def approx(values: Any) -> Any:
    """The cases' numbers are printed to about ten digits."""
    return pytest.approx(values, rel=1e-5, abs=1e-6)


def test_no_case_is_missing() -> None:
    """107 cases, 13 of them errors."""
    assert (len(ANSWERED), len(REFUSED)) == (94, 13)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_refused(case: dict[str, Any]) -> None:
    """A case whose expectation is an error has no result."""
    with pytest.raises(RefusedError):
        run(case)


@pytest.mark.parametrize("case", [c for c in ANSWERED if c["id"] != "R102"], ids=lambda case: case["id"])
def test_answer(case: dict[str, Any]) -> None:
    """Shape, values, single samples, values before rounding and constants, whichever the case names."""
    result = run(case)
    expect = case["expect"]
    shape = DECIDED.get(case["id"], expect["shape"])
    assert list(result.shape) == list(shape)
    y = result.rounded().ravel().tolist()
    values = expect["values"] or case.get("hint_values")
    if values is not None:
        assert y == (values if isinstance(values[0], str) else approx(values))
    for index, value in case.get("samples", {}).items():
        assert y[int(index)] == approx(value)
    if "constant" in case:
        assert set(y) == {case["constant"]}
    if "real_values" in case:
        assert [float(result.parts[0].value(i)) for i in range(len(y))] == approx(case["real_values"])


def test_gradient_of_ones() -> None:
    """R107: with dY all ones each input sample receives the sum of its weights."""
    (case,) = (case for case in CASES if "dY" in case)
    dy = np.ones(case["expect"]["shape"], np.float32)
    attributes = Attributes(**case["attrs"])
    gradient = resize_grad(dy, case["inputs"]["X"]["shape"], None, case["inputs"]["sizes"], attributes)
    assert gradient.rounded().ravel().tolist() == case["grad_values"]


def test_coordinates_beyond_float32() -> None:
    """R102: 4194308 samples doubled; the weights are 1/4 and 3/4 to the very end. Only the sampled rows are built."""
    (case,) = (case for case in CASES if case["id"] == "R102")
    size = case["inputs"]["X"]["shape"][0]
    axis = Axis(0, size, 2 * size, Fraction(2))
    for index, value in case["samples"].items():
        row = filter_row(half_pixel(axis, int(index)), size, linear_kernel, 1, Fraction(1), False)
        assert sum(weight * (j % 2) for j, weight in row) == Fraction(value)


def test_exact_array_reads_each_value() -> None:
    """value() is the fraction itself, not its rounding."""
    assert ExactArray((2,), [1, -7], 3).value(1) == Fraction(-7, 3)
