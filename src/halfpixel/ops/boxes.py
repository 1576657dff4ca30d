"""Read the boxes, indices and axes of crop_and_resize, or say what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

from halfpixel._errors import ElementTypeError, SpecError
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import Array
from halfpixel.spec.arguments import axes_of, show
from halfpixel.spec.coordinates import Roi


def boxes_of(boxes: Any, count: int | None) -> list[list[Roi]]:
    """Return each box as one (start, end, divisor) an axis, exact fractions.

    Args:
        boxes: shape (n, 2 * axes): starts, then ends. A list of no boxes is an array of any shape without elements.
        count: the number of axes, or None where the boxes decide.

    Raises:
        SpecError: HP177 another shape, no numbers, or not finite.
    """
    array = _numbers(boxes, "fiu")
    if array is not None and array.size == 0 and array.shape[:1] == (0,):
        return []
    fits = array is not None and array.ndim == 2 and array.shape[1] % 2 == 0
    if array is None or not fits or (count is not None and array.shape[1] != 2 * count):
        raise _no_boxes(boxes, array, count)
    half = array.shape[1] // 2
    rows: list[list[float]] = array.astype(np.float64).tolist()
    if not all(isfinite(value) for row in rows for value in row):
        raise _no_boxes(boxes, array, count)
    return [[_roi(start, end) for start, end in zip(row[:half], row[half:], strict=True)] for row in rows]


def box_indices_of(box_indices: Any, count: int, batch: int) -> list[int]:
    """Return which entry of the batch each box is for.

    Raises:
        SpecError: HP178 not count integers from 0 to batch - 1.
    """
    array = _numbers(box_indices, "iu" if count else "iuf")
    found: list[int] = [] if array is None else array.reshape(-1).tolist()
    if array is None or array.shape != (count,) or any(not 0 <= index < batch for index in found):
        raise SpecError(
            "HP178",
            "box_indices has not one entry of the batch for each box",
            given=f"box_indices={show(box_indices)}",
            allowed=f"{count} integers from 0 to {batch - 1}",
            do="pass for each box the index along axis 0 of the array that it is cut from",
        )
    return found


def cropped_axes(axes: object, count: int, rank: int) -> list[int]:
    """Return the cropped axes; axis 0 is the batch and none of them.

    Args:
        axes: as the caller passed them, or None for the last count ones.

    Raises:
        SpecError: HP179 the batch is among them, or there are fewer axes than count; HP110, HP111, HP116.
    """
    listed = list(range(rank - count, rank)) if axes is None else axes_of(axes, rank)
    if any(axis < 1 for axis in listed) or rank < 1:
        raise SpecError(
            "HP179",
            "axis 0 is the batch and cannot be cropped",
            given=f"axes={show(axes)}, {count} lengths, x of rank {rank}",
            allowed=f"axes from 1 to {rank - 1}, as many as there are lengths",
            do="name the axes to crop; give x a batch of one with x[None] if it has none",
        )
    return listed


def _numbers(values: Any, kinds: str) -> Array | None:
    """Return an array of the given dtype kinds, or None."""
    try:
        array = np.asarray(values) if isinstance(values, Sequence) else import_array(values, "boxes")[0]
    except (ElementTypeError, ValueError, TypeError, OverflowError):
        return None
    return array if array.dtype.kind in kinds else None


def _roi(start: float, end: float) -> Roi:
    (a, b), (c, d) = start.as_integer_ratio(), end.as_integer_ratio()
    divisor = max(b, d)  # denominators of floats are powers of two
    return a * (divisor // b), c * (divisor // d), divisor


def _no_boxes(boxes: Any, array: Array | None, count: int | None) -> SpecError:
    shape = "" if array is None else f" of shape {array.shape}"
    columns = "2 * axes" if count is None else str(2 * count)
    return SpecError(
        "HP177",
        "boxes is not a table of boxes",
        given=f"boxes={show(boxes)}{shape}",
        allowed=f"finite numbers of shape (n, {columns}): the starts along all axes, then the ends",
        do="pass one row a box, in fractions of each axis, such as [[0.1, 0.2, 0.9, 0.8]] for two axes",
    )
