"""Numbers that are drawn from the records: who is best, ratios, means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from halfpixel.peers.speed import ours
from halfpixel.peers.speed.cases import CASES, GROWTH
from halfpixel.peers.speed.results import Results, best

Record = dict[str, Any]
STRONGEST = "zimg"
"""The peer that the means leave out and show alone."""


@dataclass(frozen=True, slots=True)
class Rival:
    """The fastest peer of a case.

    Attributes:
        name: of the peer.
        seconds: its minimum.
        ratio: its minimum over ours; above 1 we are faster.
    """

    name: str
    seconds: float
    ratio: float


def rivals(record: Record) -> list[Rival]:
    """Every timed peer of a record, the fastest first."""
    mine = best(record["contestants"].get(ours.NAME))
    if mine is None:
        return []
    times = {name: best(entry) for name, entry in record["contestants"].items() if name != ours.NAME}
    found = [Rival(name, seconds, seconds / mine) for name, seconds in times.items() if seconds is not None]
    return sorted(found, key=lambda rival: rival.seconds)


def records(results: Results, threads: int) -> Iterable[tuple[str, Record]]:
    """Names and records of the cases measured on so many threads, in the order of the tables, without the growth."""
    for name, case in CASES.items():
        record = results["cases"].get(name, {}).get(str(threads))
        if record is not None and case.group != GROWTH:
            yield name, record


def thread_counts(results: Results) -> list[int]:
    """The numbers of threads that something was measured on, ascending."""
    return sorted({int(threads) for by_threads in results["cases"].values() for threads in by_threads})


def mean_ratio(results: Results, threads: int, counts: Callable[[str], bool]) -> tuple[float, int] | None:
    """Geometric mean of (best peer's time / ours) over the peers that count, and the number of cases; None without."""
    ratios = []
    for _, record in records(results, threads):
        counted = [rival.ratio for rival in rivals(record) if counts(rival.name)]
        if counted:
            ratios.append(counted[0])
    if not ratios:
        return None
    return math.exp(sum(map(math.log, ratios)) / len(ratios)), len(ratios)


def losses(results: Results) -> Iterable[tuple[str, int, Rival]]:
    """Case, threads and rival, wherever a peer is faster than we are."""
    for threads in thread_counts(results):
        for name, record in records(results, threads):
            for rival in rivals(record):
                if rival.ratio < 1:
                    yield name, threads, rival
