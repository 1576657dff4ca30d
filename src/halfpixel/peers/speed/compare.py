"""Numbers that are drawn from the records: who is best, ratios, means."""

from __future__ import annotations

import statistics
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
    return _mean_of_best(results, threads, counts, lambda rival, record: rival.ratio)


def mean_at_limit(results: Results, threads: int, counts: Callable[[str], bool]) -> tuple[float, int] | None:
    """What mean_ratio would be if we took the time of the copy limit in every case where we take more."""

    def at_limit(rival: Rival, record: Record) -> float:
        limit: float = record["limit"]
        return max(rival.ratio, rival.seconds / limit)

    return _mean_of_best(results, threads, counts, at_limit)


def _mean_of_best(
    results: Results, threads: int, counts: Callable[[str], bool], value: Callable[[Rival, Record], float]
) -> tuple[float, int] | None:
    values = []
    for _, record in records(results, threads):
        counted = [rival for rival in rivals(record) if counts(rival.name)]
        if counted:
            values.append(value(counted[0], record))
    return (statistics.geometric_mean(values), len(values)) if values else None


def ratios_by_peer(results: Results, threads: int) -> dict[str, list[float]]:
    """Peer -> (its time / ours) in every case that it was timed in; the peer that comes closest to us first."""
    found: dict[str, list[float]] = {}
    for _, record in records(results, threads):
        for rival in rivals(record):
            found.setdefault(rival.name, []).append(rival.ratio)
    return dict(sorted(found.items(), key=lambda item: statistics.geometric_mean(item[1])))


def losses(results: Results) -> Iterable[tuple[str, int, Rival]]:
    """Case, threads and rival, wherever a peer is faster than we are."""
    for threads in thread_counts(results):
        for name, record in records(results, threads):
            for rival in rivals(record):
                if rival.ratio < 1:
                    yield name, threads, rival
