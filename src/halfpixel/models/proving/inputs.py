"""Inputs to prove with: random ones, and ones made of the extreme values of their element type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from halfpixel.plan.elements import dtype_of
from halfpixel.spec.element_types import ELEMENT_TYPES

Array: TypeAlias = np.ndarray[Any, Any]
Feeds: TypeAlias = Mapping[str, Array]

_SEED = 20260801


def random_array(shape: Sequence[int], element: str, seed: int = 0) -> Array:
    """Return an array of an ONNX element type: normal numbers times 50, every integer value, words.

    The same arguments give the same array.
    """
    random = np.random.default_rng(_SEED + seed)
    kind = ELEMENT_TYPES[element].kind
    if kind == "string":
        return np.array([f"word {n}" for n in range(int(np.prod(shape)))], object).reshape(tuple(shape))
    if kind == "bool":
        return np.asarray(random.random(tuple(shape)) < 0.5)
    dtype = dtype_of(element)
    if kind in ("float", "complex"):
        real = random.normal(0, 50, tuple(shape))
        return np.asarray(real + 1j * random.normal(0, 50, tuple(shape)) if kind == "complex" else real).astype(dtype)
    limits = np.iinfo(dtype)
    return np.asarray(random.integers(limits.min, limits.max, tuple(shape), dtype, endpoint=True))


def extreme_array(shape: Sequence[int], element: str, seed: int = 0) -> Array:
    """Return an array of the type's ends: largest, smallest, zeros of both signs, subnormal, infinities, NaN."""
    kind = ELEMENT_TYPES[element].kind
    if kind in ("string", "bool"):
        return random_array(shape, element, seed + 1)
    dtype = dtype_of(element)
    if kind in ("float", "complex"):
        values = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, 6e4, -3e38]).astype(np.float64)
        with np.errstate(over="ignore"):
            ends = values.astype(dtype)
    else:
        limits = np.iinfo(dtype)
        ends = np.array([limits.min, limits.max, 0, 1, limits.max - 1, limits.max // 2], dtype)
    # Many ones and zeros among the ends, so that not every sum is NaN.
    weights = np.where(np.arange(len(ends)) < 4, 6.0, 1.0)
    places = np.random.default_rng(_SEED + seed).choice(len(ends), tuple(shape), p=weights / weights.sum())
    return np.asarray(ends[places])


def moderate_array(shape: Sequence[int], element: str, seed: int = 0) -> Array:
    """Return an array of steps and single peaks: numbers from 0 to 127, or the extremes where those are not numbers."""
    if ELEMENT_TYPES[element].kind in ("string", "bool"):
        return extreme_array(shape, element, seed)
    random = np.random.default_rng(_SEED + seed)
    values = random.choice([0.0, 0.0, 0.0, 1.0, 100.0, 127.0], tuple(shape))
    return np.asarray(values.astype(dtype_of(element)))
