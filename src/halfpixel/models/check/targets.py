"""Rules about the runtimes that were asked about."""

from __future__ import annotations

from collections.abc import Iterator

from halfpixel.models.check.finding import Trap
from halfpixel.models.check.subject import Subject, Surroundings
from halfpixel.models.reports import WARNING
from halfpixel.peers.deviations import Deviation, Target


def target_refuses(subject: Subject, around: Surroundings) -> Iterator[Trap]:
    """HPM021: a chosen runtime does not run the node."""
    for target in around.targets:
        for deviation in target.of(subject.facts):
            if deviation.outcome == "refuses":
                yield _trap(target, deviation, subject)


def target_differs(subject: Subject, around: Surroundings) -> Iterator[Trap]:
    """HPM022: a chosen runtime runs the node and gives other values, another type or another shape."""
    for target in around.targets:
        met = target.of(subject.facts)
        if met and met[0].outcome == "refuses":
            continue  # what it does not run has no numbers
        for deviation in met:
            yield _trap(target, deviation, subject)


def _trap(target: Target, deviation: Deviation, subject: Subject) -> Trap:
    condition = next(one for one in deviation.when if all(fact in subject.facts for fact in one))
    return Trap(
        f"{target.title} {deviation.what}",
        given=", ".join(f"{fact}={_word(subject.facts[fact])}" for fact in condition),
        allowed=f"nodes without that ({target.known_from})",
        do=deviation.do,
        severity=WARNING if target.falls_back else None,
        target=target.name,
    )


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
