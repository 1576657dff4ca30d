"""The 107 cases made from public bug reports: the right value or the right error, as a node and as a model."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from halfpixel import layers
from halfpixel.onnx import backend
from tests.backend.vectors import one_node_model, read, tensor

CASES = read("reported_cases.jsonl")
REFUSED = [case for case in CASES if isinstance(case["expect"], str)]
ANSWERED = [case for case in CASES if isinstance(case["expect"], dict)]

# The code of the mistake that each refused case makes.
CODES = {
    "R078": "HP230",
    "R098a": "HP300",
    "R098b": "HP300",
    "R099a": "HP125",
    "R099b": "HP125",
    "R124c": "HP104",
    "R124d": "HP103",
    "R124e": "HP105",
    "R124f": "HP107",
    "R153a": "HP125",
    "R153b": "HP125",
    "R153c": "HP124",
    "R153d": "HP123",
}
# Where the words leave two readings, the shape that this project takes.
DECIDED_SHAPES = {"R007a": [255], "R007b": [705], "R070a": [4]}

Array = np.ndarray[Any, Any]


def label(case: dict[str, Any]) -> str:
    return str(case["id"])


def inputs_of(case: dict[str, Any]) -> list[Array | None]:
    """The inputs in the operator's order."""
    given = case["inputs"]
    x = tensor(given["X"]["shape"], given["X"]["dtype"], given["X"]["data"])
    if case["op"] in ("DepthToSpace", "SpaceToDepth"):
        return [x]
    types = {"roi": "float32", "scales": given.get("scales_dtype", "float32"), "sizes": "int64"}
    others = {name: np.array(given[name], types[name]) if name in given else None for name in types}
    return [x, *(others[name] for name in others if case["version"] > 10 or name == "scales")]


def run(case: dict[str, Any]) -> Any:
    return hp.run_node(case["op"], inputs_of(case), case["attrs"], opset=case["version"])


def check(y: Array, case: dict[str, Any]) -> None:
    """Shape and element type, and whichever of values, samples, a constant and unrounded values the case has."""
    expected = case["expect"]
    assert list(y.shape) == (expected["shape"] or DECIDED_SHAPES[case["id"]])
    assert y.dtype == tensor([0], case["inputs"]["X"]["dtype"], []).dtype
    flat = y.ravel()
    values = expected["values"] if expected["values"] is not None else case.get("hint_values")
    if values is not None:
        check_values(flat, values)
    if "real_values" in case:
        info = np.iinfo(y.dtype)
        assert flat.tolist() == [min(max(half_even(v), info.min), info.max) for v in case["real_values"]]
    if "constant" in case:
        np.testing.assert_allclose(flat, case["constant"], rtol=1e-6)
    for index, value in case.get("samples", {}).items():
        assert flat[int(index)] == pytest.approx(value, rel=1e-5)


def check_values(flat: Array, values: list[Any]) -> None:
    """Floats to 1e-5 (or to the half of their last place, where that is more); anything else exactly."""
    if flat.dtype.kind not in "fV":
        assert flat.tolist() == values
        return
    last_place = {"float16": 2.0**-11, "bfloat16": 2.0**-8}.get(flat.dtype.name, 0.0)
    np.testing.assert_allclose(flat.astype(np.float64), values, rtol=max(1e-5, last_place), atol=1e-6)


def half_even(value: float) -> int:
    """The nearest integer, the even one of two."""
    below = math.floor(value)
    if value - below == 0.5:
        return below + below % 2
    return below + (value - below > 0.5)


def test_no_case_is_missing() -> None:
    assert (len(ANSWERED), len(REFUSED)) == (94, 13)
    assert {case["id"] for case in REFUSED} == set(CODES)


@pytest.mark.parametrize("case", ANSWERED, ids=label)
def test_answered(case: dict[str, Any]) -> None:
    check(run(case), case)


@pytest.mark.parametrize("case", REFUSED, ids=label)
def test_refused(case: dict[str, Any]) -> None:
    with pytest.raises(hp.HalfpixelError) as caught:
        run(case)
    assert caught.value.code == CODES[case["id"]]


@pytest.mark.parametrize("case", ANSWERED, ids=label)
def test_answered_as_model(case: dict[str, Any]) -> None:
    """Version 11 names its roi and scales even where they are empty, so that onnx's checker takes the model."""
    inputs = inputs_of(case)
    if case["op"] == "Resize" and case["version"] == 11:
        inputs = [np.empty(0, np.float32) if value is None and i < 3 else value for i, value in enumerate(inputs)]
    model = one_node_model(case["op"], inputs, case["attrs"], case["version"])
    (y,) = backend.run_model(model, [value for value in inputs if value is not None])
    check(y, case)


@pytest.mark.parametrize("case", REFUSED, ids=label)
def test_refused_as_model(case: dict[str, Any]) -> None:
    inputs = inputs_of(case)
    model = one_node_model(case["op"], inputs, case["attrs"], case["version"])
    with pytest.raises(hp.HalfpixelError):
        backend.run_model(model, [value for value in inputs if value is not None])


@pytest.mark.parametrize("case", [case for case in CASES if "grad_values" in case], ids=label)
def test_gradient(case: dict[str, Any]) -> None:
    """By the function and by the layer; dY is all ones, or 0, 1, 2, ..."""
    (x, _, scales, sizes) = inputs_of(case)
    assert x is not None
    dy = tensor(case["expect"]["shape"], "float32", {"ones": "ones", "ramp": "arange"}[case["dY"]])
    dx = hp.resize_grad(dy, x.shape, scales, sizes, **case["attrs"])
    check_values(dx.ravel(), case["grad_values"])
    layer = layers.Resize(**case["attrs"])
    layer.forward(x, None, scales, sizes)
    assert np.array_equal(layer.backward(dy), dx)


@pytest.mark.parametrize("case", [case for case in CASES if case.get("threads")], ids=label)
def test_eight_callers_get_the_same_bits(case: dict[str, Any]) -> None:
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: run(case).tobytes(), range(64)))
    assert len(set(results)) == 1
