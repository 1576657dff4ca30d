"""Many threads, many sessions, sessions that go while others run. Also run with AddressSanitizer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.adapters.onnxruntime.sessions import resize_model, session_of

pytestmark = pytest.mark.needs("module:onnxruntime", "module:onnx")

CALLERS = 4
RUNS = 60


def in_threads(work: Callable[[int], None], callers: int = CALLERS) -> None:
    """Run work(0), work(1), ... at once; the first exception is raised here."""
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def picture(rows: int, element: str = "float32") -> Any:
    return (np.arange(2 * rows * 40) % 251).reshape(1, 2, rows, 40).astype(element)


def expected_of(x: Any) -> bytes:
    plan = hp.plan_resize(x.shape, x.dtype, scales=[1, 1, 2, 1.5], mode="linear", length_rule="float32_floor")
    return bytes(plan(x).tobytes())


def test_one_session_many_threads() -> None:
    """Every thread meets shapes that the node has not seen, and that other threads ask for at the same time."""
    session = session_of(resize_model(picture(1), [1, 1, 2, 1.5], mode="linear", dynamic=True))
    expected = [expected_of(picture(1 + rows)) for rows in range(RUNS)]

    def work(number: int) -> None:
        for rows in range(RUNS):
            assert session.run(None, {"X": picture(1 + rows)})[0].tobytes() == expected[rows], (number, rows)

    in_threads(work)


def test_many_sessions() -> None:
    model = resize_model(picture(1, "uint8"), [1, 1, 2, 1.5], mode="linear", dynamic=True)
    sessions = [session_of(model, threads=1 + number % 3) for number in range(CALLERS)]
    x = picture(200, "uint8")
    expected = expected_of(x)

    def work(number: int) -> None:
        for _ in range(RUNS):
            assert sessions[number].run(None, {"X": x})[0].tobytes() == expected

    in_threads(work)


def test_sessions_end_while_others_run() -> None:
    model = resize_model(picture(1), [1, 1, 2, 1.5], mode="linear", dynamic=True)
    x = picture(100)
    expected = expected_of(x)
    stays = session_of(model)

    def work(number: int) -> None:
        for run in range(RUNS // 2):
            if number == 0:
                assert stays.run(None, {"X": x})[0].tobytes() == expected
            else:
                session = session_of(model)
                rows = 1 + run + number * RUNS
                assert session.run(None, {"X": picture(rows)})[0].shape == (1, 2, 2 * rows, 60)
                del session

    in_threads(work)


def test_strings_on_many_threads() -> None:
    x = np.array([f"text {i} " + "ä" * (i % 40) for i in range(300)], object)
    session = session_of(resize_model(x, [2], dynamic=True))

    def work(number: int) -> None:
        for length in range(1, RUNS):
            part = x[number : number + length]
            assert session.run(None, {"X": part})[0].tolist() == np.repeat(part, 2).tolist()

    in_threads(work)


def test_more_plans_than_are_kept_while_others_run() -> None:
    """A plan that is pushed out may be running: it goes when the last run has ended."""
    session = session_of(resize_model(picture(1), [1, 1, 2, 2], mode="cubic", dynamic=True))
    large = picture(600)
    expected = hp.resize(large, [1, 1, 2, 2], mode="cubic").tobytes()

    def work(number: int) -> None:
        for run in range(4 if number == 0 else 100):
            if number == 0:
                assert session.run(None, {"X": large})[0].tobytes() == expected
            else:
                session.run(None, {"X": picture(1 + run + 100 * (number - 1))})

    in_threads(work, 3)
