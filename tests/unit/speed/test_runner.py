"""A run goes on where a process ends early, and measures what this machine can."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from halfpixel._errors import ResourceError
from halfpixel.peers.speed import runner
from halfpixel.peers.speed.cases import CASES
from halfpixel.peers.speed.processes import ended_early
from halfpixel.peers.speed.runner import run, timed


def worker(*fatal: str) -> Any:
    """A stand-in for records(): the process ends at these cases."""

    def records(cases: Sequence[str], peers: Sequence[str], threads: int, seconds: float) -> Iterator[tuple[str, Any]]:
        for name in list(cases):
            if name in fatal:
                raise ended_early(["python", "-m", "worker"])
            yield name, {"threads": threads}

    return records


def test_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "records", worker("b"))
    told: list[tuple[str, int]] = []
    measured, failed = timed(["a", "b", "c"], [], (1, 2), 1.0, lambda name, count, _: told.append((name, count)))
    assert measured == {name: {"1": {"threads": 1}, "2": {"threads": 2}} for name in ("a", "c")}
    assert failed == [["b", 1], ["b", 2]]
    assert told == [("a", 1), ("c", 1), ("a", 2), ("c", 2)]


def test_nothing_measured_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "records", worker("a", "b"))
    with pytest.raises(ResourceError, match="HP303"):
        timed(["a", "b"], [], (1,), 1.0, lambda *_: None)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No processes at all."""
    monkeypatch.setattr(runner, "count_instructions", lambda: {"x": 1})
    monkeypatch.setattr(runner, "in_a_new_process", lambda name, case, threads: {"halfpixel": 10, "zimg": 20}.get(name))
    monkeypatch.setattr(runner, "installed", lambda: {"zimg": "3.0", "OpenCV": "5.0"})
    return monkeypatch


def test_a_run_measures_memory_of_ours_and_in_some_cases_of_peers(quiet: pytest.MonkeyPatch) -> None:
    quiet.setattr(runner, "records", worker())
    cases = [CASES[name] for name in ("linear x2", "cubic x2", "tiny 1x3x32x32 x2", "growth 64")]
    found = run(cases, (1,), 1.0, lambda *_: None)
    assert found["memory"] == {"linear x2": {"1": {"halfpixel": 10, "zimg": 20}}, "cubic x2": {"1": {"halfpixel": 10}}}
    assert list(found["cases"]) == [case.name for case in cases]
    assert (found["instructions"], found["failed"]) == ({"x": 1}, [])
    assert found["versions"] == {"zimg": "3.0", "OpenCV": "5.0"}


def test_no_memory_of_what_failed(quiet: pytest.MonkeyPatch) -> None:
    quiet.setattr(runner, "records", worker("cubic x2"))
    found = run([CASES["linear x2"], CASES["cubic x2"]], (1,), 1.0, lambda *_: None)
    assert list(found["memory"]) == ["linear x2"]
    assert found["failed"] == [["cubic x2", 1]]


def test_bfloat16_needs_ml_dtypes(quiet: pytest.MonkeyPatch) -> None:
    quiet.setattr(runner, "records", worker())
    quiet.setattr(runner, "find_spec", lambda name: None)
    found = run([CASES["linear x2"], CASES["bfloat16 linear x2"]], (1,), 1.0, lambda *_: None)
    assert list(found["cases"]) == ["linear x2"]


def test_installed_peers_have_versions() -> None:
    found = runner.installed()
    assert found["OpenCV"].startswith("5.")
    assert all(found.values())
