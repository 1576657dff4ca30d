"""The whole model in each runtime."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from halfpixel.models.compare.difference import unit_name
from halfpixel.models.compare.result import DIFFERS, ELSEWHERE, EQUAL, ROUNDING, WholeResult
from halfpixel.models.model import Model
from halfpixel.models.readings.slack import FRACTION_BITS, unit
from halfpixel.peers.runtimes import RuntimeProcess
from halfpixel.peers.runtimes.outcome import REFUSED
from halfpixel.plan.elements import Array, element_of

TOLERANCES = {"float64": 4096.0, "float32": 4096.0, "float16": 16.0, "bfloat16": 16.0}
"""Element type -> units by which an output of a whole model may differ: every operator in it adds in its own order."""


def compare_whole(
    model: Model,
    feeds: Mapping[str, Array],
    expected: Mapping[str, Any],
    runtimes: Sequence[RuntimeProcess],
    tolerance: float | None,
    differing: Collection[str],
) -> tuple[WholeResult, ...]:
    """Run a model in each runtime that runs models, and compare its outputs with ours.

    Args:
        expected: our outputs.
        tolerance: in units; None takes TOLERANCES, and lets outputs differ where no node does.
        differing: names of the runtimes in which a node differs.
    """
    source = _source(model)
    found = []
    for runtime in runtimes:
        if runtime.models:
            whole = _compare(runtime, source, feeds, expected, tolerance)
            elsewhere = whole.above and tolerance is None and runtime.name not in differing
            found.append(replace(whole, status=ELSEWHERE) if elsewhere else whole)
    return tuple(found)


def _source(model: Model) -> bytes | str:
    """The file where there is one: its external data lies beside it."""
    if model.path is not None:
        return str(model.path)
    return bytes(model.proto().SerializeToString())


def _compare(
    runtime: RuntimeProcess,
    source: bytes | str,
    feeds: Mapping[str, Array],
    expected: Mapping[str, Any],
    tolerance: float | None,
) -> WholeResult:
    outcome = runtime.run_model(source, feeds)
    if not outcome.ran:
        return WholeResult(runtime.name, outcome.kind, outcome.words)
    outputs = {}
    for name, ours in expected.items():
        if name not in outcome.outputs:
            return WholeResult(runtime.name, REFUSED, f"it gives no output {name!r}")
        outputs[name] = _output(ours, outcome.outputs[name], tolerance)
    if any(above for *_, above in outputs.values()):
        status = DIFFERS
    else:
        status = EQUAL if all(largest == 0 for largest, *_ in outputs.values()) else ROUNDING
    return WholeResult(runtime.name, status, "", outputs)


def _output(ours: Any, theirs: Any, tolerance: float | None) -> tuple[float, float, str, bool]:
    """(largest difference in units, absolute, unit, above)."""
    if isinstance(ours, list | tuple) or not hasattr(ours, "dtype"):
        above = repr(ours) != repr(theirs)
        return (float("inf") if above else 0.0), 0.0, "samples", above
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    element = element_of(ours.dtype)
    name = unit_name(element)
    if ours.shape != theirs.shape or ours.dtype.kind != theirs.dtype.kind:
        return float("inf"), float("inf"), name, True
    absolute = _largest(ours, theirs)
    magnitude = np.array(_magnitude(ours))
    units = absolute if element not in FRACTION_BITS else absolute / float(unit(element, magnitude))
    allowed = TOLERANCES.get(element, 0.0) if tolerance is None else tolerance
    return units, absolute, name, not units <= allowed


def _largest(ours: Array, theirs: Array) -> float:
    if ours.dtype.kind in "OUTb":
        return float((ours != theirs).any()) if ours.size else 0.0
    wide = np.complex128 if ours.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        left, right = ours.astype(wide), theirs.astype(wide)
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        apart = np.where(same, 0.0, np.abs(left - right))
    return float(np.where(np.isnan(apart), np.inf, apart).max(initial=0.0))


def _magnitude(ours: Array) -> float:
    if ours.dtype.kind in "OUTb":
        return 1.0
    with np.errstate(all="ignore"):
        values = np.abs(ours.astype(np.complex128 if ours.dtype.kind == "c" else np.float64))
    return float(np.where(np.isfinite(values), values, 0).max(initial=0.0))
