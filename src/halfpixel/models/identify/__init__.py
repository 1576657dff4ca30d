"""Which attributes, or which library's, made an output of an input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from halfpixel._errors import SpecError
from halfpixel._typing import Integers, RealNumbers
from halfpixel.models.compare.difference import unit_name
from halfpixel.models.compare.feeds import random_array
from halfpixel.models.identify.candidates import Candidate, candidates_of
from halfpixel.models.identify.result import Identified, Match
from halfpixel.models.readings.evaluate import evaluate, output_shape
from halfpixel.models.readings.geometry import spec_of
from halfpixel.models.readings.reading import Reading
from halfpixel.models.readings.rearranging import ORDERS, rearranged
from halfpixel.models.readings.search import Cause
from halfpixel.models.readings.slack import Slack
from halfpixel.models.readings.units import largest_in_units, mean_difference
from halfpixel.models.readings.why import LookedAt, looked_at, why
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import Array, element_of
from halfpixel.spec.axes import ResizeSpec

__all__ = ["Identified", "Match", "identify"]

_STARTS = 4
"""From how many of the closest requests other readings are searched for where no request matches."""
_CLOSEST = 5


def identify(
    x: Any,
    y: Any = None,
    *,
    scales: RealNumbers | None = None,
    axes: Integers | None = None,
    shape: Sequence[int] | None = None,
    dtype: str = "float32",
    seed: int = 0,
) -> Identified:
    """Find the requests that give y from x: attributes of Resize, presets of libraries, rearrangements.

    Where no request does, other readings of the closest ones are searched ("integers truncated", "coordinates in
    float32", ...); the result says when none is found and what comes closest.

    Examples:
        >>> x = numpy.random.default_rng(0).random((1, 1, 8, 8), numpy.float32)
        >>> found = halfpixel.models.identify(x, halfpixel.resize(x, [1, 1, 2, 2], mode="cubic", cubic_coeff_a=-0.5))
        >>> found.matches[0].attributes
        {'mode': 'cubic', 'cubic_coeff_a': -0.5}
        >>> found = halfpixel.models.identify(lambda x: x[:, :, ::2, ::2], shape=(1, 1, 8, 8))
        >>> found.matches[0].attributes
        {'mode': 'nearest'}

    Args:
        x: the input, any kind of array; or a function of one array, which is called with random data.
        y: the output.
        scales: the scales that were given, one an axis (or an entry of axes), if they were; else out / in counts.
        axes: the axes that scales are for; None: all.
        shape: of the random data for a function.
        dtype: element type of the random data.
        seed: of the random data.

    Raises:
        SpecError: HP127 the arrays have another rank or kind of element, or no shape is given for a function.
        ElementTypeError: HP220-224 what x and y are.
    """
    if callable(x):
        x, y = _called(x, shape, dtype, seed)
    given, made = import_array(x)[0], import_array(y, "y")[0]
    given, made = _comparable(given, made)
    element = element_of(made.dtype)
    unit = unit_name(element)
    if 0 in made.shape or 0 in given.shape:
        return Identified(given.shape, made.shape, element, unit, (), (), 0)
    base = _base(given, made, scales, axes)
    looked = looked_at(replace(base, mode="linear") if _averages(element) else base, given, made)
    tried = list(_tried(base, looked, made.shape, element))
    tried += _rearrangements(given, made)
    ordered = sorted(tried, key=lambda one: one.mean)
    matches = [one for one in tried if one.reproduces]
    count = len(tried)
    if not matches:
        others, more = _other_readings(base, given, made, looked, ordered)
        matches, count = others, count + more
    # sorted() keeps the order of candidates among equals: the fewest attributes first.
    ranked = sorted(matches, key=lambda one: (len(one.changes), _exactness(one, unit)))
    closest = () if matches else tuple(ordered[:_CLOSEST])
    return Identified(given.shape, made.shape, element, unit, tuple(ranked), closest, count)


def _called(function: Callable[[Array], Any], shape: Sequence[int] | None, dtype: str, seed: int) -> tuple[Array, Any]:
    if shape is None:
        raise SpecError(
            "HP127",
            "a function needs a shape of random data to be called with",
            given="a function without shape=",
            allowed="shape=(1, 3, 8, 8), or an input and an output instead of a function",
            do="pass shape=",
        )
    x = random_array(tuple(shape), dtype, seed)
    return x, function(x.copy())


def _comparable(x: Array, y: Array) -> tuple[Array, Array]:
    """Both in the element type of y."""
    kinds = "OUT"
    if x.ndim != y.ndim or (x.dtype.kind in kinds) != (y.dtype.kind in kinds):
        raise SpecError(
            "HP127",
            "no request makes the one array of the other",
            given=f"{x.dtype} of shape {x.shape}, {y.dtype} of shape {y.shape}",
            allowed="two arrays of one rank, both of numbers or both of strings",
            do="add or drop axes of length 1, so that the axes correspond",
        )
    return (x if x.dtype == y.dtype else x.astype(y.dtype)), y


def _base(x: Array, y: Array, scales: RealNumbers | None, axes: Integers | None) -> Reading:
    """The lengths of the request."""
    element = element_of(y.dtype)
    if scales is None:
        return Reading(x.shape, element, None, y.shape, None, tuple(range(x.ndim)))
    listed = tuple(range(x.ndim)) if axes is None else tuple(int(axis) % x.ndim for axis in axes)
    given = tuple(float(np.float32(scale)) for scale in scales)
    reading = Reading(x.shape, element, given, None, None, listed)
    for rule in ("floor", "float32_floor", "round", "ceil"):
        ruled = replace(reading, length_rule=rule)
        if len(given) == len(listed) and output_shape(ruled) == y.shape:
            return ruled
    raise SpecError(
        "HP127",
        "the scales do not give the lengths of the output",
        given=f"scales={list(given)}, {x.shape} -> {y.shape}",
        allowed="one scale an axis (or an entry of axes): out / in",
        do="correct the scales, or leave them out",
    )


def _averages(element: str) -> bool:
    return element != "string"


def _tried(base: Reading, looked: LookedAt, shape: tuple[int, ...], element: str) -> Iterator[Match]:
    modes = ("nearest", "linear", "cubic") if _averages(element) else ("nearest",)
    # Requests that mean the same for these lengths have one spec; the one with the fewest attributes stands for them.
    seen: set[ResizeSpec] = set()
    for candidate in candidates_of(base, modes):
        spec = spec_of(candidate.reading)
        if spec is not None and spec not in seen and spec.out_shape == shape:
            seen.add(spec)
            yield _match(candidate, looked)


def _match(candidate: Candidate, looked: LookedAt) -> Match:
    reading = candidate.reading
    values = evaluate(reading, looked.x, looked.places)
    assert values is not None
    slack = Slack(reading.element, looked.allowed, looked.loose)
    missed = slack.unexplained(values, looked.other, reading) & ~looked.skip
    largest = largest_in_units(values, looked.other, ~looked.skip, reading.element)
    rule = {} if reading.length_rule == "floor" else {"length_rule": reading.length_rule}
    attributes = {**dict(candidate.attributes), **rule}
    mean = mean_difference(values, looked.other, ~looked.skip)
    return Match("Resize", attributes, candidate.presets, (), largest, mean, int(missed.sum()), int(missed.size))


def _rearrangements(x: Array, y: Array) -> Iterator[Match]:
    """DepthToSpace and SpaceToDepth, where the shapes are theirs."""
    if x.ndim != 4 or 0 in x.shape or x.shape == y.shape:
        return
    for op_type, deep, wide in (("DepthToSpace", x, y), ("SpaceToDepth", y, x)):
        blocksize, rest = divmod(wide.shape[2], max(1, deep.shape[2]))
        if rest or blocksize < 2 or deep.shape[1] != wide.shape[1] * blocksize**2:
            continue
        for mode, order in ORDERS.items():
            result = rearranged(op_type, x, blocksize, order)
            if result is not None and result.shape == y.shape:
                missed = int((result != y).sum())
                attributes = {"blocksize": blocksize, "mode": mode}
                largest = 0.0 if missed == 0 else float("inf")
                yield Match(op_type, attributes, (), (), largest, largest, missed, y.size)


def _other_readings(
    base: Reading, x: Array, y: Array, looked: LookedAt, ordered: Sequence[Match]
) -> tuple[list[Match], int]:
    """Search for other readings of the closest requests; stop at the first request that has one."""
    tried = 0
    for start in [one for one in ordered if one.operator == "Resize"][:_STARTS]:
        fields = {name: value for name, value in start.attributes.items() if name != "length_rule"}
        reading = replace(base, **fields)
        found = why(reading, x, y, most_changes=2)
        tried += found.tried
        if found.causes:
            return [_read_otherwise(start, reading, cause, looked) for cause in found.causes], tried
    return [], tried


def _read_otherwise(start: Match, reading: Reading, cause: Cause, looked: LookedAt) -> Match:
    for change in cause.changes:
        reading = change.applied(reading)
    values = evaluate(reading, looked.x, looked.places)
    assert values is not None
    largest = largest_in_units(values, looked.other, ~looked.skip, reading.element)
    changes = tuple(change.words for change in cause.changes)
    mean = mean_difference(values, looked.other, ~looked.skip)
    return replace(start, changes=changes, largest=largest, mean=mean, missed=0)


def _exactness(match: Match, unit: str) -> float:
    """Of integers equal results come first; of floats all that rounding explains are as good."""
    return 0.0 if unit == "ULP" else match.largest
