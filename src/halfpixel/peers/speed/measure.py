"""Timing several calls fairly: in turns, each turn warm, minimum and median over all turns."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Clock = Callable[[], float]

_SAMPLE = 1e-4
"""Seconds that a sample takes at least: a faster call is repeated, so that the clock does not count."""
_TURN = 3e-3
_MOST_SAMPLES_OF_A_TURN = 20
_LEAST_TURNS = 3
_SLOW = 0.1
_SETTLE = 2e-3
"""Seconds before a turn: thread pools of others spin about as long before they sleep."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one call."""

    minimum: float
    median: float
    samples: int


class _Contestant:
    def __init__(self, call: Callable[[], Any], clock: Clock) -> None:
        self.call = call
        self.samples: list[float] = []
        self.spent = 0.0
        begin = clock()
        call()
        once = max(clock() - begin, 1e-9)
        self.slow = once > _SLOW
        self.repeats = max(1, math.ceil(_SAMPLE / once))
        self.a_turn = max(1, min(_MOST_SAMPLES_OF_A_TURN, int(_TURN / (once * self.repeats))))
        self.turns = 0

    def turn(self, clock: Clock) -> None:
        """Some samples, after one call that brings data and code back into the caches (a slow one brings its own)."""
        begin = clock()
        if not self.slow:
            self.call()
        call, repeats = self.call, range(self.repeats)
        for _ in range(self.a_turn):
            start = clock()
            for _ in repeats:
                call()
            self.samples.append((clock() - start) / self.repeats)
        self.spent += clock() - begin
        self.turns += 1


def interleaved(
    calls: Mapping[str, Callable[[], Any]], seconds: float, clock: Clock = time.perf_counter
) -> dict[str, Timing]:
    """Time calls in turns until each has had its share of the time, and three turns at least.

    Whatever else the machine does meanwhile falls on all of them alike.

    Args:
        calls: name -> call without arguments, already called once.
        seconds: for all of them together; slow ones may take more.
        clock: seconds that pass.
    """
    contestants = {name: _Contestant(call, clock) for name, call in calls.items()}
    share = seconds / max(1, len(contestants))
    waiting = list(contestants.values())
    collecting = gc.isenabled()
    gc.disable()
    try:
        while waiting:
            for contestant in waiting:
                time.sleep(_SETTLE)
                contestant.turn(clock)
            waiting = [one for one in waiting if one.turns < _LEAST_TURNS or one.spent < share]
    finally:
        if collecting:
            gc.enable()
    return {
        name: Timing(min(one.samples), statistics.median(one.samples), len(one.samples))
        for name, one in contestants.items()
    }
