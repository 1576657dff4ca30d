"""The copy limit: the least time in which this machine reads so many bytes and writes so many others.

A process of its own, because the C library decides once, at its start, from which size on it copies past the caches.
The one who asks starts two: one as it is, one that always streams. A request is a line of JSON on stdin, the answer
one on stdout.
"""

from __future__ import annotations

import itertools
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy.lib.stride_tricks import as_strided

from halfpixel.peers.work import Array

_CHUNK_READ_AGAIN = 2**16
_CHUNK_WRITTEN_AGAIN = 2**14
"""Bytes of a piece that is read or written several times while it stays in a near cache: memory sees it once."""
_LEAST_SECONDS = 1e-3
_MOST_WAYS = 2
_SOURCE, _TARGET = "source", "target"
Copy = tuple[Array, Array]


@cache
def _memory(role: str, size: int) -> Array:
    words = np.random.Generator(np.random.SFC64(size + (role == _TARGET))).integers(0, 2**63, size // 8 + 1, np.int64)
    return words.view(np.uint8)[:size]


def ways(read: int, write: int) -> Iterator[tuple[Copy, int]]:
    """Pairs of (source, target) for one np.copyto each, with the bytes that memory sees.

    - half of the bytes from here to there;
    - where more is written than read, every piece of the input copied several times while it is in the cache;
    - where more is read, every piece of the output overwritten several times while it is.
    """
    half = max(1, (read + write) // 2)
    yield (_memory(_SOURCE, half), _memory(_TARGET, half)), 2 * half
    if write >= 2 * read:
        times, piece = round(write / read), min(_CHUNK_READ_AGAIN, read)
        pieces = read // piece
        source = _memory(_SOURCE, pieces * piece).reshape(pieces, 1, piece)
        target = _memory(_TARGET, pieces * piece * times).reshape(pieces, times, piece)
        yield (source, target), pieces * piece * (1 + times)
    if read >= 2 * write:
        times, piece = round(read / write), min(_CHUNK_WRITTEN_AGAIN, write)
        pieces = write // piece
        source = _memory(_SOURCE, pieces * piece * times).reshape(pieces, times, piece)
        memory = _memory(_TARGET, pieces * piece)
        target = as_strided(memory, source.shape, (piece, 0, 1))
        yield (source, target), pieces * piece * (1 + times)


def split(copy: Copy, threads: int) -> list[Copy]:
    """The copy in as many parts along its first axis."""
    source, target = copy
    edges = [len(target) * part // threads for part in range(threads + 1)]
    parts = [slice(begin, end) for begin, end in itertools.pairwise(edges) if begin < end]
    return [(source[part], target[part]) for part in parts]


def best_time(read: int, write: int, threads: int, seconds: float) -> float:
    """Seconds of the fastest way on so many threads, each with its own part; the minimum over repeated runs."""
    best = float("inf")
    for copy, moved in ways(read, write):
        best = min(best, _time(split(copy, threads), seconds / _MOST_WAYS) * (read + write) / moved)
        _memory.cache_clear()
    return best


def _time(parts: list[Copy], seconds: float) -> float:
    """Least seconds of a run of all parts side by side; short ones are repeated within a run."""
    once = _run(parts, 1)
    repeats = max(1, round(_LEAST_SECONDS / max(_run(parts, 1), 1e-7)))
    best, end = once, time.perf_counter() + seconds
    while True:
        best = min(best, _run(parts, repeats) / repeats)
        if time.perf_counter() > end:
            return best


def _run(parts: list[Copy], repeats: int) -> float:
    if len(parts) == 1:
        begin = time.perf_counter()
        _copy(parts[0], repeats)
        return time.perf_counter() - begin
    barrier = threading.Barrier(len(parts) + 1)

    def work(part: Copy) -> None:
        barrier.wait()
        _copy(part, repeats)
        barrier.wait()

    threads = [threading.Thread(target=work, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    barrier.wait()
    begin = time.perf_counter()
    barrier.wait()
    elapsed = time.perf_counter() - begin
    for thread in threads:
        thread.join()
    return elapsed


def _copy(part: Copy, repeats: int) -> None:
    copyto: Callable[[Array, Array], None] = np.copyto
    source, target = part
    for _ in range(repeats):
        copyto(target, source)


def serve() -> None:
    """Answer requests until stdin ends."""
    for line in sys.stdin:
        request = json.loads(line)
        sys.stdout.write(json.dumps(best_time(**request)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
