"""Export of mode "area": one AveragePool where the windows are alike, else one Einsum with the weights of each axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from halfpixel.torch import kernels

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MOST_POOLED = 3
"""Axes that the runtimes' poolings take."""


def area(x: Any, size: Sequence[Any]) -> Any:
    """Return the nodes for the mean over whole samples; lengths may be values of the graph.

    Floats of 16 bits are averaged in float32, integers and bool in float64, as torch has no mean of them.
    """
    import onnx_ir
    from onnxscript import opset18

    types = onnx_ir.DataType
    if x.dtype in (types.FLOAT, types.DOUBLE):
        return _mean(x, size, x.dtype)
    if x.dtype in (types.FLOAT16, types.BFLOAT16):
        return opset18.Cast(_mean(opset18.Cast(x, to=types.FLOAT), size, types.FLOAT, x.shape), to=x.dtype)
    mean = _mean(opset18.Cast(x, to=types.DOUBLE), size, types.DOUBLE, x.shape)
    if x.dtype == types.BOOL:
        return opset18.GreaterOrEqual(mean, _constant(np.array(0.5)))
    return opset18.Cast(opset18.Round(mean), to=x.dtype)


def _mean(x: Any, size: Sequence[Any], element: Any, shape: Any = None) -> Any:
    """The mean in the type that x has now; shape is x's where x is no longer the graph's own value."""
    import onnx_ir
    from onnxscript import opset18

    shape = list(x.shape if shape is None else shape)
    lengths = shape[len(shape) - len(size) :]
    known = all(isinstance(length, int) for length in (*lengths, *size))
    if known and element == onnx_ir.DataType.FLOAT and len(size) <= _MOST_POOLED:
        windows = [length // out for length, out in zip(lengths, size, strict=True)]
        if all(length == out * window for length, out, window in zip(lengths, size, windows, strict=True)):
            return opset18.AveragePool(x, kernel_shape=windows, strides=windows)
    given, left, right = _LETTERS[: len(shape)], [], _LETTERS[: len(shape) - len(size)]
    weights = []
    for axis, (length, out) in enumerate(zip(lengths, size, strict=True), len(shape) - len(size)):
        letter = _LETTERS[len(shape) + axis]
        left.append(letter + given[axis])
        right += letter
        whole = isinstance(length, int) and isinstance(out, int)
        weights.append(_known(length, out, element) if whole else _computed(x, axis, length, out, element))
    return opset18.Einsum(x, *weights, equation=f"{','.join([given, *left])}->{right}")


def _known(length: int, out: int, element: Any) -> Any:
    """The weights of an axis as a constant of shape [out, length]."""
    axes = kernels.interpolation_plan((1, 1, length), "float64", (out,), None, "area", False, False).axes
    matrix = axes[2].matrix() if axes else np.eye(length)
    return _constant(matrix.astype(element.numpy()))


def _computed(x: Any, axis: int, length: Any, out: Any, element: Any) -> Any:
    """The same, from lengths that only the running graph knows."""
    from onnxscript import opset18

    zero, one = _constant(np.array(0, np.int64)), _constant(np.array(1, np.int64))
    inputs = _constant(np.array(length, np.int64)) if isinstance(length, int) else _length_of(x, axis)
    outputs = _constant(np.array(out, np.int64)) if isinstance(out, int) else out
    begin = opset18.Mul(opset18.Range(zero, outputs, one), inputs)
    first = opset18.Div(begin, outputs)
    end = opset18.Div(opset18.Sub(opset18.Add(opset18.Add(begin, inputs), outputs), one), outputs)
    column = _constant(np.array([1], np.int64))
    first, end = opset18.Unsqueeze(first, column), opset18.Unsqueeze(end, column)
    samples = opset18.Range(zero, inputs, one)
    covered = opset18.And(opset18.GreaterOrEqual(samples, first), opset18.Less(samples, end))
    divide: Any = opset18.Div
    return divide(opset18.Cast(covered, to=element), opset18.Cast(opset18.Sub(end, first), to=element))


def _length_of(x: Any, axis: int) -> Any:
    from onnxscript import opset18

    shape: Any = opset18.Shape(x, start=axis, end=axis + 1)
    return opset18.Squeeze(shape)


def _constant(values: Any) -> Any:
    import onnx_ir
    from onnxscript import opset18

    constant: Any = opset18.Constant
    return constant(value=onnx_ir.tensor(values))
