"""From NumPy dtypes to ONNX element types, and from a number to an element.

bfloat16 arrives as the dtype of ml_dtypes, or, from libraries that have a bfloat16 of their own, as the bits in
BFLOAT16_BITS: nothing is imported for it.
"""

from __future__ import annotations

import math
import sys
from typing import Any, TypeAlias, cast

import numpy as np

from halfpixel._errors import ElementTypeError
from halfpixel.spec.element_types import ELEMENT_TYPES

Array: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]
"""A NumPy array of any rank and dtype."""

BFLOAT16_BITS = np.dtype([("bfloat16", "=u2")])
"""A dtype of two bytes that equals no other: bfloat16 where ml_dtypes is not loaded. View it as uint16 for the bits."""

_STRING_KINDS = "OUT"
_ELEMENTS: dict[np.dtype[Any], str] = {BFLOAT16_BITS: "bfloat16"} | {
    dtype: name
    for name, element in ELEMENT_TYPES.items()
    if element.kind in ("bool", "integer", "float", "complex") and name != "bfloat16"
    for dtype in (np.dtype(name), np.dtype(name).newbyteorder())
}
_BITS: dict[int, np.dtype[Any]] = {
    1: np.dtype(np.uint8),
    2: np.dtype(np.uint16),
    4: np.dtype(np.uint32),
    8: np.dtype(np.uint64),
}


def element_of(dtype: np.dtype[Any]) -> str:
    """Return the ONNX element type that a dtype carries: a key of spec.element_types.ELEMENT_TYPES.

    Byte order does not matter. Object arrays count as strings; that they hold nothing else is checked on the data.

    Raises:
        ElementTypeError: HP220 for every dtype without an ONNX tensor type (dates, records, long double, ...).
    """
    element = _ELEMENTS.get(dtype)
    if element is not None:
        return element
    if dtype.kind in _STRING_KINDS:
        return "string"
    if dtype.name == "bfloat16":
        return "bfloat16"
    raise ElementTypeError(
        "HP220",
        f"{_noun(dtype)} has no ONNX tensor type",
        given=f"dtype {dtype}",
        allowed=", ".join(ELEMENT_TYPES),
        do=_advice(dtype),
    )


def _noun(dtype: np.dtype[Any]) -> str:
    if dtype.names is not None:
        return "a record"
    if dtype.kind == "V" and dtype.name.startswith("void"):
        return "a block of bytes"
    return {"M": "a date", "m": "a time span", "S": "a byte string"}.get(dtype.kind, dtype.name)


def _advice(dtype: np.dtype[Any]) -> str:
    if dtype.names is not None:
        return f"pass one field, such as x[{dtype.names[0]!r}]"
    if dtype.kind in "Mm":
        return "pass x.view(numpy.int64)"
    if dtype.kind == "S":
        return "decode it: numpy.strings.decode(x)"
    if dtype.kind == "f":
        return "convert it: x.astype(numpy.float64)"
    if dtype.kind == "c":
        return "convert it: x.astype(numpy.complex128)"
    return "convert it to one of these types"


def dtype_of(name: object) -> np.dtype[Any]:
    """Return the NumPy dtype for what people pass as one: a dtype, a type, an ONNX or NumPy name, a torch dtype.

    "bfloat16" gives ml_dtypes' dtype where ml_dtypes is loaded, else BFLOAT16_BITS; "string" gives object.

    Raises:
        ElementTypeError: HP221 when it is none of these.
    """
    if isinstance(name, np.dtype):
        return name
    word = str(name).removeprefix("torch.") if type(name).__module__ == "torch" else name
    if isinstance(word, str) and word == "bfloat16":
        ml_dtypes = sys.modules.get("ml_dtypes")
        return BFLOAT16_BITS if ml_dtypes is None else np.dtype(ml_dtypes.bfloat16)
    if isinstance(word, str) and word == "string":
        return np.dtype(object)
    try:
        if word is not None:
            dtype: np.dtype[Any] = np.dtype(cast("Any", word))
            return dtype
    except (TypeError, ValueError):
        pass
    raise ElementTypeError(
        "HP221",
        "dtype is not an element type",
        given=f"dtype={name!r}",
        allowed="a NumPy dtype, or a name: " + ", ".join(ELEMENT_TYPES),
        do="pass x.dtype or one of the names",
    )


def moved_as(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype under which elements are moved untouched: an unsigned integer as wide, or complex128."""
    return _BITS.get(dtype.itemsize, np.dtype(np.complex128))


def averaged_as(element: str) -> np.dtype[Any]:
    """Return the native dtype under which the averaging passes read an element: bfloat16 as its 16 bits."""
    return np.dtype(np.uint16 if element == "bfloat16" else element)


def converted(value: float, element: str) -> Array:
    """Return a number as one element, rounded like a result: an array of rank 0 of averaged_as(element).

    Integers round half to even and saturate; bool is true from one half up; floating point rounds half to even and
    overflows to infinity; complex takes it as the real part.

    Source: ONNX Resize, extrapolation_value; the rounding is that of a weighted average.
    """
    dtype = averaged_as(element)
    kind = ELEMENT_TYPES[element].kind
    if kind == "bool":
        return np.array(value >= 0.5)
    if kind == "integer":
        limits = np.iinfo(dtype)
        clamped = limits.max if value >= limits.max else limits.min if value <= limits.min else round(value)
        return np.array(clamped, dtype)
    if element == "bfloat16":
        return np.array(_bfloat16_bits(value), dtype)
    with np.errstate(over="ignore", under="ignore"):
        return np.array(value).astype(dtype)


def _bfloat16_bits(value: float) -> int:
    """Round a double to bfloat16 at once: eight significant bits, none below 2**-133."""
    if math.isfinite(value) and value != 0:
        quantum = 2.0 ** max(math.frexp(value)[1] - 8, -133)
        value = math.copysign(round(value / quantum) * quantum, value)
    with np.errstate(over="ignore"):
        return int(np.float64(value).astype(np.float32).view(np.uint32)) >> 16


def check_strings(x: Array) -> None:
    """Refuse an object array that holds anything but strings.

    Raises:
        ElementTypeError: HP224, naming the first other object.
    """
    if x.dtype.kind != "O":
        return
    for value in x.flat:
        if not isinstance(value, str):
            raise ElementTypeError(
                "HP224",
                "an object array must hold strings only",
                given=f"an object array that holds {value!r:.60} of type {type(value).__name__}",
                allowed="str in every place",
                do="make every value a str, or build the array with its own dtype: numpy.asarray(x, dtype=...)",
            )
