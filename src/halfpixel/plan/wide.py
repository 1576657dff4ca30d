"""Floating-point arrays in a type that sums can be kept in, and back."""

from __future__ import annotations

import numpy as np

from halfpixel._errors import ElementTypeError
from halfpixel.plan.elements import Array, element_of
from halfpixel.spec.element_types import ELEMENT_TYPES


def check_differentiable(x: Array, name: str) -> None:
    """Refuse elements that have no gradient.

    Raises:
        ElementTypeError: HP225 neither floating point nor complex.
    """
    element = element_of(x.dtype)
    if ELEMENT_TYPES[element].kind not in ("float", "complex"):
        raise ElementTypeError(
            "HP225",
            f"a map of {element} has no gradient",
            given=f"{name} of element type {element}",
            allowed="float16, bfloat16, float32, float64, complex64, complex128",
            do="convert to a floating-point type",
        )


def widened(x: Array) -> tuple[Array, str]:
    """Return x in native byte order with its element type: float16 and bfloat16 as float32, the others as they are."""
    element = element_of(x.dtype)
    if element == "bfloat16":
        bits = np.ascontiguousarray(x).view(np.uint16).astype(np.uint32)
        return (bits << 16).view(np.float32).reshape(x.shape), "float32"
    if element == "float16":
        return x.astype(np.float32), "float32"
    return x.astype(x.dtype.newbyteorder("="), copy=False), element


def narrowed(x: Array, out: Array) -> None:
    """Write x into an array of the element type from which it was widened, rounding half to even."""
    if element_of(out.dtype) != "bfloat16":
        with np.errstate(over="ignore", under="ignore"):
            out[...] = x
        return
    bits = np.ascontiguousarray(x).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    quiet = ((bits >> 16) | 0x40).astype(np.uint16)
    out.view(np.uint16)[...] = np.where(np.isnan(x), quiet.reshape(x.shape), rounded.reshape(x.shape))
