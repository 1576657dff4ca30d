"""The stored vectors as arrays: worked examples, historic node tests, cases from public reports."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .rounding import dtype_of

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS / "oracles" / "data" / "resize_19_examples.jsonl"
HISTORIC = TESTS / "backend" / "data" / "onnx_node_tests_historic.jsonl"
REPORTED = TESTS / "backend" / "data" / "reported_cases.jsonl"

Array = np.ndarray[Any, Any]
SEQUENCES: dict[str, Callable[[int], int]] = {
    "arange": lambda i: i,
    "ones": lambda i: 1,
    "mod7": lambda i: i % 7,
    "alternating01": lambda i: i % 2,
}


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def tensor(description: dict[str, Any] | None) -> Array | None:
    """A described tensor; None for an absent one. data is a row-major list or the name of a sequence."""
    if description is None:
        return None
    data = description["data"]
    if isinstance(data, str):
        data = [SEQUENCES[data](i) for i in range(math.prod(description["shape"]))]
    element = description["dtype"]
    carried = np.array(data, "float64" if element == "bfloat16" else dtype_of(element))
    return carried.astype(dtype_of(element)).reshape(description["shape"])


def reported_inputs(case: dict[str, Any]) -> list[Array | None]:
    """The inputs of a reported case in the operator's order."""
    inputs = case["inputs"]
    x = tensor(inputs["X"])
    if case["op"] in ("DepthToSpace", "SpaceToDepth"):
        return [x]
    types = {"roi": "float32", "scales": inputs.get("scales_dtype", "float32"), "sizes": "int64"}
    others = {name: np.array(inputs[name], types[name]) if name in inputs else None for name in types}
    if case["op"] == "Upsample" or case["version"] == 10:
        return [x, others["scales"]]
    return [x, others["roi"], others["scales"], others["sizes"]]
