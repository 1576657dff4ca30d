"""Output box -> the smallest input box that it needs: for tiles, tasks and volumes larger than memory."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TypeAlias

from halfpixel._errors import SpecError
from halfpixel.plan.tables import Tables

Box: TypeAlias = tuple[slice, ...]
"""One slice an axis, begin <= end, both counted from the front, step 1."""


def box_of(box: object, shape: tuple[int, ...], name: str) -> Box:
    """Return a box with every slice spelled out: slice(begin, end), 0 <= begin <= end <= length.

    Args:
        box: a sequence of slices of step 1, one an axis; a missing begin or end is the axis's own.
        shape: of the array that the box lies in.
        name: what messages call it.

    Raises:
        SpecError: HP169 another number of slices, a step, or a begin or end outside the axis.
    """
    slices = tuple(box) if isinstance(box, Sequence) else None
    if slices is None or len(slices) != len(shape):
        raise _no_box(name, box, shape)
    return tuple(_slice_of(part, length, name, box, shape) for part, length in zip(slices, shape, strict=True))


def _slice_of(part: object, length: int, name: str, box: object, shape: tuple[int, ...]) -> slice:
    if not isinstance(part, slice) or part.step not in (None, 1):
        raise _no_box(name, box, shape)
    try:
        begin = 0 if part.start is None else operator.index(part.start)
        end = length if part.stop is None else operator.index(part.stop)
    except TypeError:
        raise _no_box(name, box, shape) from None
    if not 0 <= begin <= end <= length:
        raise _no_box(name, box, shape)
    return slice(begin, end)


def source_box(tables: Tables, box: Box) -> Box:
    """Return the smallest input box that holds every tap of the output box; exact, not a bound.

    An axis whose outputs all lie outside the input (extrapolation) needs slice(0, 0).
    """
    return tuple(
        slice(*tables[axis].source_range(part.start, part.stop)) if axis in tables else part
        for axis, part in enumerate(box)
    )


def check_covers(at: Box, needed: Box) -> None:
    """Refuse an input box that lacks samples which the output box needs.

    Raises:
        SpecError: HP170.
    """
    for have, need in zip(at, needed, strict=True):
        if need.start < need.stop and not have.start <= need.start <= need.stop <= have.stop:
            raise SpecError(
                "HP170",
                "the slab lacks input samples that the output box needs",
                given=f"at={show(at)}",
                allowed=f"a box that contains {show(needed)}",
                do="read at least plan.source(box)",
            )


def used_box(tables: Tables, at: Box, box: Box) -> Box:
    """Return the part of an input box that is run: on copied axes just the samples of the output box."""
    return tuple(part if axis in tables else box[axis] for axis, part in enumerate(at))


def within(inner: Box, outer: Box) -> Box:
    """Return a box as slices of an array that holds the outer box."""
    return tuple(slice(i.start - o.start, i.stop - o.start) for i, o in zip(inner, outer, strict=True))


def windowed(tables: Tables, at: Box, box: Box) -> Tables:
    """Return the tables of the map from the input box to the output box."""
    return {
        axis: table.slice(box[axis].start, box[axis].stop, at[axis].start, at[axis].stop)
        for axis, table in tables.items()
    }


def lengths(box: Box) -> tuple[int, ...]:
    """Return the shape of a box."""
    return tuple(part.stop - part.start for part in box)


def show(box: Box) -> str:
    """Return a box as one would write it: [0:1, 0:3, 16:48]."""
    return "[" + ", ".join(f"{part.start}:{part.stop}" for part in box) + "]"


def _no_box(name: str, box: object, shape: tuple[int, ...]) -> SpecError:
    return SpecError(
        "HP169",
        f"{name} is not a box in an array of shape {shape}",
        given=f"{name}={box!r:.200}",
        allowed=f"{len(shape)} slices of step 1 with 0 <= begin <= end <= length",
        do="pass a tuple of slices, such as (slice(0, 1), slice(16, 48))",
    )
