"""Why a runtime's output differs: NaN and infinity first, then the search over readings."""

from __future__ import annotations

from typing import Any

import numpy as np

from halfpixel.models.compare.difference import SHAPE, TYPE, Difference
from halfpixel.models.compare.expected import Expected
from halfpixel.models.readings.changes import Change
from halfpixel.models.readings.rearranging import why_rearranged
from halfpixel.models.readings.search import Cause, Found
from halfpixel.models.readings.why import why
from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.plan.elements import Array

_SPREADS = Change("nan_spreads", "a NaN or infinity spreads to samples in which its weight is 0", ())
_NOT_KEPT = Change("nan_not_kept", "NaN or infinity become another number", ())
_TYPE = Change("other_type", "the output has another element type", ())
_MOST_POSITIONS = 8


def causes_of(call: NodeCall, expected: Expected, other: Array, difference: Difference) -> Found:
    """Return what explains a difference above the tolerance."""
    x = np.asarray(call.inputs[0])
    if difference.where == TYPE:
        return Found((Cause((_TYPE,), 0, other.size),), None, 0)
    if expected.reading is None:
        blocksize = int(call.attributes["blocksize"])
        return why_rearranged(call.op_type, x, blocksize, _mode(call), other)
    # A result that overflows has no NaN or infinity in its input.
    finite = (x.dtype.kind not in "fc" and x.dtype.name != "bfloat16") or bool(np.isfinite(x).all())
    special = None if difference.where == SHAPE or finite else _not_finite(expected, other, difference)
    if special is not None and special[1]:
        return Found((Cause((special[0],), 0, other.size),), None, 0)
    found = why(expected.reading, x, other, _positions(difference))
    if special is None or not found.causes:
        return found
    causes = tuple(Cause((special[0], *one.changes), 0, one.places, one.inexact) for one in found.causes)
    return Found(causes, found.closest, found.tried)


def _mode(call: NodeCall) -> str:
    mode = call.attributes.get("mode", "DCR")
    return mode.decode() if isinstance(mode, bytes) else str(mode)


def _positions(difference: Difference) -> list[tuple[int, ...]]:
    """The largest difference, and some others."""
    if difference.in_units is None:
        return []
    above = np.argwhere(difference.in_units > difference.tolerance)
    step = max(1, len(above) // _MOST_POSITIONS)
    chosen = [tuple(int(index) for index in place) for place in above[::step]]
    return [*([difference.position] if difference.position is not None else []), *chosen]


def _not_finite(expected: Expected, other: Array, difference: Difference) -> tuple[Change, bool] | None:
    """What happens at NaN and infinity, and whether that is all; None where it is nothing."""
    above = _above(difference)
    ours, theirs = np.isfinite(expected.ours), np.isfinite(other)
    spreads, lost = above & ours & ~theirs, above & ~ours
    if not (spreads.any() or lost.any()):
        return None
    alone = not (above & ours & theirs).any()
    return (_SPREADS if spreads.any() else _NOT_KEPT), alone


def _above(difference: Difference) -> Any:
    assert difference.in_units is not None
    return difference.in_units > difference.tolerance
