"""The guard's arithmetic, and that a loss counts only when it comes again."""

from collections.abc import Sequence
from typing import Any

import pytest

from halfpixel.peers.speed import guard
from halfpixel.peers.speed.guard import Change, better, changes, instruction_changes

from .records import entry, record, results


def measured(name: str, ours: float, threads: str = "1", limit: float = 1.0) -> dict[str, dict[str, Any]]:
    return {name: {threads: record(limit, {"halfpixel": entry(ours)})}}


@pytest.mark.parametrize(
    ("before", "now", "threads", "is_loss"),
    [
        (1.0, 1.14, 1, False),
        (1.0, 1.16, 1, True),
        (2.0, 2.29, 2, False),
        (2.0, 2.31, 2, True),
        (1.0, 0.5, 1, False),
        (100, 104, None, False),
        (100, 106, None, True),
    ],
)
def test_what_is_a_loss(before: float, now: float, threads: int | None, is_loss: bool) -> None:
    assert Change("a", threads, before, now).is_loss is is_loss


def test_loss_is_the_share_that_came_on_top() -> None:
    assert Change("a", 1, 2.0, 2.5).loss == 0.25


def test_ratios_to_the_copy_limit_are_compared_not_times() -> None:
    stored = results(measured("a", 3.0, limit=2.0))
    assert changes(stored, measured("a", 6.0, limit=4.0)) == [Change("a", 1, 1.5, 1.5)]


def test_what_one_side_lacks_is_left_out() -> None:
    stored = results(measured("a", 1.0, "1") | measured("b", 1.0, "2"))
    assert changes(stored, measured("b", 1.0, "1") | measured("c", 1.0)) == []
    refused = {"a": {"1": record(1.0, {"halfpixel": {"refused": "other values"}})}}
    assert changes(stored, refused) == []


def test_instructions_are_compared_under_the_same_compiler() -> None:
    stored = results({}, instructions={"x": 100, "y": 5})
    now = results({}, instructions={"x": 110, "z": 7})
    assert instruction_changes(stored, now) == [Change("x", None, 100, 110)]
    now["machine"]["compiler"] = "13.1.0"
    assert instruction_changes(stored, now) == []


def test_the_better_of_two_runs() -> None:
    first = [Change("a", 1, 1.0, 1.3), Change("a", 2, 1.0, 1.0), Change("b", 1, 1.0, 1.2)]
    second = [Change("a", 1, 1.0, 1.1), Change("a", 2, 1.0, 1.4)]
    assert better(first, second) == [first[0].__class__("a", 1, 1.0, 1.1), first[1], first[2]]


class Runs:
    """Stands for the runner: hands out what was prepared, and remembers what was asked."""

    def __init__(self, *answers: dict[str, dict[str, Any]]) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[str]] = []

    def __call__(self, cases: Sequence[str], *_: object) -> tuple[dict[str, dict[str, Any]], list[object]]:
        self.asked.append(cases)
        return self.answers.pop(0), []


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No valgrind, and the machine of the records."""
    monkeypatch.setattr(guard, "count_instructions", dict)
    monkeypatch.setattr(guard, "machine", lambda: results({})["machine"])
    return monkeypatch


def test_a_loss_is_measured_again_and_only_that(quiet: pytest.MonkeyPatch) -> None:
    stored = results(measured("a", 1.0) | measured("b", 1.0))
    runs = Runs(measured("a", 1.5) | measured("b", 1.1), measured("a", 1.05))
    quiet.setattr(guard, "timed", runs)
    _, compared = guard.quick(stored, (1,), lambda *_: None)
    assert runs.asked == [guard.QUICK, ["a"]]
    assert [(change.name, change.now, change.is_loss) for change in compared] == [("a", 1.05, False), ("b", 1.1, False)]


def test_a_loss_that_comes_again_stays(quiet: pytest.MonkeyPatch) -> None:
    quiet.setattr(guard, "timed", Runs(measured("a", 1.5), measured("a", 1.4)))
    _, compared = guard.quick(results(measured("a", 1.0)), (1,), lambda *_: None)
    assert [(change.now, change.is_loss) for change in compared] == [(1.4, True)]


def test_without_stored_results_there_is_nothing_to_compare(quiet: pytest.MonkeyPatch) -> None:
    runs = Runs(measured("a", 1.5))
    quiet.setattr(guard, "timed", runs)
    now, compared = guard.quick(None, (1,), lambda *_: None)
    assert (now["cases"], compared, len(runs.asked)) == (measured("a", 1.5), [], 1)
