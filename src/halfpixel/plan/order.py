"""The order in which the axes of an array lie in memory."""

from __future__ import annotations

from functools import lru_cache

from halfpixel.plan.elements import Array

Order = tuple[int, ...]
"""Axes from the outermost to the innermost in memory."""


def memory_order(x: Array) -> Order:
    """Return the axes of x by descending stride; C order where the strides leave a choice.

    Axes of length 1 and of stride 0 (broadcast) lie nowhere in particular: they stay between their C neighbours.

    Example:
        >>> memory_order(numpy.empty((2, 8, 8, 3)).transpose(0, 3, 1, 2))  # channels last, seen as NCHW
        (0, 2, 3, 1)
    """
    if x.flags.c_contiguous:
        return c_order(x.ndim)
    return _by_stride(x.shape, x.strides)


@lru_cache(maxsize=64)
def c_order(rank: int) -> Order:
    """Return the axes in the order of a dense C array."""
    return tuple(range(rank))


@lru_cache(maxsize=1024)
def _by_stride(shape: tuple[int, ...], strides: tuple[int, ...]) -> Order:
    steps = [abs(stride) if length > 1 else 0 for stride, length in zip(strides, shape, strict=True)]
    order: list[int] = []
    for axis, step in enumerate(steps):
        place = len(order)
        for position in range(len(order) - 1, -1, -1):
            earlier = steps[order[position]]
            if step and 0 < earlier < step:
                place = position
            elif step and earlier:
                break
        order.insert(place, axis)
    return tuple(order)


def runs_in_place(x: Array, contiguous_from: int) -> bool:
    """True if the passes can read or write x as it lies, its axes being in memory order.

    Elements are aligned, strides whole elements, and the axes from contiguous_from on dense; outer strides are free.
    """
    flags = x.flags
    return flags.aligned and (flags.c_contiguous or _fits(x.shape, x.strides, x.itemsize, contiguous_from))


@lru_cache(maxsize=1024)
def _fits(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, contiguous_from: int) -> bool:
    dense = itemsize
    for axis in range(len(shape) - 1, -1, -1):
        if shape[axis] > 1 and strides[axis] != dense and (axis >= contiguous_from or strides[axis] % itemsize):
            return False
        dense *= shape[axis]
    return True


def in_memory_order(x: Array, order: Order) -> Array:
    """Return a view of x whose axes are in the given order."""
    return x if order == c_order(len(order)) else x.transpose(order)


def in_axis_order(dense: Array, order: Order) -> Array:
    """Undo in_memory_order."""
    return dense if order == c_order(len(order)) else dense.transpose(_inverse(order))


@lru_cache(maxsize=1024)
def _inverse(order: Order) -> Order:
    return tuple(sorted(range(len(order)), key=order.__getitem__))
