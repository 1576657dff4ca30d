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


def rounded(values: Array, element: str, rounding: str, wraps: bool) -> Array:
    """Return real averages as the integers of an element type, still in float64; other types as they are.

    Args:
        values: float64.
        element: ONNX element type.
        rounding: a key of ROUNDINGS.
        wraps: whether what does not fit wraps around; else it saturates.
    """
    if element == "bool":
        return (values >= 0.5 if rounding == "half_even" else ROUNDINGS[rounding](values) >= 1).astype(np.float64)
    if not is_integer(element):
        return values
    whole = ROUNDINGS[rounding](values)
    limits = np.iinfo(element)
    if wraps:
        span = float(int(limits.max) - int(limits.min) + 1)
        return np.asarray(whole - np.floor((whole - float(limits.min)) / span) * span)
    return np.asarray(whole.clip(float(limits.min), float(limits.max)))


def is_integer(element: str) -> bool:
    """Whether an element type is a signed or unsigned integer."""
    return element.removeprefix("u").startswith("int")
