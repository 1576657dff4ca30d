"""Whether we became slower: our ratios to the copy limit against the last stored ones of the same machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from halfpixel.peers.speed import ours
from halfpixel.peers.speed.cases import CASES
from halfpixel.peers.speed.instructions import count_instructions
from halfpixel.peers.speed.machine import machine
from halfpixel.peers.speed.results import Results, ratio
from halfpixel.peers.speed.runner import Progress, timed

LARGEST_LOSS = 0.15
"""Of a ratio to the copy limit, on a repeated run."""
LARGEST_INSTRUCTION_LOSS = 0.05
"""Of a count that no other process disturbs."""
SECONDS = 0.6
"""To time a case: some twenty cases on two numbers of threads, and callgrind, take less than two minutes."""

QUICK = tuple(case.name for case in CASES.values() if case.quick)


@dataclass(frozen=True, slots=True)
class Change:
    """What a measurement was and is.

    Attributes:
        name: of the case.
        threads: None for instructions.
        before, now: ratios to the copy limit, or instructions.
    """

    name: str
    threads: int | None
    before: float
    now: float

    @property
    def loss(self) -> float:
        """now / before - 1: how much more of the time or of the instructions it takes."""
        return self.now / self.before - 1

    @property
    def is_loss(self) -> bool:
        """Whether that is more than is let through."""
        return self.loss > (LARGEST_LOSS if self.threads is not None else LARGEST_INSTRUCTION_LOSS)


def changes(stored: Results, now: dict[str, dict[str, Any]]) -> list[Change]:
    """Compare records, name -> threads -> record, with the stored ones; what either side lacks is left out."""
    found = []
    for name, by_threads in now.items():
        for threads, record in by_threads.items():
            old = stored["cases"].get(name, {}).get(threads)
            before, after = (None if one is None else ratio(one, ours.NAME) for one in (old, record))
            if before is not None and after is not None:
                found.append(Change(name, int(threads), before, after))
    return found


def instruction_changes(stored: Results, now: Results) -> list[Change]:
    """Compare instruction counts, if the same compiler made both."""
    if stored["machine"]["compiler"] != now["machine"]["compiler"]:
        return []
    old = stored["instructions"]
    return [Change(name, None, old[name], count) for name, count in now["instructions"].items() if name in old]


def quick(stored: Results | None, threads: Sequence[int], progress: Progress) -> tuple[Results, list[Change]]:
    """Measure the quick cases without peers; a loss counts if it is still there when its case is measured again.

    Returns:
        the results, and every comparison with the stored ones: the better one where a case was measured twice.

    Raises:
        ResourceError: HP303.
    """
    measured, failed = timed(QUICK, (), threads, SECONDS, progress)
    results: Results = {
        "machine": machine(),
        "versions": {},
        "cases": measured,
        "failed": failed,
        "memory": {},
        "instructions": count_instructions(),
    }
    if stored is None:
        return results, []
    compared = changes(stored, results["cases"])
    again = sorted({change.name for change in compared if change.is_loss})
    if again:
        repeated = changes(stored, timed(again, (), threads, SECONDS, progress)[0])
        compared = better(compared, repeated)
    return results, compared + instruction_changes(stored, results)


def better(first: Sequence[Change], second: Sequence[Change]) -> list[Change]:
    """The comparisons of the first run, with those of the second in their place where these are better."""
    repeated = {(change.name, change.threads): change for change in second}
    pairs = [(change, repeated.get((change.name, change.threads), change)) for change in first]
    return [min(pair, key=lambda change: change.now) for pair in pairs]
