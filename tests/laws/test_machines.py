"""The same bits for every instruction set and thread count."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import halfpixel as hp

from .hash_results import lines

ROOT = Path(__file__).resolve().parents[2]
ISAS = ["x86-64-v2", "x86-64-v3", "x86-64-v4", "neon"]


@cache
def own_lines() -> list[str]:
    """What this process computes with one thread."""
    return lines(1)


def run_hashes(isa: str, threads: int) -> list[str]:
    """What a new process computes under a forced instruction set."""
    environment = {**os.environ, "HALFPIXEL_ISA": isa}
    command = [sys.executable, "-m", "tests.laws.hash_results", str(threads)]
    finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return finished.stdout.splitlines()


def test_the_hashes_tell_results_apart() -> None:
    """Every line has another hash: no two requests give the same, so none can stand for another."""
    hashes = [line.split()[-1] for line in own_lines()]
    assert len(set(hashes)) == len(hashes)
    assert len(hashes) > 14 * 15


@pytest.mark.parametrize("threads", [2, 3])
def test_thread_counts(threads: int) -> None:
    """Two and three threads give what one gives."""
    assert lines(threads) == own_lines()


@pytest.mark.parametrize("isa", [pytest.param(isa, marks=pytest.mark.needs(isa)) for isa in ISAS])
def test_instruction_sets(isa: str) -> None:
    """Each instruction set that this machine has runs when asked for, and gives what the default one gives."""
    used, *hashes = run_hashes(isa, 2)
    assert used == isa
    assert hashes == own_lines()


def test_every_available_instruction_set_is_tried() -> None:
    """A new one must be added to the list above."""
    assert set(hp.build_info()["available_isas"]) <= set(ISAS)
