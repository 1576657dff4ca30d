"""A comparison as plain data, for --json."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from halfpixel.models.compare.difference import Difference
from halfpixel.models.compare.result import Comparison, NodeResult, RuntimeResult, WholeResult
from halfpixel.models.readings.search import Cause

_MOST_CAUSES = 8


def as_data(comparison: Comparison) -> dict[str, Any]:
    """Return everything but the arrays. Infinite numbers are the string "inf": JSON has none."""
    return {
        "model": None if comparison.path is None else str(comparison.path),
        "runtimes": dict(comparison.runtimes),
        "differs": comparison.differs,
        "command": comparison.command,
        "evaluator": comparison.failure or "ran",
        "nodes": [_node(node) for node in comparison.nodes],
        "model_outputs": [_whole(one) for one in comparison.whole],
    }


def _node(node: NodeResult) -> dict[str, Any]:
    data: dict[str, Any] = {"name": node.name, "scope": list(node.scope), "operator": node.label, "given": node.given}
    if node.call is not None:
        x = np.asarray(node.call.inputs[0])
        data |= {"attributes": _plain(dict(node.call.attributes)), "in_shape": list(x.shape)}
    if node.expected is not None:
        data |= {"element_type": node.expected.element, "out_shape": list(node.expected.ours.shape)}
    if node.error:
        data["error"] = node.error
    return data | {"results": [_result(one) for one in node.results]}


def _result(result: RuntimeResult) -> dict[str, Any]:
    data: dict[str, Any] = {"runtime": result.runtime, "status": result.status}
    if result.words:
        data["words"] = result.words
    if result.difference is not None:
        data["difference"] = _difference(result.difference)
    if result.output is not None and result.difference is not None and result.difference.in_units is None:
        data["out_shape"] = list(result.output.shape)
    if result.found is not None:
        data["cause"] = None if result.cause is None else _cause(result.cause)
        data["other_causes"] = [_cause(one) for one in result.found.causes[1:_MOST_CAUSES]]
        data["closest"] = None if result.found.closest is None else _cause(result.found.closest)
        data["tried"] = result.found.tried
    return data


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "unit": difference.unit,
        "where": difference.where,
        "largest": finite(difference.largest),
        "largest_apart_from_ties": finite(difference.largest_apart_from_ties),
        "absolute": finite(difference.absolute),
        "position": None if difference.position is None else list(difference.position),
        "above_tolerance": difference.count,
        "at_ties": difference.ties,
        "samples": difference.total,
        "tolerance": difference.tolerance,
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "words": cause.words,
        "keys": [change.key for change in cause.changes],
        "missed": cause.missed,
        "looked_at": cause.places,
    }


def _whole(whole: WholeResult) -> dict[str, Any]:
    return {
        "runtime": whole.runtime,
        "status": whole.status,
        "words": whole.words,
        "outputs": {
            name: {"largest": finite(units), "absolute": finite(absolute), "unit": unit, "above_tolerance": above}
            for name, (units, absolute, unit, above) in whole.outputs.items()
        },
    }


def finite(number: float) -> float | str:
    """Return a number as JSON can hold it."""
    return number if math.isfinite(number) else str(number)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [_plain(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value
