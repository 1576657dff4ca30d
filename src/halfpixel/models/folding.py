"""What the operators of shape arithmetic do to arrays of which some elements may be unknown.

Source: the ONNX operator texts. Operators that move elements do to the mask what they do to the values; operators that
compute an element from others know it where they know all of those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

MOST_ELEMENTS = 4096
"""Elements of an array that folding works on; shapes, scales and sizes are far below."""


@dataclass(frozen=True, eq=False)
class Known:
    """An array of which some elements are the same in every run of a model.

    Attributes:
        values: the elements; any number where unknown.
        known: of the same shape: which of them are known.
    """

    values: Array
    known: Array


Inputs = Sequence[Known | None]
Attributes = Mapping[str, Any]
Fold = Callable[[Inputs, Attributes], Known | None]


def known(values: Array) -> Known:
    """An array of which everything is known."""
    return Known(values, np.ones(values.shape, np.bool_))


def _whole(inputs: Inputs, position: int) -> Array | None:
    """An input of which everything must be known, None where it is left out.

    Raises:
        ValueError: a part of it is unknown.
    """
    given = inputs[position] if position < len(inputs) else None
    if given is None:
        return None
    if not given.known.all():
        raise ValueError
    return given.values


def _data(inputs: Inputs) -> Known:
    first = inputs[0]
    if first is None:
        raise ValueError
    return first


def _moved(data: Known, move: Callable[[Array], Array]) -> Known:
    return Known(move(data.values), move(data.known))


def _identity(inputs: Inputs, attributes: Attributes) -> Known:
    return _data(inputs)


def _gather(inputs: Inputs, attributes: Attributes) -> Known:
    indices = np.asarray(_whole(inputs, 1), np.int64)
    axis, data = int(attributes.get("axis", 0)), _data(inputs)
    _check_small([data.values.size, indices.size])
    return _moved(data, lambda array: np.take(array, indices, axis))


def _concat(inputs: Inputs, attributes: Attributes) -> Known:
    parts = [_data([one]) for one in inputs]
    _check_small([sum(one.values.size for one in parts)])
    axis = int(attributes.get("axis", 1))
    return Known(
        np.concatenate([one.values for one in parts], axis), np.concatenate([one.known for one in parts], axis)
    )


def _listed(inputs: Inputs, position: int, attributes: Attributes, name: str) -> list[int] | None:
    """Integers that newer versions take as an input and older ones as an attribute; None where left out."""
    given = _whole(inputs, position)
    values = attributes.get(name) if given is None else given.reshape(-1).tolist()
    return None if values is None else [int(value) for value in values]


def _slice(inputs: Inputs, attributes: Attributes) -> Known:
    data = _data(inputs)
    starts, ends = _listed(inputs, 1, attributes, "starts"), _listed(inputs, 2, attributes, "ends")
    if starts is None or ends is None:
        raise ValueError
    axes = _listed(inputs, 3, attributes, "axes")
    steps = _listed(inputs, 4, attributes, "steps")
    parts = [slice(None)] * data.values.ndim
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        step = 1 if steps is None else steps[number]
        axis = number if axes is None else axes[number]
        # An end far below the array means "through the first element" where the step is negative.
        stop = None if step < 0 and end < -data.values.shape[axis] else end
        parts[axis] = slice(start, stop, step)
    return _moved(data, lambda array: array[tuple(parts)])


def _unsqueeze(inputs: Inputs, attributes: Attributes) -> Known:
    axes = _listed(inputs, 1, attributes, "axes")
    return _moved(_data(inputs), lambda array: np.expand_dims(array, tuple(axes or ())))


def _squeeze(inputs: Inputs, attributes: Attributes) -> Known:
    axes = _listed(inputs, 1, attributes, "axes")
    return _moved(_data(inputs), lambda array: np.squeeze(array, None if axes is None else tuple(axes)))


def _reshape(inputs: Inputs, attributes: Attributes) -> Known:
    data = _data(inputs)
    lengths = _listed(inputs, 1, attributes, "shape")
    if lengths is None:
        raise ValueError
    if not attributes.get("allowzero", 0):
        lengths = [data.values.shape[axis] if length == 0 else length for axis, length in enumerate(lengths)]
    return _moved(data, lambda array: array.reshape(lengths))


def _transpose(inputs: Inputs, attributes: Attributes) -> Known:
    return _moved(_data(inputs), lambda array: np.transpose(array, attributes.get("perm")))


def _expand(inputs: Inputs, attributes: Attributes) -> Known:
    data, lengths = _data(inputs), _listed(inputs, 1, attributes, "shape")
    shape = np.broadcast_shapes(data.values.shape, tuple(lengths or ()))
    _check_small(shape)
    return _moved(data, lambda array: np.broadcast_to(array, shape))


def _constant_of_shape(inputs: Inputs, attributes: Attributes) -> Known:
    lengths = _whole(inputs, 0)
    if lengths is None:
        raise ValueError
    _check_small(lengths.tolist())
    given = attributes.get("value")
    fill = np.zeros(1, np.float32) if given is None else given.numpy().reshape(-1)
    return known(np.full(lengths.tolist(), fill[0], fill.dtype))


def _check_small(shape: Sequence[int]) -> None:
    """Refuse to make an array of a shape with too many elements.

    Raises:
        ValueError: it has too many.
    """
    elements = 1
    for length in shape:
        elements *= length
    if elements > MOST_ELEMENTS or elements < 0:
        raise ValueError


_CAST: dict[int, Any] = {
    1: np.float32,
    2: np.uint8,
    3: np.int8,
    4: np.uint16,
    5: np.int16,
    6: np.int32,
    7: np.int64,
    9: np.bool_,
    10: np.float16,
    11: np.float64,
    12: np.uint32,
    13: np.uint64,
}
"""TensorProto.DataType -> the dtype that holds it."""


def _cast(inputs: Inputs, attributes: Attributes) -> Known:
    data = _data(inputs)
    return Known(data.values.astype(_CAST[int(attributes["to"])]), data.known)


def _elementwise(function: Callable[..., Array]) -> Fold:
    def fold(inputs: Inputs, attributes: Attributes) -> Known:
        arrays = [_data([one]) for one in inputs]
        _check_small(np.broadcast_shapes(*(one.values.shape for one in arrays)))
        values = np.asarray(function(*(one.values for one in arrays)))
        mask = np.ones(values.shape, np.bool_)
        for one in arrays:
            mask = mask & one.known
        return Known(values, mask)

    return fold


def _divide(a: Array, b: Array) -> Array:
    """Integers are divided towards zero; by zero nothing is known."""
    if a.dtype.kind == "f":
        return np.asarray(np.divide(a, b))
    if not np.all(b):
        raise ValueError
    quotient = np.abs(a) // np.abs(b)
    return np.asarray(np.where((a < 0) != (b < 0), -quotient, quotient).astype(a.dtype))


def _reduced(function: Callable[..., Array]) -> Fold:
    def fold(inputs: Inputs, attributes: Attributes) -> Known:
        data = _data(inputs)
        axes = _listed(inputs, 1, attributes, "axes")
        if axes is None and attributes.get("noop_with_empty_axes", 0):
            return data
        over, keep = None if not axes else tuple(axes), bool(attributes.get("keepdims", 1))
        reduced = function(data.values, axis=over, keepdims=keep)
        return Known(np.asarray(reduced, data.values.dtype), np.all(data.known, axis=over, keepdims=keep))

    return fold


def _minimum(*arrays: Array) -> Array:
    return np.asarray(np.minimum.reduce(np.broadcast_arrays(*arrays)))


def _maximum(*arrays: Array) -> Array:
    return np.asarray(np.maximum.reduce(np.broadcast_arrays(*arrays)))


FOLDS: dict[str, Fold] = {
    "Abs": _elementwise(np.abs),
    "Add": _elementwise(np.add),
    "Cast": _cast,
    "Ceil": _elementwise(np.ceil),
    "Concat": _concat,
    "ConstantOfShape": _constant_of_shape,
    "Div": _elementwise(_divide),
    "Equal": _elementwise(np.equal),
    "Expand": _expand,
    "Floor": _elementwise(np.floor),
    "Gather": _gather,
    "Identity": _identity,
    "Max": _elementwise(_maximum),
    "Min": _elementwise(_minimum),
    "Mul": _elementwise(np.multiply),
    "Neg": _elementwise(np.negative),
    "ReduceProd": _reduced(np.prod),
    "ReduceSum": _reduced(np.sum),
    "Reshape": _reshape,
    "Round": _elementwise(np.round),
    "Slice": _slice,
    "Sqrt": _elementwise(np.sqrt),
    "Squeeze": _squeeze,
    "Sub": _elementwise(np.subtract),
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
    "Where": _elementwise(np.where),
}
"""Operator of the default domain -> what it gives. Its attributes come as onnx_ir holds them.

Raises:
    TypeError, ValueError, IndexError, KeyError, AttributeError, MemoryError: nothing is known of the result.
"""
