"""Many threads at once: the same bits, whatever they share."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import halfpixel as hp

RNG = np.random.default_rng(5)
X = RNG.standard_normal((3, 120, 150)).astype(np.float32)
BYTES = RNG.integers(0, 255, (120, 150, 3), np.uint8)
REQUEST: Any = {"sizes": [3, 77, 190], "mode": "cubic", "antialias": True}


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run work(0), work(1), ... in as many threads, all let go at the same moment; return what they returned."""
    start = threading.Barrier(count)
    results: list[Any] = [None] * count
    failures: list[BaseException] = []

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=120)
        assert not worker.is_alive()
    assert failures == []
    return results


def test_one_request_from_many_threads() -> None:
    expected = hp.resize(X, **REQUEST, threads=1).tobytes()

    def work(number: int) -> bool:
        return all(hp.resize(X, **REQUEST, threads=1 + number % 3).tobytes() == expected for _ in range(5))

    assert together(12, work) == [True] * 12


def test_one_plan_from_many_threads() -> None:
    plan = hp.plan_resize(X.shape, X.dtype, **REQUEST)
    whole = plan(X)
    gradient = plan.grad(whole).tobytes()
    box = (slice(0, 3), slice(20, 60), slice(50, 150))
    at = plan.source(box)

    def work(number: int) -> bool:
        if number % 3 == 0:
            return bool(plan(X, out=np.empty_like(whole)).tobytes() == whole.tobytes())
        if number % 3 == 1:
            return bool(plan.grad(whole).tobytes() == gradient)
        return bool(plan.run(X[at], at=at, box=box).tobytes() == whole[box].tobytes())

    assert together(12, work) == [True] * 12


def test_many_requests_fill_the_cache_at_once() -> None:
    # More plans than the cache holds, built and evicted by all threads at the same time.
    def work(number: int) -> bool:
        line = np.arange(10, dtype=np.float32)
        ends = [hp.resize(line, sizes=[size], mode="linear", threads=1)[[0, -1]] for size in range(20, 320)]
        return all(first == 0 and last == 9 for first, last in ends)

    assert together(8, work) == [True] * 8


def test_errors_in_some_threads_leave_the_others_alone() -> None:
    def work(number: int) -> bool:
        if number % 2:
            with pytest.raises(hp.SpecError):
                hp.resize(BYTES, sizes=[50, 60], axes=[0, 9])
            return True
        return hp.resize(BYTES, sizes=[50, 60], axes=[0, 1], mode="linear", threads=2).shape == (50, 60, 3)

    assert together(10, work) == [True] * 10


@pytest.mark.parametrize("layout", ["C", "F", "channels last"])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_thread_counts_give_the_same_bits(mode: Any, dtype: str, layout: str) -> None:
    x = (X * 20).astype(dtype if dtype != "uint8" else np.int8).astype(dtype)
    x = {
        "C": x,
        "F": np.asfortranarray(x),
        "channels last": np.ascontiguousarray(x.transpose(1, 2, 0)).transpose(2, 0, 1),
    }[layout]
    for sizes in ([3, 300, 290], [3, 31, 200], [7, 50, 40]):
        plan = hp.plan_resize(x.shape, x.dtype, sizes=sizes, mode=mode, antialias=True)
        one = plan(x, threads=1)
        for threads in (2, 3, 8):
            assert plan(x, threads=threads).tobytes() == one.tobytes()
        if np.dtype(dtype).kind in "fc":
            dx = plan.grad(one, threads=1)
            assert plan.grad(one, threads=3).tobytes() == dx.tobytes()
