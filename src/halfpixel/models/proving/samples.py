"""Inputs for a resize-like node: its data, and what it takes as scales, sizes and roi where the model computes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from halfpixel._errors import HalfpixelError
from halfpixel.models.proving.inputs import Array, Feeds, extreme_array, moderate_array, random_array
from halfpixel.models.sites import Site
from halfpixel.spec.resize import ResizeSpec

_SHORT = 48

_LENGTHS = (6, 5, 7, 4, 8, 3)
"""For lengths that the model does not tell; the second shape takes them from the end."""

_MOST_VALUES = 1 << 20
"""Axes that are not resampled are shortened until the data has no more than this."""

_MOST_RUN = 1 << 24
"""Nothing larger is run."""

_GROWING = (2.0, 1.5, 3.0, 1.25, 1.7)
_SHRINKING = (0.5, 0.6, 0.75, 0.4, 0.8)


def cases_of(site: Site, assume: str | None = None, finite: bool = False, shorten: bool = False) -> list[Feeds]:
    """Return inputs for a site, named as the model names them: for each of up to three shapes random and extreme data.

    Args:
        assume: what nearest scales that are computed at run time are: "grow", "shrink", None or "either" for both.
        shorten: run nodes on very large data with shorter lengths; without it such nodes are not run.
        finite: no infinity and no NaN, and nothing whose sums overflow: for rewritings that round in another order.
    """
    element = site.element_type or "float32"
    x = site.value("X")
    if x is None:
        return []
    cases: list[Feeds] = []
    for number, shape in enumerate(_shapes(site)):
        if np.prod(shape, dtype=float) > _MOST_RUN:
            if not shorten:
                continue
            shape = tuple(min(length, _SHORT) for length in shape)
        for make in (random_array, moderate_array if finite else extreme_array):
            others = {
                value.name or "": _other(site, name, shape, assume, number)
                for name in ("roi", "scales", "sizes")
                if (value := site.value(name)) is not None and site.given(name) and site.constant(name) is None
            }
            cases.append({x.name or "": make(shape, element, number), **others})
    return cases


def input_of(site: Site, name: str, shape: Sequence[int], assume: str | None = None) -> Array:
    """Return a value that a site can take for "scales", "sizes" or "roi" with data of a shape."""
    return _other(site, name, shape, assume, 0)


def _shapes(site: Site) -> list[tuple[int, ...]]:
    known = site.in_shape if site.in_shape is not None else (None,) * _rank(site)
    shapes = []
    for lengths in (_LENGTHS, _LENGTHS[::-1], (1, 1, 2, 9, 1, 1)):
        filled = [n if isinstance(n, int) else lengths[axis % 6] for axis, n in enumerate(known)]
        shape = _fitting(site, filled, [not isinstance(n, int) for n in known])
        if shape not in shapes:
            shapes.append(shape)
    return shapes


def _rank(site: Site) -> int:
    """The rank, by the node's own constants where the model does not tell it; 4 if nothing does."""
    if site.attributes.get("axes") is not None:
        axes = site.attributes["axes"]
        return int(max([4, *(axis + 1 for axis in axes), *(-axis for axis in axes)]))
    for name in ("scales", "sizes"):
        constant = site.constant(name)
        if constant is not None and constant.size:
            return int(constant.size)
        value = site.value(name)
        if value is not None and value.shape is not None and isinstance(value.shape[0], int):
            return int(value.shape[0])
    return 4


def _fitting(site: Site, shape: list[int], free: list[bool]) -> tuple[int, ...]:
    """Make free lengths divisible where a rearrangement needs it, and long axes that are not resampled short."""
    b = site.attributes.get("blocksize")
    if b:
        factors = (1, b * b, 1, 1) if site.op_type == "DepthToSpace" else (1, 1, b, b)
        return tuple(n * k if f else n for n, k, f in zip(shape, factors, free, strict=True))
    kept = _resampled(site, shape)
    for axis in range(len(shape)):
        others = np.prod([n for at, n in enumerate(shape) if at != axis], dtype=float)
        if axis not in kept and others * shape[axis] > _MOST_VALUES and site.constant("sizes") is None:
            shape[axis] = max(1, int(_MOST_VALUES // max(others, 1)))
    return tuple(shape)


def _resampled(site: Site, shape: Sequence[int]) -> set[int]:
    try:
        spec = site.spec(tuple(shape))
    except HalfpixelError:
        return set(range(len(shape)))
    return {axis.axis for axis in spec.axes} if isinstance(spec, ResizeSpec) else set(range(len(shape)))


def _other(site: Site, name: str, shape: Sequence[int], assume: str | None, number: int) -> Array:
    """A value for scales, sizes or roi: two axes grow, shrink, or do both; the others stay."""
    axes = site.attributes.get("axes")
    listed = list(range(len(shape))) if axes is None else [axis % len(shape) for axis in axes]
    if name == "roi":
        return np.array([0.125] * len(listed) + [0.75] * len(listed), np.float32)
    kinds = {"grow": (_GROWING, _GROWING), "shrink": (_SHRINKING, _SHRINKING)}
    if site.op_type == "Upsample":
        assume = "grow"
    first, second = kinds.get(assume or "", ((_GROWING, _SHRINKING), (_SHRINKING, _GROWING))[number % 2])
    scales = np.ones(len(listed), np.float32)
    for place, choices in zip((-1, -2), (first, second), strict=True):
        if -place <= len(listed):
            scales[place] = choices[number % len(choices)]
    if name == "scales":
        return scales
    return np.array(
        [max(n and 1, int(n * s)) for n, s in zip((shape[a] for a in listed), scales, strict=True)], np.int64
    )
