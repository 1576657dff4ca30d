"""Maps as 64-bit words: what a host keeps in a compiled program and builds again, here or in another process.

core/run/host_words.hpp has the order of the words and reads them. They say what decides the tables, so that they stay
few, and so that nothing of this process needs to live for as long as the program that holds them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from halfpixel.plan.elements import Array, averaged_as, moved_as
from halfpixel.plan.integers import encoded, line_bytes, scale_bytes
from halfpixel.plan.plan import Plan
from halfpixel.spec.axes import AxisSpec, ResizeSpec
from halfpixel.spec.rearrange import RearrangeSpec

Words = tuple[int, ...]

VERSION = 1
AVERAGE, MOVE, CONSTANT, DEPTH_TO_SPACE, SPACE_TO_DEPTH = range(5)

_FILTERS = ("nearest", "linear", "cubic")
_ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
_AVERAGED = (
    *("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    *("float16", "bfloat16", "float32", "float64"),
)
"""Elements that the averaging passes know, in the order of the core's enum Element."""
_PARTS = {"complex64": "float32", "complex128": "float64"}


def forward_words(plan: Plan) -> Words:
    """Return a call of the plan: in_shape to output_shape."""
    return _resize(plan, plan._forward.fill, transposed=False)


def gradient_words(plan: Plan) -> Words:
    """Return plan.grad, of a plan whose element type has a gradient: output_shape to in_shape."""
    return _resize(plan, None, transposed=True)


def rearrange_words(spec: RearrangeSpec, dtype: np.dtype[Any]) -> Words:
    """Return a DepthToSpace or SpaceToDepth of elements that are moved."""
    to_space = spec.op_type == "DepthToSpace"
    deep = spec.in_shape if to_space else spec.out_shape
    kind = DEPTH_TO_SPACE if to_space else SPACE_TO_DEPTH
    return VERSION, kind, *deep, spec.blocksize, int(spec.mode == "CRD"), moved_as(dtype).itemsize


def _resize(plan: Plan, fill: Array | None, transposed: bool) -> Words:
    spec, element = plan.spec, plan.element_type
    in_shape, out_shape = spec.in_shape, spec.out_shape
    if transposed:
        in_shape, out_shape = out_shape, in_shape
    width = averaged_as(element).itemsize
    if 0 in in_shape or 0 in out_shape:  # no output, or a sum over nothing
        return VERSION, CONSTANT, width * math.prod(in_shape), *_shape(out_shape), *_value(bytes(width))
    moves = spec.mode == "nearest" and not transposed
    pairs = element in _PARTS and not moves
    code = width if moves else _AVERAGED.index(_PARTS.get(element, element))
    value = _value(b"" if fill is None else fill.tobytes())
    tables = [word for axis in spec.axes for word in _table(spec, axis)]
    kind = MOVE if moves else AVERAGE
    return VERSION, kind, code, int(pairs), int(transposed), *_shape(in_shape), *value, len(spec.axes), *tables


def _table(spec: ResizeSpec, axis: AxisSpec) -> list[int]:
    line = line_bytes(axis.line, axis.in_size, axis.out_size)
    scale = scale_bytes(axis.scale) if spec.antialias else encoded(1, 1)
    return [
        axis.axis,
        _FILTERS.index(spec.mode),
        axis.in_size,
        axis.out_size,
        *_words(line),
        int(spec.antialias),
        *_words(scale),
        _ROUNDINGS.index(axis.nearest_mode),
        *_words(struct.pack("<d", spec.cubic_coeff_a)),
        int(spec.exclude_outside),
        int(axis.extrapolate),
    ]


def _shape(shape: Sequence[int]) -> list[int]:
    return [len(shape), *shape]


def _value(value: bytes) -> list[int]:
    return [len(value), *_words(value.ljust(16, b"\0"))]


def _words(data: bytes) -> list[int]:
    return [word for (word,) in struct.iter_unpack("<q", data)]
