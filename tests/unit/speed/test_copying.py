"""The ways to copy move what they say."""

import numpy as np
import pytest

from halfpixel.peers.speed.copying import best_time, split, ways
from halfpixel.peers.speed.limit import CopyLimit


def moved(read: int, write: int) -> list[tuple[int, int, int]]:
    """Of each way: distinct bytes read, distinct bytes written, bytes that it claims."""
    found = []
    for (source, target), claimed in ways(read, write):
        distinct = [int(np.prod([n for n, s in zip(a.shape, a.strides, strict=True) if s])) for a in (source, target)]
        found.append((*distinct, claimed))
    return found


def test_as_much_read_as_written() -> None:
    assert moved(1000, 1000) == [(1000, 1000, 2000)]


def test_growing_reads_every_piece_several_times() -> None:
    size = 4 * 2**16
    assert moved(size, 4 * size) == [(5 * size // 2, 5 * size // 2, 5 * size), (size, 4 * size, 5 * size)]


def test_shrinking_overwrites_every_piece() -> None:
    size = 4 * 2**14
    assert moved(4 * size, size) == [(5 * size // 2, 5 * size // 2, 5 * size), (4 * size, size, 5 * size)]


@pytest.mark.parametrize(("read", "write"), [(2**18, 2**18), (2**17, 2**19), (2**19, 2**17)])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_parts_together_are_the_copy(read: int, write: int, threads: int) -> None:
    for (source, target), _ in ways(read, write):
        target[...] = 0
        for part_source, part_target in split((source, target), threads):
            np.copyto(part_target, part_source)
        overwritten = target.ndim > 1 and target.strides[1] == 0
        left = source[:, -1:] if overwritten else np.broadcast_to(source, target.shape)
        np.testing.assert_array_equal(target[:, :1] if overwritten else target, left)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_time_comes_out(threads: int) -> None:
    assert 0 < best_time(2**16, 2**18, threads, 0.01) < 1


def test_two_processes_answer_with_their_best() -> None:
    with CopyLimit() as limit:
        assert 0 < limit.seconds(2**16, 2**16, 1, 0.01) < 1
