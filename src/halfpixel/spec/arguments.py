"""Read what a caller passed (lists, tuples, NumPy arrays, tensors) as plain Python numbers, or say why that fails.

The common case (a list or tuple of int and float) is decided by exact type: it is on the way of every cold call.
"""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable, Mapping
from typing import cast

from halfpixel._errors import SpecError

_NOT_SEQUENCES = (str, bytes, bytearray, Mapping, set, frozenset)
# The dtype kinds that carry real numbers: signed, unsigned, float, and "V" for the float types from outside NumPy.
_REAL_KINDS = "iufV"


class _Short(reprlib.Repr):
    """repr() of a foreign object that can neither fill the screen nor raise."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = 16
        self.maxstring = self.maxother = 160

    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to print integers of more than 4300 digits."""
        return repr(x) if x.bit_length() <= 128 else f"<integer of {x.bit_length()} bits>"


show = _Short().repr
"""Text of an argument for the line ``given:``."""


def elements(name: str, values: object) -> list[object]:
    """Return the elements of a one-dimensional sequence or array as a list.

    Raises:
        SpecError: HP116 for text, sets, mappings, scalars, arrays of another rank or of a kind that is not real.
    """
    if type(values) is list or type(values) is tuple:
        return list(values)
    kind = getattr(getattr(values, "dtype", None), "kind", "f")
    if isinstance(values, _NOT_SEQUENCES) or getattr(values, "ndim", 1) != 1 or kind not in _REAL_KINDS + "O":
        raise _not_numbers(name, values)
    to_list = getattr(values, "tolist", None)
    try:
        return list(cast("Iterable[object]", values) if to_list is None else to_list())
    except Exception as error:  # whatever a foreign __iter__ raises
        raise _not_numbers(name, values) from error


def real(name: str, value: object) -> float:
    """Return a real number as a Python float; infinities and NaN pass.

    Raises:
        SpecError: HP116 for booleans, text, complex numbers, arrays and everything without ``__float__``.
    """
    if type(value) is float:
        return value
    if not is_scalar_number(value):
        raise _not_numbers(name, value)
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return float("inf")
    except Exception as error:  # whatever a foreign __float__ raises
        raise _not_numbers(name, value) from error


def integer(name: str, value: object) -> int:
    """Return an integer as a Python int.

    Raises:
        SpecError: HP116 for booleans, fractions, text and everything without ``__index__``.
    """
    if type(value) is int:
        return value
    if not is_scalar_number(value):
        raise _not_numbers(name, value, "an integer")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except Exception as error:  # whatever a foreign __index__ raises
        raise _not_numbers(name, value, "an integer") from error


def integer_or_none(value: object) -> int | None:
    """Return an integer as a Python int, None for anything else."""
    try:
        return integer("", value)
    except SpecError:
        return None


def whole(name: str, value: object) -> int:
    """Return a number without a fraction as a Python int: 8, 8.0 or a NumPy scalar of that value.

    Raises:
        SpecError: HP116 for 8.5, NaN, infinities, booleans, text.
    """
    if type(value) is int:
        return value
    if isinstance(value, float) or not hasattr(value, "__index__"):
        number = real(name, value)
        if not number.is_integer():
            raise _not_numbers(name, value, "whole numbers")
        return int(number)
    return integer(name, value)


def shape_of(x_shape: object) -> tuple[int, ...]:
    """Return a shape as a tuple of Python ints.

    Raises:
        SpecError: HP121 for anything but a sequence of integers from 0 on.
    """
    if type(x_shape) is tuple:
        for length in x_shape:
            if type(length) is not int or length < 0:
                break
        else:
            return x_shape
    try:
        shape = tuple(integer("x_shape", length) for length in elements("x_shape", x_shape))
    except SpecError as error:
        raise _no_shape(x_shape) from error
    if any(length < 0 for length in shape):
        raise _no_shape(x_shape)
    return shape


def axes_of(axes: object, rank: int) -> list[int]:
    """Return listed axes as numbers from 0 to rank - 1, in the caller's order.

    Raises:
        SpecError: HP110 an axis outside [-rank, rank - 1], HP111 one that is listed twice, HP116 no integers.
    """
    listed = [axis if type(axis) is int else integer("axes", axis) for axis in elements("axes", axes)]
    for position, axis in enumerate(listed):
        if not -rank <= axis < rank:
            raise SpecError(
                "HP110",
                f"axis {show(axis)} is out of range for rank {rank}",
                given=f"axes={show(listed)}, X of rank {rank}",
                allowed=f"{-rank} to {rank - 1}" if rank else "no axis, as X has rank 0",
                do="list axes that X has; negative ones count from the back",
            )
        listed[position] = axis + rank if axis < 0 else axis
    if len(set(listed)) != len(listed):
        raise SpecError(
            "HP111",
            "an axis is listed twice",
            given=f"axes={show(axes)}, which are {listed} counted from the front",
            allowed="each axis at most once",
            do="drop the repeated axis and its scale or size",
        )
    return listed


def is_scalar_number(value: object) -> bool:
    """True for what is a real number by its type: no boolean, text, complex number, array or date."""
    if isinstance(value, (bool, str, bytes, bytearray, complex)) or getattr(value, "ndim", 0) != 0:
        return False
    kind = getattr(getattr(value, "dtype", None), "kind", "f")
    return kind in _REAL_KINDS and (hasattr(value, "__float__") or hasattr(value, "__index__"))


def _not_numbers(name: str, value: object, wanted: str = "real numbers") -> SpecError:
    return SpecError(
        "HP116",
        f"{name!r} cannot be read as {wanted}",
        given=f"{name}={show(value)} of type {type(value).__name__}",
        allowed="a one-dimensional sequence or array of numbers; no booleans, text or complex numbers",
        do=f"pass {name!r} as a list of {'integers' if name in ('axes', 'sizes', 'x_shape') else 'numbers'}",
    )


def _no_shape(x_shape: object) -> SpecError:
    return SpecError(
        "HP121",
        "the shape of X is not a sequence of lengths",
        given=f"x_shape={show(x_shape)}",
        allowed="integers from 0 on, one an axis; an empty sequence for rank 0",
        do="pass x.shape",
    )
