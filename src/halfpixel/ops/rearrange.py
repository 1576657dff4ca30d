"""DepthToSpace and SpaceToDepth: blocks of samples moved between channels and space; each is the other's gradient."""

from __future__ import annotations

from typing import Any, Never

import numpy as np

from halfpixel._core import depth_to_space as move_to_space
from halfpixel._core import space_to_depth as move_to_depth
from halfpixel._typing import RearrangeMode
from halfpixel.ops.request import unknown_keyword
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import Array, check_strings, element_of, moved_as
from halfpixel.plan.order import memory_order
from halfpixel.plan.out import allocate, import_out
from halfpixel.plan.threads import instruction_set, thread_count
from halfpixel.spec.element_types import check_element_type
from halfpixel.spec.rearrange import RearrangeSpec, depth_to_space_spec, space_to_depth_spec

KEYWORDS = ("blocksize", "mode", "version", "out", "threads")


def depth_to_space(
    x: Any,
    blocksize: int,
    *,
    mode: RearrangeMode = "DCR",
    version: int = 28,
    out: Any = None,
    threads: int | None = None,
    **unknown: Never,
) -> Any:
    """Move channels into blocks of rows and columns: [N, C, H, W] -> [N, C / b^2, H * b, W * b].

    Example:
        >>> hp.depth_to_space(numpy.arange(4).reshape(1, 4, 1, 1), 2)
        array([[[[0, 1],
                 [2, 3]]]])

    Args:
        x: array of rank 4 and any ONNX element type, strides and byte order; C divisible by blocksize^2.
        blocksize: b, rows and columns of a block, >= 1.
        mode: the order of the channels: "DCR" (row, column, channel) or "CRD" (channel, row, column).
        version: since-version 1, 11, 13 or 28.
        out, threads: as in resize.

    Returns:
        the kind of array that x is, with its dtype and its axes in the same memory order; every element bit for bit.

    Raises:
        SpecError: HP1xx, the request breaks a rule of the operator, or out or threads is wrong.
        ElementTypeError: HP2xx, the element type is not allowed here.
        ResourceError: HP3xx, the output is too large; nothing was allocated.

    Source: ONNX DepthToSpace.
    """
    if unknown:
        raise unknown_keyword("depth_to_space", unknown, KEYWORDS)
    array, export = import_array(x)
    spec = depth_to_space_spec(array.shape, blocksize, mode=mode, version=version)
    y = rearranged(array, spec, out, threads)
    return export(y) if out is None else out


def space_to_depth(
    x: Any,
    blocksize: int,
    *,
    mode: RearrangeMode = "DCR",
    version: int = 28,
    out: Any = None,
    threads: int | None = None,
    **unknown: Never,
) -> Any:
    """Move blocks of rows and columns into channels: [N, C, H, W] -> [N, C * b^2, H / b, W / b].

    Example:
        >>> hp.space_to_depth(numpy.arange(4).reshape(1, 1, 2, 2), 2).reshape(-1)
        array([0, 1, 2, 3])

    Args:
        x: array of rank 4 and any ONNX element type, strides and byte order; H and W divisible by blocksize.
        blocksize: b, rows and columns of a block, >= 1.
        mode: the order of the channels: "DCR" (row, column, channel) or "CRD" (channel, row, column).
        version: since-version 1, 13 or 28; 1 and 13 have "DCR" only.
        out, threads: as in resize.

    Returns:
        the kind of array that x is, with its dtype and its axes in the same memory order; every element bit for bit.

    Raises:
        SpecError, ElementTypeError, ResourceError: as depth_to_space.

    Source: ONNX SpaceToDepth.
    """
    if unknown:
        raise unknown_keyword("space_to_depth", unknown, KEYWORDS)
    array, export = import_array(x)
    spec = space_to_depth_spec(array.shape, blocksize, mode=mode, version=version)
    y = rearranged(array, spec, out, threads)
    return export(y) if out is None else out


def rearranged(x: Array, spec: RearrangeSpec, out: object, threads: object) -> Array:
    """Return x rearranged as a NumPy array, written into out where one is given.

    Raises:
        SpecError: HP162-167.
        ElementTypeError: HP201, HP220, HP224.
        ResourceError: HP301, HP302.
    """
    element = element_of(x.dtype)
    check_element_type(spec.op_type, spec.version, element, spec.mode)
    check_strings(x)
    count = thread_count(threads)
    instruction_set()
    y = allocate(spec.out_shape, x.dtype, memory_order(x)) if out is None else import_out(out, spec.out_shape, x)
    if element != "string" and y.size and _is_plain(x) and _is_plain(y):
        carrier = moved_as(x.dtype)
        move = move_to_space if spec.op_type == "DepthToSpace" else move_to_depth
        move(x.view(carrier), y.view(carrier), spec.blocksize, spec.mode == "CRD", count)
    else:
        deep, space = (x, y) if spec.op_type == "DepthToSpace" else (y, x)
        deep, space = _blocks(deep, space, spec)
        np.copyto(*((space, deep) if spec.op_type == "DepthToSpace" else (deep, space)))
    return y


def _is_plain(x: Array) -> bool:
    return x.flags.c_contiguous and x.flags.aligned


def _blocks(deep: Array, space: Array, spec: RearrangeSpec) -> tuple[Array, Array]:
    """Views of both sides with the axes N, C, H, row, W, column: splitting an axis never copies.

    Works for every stride and dtype, strings among them.
    """
    b = spec.blocksize
    batch, channels, rows, columns = space.shape
    height, width = rows // b, columns // b
    if spec.mode == "CRD":
        deep = deep.reshape(batch, channels, b, b, height, width).transpose(0, 1, 4, 2, 5, 3)
    else:
        deep = deep.reshape(batch, b, b, channels, height, width).transpose(0, 3, 4, 1, 5, 2)
    return deep, space.reshape(batch, channels, height, b, width, b)
