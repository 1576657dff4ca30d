"""The orders in which implementations take the channels of DepthToSpace and SpaceToDepth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from halfpixel.models.readings.changes import Change
from halfpixel.models.readings.search import Cause, Found
from halfpixel.plan.elements import Array

ORDERS = {"DCR": "rqc", "CRD": "crq"}
"""mode -> the order of row r and column q of a block and of channel c in the channels of the deep side."""

_WORDS = {
    "rqc": "the order of mode DCR",
    "crq": "the order of mode CRD",
    "qrc": "rows and columns of a block swapped (DCR)",
    "cqr": "rows and columns of a block swapped (CRD)",
    "rcq": "channels between row and column of a block",
    "qcr": "channels between column and row of a block",
}


def rearranged(op_type: str, x: Array, blocksize: int, order: str) -> Array | None:
    """Return x moved between depth and space with an order of channels; None where the lengths do not divide.

    Args:
        order: of "r", "q" and "c", slowest first.
    """
    batch, channels, height, width = x.shape
    b = blocksize
    if op_type == "DepthToSpace":
        if channels % (b * b):
            return None
        lengths = {"r": b, "q": b, "c": channels // (b * b)}
        split = x.reshape(batch, *[lengths[letter] for letter in order], height, width)
        at = {letter: 1 + place for place, letter in enumerate(order)}
        moved = split.transpose(0, at["c"], 4, at["r"], 5, at["q"])
        return moved.reshape(batch, lengths["c"], height * b, width * b)
    if height % b or width % b:
        return None
    split = x.reshape(batch, channels, height // b, b, width // b, b)
    at = {"c": 1, "r": 3, "q": 5}
    moved = split.transpose(0, *[at[letter] for letter in order], 2, 4)
    return moved.reshape(batch, channels * b * b, height // b, width // b)


def why_rearranged(op_type: str, x: Array, blocksize: int, mode: str, other: Array) -> Found:
    """Search for the order of channels that gives the other's numbers.

    Args:
        mode: "DCR" or "CRD", as the node says.
    """
    tried = []
    for order, change in _orders(mode):
        result = rearranged(op_type, x, blocksize, order)
        if result is None or result.shape != other.shape:
            continue
        missed = int(np.count_nonzero(_bits(result) != _bits(other)))
        tried.append(Cause((change,), missed, other.size))
    found = tuple(cause for cause in tried if cause.reproduces)
    closest = min(tried, key=lambda cause: cause.missed, default=None)
    return Found(found, closest, len(tried))


def _orders(mode: str) -> Iterator[tuple[str, Change]]:
    own = ORDERS[mode]
    for order in dict.fromkeys([*ORDERS.values(), *_WORDS]):
        if order == own:
            continue
        named = {wanted: name for name, wanted in ORDERS.items()}.get(order)
        words = _WORDS[order] if named is None else f"{_WORDS[order]}, not {mode}"
        request = None if named is None else (("mode", named),)
        yield order, Change(f"order_{order}" if named is None else f"mode_{named}", words, (), request)


def _bits(values: Array) -> Array:
    """NaN compares equal to itself by its bits."""
    return values.view(f"u{values.dtype.itemsize}") if values.dtype.kind == "f" else values
