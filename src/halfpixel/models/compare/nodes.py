"""One node in one runtime after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from halfpixel._errors import HalfpixelError
from halfpixel.models.compare.capture import Run
from halfpixel.models.compare.causes import causes_of
from halfpixel.models.compare.difference import AT_TIES, NOWHERE, difference_of
from halfpixel.models.compare.expected import Expected, expected_of
from halfpixel.models.compare.feeds import known_shape, random_array
from halfpixel.models.compare.result import DIFFERS, EQUAL, ROUNDING, TIES, NodeResult, RuntimeResult
from halfpixel.models.readings.slack import default_tolerance
from halfpixel.models.sites import Site
from halfpixel.peers.runtimes import NodeCall, Outcome, RuntimeProcess
from halfpixel.plan.elements import Array

CAPTURED, RANDOM = "captured", "random"


def call_of(site: Site, run: Run, shape: Sequence[int] | None, seed: int) -> tuple[NodeCall, str]:
    """Return the call of a node and how its inputs were come by.

    Raises:
        ModelError: HP431 its shape is not known; HP415 an input is computed and the model did not run up to it.
    """
    names = ["X", *(entry.name for entry in site.operator.inputs[1:])]
    recorded = run.call(site)
    if recorded is not None:
        constant = {at for at, name in enumerate(names) if at and site.constant(name) is not None}
        return NodeCall(site.op_type, recorded.inputs, recorded.attributes, site.opset, frozenset(constant)), CAPTURED
    x = random_array(known_shape(site.in_shape, shape, f"X of {site.name}"), site.element_type or "float32", seed)
    site.spec(x.shape)  # says what is missing
    others: list[Array | None] = [None if site.value(name) is None else site.constant(name) for name in names[1:]]
    held = frozenset(at for at, value in enumerate([None, *others]) if value is not None)
    return NodeCall(site.op_type, (x, *others), site.attributes, site.opset, held), RANDOM


def compare_node(
    site: Site, call: NodeCall, given: str, runtimes: Sequence[RuntimeProcess], tolerance: float | None
) -> NodeResult:
    """Run a node exactly and in each runtime."""
    label = f"{site.op_type}-{site.version}"
    try:
        expected = expected_of(call.op_type, call.inputs, call.attributes, call.opset)
    except HalfpixelError as error:
        return NodeResult(site.name, site.scope, label, call, given, None, f"[{error.code}] {error.sentence}", ())
    results = tuple(result_of(runtime.name, runtime.run_node(call), call, expected, tolerance) for runtime in runtimes)
    return NodeResult(site.name, site.scope, label, call, given, expected, "", results)


def result_of(
    runtime: str, outcome: Outcome, call: NodeCall, expected: Expected, tolerance: float | None
) -> RuntimeResult:
    """Compare what a runtime gave with the exact result, and search for the cause of a difference.

    Args:
        tolerance: in units (see Difference); None takes the element type's, see default_tolerance, and lets integers
            next to a tie be their neighbour.
    """
    if not outcome.ran:
        return RuntimeResult(runtime, outcome.kind, outcome.words)
    other = np.asarray(next(iter(outcome.outputs.values())))
    x = np.asarray(call.inputs[0])
    allowed = default_tolerance(expected.element, x.shape, expected.averages) if tolerance is None else tolerance
    difference = difference_of(expected, other, allowed, lenient=tolerance is None)
    status = _status(difference.where, difference.largest)
    found = causes_of(call, expected, other, difference) if status in (TIES, DIFFERS) else None
    return RuntimeResult(runtime, status, outcome.words, difference, found, other)


def _status(where: str, largest: float) -> str:
    if where == NOWHERE:
        return EQUAL if largest == 0 else ROUNDING
    return TIES if where == AT_TIES else DIFFERS
