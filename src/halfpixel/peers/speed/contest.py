"""One case on so many threads: everyone prepares, is checked, and is timed in turns; the result is plain data."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from halfpixel.peers.peer import Peer, Prepared
from halfpixel.peers.speed import ours
from halfpixel.peers.speed.cases import COLD, WHOLE, Case
from halfpixel.peers.speed.data import random_input
from halfpixel.peers.speed.exact import OtherValuesError, check, unit_of
from halfpixel.peers.speed.limit import CopyLimit
from halfpixel.peers.speed.measure import interleaved
from halfpixel.peers.speed.traffic import bytes_read, bytes_written
from halfpixel.peers.work import Array, Work

Record = dict[str, Any]
_SHARE_OF_THE_LIMIT = 0.1
_MOST_LETTERS = 80


def measure(case: Case, peers: Sequence[Peer], threads: int, seconds: float, limit: CopyLimit) -> Record:
    """Return the record of a case.

    Args:
        peers: installed ones, their threads set.
        seconds: to spend on timing, more if someone is slow.

    Returns:
        "limit": seconds of the copy limit; "read", "written": its bytes; "measured": when; "contestants": name ->
        "reused" and "allocating" timings or None, "error" in "unit" or None, "reading", "border"; or "refused": why the
        contestant was not timed. Contestants that do not support the case are left out.

    Raises:
        OtherValuesError: our own result is wrong.
    """
    work = case.work
    read, written = bytes_read(work), bytes_written(work)
    budget = seconds * _SHARE_OF_THE_LIMIT
    before = limit.seconds(read, written, threads, budget)
    contestants, calls = _cold(case, peers, threads) if case.call == COLD else _warm(case, peers, threads)
    timings = interleaved(calls, seconds)
    for (name, way), timing in ((key.split("\n"), timing) for key, timing in timings.items()):
        contestants[name][way] = asdict(timing)
    return {
        "limit": min(before, limit.seconds(read, written, threads, budget)),
        "read": read,
        "written": written,
        "unit": unit_of(work),
        "measured": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "contestants": contestants,
    }


def _warm(case: Case, peers: Sequence[Peer], threads: int) -> tuple[dict[str, Record], dict[str, Callable[[], Any]]]:
    work = case.work
    x = random_input(work)
    contestants: dict[str, Record] = {}
    calls: dict[str, Callable[[], Any]] = {}
    function = ours.whole_call(work, threads)
    mine = Prepared(None, lambda: function(x), np.asarray) if case.call == WHOLE else ours.prepare(work, x, threads)
    _enter(case, ours.NAME, mine, checked(mine, work, x), contestants, calls)
    for peer in peers:
        if case.peers is not None and peer.name not in case.peers:
            continue
        try:
            prepared = peer.prepare(work, x, threads)
            if prepared is not None:
                _enter(case, peer.name, prepared, checked(prepared, work, x), contestants, calls)
        except OtherValuesError as error:
            contestants[peer.name] = {"refused": f"other values: {error}"}
        except Exception as error:  # whatever a foreign library raises: the page shows it
            contestants[peer.name] = {"refused": f"fails: {type(error).__name__}: {_first_words(error)}"}
    return contestants, calls


def _enter(
    case: Case,
    name: str,
    prepared: Prepared,
    record: Record,
    contestants: dict[str, Record],
    calls: dict[str, Callable[[], Any]],
) -> None:
    """Put a contestant that was checked on the lists. A whole call is one with a new output, where there is one."""
    contestants[name] = record
    for way, call in (("reused", prepared.reused), ("allocating", prepared.allocating)):
        if call is not None and (case.call != WHOLE or way == "allocating" or prepared.allocating is None):
            calls[f"{name}\n{way}"] = call


def _first_words(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:_MOST_LETTERS]


def checked(prepared: Prepared, work: Work, x: Array) -> Record:
    """Run both calls of a contestant once and compare their results with the exact one.

    Raises:
        OtherValuesError: one is not within the tolerance.
    """
    errors = [
        check(prepared.array(call()), work, x, prepared)
        for call in (prepared.reused, prepared.allocating)
        if call is not None
    ]
    worst = max(errors, key=lambda error: error.largest)
    return {
        "reused": None,
        "allocating": None,
        "error": worst.in_units(work.element) if work.resizes and work.mode != "nearest" else 0.0,
        "reading": dict(prepared.reading),
        "border": prepared.border,
    }


def _cold(case: Case, peers: Sequence[Peer], threads: int) -> tuple[dict[str, Record], dict[str, Callable[[], Any]]]:
    """Whole calls, each on a shape that was not seen before. What they compute is checked in the warm case."""
    functions = {ours.NAME: ours.whole_call(case.work, threads)}
    for peer in peers:
        function = peer.whole_call(case.work)
        if function is not None:
            functions[peer.name] = function
    contestants: dict[str, Record] = {name: {"reused": None, "allocating": None, "error": None} for name in functions}
    return contestants, {
        f"{name}\nallocating": _on_new_shapes(function, case.work) for name, function in functions.items()
    }


def _on_new_shapes(function: Callable[[Array], Any], work: Work) -> Callable[[], Any]:
    inputs = ours.never_seen(work)
    return lambda: function(next(inputs))
