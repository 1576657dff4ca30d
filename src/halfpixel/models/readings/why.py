"""Why an output is not the standard's: the search, prepared from whole arrays of any element type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halfpixel.models.readings.evaluate import Places, evaluate, output_shape
from halfpixel.models.readings.geometry import spec_of
from halfpixel.models.readings.reading import Reading
from halfpixel.models.readings.sampling import at, places_of
from halfpixel.models.readings.search import MOST_CHANGES, Found, Search
from halfpixel.models.readings.slack import Slack, around, default_tolerance, noise, unit
from halfpixel.plan.elements import Array, element_of

_WANTED = 8


@dataclass(frozen=True, slots=True)
class Numbers:
    """X and an output, ready to be computed with.

    Attributes:
        x, other: strings as numbers of their own, bfloat16 in float32, NaN and infinity of X as 0.
        broken: output samples of the other that are not finite: bool, its shape.
        finite: whether all of X is.
    """

    x: Array
    other: Array
    broken: Array
    finite: bool


def numbers_of(x: Array, other: Array) -> Numbers:
    """Return two arrays of one element type as numbers."""
    if element_of(x.dtype) == "string":
        words, codes = np.unique(np.concatenate([x.ravel(), other.ravel()]).astype(str), return_inverse=True)
        del words
        codes = codes.astype(np.int64)
        return Numbers(
            codes[: x.size].reshape(x.shape), codes[x.size :].reshape(other.shape), np.zeros(other.shape, bool), True
        )
    x, other = (a.astype(np.float32) if a.dtype.name == "bfloat16" else a for a in (x, other))
    if x.dtype.kind not in "fc":
        return Numbers(x, other, np.zeros(other.shape, bool), True)
    fine = np.isfinite(x)
    return Numbers(np.where(fine, x, 0), other, ~np.isfinite(other), bool(fine.all()))


def why(reading: Reading, x: Array, other: Array, wanted: Any = (), most_changes: int = MOST_CHANGES) -> Found:
    """Search for the changes of a reading that give the other's numbers.

    Args:
        reading: the standard's reading of the request.
        x: the input.
        other: the whole output of the other, of the element type of x.
        wanted: positions of the other's output that must be looked at, such as the largest difference.
        most_changes: how many things may be read in another way at once.

    Returns:
        what was found; for integers first with ties as each rounding has them, then, if nothing does that, with ties
        free to fall either way.
    """
    if 0 in other.shape or 0 in x.shape:
        return _by_shape(reading, other.shape, most_changes)
    copied = _never_resized(reading) if output_shape(reading) == other.shape else ()
    looked = looked_at(reading, x, other, wanted, copied)
    found = None
    for ties in (False, True):
        slack = Slack(reading.element, looked.allowed, looked.loose, ties)
        search = Search(reading, looked.x, looked.places, looked.other, other.shape, slack, looked.skip, most_changes)
        found = search.run()
        if found.causes or not slack.counts_exactly:
            break
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class LookedAt:
    """An output at the places where readings are compared with it.

    Attributes:
        x: the input as numbers.
        places: axis -> output samples.
        other: the output there.
        allowed, loose, skip: see Slack and Search.
    """

    x: Array
    places: Places
    other: Array
    allowed: Array
    loose: Array
    skip: Array


def looked_at(reading: Reading, x: Array, other: Array, wanted: Any = (), copied: tuple[int, ...] = ()) -> LookedAt:
    """Choose the places, and how far off numbers may be there.

    Args:
        copied: axes that no reading resizes.
    """
    numbers = numbers_of(x, other)
    places = places_of(other.shape, [tuple(position) for position in wanted][:_WANTED], copied)
    picked = numbers.other[at(places)]
    allowed, loose = _allowed(reading, numbers.x, places, picked, other.shape)
    skip = numbers.broken[at(places)]
    if not numbers.finite:
        skip = _reached(reading, x, places, skip, other.shape)
    return LookedAt(numbers.x, places, picked, allowed, loose, skip)


def _by_shape(reading: Reading, other_shape: tuple[int, ...], most_changes: int) -> Found:
    """An output without samples has a shape only."""
    nothing: Places = {axis: np.empty(0, np.intp) for axis in range(len(other_shape))}
    empty = np.empty([0] * len(other_shape))
    slack = Slack(reading.element, empty, empty)
    x = np.zeros(reading.in_shape)
    return Search(reading, x, nothing, empty, other_shape, slack, empty.astype(bool), most_changes).run()


def _never_resized(reading: Reading) -> tuple[int, ...]:
    """Axes of scale 1 that stay as they are; every other may be resized by some reading."""
    spec = spec_of(reading)
    resized = {axis.axis for axis in spec.axes} if spec is not None else set()
    return tuple(axis for axis in range(len(reading.in_shape)) if axis not in resized)


def _allowed(reading: Reading, x: Array, places: Places, other: Array, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Absolute differences that rounding explains at the places: for the type's arithmetic, and for float32's."""
    magnitude = np.abs(other).astype(np.float64)
    spec = spec_of(reading)
    axes = [axis.axis for axis in spec.axes] if spec is not None else []
    near_x = around(x, axes, reading.mode) if reading.averages else np.abs(x)
    largest = float(near_x.max(initial=0.0))
    positive = replace(reading, element="float64", mode="linear" if reading.averages else "nearest")
    values = evaluate(positive, near_x, places) if output_shape(reading) == shape else None
    if values is not None:
        magnitude = np.fmax(magnitude, np.abs(values.final).astype(np.float64))
    else:
        magnitude = np.full(other.shape, largest)
    magnitude = np.where(np.isfinite(magnitude), magnitude, largest)
    element = reading.element
    float32 = default_tolerance("float32", reading.in_shape, True) * unit("float32", magnitude)
    if element in ("float16", "bfloat16", "float64", "float32", "complex64", "complex128"):
        own = default_tolerance(element, reading.in_shape, reading.averages) * unit(element, magnitude)
        return own, np.maximum(own, float32)
    near = noise(reading.in_shape, magnitude)
    return near, near


def _reached(reading: Reading, x: Array, places: Places, broken: Array, shape: tuple[int, ...]) -> Any:
    """Places where a NaN or infinity of X may show under some reading: those that linear or cubic could reach."""
    marked = np.where(np.isfinite(x), 0.0, 1.0)
    reach = broken.copy()
    for mode in ("linear", "cubic"):
        wide = replace(reading, mode=mode, element="float64", antialias=reading.antialias or mode == "cubic")
        values = evaluate(wide, marked, places) if output_shape(wide) == shape else None
        if values is not None:
            reach = reach | (values.final != 0)
    return reach
