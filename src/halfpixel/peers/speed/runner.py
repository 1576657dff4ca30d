"""A whole run: every case on every number of threads, memory, instructions; stored, and turned into the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from halfpixel._errors import ResourceError
from halfpixel.peers import PEERS
from halfpixel.peers.speed import ours
from halfpixel.peers.speed.cases import COLD, GROWTH, WHOLE, Case
from halfpixel.peers.speed.instructions import count_instructions
from halfpixel.peers.speed.machine import machine
from halfpixel.peers.speed.memory import in_a_new_process
from halfpixel.peers.speed.processes import records
from halfpixel.peers.speed.results import Results

Records = dict[str, dict[str, Any]]
Progress = Callable[[str, int, dict[str, Any]], None]
"""Told the name, the threads and the record of every case that is done."""

MEMORY_OF_PEERS = ("linear x2", "uint8 12 MP cubic antialias to 1024x768", "trilinear x2")
"""Cases whose memory is measured for the peers as well: each takes a process and its imports."""


def installed() -> dict[str, str]:
    """Peer -> version, of those that are installed, in the order of the tables."""
    found = {peer.name: peer.version() for peer in PEERS}
    return {name: version for name, version in found.items() if version is not None}


def run(cases: Sequence[Case], threads: Sequence[int], seconds: float, progress: Progress) -> Results:
    """Measure everything about some cases beside every installed peer.

    Args:
        threads: the numbers of threads, each in a process of its own.
        seconds: to time a case, all contestants together.

    Raises:
        ResourceError: HP303, nothing could be measured.
    """
    versions = installed()
    measured, failed = timed(
        [case.name for case in cases if _can_make(case)], list(versions), threads, seconds, progress
    )
    whole = [case for case in cases if all(str(count) in measured.get(case.name, {}) for count in threads)]
    return {
        "machine": machine(),
        "versions": versions,
        "cases": measured,
        "failed": failed,
        "memory": {case.name: _memory(case, list(versions), threads) for case in whole if _has_memory(case)},
        "instructions": count_instructions(),
    }


def timed(
    cases: Sequence[str], peers: Sequence[str], threads: Sequence[int], seconds: float, progress: Progress
) -> tuple[Records, list[list[Any]]]:
    """Measure cases; where a process ends early, the case that it was at is left out and the others go on.

    Returns:
        name -> threads as text -> record, and [name, threads] of what was left out.

    Raises:
        ResourceError: HP303, nothing could be measured.
    """
    measured: Records = {}
    failed: list[list[Any]] = []
    for count in threads:
        waiting = list(cases)
        while waiting:
            try:
                for name, record in records(waiting, peers, count, seconds):
                    measured.setdefault(name, {})[str(count)] = record
                    waiting.remove(name)
                    progress(name, count, record)
            except ResourceError:
                failed.append([waiting.pop(0), count])
                if not waiting and not measured:
                    raise
    return measured, failed


def _can_make(case: Case) -> bool:
    """Whether NumPy can make the case's input here."""
    return case.work.element != "bfloat16" or find_spec("ml_dtypes") is not None


def _has_memory(case: Case) -> bool:
    return case.group != GROWTH and case.call not in (WHOLE, COLD)


def _memory(case: Case, peers: Sequence[str], threads: Sequence[int]) -> dict[str, dict[str, int]]:
    names = [ours.NAME, *(peers if case.name in MEMORY_OF_PEERS else ())]
    found: dict[str, dict[str, int]] = {}
    for count in threads:
        answers = {name: in_a_new_process(name, case.name, count) for name in names}
        found[str(count)] = {name: value for name, value in answers.items() if value is not None}
    return found
