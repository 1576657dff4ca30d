"""Processes that measure: they answer, and a failure is an error of the family."""

from pathlib import Path

import pytest

from halfpixel._errors import ResourceError
from halfpixel.peers.speed import memory
from halfpixel.peers.speed.cases import CASES
from halfpixel.peers.speed.instructions import counts_of
from halfpixel.peers.speed.processes import limited, records


def test_a_worker_measures_a_case() -> None:
    ((name, record),) = records(["tiny 1x3x32x32 nearest x2"], [], 1, 0.01)
    assert name == "tiny 1x3x32x32 nearest x2"
    assert record["limit"] > 0
    assert (record["read"], record["written"], record["unit"]) == (12288, 49152, "ULP")
    assert list(record["contestants"]) == ["halfpixel"]
    mine = record["contestants"]["halfpixel"]
    assert (mine["reused"], mine["error"]) == (None, 0.0)
    assert 0 < mine["allocating"]["minimum"] <= mine["allocating"]["median"]


def test_a_worker_that_fails(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ResourceError) as caught:
        list(records(["no such case"], [], 1, 0.01))
    assert caught.value.code == "HP303"
    assert caught.value.sentence == "a process that measures ended before it was done"
    assert caught.value.given.endswith("-m halfpixel.peers.speed.worker")
    assert "KeyError: 'no such case'" in capfd.readouterr().err


def test_no_cases_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", None)
    assert list(records([], [], 1, 1.0)) == []


def test_everyone_is_told_the_number_of_threads() -> None:
    told = limited(3)
    assert told["OMP_NUM_THREADS"] == told["HALFPIXEL_THREADS"] == told["RAYON_NUM_THREADS"] == "3"


@pytest.mark.needs("memory limit")
def test_memory_of_a_call_that_takes_some() -> None:
    grown = memory.growth(lambda: bytearray(b"x") * 2**24)
    assert grown is None or abs(grown - 2**24) < 2**20


def test_memory_beside_input_and_output() -> None:
    answer = memory.in_a_new_process("halfpixel", "256x64x64 linear x2", 1)
    assert answer is None or answer < 2**22
    with pytest.raises(ResourceError):
        memory.in_a_new_process("halfpixel", "no such case", 1)


def test_the_warm_up_is_the_same_work_on_less() -> None:
    small = memory._smaller(CASES["linear x2"].work)
    assert (small.shape, small.sizes) == ((1, 3, 135, 240), (270, 480))
    assert memory._smaller(CASES["DepthToSpace DCR uint8"].work).shape == (1, 256, 16, 16)


def test_instructions_are_those_between_two_marks(tmp_path: Path) -> None:
    # The start, then for each of the five pieces what prepares it and what it takes; the rest has no number.
    for number, count in enumerate([999, *(n for piece in range(1, 6) for n in (7, 100 * piece))], 1):
        (tmp_path / f"counts.{number}").write_text(f"desc: x\nsummary: {count}\n")
    (tmp_path / "counts").write_text("totals: 5\n")
    assert list(counts_of(tmp_path).values()) == [100, 200, 300, 400, 500]
