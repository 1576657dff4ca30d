"""One plane of an output, to be looked at: through the largest difference, along two axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halfpixel.models.compare.difference import Difference
from halfpixel.models.compare.expected import Expected
from halfpixel.plan.elements import Array


@dataclass(frozen=True, eq=False)
class Plane:
    """Two axes of two outputs, at one position of all the others.

    Attributes:
        rows, columns: the axes that are shown.
        index: the position of the others, as text: "[0, 2, :, :]".
        ours, theirs: float64, shape (rows, columns); NaN and infinity as they are.
        units: their difference in units.
        mark: (row, column) of the largest difference in the plane.
    """

    rows: int
    columns: int
    index: str
    ours: Array
    theirs: Array
    units: Array
    mark: tuple[int, int]


def plane_of(expected: Expected, other: Array, difference: Difference) -> Plane | None:
    """Return the plane through the largest difference; None for strings, other shapes and nothing to see."""
    units = difference.in_units
    if units is None or difference.position is None or not units.ndim or expected.element == "string":
        return None
    rows, columns = _axes(expected)
    place = list(difference.position)
    picked = tuple(slice(None) if axis in (rows, columns) else place[axis] for axis in range(units.ndim))
    planes = [_flat(values[picked], units.ndim) for values in (expected.ours, other, units)]
    mark = (place[rows] if units.ndim > 1 else 0, place[columns])
    index = "[" + ", ".join(":" if isinstance(one, slice) else str(one) for one in picked) + "]"
    return Plane(rows, columns, index, planes[0], planes[1], planes[2], mark)


def thumbnail(values: Array, most: int) -> Array:
    """Return a plane at most so large: every k-th sample of each axis, as nearest does it."""
    steps = [-(-length // most) for length in values.shape]
    return values[:: steps[0], :: steps[1]]


def largest_of_blocks(values: Array, most: int) -> Array:
    """Return a plane at most so large: the largest of each block, so that no difference is lost."""
    steps = [-(-length // most) for length in values.shape]
    padded = np.pad(values, [(0, -length % step) for length, step in zip(values.shape, steps, strict=True)])
    rows, columns = (length // step for length, step in zip(padded.shape, steps, strict=True))
    return np.asarray(padded.reshape(rows, steps[0], columns, steps[1]).max((1, 3)))


def _axes(expected: Expected) -> tuple[int, int]:
    """The last two resized axes; else the last two."""
    rank = expected.ours.ndim
    resized = [axis.axis for axis in expected.spec.axes] if expected.spec is not None else []
    others = [axis for axis in range(rank) if axis not in resized]
    chosen = sorted([*others, *resized][-2:]) if len(resized) < 2 else sorted(resized)[-2:]
    return (chosen[0], chosen[-1])


def _flat(values: Array, rank: int) -> Array:
    """A plane of float64; one axis becomes one row."""
    if values.dtype.kind == "c":
        values = np.abs(values)
    flat = np.asarray(values, np.float64)
    return flat[np.newaxis, :] if rank == 1 else flat
