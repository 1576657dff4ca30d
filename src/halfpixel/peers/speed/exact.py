"""What a result should be, and how far a result is from it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import halfpixel as hp
from halfpixel.peers.peer import Prepared, tolerance_of
from halfpixel.peers.work import DEPTH_TO_SPACE, RESIZE_GRAD, Array, Work

_BLOCK = 2**22
"""Output samples that are compared at once."""
_FRACTION_BITS = {"float16": 10, "bfloat16": 7, "float32": 23}


@dataclass(frozen=True, slots=True)
class Error:
    """The largest difference of a result to the exact one.

    Attributes:
        largest: in the samples' own unit.
        scale: the largest magnitude of the exact result.
    """

    largest: float
    scale: float

    def in_units(self, element: str) -> float | None:
        """In counts (LSB) for integers, else in units in the last place (ULP) of the largest exact magnitude.

        None for float64: the exact result is known to no more than that.
        """
        if element in _FRACTION_BITS:
            place = 2.0 ** (math.floor(math.log2(self.scale)) - _FRACTION_BITS[element]) if self.scale else 1.0
            return self.largest / place
        return None if element == "float64" else self.largest


def unit_of(work: Work) -> str:
    """The name of the unit of Error.in_units."""
    return "LSB" if work.dtype.kind in "iu" else "ULP"


class OtherValuesError(Exception):
    """A result is not that of the work."""


def check(result: Array, work: Work, x: Array, prepared: Prepared) -> Error:
    """Compare what a peer returned with the exact result under the peer's reading of the work.

    Args:
        result: in the layout of the work.
        x: what the peer was given, in the layout of the work.

    Raises:
        OtherValuesError: shape or type differ, or a sample is further off than the tolerance; the message says how far.
    """
    if result.shape != work.result_shape or result.dtype != work.dtype:
        raise OtherValuesError(f"{result.dtype.name} {result.shape} instead of {work.dtype.name} {work.result_shape}")
    error = error_of(result, work.with_attributes(prepared.reading), x, prepared.border)
    tolerance = tolerance_of(work.element) if prepared.tolerance is None else prepared.tolerance
    if work.mode == "nearest" or not work.resizes:
        tolerance = 0.0 if work.operation != RESIZE_GRAD else tolerance
    if not error.largest <= tolerance * max(1.0, error.scale if work.operation == RESIZE_GRAD else 1.0):
        raise OtherValuesError(f"off by {error.largest:.3g}")
    return error


def error_of(result: Array, work: Work, x: Array, border: int = 0) -> Error:
    """Return the largest difference of a result to the exact one, away from the border of so many output samples.

    The exact result of Resize and its gradient is computed in float64 from the same input, and kept within the range of
    an integer type; the one of a rearrangement is NumPy's.
    """
    largest = scale = 0.0
    for box, exact in _exact_blocks(work, x):
        inner = _without_border(box, work, border)
        if inner is None:
            continue
        within = tuple(
            slice(part.start - whole.start, part.stop - whole.start) for part, whole in zip(inner, box, strict=True)
        )
        expected = exact[within]
        if work.dtype.kind in "iu":
            limits = np.iinfo(work.dtype)
            expected = expected.clip(limits.min, limits.max)
        difference = np.abs(result[inner].astype(np.float64) - expected)
        # A NaN anywhere is a difference that no tolerance covers.
        largest = float(np.maximum(largest, difference.max()))
        scale = max(scale, float(np.abs(expected).max()))
    return Error(largest, scale)


Box = tuple[slice, ...]


def _exact_blocks(work: Work, x: Array) -> Iterator[tuple[Box, Array]]:
    """Boxes that cover the result, and the exact values in each."""
    whole = tuple(slice(0, length) for length in work.result_shape)
    if not work.resizes:
        yield whole, rearranged(work, x).astype(np.float64)
        return
    plan = hp.plan_resize(work.shape, "float64", sizes=work.sizes, axes=work.space, **work.attributes)
    if work.operation == RESIZE_GRAD:
        yield whole, plan.grad(x.astype(np.float64))
        return
    axis = work.space[0]
    length = work.out_shape[axis]
    rows = max(1, _BLOCK * length // math.prod(work.out_shape))
    for begin in range(0, length, rows):
        box = (*whole[:axis], slice(begin, min(begin + rows, length)), *whole[axis + 1 :])
        at = plan.source(box)
        yield box, plan.run(x[at].astype(np.float64), at=at, box=box)


def _without_border(box: Box, work: Work, border: int) -> Box | None:
    inner = list(box)
    for axis in work.space:
        begin, end = max(box[axis].start, border), min(box[axis].stop, work.result_shape[axis] - border)
        if begin >= end:
            return None
        inner[axis] = slice(begin, end)
    return tuple(inner)


def rearranged(work: Work, x: Array) -> Array:
    """DepthToSpace or SpaceToDepth of an array of rank 4, by NumPy's reshape and transpose."""
    b = work.attributes["blocksize"]
    to_space = work.operation == DEPTH_TO_SPACE
    batch, channels, height, width = work.shape if to_space else work.out_shape
    wide = channels // b**2
    if work.mode == "DCR":
        deep, order = (batch, b, b, wide, height, width), (0, 3, 4, 1, 5, 2)
    else:
        deep, order = (batch, wide, b, b, height, width), (0, 1, 4, 2, 5, 3)
    if to_space:
        moved: Any = x.reshape(deep).transpose(order)
    else:
        moved = x.reshape(batch, wide, height, b, width, b).transpose(np.argsort(order))
    return np.asarray(moved.reshape(work.out_shape))
