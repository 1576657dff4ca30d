"""Area, as torch's exporter writes it: windows gathered, masked, added up and divided.

The output of length m from an input of length n takes, at i, the mean of the inputs from floor(i * n / m) to
ceil((i + 1) * n / m). Where m divides n the windows are equal: one AveragePool. Else one MatMul an axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.simplify.regions import Region, region_of

if TYPE_CHECKING:
    import onnx_ir

    from halfpixel.models.editing import Patch

Array = np.ndarray[Any, Any]

_ENDS = ("Div", "Mul", "ReduceMean")
_SUMS = frozenset(
    {"Add", "Where", "Gather", "GatherND", "Transpose", "Div", "Mul", "ReduceMean", "ReduceSum", "Reshape"}
)
_FEWEST_NODES = 4
_MOST_VALUES = 1 << 20


def area_regions(end: onnx_ir.Node, opset: int) -> Iterator[Region]:
    """Regions of known lengths that end with a node and might be an average."""
    if end.domain != "" or end.op_type not in _ENDS:
        return
    region = _back_to_one(end, opset)
    shape = None if region is None else region.in_shape
    if region is None or shape is None or None in shape or len(shape) < 3 or len(region.nodes) < _FEWEST_NODES:
        return
    if np.prod([n for n in shape if n is not None], dtype=float) <= _MOST_VALUES:
        yield region


def _back_to_one(end: onnx_ir.Node, opset: int) -> Region | None:
    """Walk back over first inputs that are sums to the value that all of them come from."""
    value = end.inputs[0]
    while value is not None:
        node = value.producer()
        if node is None or node.op_type not in _SUMS:
            return region_of(end.outputs[0], value, opset)
        data = [one for one in node.inputs if one is not None and one.const_value is None]
        varying = [one for one in data if (made := one.producer()) is None or made.op_type != "Constant"]
        if not varying:
            return None
        value = varying[0]
    return None


def area_lengths(region: Region) -> tuple[int, ...] | None:
    """Return the output lengths if a region is an area of all axes from the third on, None if it is not.

    A region that gives the averages for random numbers gives them for all: it is linear, as its operators are.
    """
    shape = [n for n in region.in_shape or () if n is not None]
    run = region.runner("float32")
    random = np.random.default_rng(7)
    lengths: tuple[int, ...] | None = None
    for _ in range(3):
        x = random.normal(0, 1, shape).astype(np.float32)
        y = run(x)
        if y is None or y.ndim != x.ndim or y.shape[:2] != x.shape[:2] or 0 in y.shape or y.shape == x.shape:
            return None
        expected = x.astype(np.float64)
        for axis in range(2, x.ndim):
            expected = np.moveaxis(
                np.tensordot(window_matrix(x.shape[axis], y.shape[axis]), expected, (1, axis)), 0, axis
            )
        if not np.allclose(y, expected, rtol=0, atol=2e-6):
            return None
        lengths = y.shape
    return lengths


def window_matrix(in_size: int, out_size: int) -> Array:
    """The means of an axis as a matrix of shape (out_size, in_size)."""
    matrix = np.zeros((out_size, in_size))
    for i in range(out_size):
        start, end = i * in_size // out_size, -(-(i + 1) * in_size // out_size)
        matrix[i, start:end] = 1 / (end - start)
    return matrix


def put_area(region: Region, out_shape: Sequence[int], patch: Patch) -> onnx_ir.Value:
    """Add an AveragePool where all windows are equal and apart, else one MatMul an axis."""
    shape = [n for n in region.in_shape or () if n is not None]
    if all(n % m == 0 for n, m in zip(shape[2:], out_shape[2:], strict=True)):
        windows = [n // m for n, m in zip(shape[2:], out_shape[2:], strict=True)]
        return patch.add("AveragePool", [region.x], {"kernel_shape": windows, "strides": windows}, "area")[0]
    from halfpixel.models.lower.matmul import along_axis

    y = region.x
    for axis in range(2, len(shape)):
        if shape[axis] != out_shape[axis]:
            matrix = window_matrix(shape[axis], out_shape[axis]).astype(np.float32)
            y = along_axis(axis, len(shape), matrix, y, patch)
    return y
