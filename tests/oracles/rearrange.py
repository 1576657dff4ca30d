"""DepthToSpace and SpaceToDepth by index arithmetic, sample for sample."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from .lengths import RefusedError

Array = np.ndarray[Any, Any]


def check(x: Array, blocksize: int, mode: str) -> None:
    """Rank 4, blocksize at least 1, a known mode."""
    if x.ndim != 4:
        raise RefusedError(f"rank {x.ndim}, not 4")
    if blocksize < 1:
        raise RefusedError(f"blocksize {blocksize}")
    if mode not in ("DCR", "CRD"):
        raise RefusedError(f"no mode {mode!r}")


def deep_channel(mode: str, blocksize: int, channels: int) -> Callable[[int, int, int], int]:
    """The channel of the deep tensor that holds channel c at (row, column) of a block.

    DCR: the block offset is the slow part, (row * blocksize + column) * channels + c.
    CRD: the channel is the slow part, (c * blocksize + row) * blocksize + column.
    """
    if mode == "DCR":
        return lambda c, row, column: (row * blocksize + column) * channels + c
    return lambda c, row, column: (c * blocksize + row) * blocksize + column


def depth_to_space(x: Array, blocksize: int, mode: str = "DCR") -> Array:
    """(N, C, H, W) -> (N, C / b**2, H * b, W * b)."""
    check(x, blocksize, mode)
    n, deep, height, width = x.shape
    if deep % blocksize**2:
        raise RefusedError(f"{deep} channels, blocksize {blocksize}")
    channels = deep // blocksize**2
    y = np.empty((n, channels, height * blocksize, width * blocksize), x.dtype)
    source = deep_channel(mode, blocksize, channels)
    for c, i, j in itertools.product(range(channels), range(y.shape[2]), range(y.shape[3])):
        y[:, c, i, j] = x[:, source(c, i % blocksize, j % blocksize), i // blocksize, j // blocksize]
    return y


def space_to_depth(x: Array, blocksize: int, mode: str = "DCR") -> Array:
    """(N, C, H, W) -> (N, C * b**2, H / b, W / b)."""
    check(x, blocksize, mode)
    n, channels, height, width = x.shape
    if height % blocksize or width % blocksize:
        raise RefusedError(f"{height} x {width}, blocksize {blocksize}")
    y = np.empty((n, channels * blocksize**2, height // blocksize, width // blocksize), x.dtype)
    target = deep_channel(mode, blocksize, channels)
    for c, i, j in itertools.product(range(channels), range(height), range(width)):
        y[:, target(c, i % blocksize, j % blocksize), i // blocksize, j // blocksize] = x[:, c, i, j]
    return y
