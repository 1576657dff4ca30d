"""The search for the reading behind given numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from halfpixel.models.readings.changes import Change, changes_of
from halfpixel.models.readings.evaluate import Places, evaluate, output_shape
from halfpixel.models.readings.reading import Reading
from halfpixel.models.readings.slack import Slack
from halfpixel.plan.elements import Array

MOST_CHANGES = 3
_CLOSEST_KEPT = 12
_MOST_TRIED = 6000


@dataclass(frozen=True, slots=True)
class Cause:
    """Changes that were tried together.

    Attributes:
        changes: none for the reading as it is.
        missed: how many of the places they do not reproduce.
        places: how many there are.
        inexact: of integers, how many they reproduce only next to a tie.
    """

    changes: tuple[Change, ...]
    missed: int
    places: int
    inexact: int = 0

    @property
    def reproduces(self) -> bool:
        """Whether every number is that of the changed reading."""
        return self.missed == 0

    @property
    def words(self) -> str:
        """The changes for people, joined."""
        return "; ".join(change.words for change in self.changes) or "rounding alone"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        causes: every set of changes that reproduces the numbers, the simplest first; only the smallest number of
            changes that does is searched through.
        closest: the set that misses the fewest places; None where no reading has the other's shape.
        tried: how many readings were computed.
    """

    causes: tuple[Cause, ...]
    closest: Cause | None
    tried: int


@dataclass(slots=True)
class Search:
    """Which changes of a reading reproduce an output.

    Args:
        reading: the standard's.
        x: the input, without NaN and infinity.
        places: the output samples that are looked at, on every axis.
        other: the other's numbers at the product of the places; integers in float64 where they are averages.
        other_shape: of its whole output.
        slack: what counts as reproduced.
        skip: places that are not looked at (they depend on a NaN or infinity).
    """

    reading: Reading
    x: Array
    places: Places
    other: Array
    other_shape: tuple[int, ...]
    slack: Slack
    skip: Array
    most_changes: int = MOST_CHANGES
    _tried: int = 0
    _seen: dict[Reading, Cause | None] = field(default_factory=dict)

    def run(self) -> Found:
        """Try no change, one, two, three; stop at the first number of changes that reproduces the output."""
        changes = changes_of(self.reading)
        best: list[Cause] = []
        for count in range(self.most_changes + 1):
            sets = self._sets(changes, count, best)
            tried = [cause for cause in map(self._cause, sets) if cause is not None]
            found = [cause for cause in tried if cause.reproduces]
            best = sorted([*best, *tried], key=lambda cause: (cause.missed, len(cause.changes)))[: 4 * _CLOSEST_KEPT]
            if found:
                # sorted() keeps the order of changes_of among equals
                return Found(tuple(sorted(found, key=lambda cause: cause.inexact)), best[0], self._tried)
        return Found((), best[0] if best else None, self._tried)

    def _sets(self, changes: Sequence[Change], count: int, best: Sequence[Cause]) -> Iterator[tuple[Change, ...]]:
        """Sets of so many changes. Triples only extend the pairs that came closest."""
        if count < MOST_CHANGES:
            for chosen in combinations(changes, count):
                if not any(one.excludes(another) for one, another in combinations(chosen, 2)):
                    yield chosen
            return
        for cause in [one for one in best if len(one.changes) == count - 1][:_CLOSEST_KEPT]:
            for change in changes:
                if not any(change.excludes(one) for one in cause.changes):
                    yield (*cause.changes, change)

    def _cause(self, changes: tuple[Change, ...]) -> Cause | None:
        """Try changes; None where they give another shape, nothing, or what was tried before."""
        reading = self.reading
        for change in changes:
            reading = change.applied(reading)
        if reading in self._seen or self._tried >= _MOST_TRIED:
            return None
        self._seen[reading] = None
        if output_shape(reading) != self.other_shape:
            return None
        self._tried += 1
        values = evaluate(reading, self.x, self.places)
        if values is None:
            return None
        missed = self.slack.unexplained(values, self.other, reading) & ~self.skip
        inexact = 0
        if self.slack.counts_exactly:
            inexact = int(np.count_nonzero((values.final != self.other) & ~self.skip))
        return Cause(changes, int(np.count_nonzero(missed)), missed.size, inexact)
