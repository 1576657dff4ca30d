"""What an answer is: the exact result, other numbers, or another element type."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import halfpixel as hp
from halfpixel.peers.capabilities.questions import Question
from halfpixel.peers.capabilities.request import AREA, Request
from halfpixel.peers.runtimes.outcome import said
from halfpixel.peers.work import Array
from halfpixel.plan.tables import area_windows

WORKS, REFUSES, OTHER, OTHER_TYPE, CRASHES = "works", "refuses", "other numbers", "other type", "crashes"

Record = dict[str, Any]
"""What came of a question: "outcome", one of the words above; "off", the largest difference to the exact result, where
the numbers are others; "said", what the library said or gave, where it did not work."""

TOLERANCES = {
    "float64": 1e-9,
    "complex128": 1e-9,
    "float32": 1e-5,
    "complex64": 1e-5,
    "float16": 2e-3,
    "bfloat16": 2e-2,
}
"""Element type -> the difference up to which a weighted average is the exact one; samples are below 1."""
_HALF = 0.501
"""The same for integers: rounded, to either side of a tie."""


def judge(question: Question, attributes: dict[str, Any], answer: Callable[[Request], Array]) -> Record:
    """Ask for each array of the question and return the worst that came of it; a refusal is the worst."""
    worst: Record = {"outcome": WORKS}
    for request in question.requests(attributes):
        try:
            result = np.asarray(answer(request))
        except Exception as error:  # each library refuses in a class of its own
            return {"outcome": REFUSES, "said": f"{type(error).__name__}: {said(error)}"[:160]}
        found = compared(result, request, question.element)
        if found["outcome"] != WORKS and found.get("off", math.inf) >= worst.get("off", 0.0):
            worst = found
    return worst


def compared(result: Array, request: Request, element: str) -> Record:
    """Compare one answer with the exact result."""
    expected = exact(request)
    if result.shape != expected.shape:
        return {"outcome": OTHER, "said": f"a result of shape {result.shape}"}
    if element != "string" and result.dtype != request.x.dtype:
        return {"outcome": OTHER_TYPE, "said": f"a result of {result.dtype.name}"}
    if request.get("mode") == "nearest" or element in ("bool", "string"):
        wrong = int((result != expected).sum())
        return {"outcome": WORKS} if wrong == 0 else {"outcome": OTHER, "said": f"{wrong} of {result.size} samples"}
    wide = result.astype(np.complex128 if np.iscomplexobj(result) else np.float64)
    off = float(np.max(np.abs(wide - expected)))
    if off <= TOLERANCES.get(element, _HALF):
        return {"outcome": WORKS}
    if not math.isfinite(off):
        return {"outcome": OTHER, "said": "samples that are no numbers"}
    return {"outcome": OTHER, "off": float(f"{off:.1e}"), "said": f"off by up to {off:.1e}"}


def exact(request: Request) -> Array:
    """The exact result: of copies in x's type, of averages in float64 or complex128, of bool in bool."""
    if request.get("mode") == AREA:
        return _area(request.x, request.lengths)
    x = request.x
    if request.get("mode") != "nearest" and x.dtype != np.bool_:
        x = x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)
    version = 11 if request.opset == 11 else 19
    y = hp.resize(x, request.scales, request.sizes, roi=request.roi, version=version, **request.attributes)
    return np.asarray(y)


def _area(x: Array, sizes: tuple[int, ...]) -> Array:
    for axis, size in enumerate(sizes):
        first, count = area_windows(x.shape[axis], size)
        windows = [x.take(range(f, f + n), axis) for f, n in zip(first, count, strict=True)]
        x = np.stack([window.mean(axis, dtype=np.float64) for window in windows], axis)
    return x
