"""Memory orders, and what can be run where it lies."""

import numpy as np
import pytest

from halfpixel.plan.order import in_axis_order, in_memory_order, memory_order, runs_in_place

NCHW = np.zeros((2, 3, 5, 7), np.float32)


def test_dense_permutations() -> None:
    assert memory_order(NCHW) == (0, 1, 2, 3)
    assert memory_order(np.zeros((2, 5, 7, 3)).transpose(0, 3, 1, 2)) == (0, 2, 3, 1)
    assert memory_order(np.asfortranarray(NCHW)) == (3, 2, 1, 0)
    assert memory_order(np.zeros(())) == ()


def test_slices_and_reversals_keep_the_order() -> None:
    assert memory_order(NCHW[:, ::2, ::-1, 1:]) == (0, 1, 2, 3)
    assert memory_order(np.asfortranarray(NCHW)[:, ::2, ::-1]) == (3, 2, 1, 0)


def test_axes_that_lie_nowhere_keep_their_place() -> None:
    assert memory_order(np.broadcast_to(np.zeros((3, 1, 7)), (3, 5, 7))) == (0, 1, 2)
    assert memory_order(np.broadcast_to(np.zeros((7,)), (3, 5, 7))) == (0, 1, 2)
    windows = np.lib.stride_tricks.as_strided(np.zeros(6), (2, 3), (8, 8))
    assert memory_order(windows) == (0, 1)
    single = np.lib.stride_tricks.as_strided(np.zeros(6), (2, 1, 3), (24, 4096, 8))
    assert memory_order(single) == (0, 1, 2)
    assert memory_order(np.asfortranarray(np.zeros((2, 1, 3)))) == (2, 0, 1)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 3, 1), (3, 1, 0, 2)])
def test_orders_are_undone(order: tuple[int, ...]) -> None:
    dense = in_memory_order(NCHW, order)
    assert dense.shape == tuple(NCHW.shape[axis] for axis in order)
    assert in_axis_order(dense, order).strides == NCHW.strides
    assert memory_order(in_axis_order(np.zeros(dense.shape), order)) == order


def test_outer_strides_are_free_and_inner_ones_dense() -> None:
    assert runs_in_place(NCHW, 3)
    assert runs_in_place(NCHW[::2, ::-1, 1:4], 3)
    assert not runs_in_place(NCHW[..., ::2], 3)
    assert not runs_in_place(NCHW[..., ::-1], 3)
    assert runs_in_place(NCHW[:, :, :, 1:4], 3)
    assert not runs_in_place(NCHW[:, :, :, 1:4], 2)
    assert runs_in_place(NCHW[:, :, 1:4], 2)
    assert runs_in_place(np.broadcast_to(np.zeros((1, 7)), (3, 7)), 1)


def test_elements_must_be_aligned_and_strides_whole() -> None:
    raw = np.zeros(4 * 7 + 1, np.uint8)
    assert not runs_in_place(np.ndarray((7,), np.float32, raw.data, 1), 0)
    record = np.zeros(3, [("a", "c16"), ("b", "f8")])["a"]  # aligned, but a stride of one and a half elements
    assert record.flags.aligned
    assert not runs_in_place(record[:, np.newaxis], 1)
