"""What `halfpixel bench` prints: a row a case and number of threads."""

from __future__ import annotations

from collections.abc import Sequence

from halfpixel.peers.speed import ours
from halfpixel.peers.speed.compare import records, rivals, thread_counts
from halfpixel.peers.speed.guard import Change
from halfpixel.peers.speed.results import Results, best, ratio
from halfpixel.peers.speed.tables import milliseconds

_HEAD = ("case", "threads", "copy limit", "halfpixel", "/ limit", "best peer", "its time", "/ ours")


def rows_of(results: Results) -> list[Sequence[str]]:
    """Ours beside the copy limit and the fastest peer."""
    rows: list[Sequence[str]] = [_HEAD]
    for threads in thread_counts(results):
        for name, record in records(results, threads):
            over_limit = ratio(record, ours.NAME)
            mine = best(record["contestants"].get(ours.NAME))
            cells = [name, str(threads), milliseconds(record["limit"]), milliseconds(mine), f"{over_limit:.2f}"]
            fastest = next(iter(rivals(record)), None)
            peer = (fastest.name, milliseconds(fastest.seconds), f"{fastest.ratio:.2f}") if fastest else ("", "", "")
            rows.append((*cells, *peer))
    return rows


def change_rows(changes: Sequence[Change]) -> list[Sequence[str]]:
    """What was stored and what is now, the largest loss first."""
    rows: list[Sequence[str]] = [("case", "threads", "before", "now", "change", "")]
    for change in sorted(changes, key=lambda one: one.loss, reverse=True):
        instructions = change.threads is None
        before, now = (f"{value:,.0f}" if instructions else f"{value:.3f}" for value in (change.before, change.now))
        kind = "instructions" if instructions else str(change.threads)
        rows.append((change.name, kind, before, now, f"{change.loss:+.1%}", "LOSS" if change.is_loss else ""))
    return rows
