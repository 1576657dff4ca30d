"""From exact averages to elements, in the standard's way and in others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from halfpixel.plan.elements import Array

ROUNDINGS: dict[str, Callable[[Any], Any]] = {
    "half_even": np.rint,
    "truncate": np.trunc,
    "floor": np.floor,
    "half_up": lambda value: np.floor(value + 0.5),
    "half_away": lambda value: np.copysign(np.floor(np.abs(value) + 0.5), value),
}
"""Reading.rounding -> what it does to float64."""


_SUM_NOISE = 1e-9


def rounded(values: Array, element: str, rounding: str, wraps: bool) -> Array:
    """Return real averages as the integers of an element type, still in float64; other types as they are.

    A value within 1e-9 of a half or of a whole number is that number: sums in float64 are not exact.

    Args:
        values: float64.
        element: ONNX element type.
        rounding: a key of ROUNDINGS.
        wraps: whether what does not fit wraps around; else it saturates.
    """
    if element != "bool" and not is_integer(element):
        return values
    values = _settled(values)
    if element == "bool":
        return (values >= 0.5 if rounding == "half_even" else ROUNDINGS[rounding](values) >= 1).astype(np.float64)
    whole = ROUNDINGS[rounding](values)
    limits = np.iinfo(element)
    if wraps:
        span = float(int(limits.max) - int(limits.min) + 1)
        return np.asarray(whole - np.floor((whole - float(limits.min)) / span) * span)
    return np.asarray(whole.clip(float(limits.min), float(limits.max)))


def _settled(values: Array) -> Array:
    halves = np.rint(values * 2) / 2
    return np.where(np.abs(values - halves) < _SUM_NOISE, halves, values)


def near_turn(values: Array, rounding: str, distance: float) -> Any:
    """Return where a value lies so near to where its rounding turns over: a half, or a whole number."""
    turn = values - (0.5 if rounding in ("half_even", "half_up", "half_away") else 0.0)
    return np.abs(turn - np.rint(turn)) < distance


def is_integer(element: str) -> bool:
    """Whether an element type is a signed or unsigned integer."""
    return element.removeprefix("u").startswith("int")
