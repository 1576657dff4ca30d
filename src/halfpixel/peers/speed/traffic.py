"""How many bytes a piece of work cannot avoid to read and to write."""

from __future__ import annotations

import math

import numpy as np

import halfpixel as hp
from halfpixel.peers.work import RESIZE, Array, Work

LINE = 64
"""Bytes of a cache line: the least that memory hands out."""


def bytes_written(work: Work) -> int:
    """Bytes of the result."""
    return math.prod(work.result_shape) * work.dtype.itemsize


def bytes_read(work: Work) -> int:
    """Bytes of the input that some output needs, in whole cache lines along the innermost axis of space.

    A resize without antialias that shrinks much skips rows and lines; everything else reads its whole input.
    """
    total = math.prod(work.given_shape) * work.dtype.itemsize
    if work.operation != RESIZE:
        return total
    plan = hp.plan_resize(work.shape, work.element, sizes=work.sizes, axes=work.space, **work.attributes)
    innermost = work.space[-1]
    share = 1.0
    for axis, table in plan.axes.items():
        used = _used(table.first, table.count, work.shape[axis])
        if axis == innermost:
            pitch = math.prod(work.shape[axis + 1 :]) * work.dtype.itemsize
            share *= _lines(used, pitch) / math.ceil(len(used) * pitch / LINE)
        else:
            share *= float(used.mean())
    return round(total * share)


def _used(first: Array, count: Array, length: int) -> Array:
    """For every input sample of an axis, whether an output needs it."""
    edges = np.zeros(length + 1, np.int64)
    np.add.at(edges, first, 1)
    np.add.at(edges, first + count, -1)
    return np.cumsum(edges)[:length] > 0


def _lines(used: Array, pitch: int) -> int:
    """Cache lines that the used samples of a row touch; a sample takes pitch bytes, the row begins on a line."""
    starts = np.flatnonzero(used) * pitch
    firsts, lasts = starts // LINE, (starts + pitch - 1) // LINE
    touched = np.zeros(math.ceil(len(used) * pitch / LINE) + 1, np.int64)
    np.add.at(touched, firsts, 1)
    np.add.at(touched, lasts + 1, -1)
    return int((np.cumsum(touched) > 0).sum())
