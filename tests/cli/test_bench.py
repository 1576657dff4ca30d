"""`halfpixel bench`: what is asked, what is printed and written; the measuring itself is replaced."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from halfpixel.cli import run
from halfpixel.peers.speed import guard, runner
from halfpixel.peers.speed.cases import Case
from halfpixel.peers.speed.machine import identity, machine
from tests.unit.speed.records import entry, record, results

LINEAR = {"halfpixel": entry(0.002), "zimg": entry(0.003)}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the runner was asked; it answers with one case that was measured on one thread."""
    calls: list[Any] = []

    def instead(cases: Sequence[Case], threads: Sequence[int], seconds: float, progress: runner.Progress) -> Any:
        calls.append(([case.name for case in cases], list(threads), seconds))
        progress("linear x2", 1, {})
        return {**results({"linear x2": {"1": record(0.001, LINEAR)}}), "machine": machine()}

    monkeypatch.setattr(runner, "run", instead)
    return calls


def test_it_prints_the_ratios(asked: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--cases", "linear x2,tri*", "--threads", "1", "--seconds", "0.5"]) == 0
    assert asked == [(["linear x2", "trilinear x2", "trilinear antialias x.5"], [1], 0.5)]
    printed = capsys.readouterr()
    head, row = printed.out.splitlines()
    assert head.split("   ")[0] == "case"
    assert row.split("   ")[0] == "linear x2"
    assert [cell.strip() for cell in row.split("   ") if cell.strip()][1:] == [
        "1", "1 ms", "2 ms", "2.00", "zimg", "3 ms", "1.50",
    ]  # fmt: skip
    assert printed.err == "linear x2, 1 thread\n"


def test_all_cases_on_one_and_two_threads_unless_said(asked: list[Any]) -> None:
    assert run(["bench"]) == 0
    ((names, threads, _),) = asked
    assert threads == [1, 2]
    assert {"linear x2", "growth 8192"} <= set(names)


def test_a_case_that_was_not_measured_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "run", lambda *_: results({}, failed=[["cubic x2", 2]]))
    assert run(["bench"]) == 1
    assert capsys.readouterr().err == "not measured, the process ended early: cubic x2, threads 2\n"


def test_json(asked: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cases"]["linear x2"]["1"]["limit"] == 0.001


def test_results_and_page_are_written(asked: list[Any], tmp_path: Path) -> None:
    folder, page = tmp_path / "kept", tmp_path / "docs" / "page.md"
    assert run(["bench", "--results", str(folder), "--page", str(page)]) == 0
    stored = json.loads((folder / f"{identity(machine())}.json").read_text())
    assert stored["cases"]["linear x2"]["1"]["contestants"]["zimg"]["reused"]["minimum"] == 0.003
    assert "| linear x2 | 1 ms | 2 ms |" in page.read_text()


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("--threads", "0", "whole numbers from 1 on, such as 1,2"),
        ("--threads", "", "whole numbers from 1 on, such as 1,2"),
        ("--cases", "lanczos*", "linear x2, cubic x2, nearest x2"),
    ],
)
def test_a_wrong_value(option: str, value: str, allowed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", option, value]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"UsageError: [HP603] the value of {option} is not of its form"
    assert lines[1] == f"  given:   {option} {value}"
    assert lines[2].startswith(f"  allowed: {allowed}")


def quick_runs(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> None:
    """Let the guard measure 'linear x2' with these times, one run after the other, at a copy limit of 1 ms."""
    answers = [{"linear x2": {"1": record(0.001, {"halfpixel": entry(value)})}} for value in seconds]
    monkeypatch.setattr(guard, "timed", lambda *_: (answers.pop(0), []))
    monkeypatch.setattr(guard, "count_instructions", dict)


def test_quick_keeps_the_first_result_and_compares_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "--quick", "--results", str(tmp_path)]
    quick_runs(monkeypatch, 0.002)
    assert run(words) == 0
    (stored,) = tmp_path.iterdir()
    before = stored.read_text()
    quick_runs(monkeypatch, 0.003, 0.0025)
    capsys.readouterr()
    assert run(words) == 1
    assert capsys.readouterr().out.splitlines()[1].split() == [
        "linear", "x2", "1", "2.000", "2.500", "+25.0%", "LOSS",
    ]  # fmt: skip
    quick_runs(monkeypatch, 0.003, 0.0021)
    assert run(words) == 0
    assert stored.read_text() == before


def test_stored_results_that_are_none(asked: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / f"{identity(machine())}.json").write_text("[]")
    assert run(["bench", "--results", str(tmp_path)]) == 3
    assert capsys.readouterr().err.startswith("MediaError: [HP502] the stored results cannot be read")
    assert asked == []
