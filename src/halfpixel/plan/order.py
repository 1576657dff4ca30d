"""The order in which the axes of an array lie in memory."""

from __future__ import annotations

from halfpixel.plan.elements import Array

Order = tuple[int, ...]
"""Axes from the outermost to the innermost in memory."""


def memory_order(x: Array) -> Order:
    """Return the axes of x by descending stride; C order where the strides leave a choice.

    Axes of length 1 and of stride 0 (broadcast) lie nowhere in particular: they stay between their C neighbours.

    Example:
        >>> memory_order(numpy.empty((2, 3, 8, 8)).transpose(0, 3, 1, 2))  # channels last, seen as NCHW
        (0, 2, 3, 1)
    """
    if x.flags.c_contiguous:
        return tuple(range(x.ndim))
    strides = [abs(stride) if length > 1 else 0 for stride, length in zip(x.strides, x.shape, strict=True)]
    order: list[int] = []
    for axis, stride in enumerate(strides):
        place = len(order)
        for earlier in range(len(order) - 1, -1, -1):
            if stride and 0 < strides[order[earlier]] < stride:
                place = earlier
            elif strides[order[earlier]] and stride:
                break
        order.insert(place, axis)
    return tuple(order)


def runs_in_place(x: Array, contiguous_from: int) -> bool:
    """True if the passes can read or write x as it lies, its axes being in memory order.

    Elements are aligned, strides whole elements, and the axes from contiguous_from on dense; outer strides are free.
    """
    if not x.flags.aligned:
        return False
    dense = x.itemsize
    for axis in range(x.ndim - 1, -1, -1):
        if x.shape[axis] > 1 and x.strides[axis] != dense and (axis >= contiguous_from or x.strides[axis] % x.itemsize):
            return False
        dense *= x.shape[axis]
    return True


def in_memory_order(x: Array, order: Order) -> Array:
    """Return a view of x whose axes are in the given order."""
    return x if order == tuple(range(len(order))) else x.transpose(order)


def in_axis_order(dense: Array, order: Order) -> Array:
    """Undo in_memory_order."""
    return in_memory_order(dense, tuple(sorted(range(len(order)), key=order.__getitem__)))
