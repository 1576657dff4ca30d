"""Our own calls for a piece of work, prepared as a peer's are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import halfpixel as hp
from halfpixel.peers.peer import Prepared
from halfpixel.peers.speed.data import random_input
from halfpixel.peers.work import DEPTH_TO_SPACE, RESIZE_GRAD, Array, Work

NAME = "halfpixel"
_SPREAD = 16
"""33 x 33 shapes, where the cache of plans keeps 512."""


def prepare(work: Work, x: Array, threads: int) -> Prepared:
    """A plan with an output that is reused, and with a new one; for a rearrangement the function itself."""
    y = np.empty(work.result_shape, work.dtype)
    if work.resizes:
        plan = hp.plan_resize(work.shape, work.element, sizes=work.sizes, axes=work.space, **work.attributes)
        call: Callable[..., Any] = plan.grad if work.operation == RESIZE_GRAD else plan
        return Prepared(lambda: call(x, y, threads), lambda: call(x, None, threads), np.asarray)
    function = hp.depth_to_space if work.operation == DEPTH_TO_SPACE else hp.space_to_depth
    blocksize: int = work.attributes["blocksize"]
    mode: Any = work.mode
    return Prepared(
        lambda: function(x, blocksize, mode=mode, out=y, threads=threads),
        lambda: function(x, blocksize, mode=mode, threads=threads),
        np.asarray,
    )


def whole_call(work: Work, threads: int) -> Callable[[Array], Any]:
    """hp.resize as a user writes it: sizes of the axes of space, nothing kept between calls."""
    sizes, axes, attributes = list(work.sizes), list(work.space), dict(work.attributes)
    return lambda x: hp.resize(x, sizes=sizes, axes=axes, threads=threads, **attributes)


def never_seen(work: Work) -> Iterator[Array]:
    """Random inputs around the work's shape, none twice until more went by than any cache of ours holds.

    The axes of space differ by up to _SPREAD samples; all are C-contiguous pieces of one memory.
    """
    largest = [length + _SPREAD * (axis in work.space) for axis, length in enumerate(work.shape)]
    memory = random_input(replace(work, shape=tuple(largest))).reshape(-1)
    row, column = work.space
    differences = range(-_SPREAD, _SPREAD + 1)
    for lower, narrower in itertools.cycle(itertools.product(differences, differences)):
        shape = list(work.shape)
        shape[row] += lower
        shape[column] += narrower
        yield memory[: math.prod(shape)].reshape(shape)
