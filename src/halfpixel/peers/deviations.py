"""Where other runtimes refuse a node or compute something else: deviations.toml, read.

The one list of what is known of them. `check --target` asks it about the nodes of a model; the tests of peers ask it
what each installed runtime will do with every case, and fail where it does another thing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from halfpixel.peers.facts import FACTS, Facts

OUTCOMES = ("refuses", "differs")
Condition = dict[str, Any]
"""Fact -> the value that it must have, or a list of values of which it must have one."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One way in which a runtime does not do what the standard says.

    Attributes:
        target: the runtime's name, as --target takes it.
        name: of the deviation, unique for the target.
        outcome: "refuses": it does not run the node; "differs": it gives other values, another type or shape.
        what: what it does, words that follow the runtime's name.
        do: what to change in the model.
        when: conditions on the facts of a node; the deviation is there where one of them holds.
    """

    target: str
    name: str
    outcome: str
    what: str
    do: str
    when: tuple[Condition, ...]

    def holds(self, facts: Facts) -> bool:
        """Whether a node with these facts meets it; a fact that is not known meets nothing."""
        return any(all(_meets(facts.get(fact), wanted) for fact, wanted in one.items()) for one in self.when)


@dataclass(frozen=True, slots=True)
class Target:
    """A runtime and what is known of it.

    Attributes:
        name: as --target takes it.
        title: as people call it.
        version: that the list was made for.
        evidence: "measured": by running it; "documentation": by what its authors wrote.
        source: the document, or how it was measured.
        module: the package whose version counts; None for one that Python does not run.
        falls_back: what it refuses runs elsewhere, in the same session.
    """

    name: str
    title: str
    version: str
    evidence: str
    source: str
    module: str | None
    falls_back: bool
    deviations: tuple[Deviation, ...]

    def of(self, facts: Facts) -> list[Deviation]:
        """The deviations that a node with these facts meets; refusals first."""
        met = [deviation for deviation in self.deviations if deviation.holds(facts)]
        return sorted(met, key=lambda deviation: OUTCOMES.index(deviation.outcome))

    @property
    def known_from(self) -> str:
        """Words that say where the list comes from: "measured with onnxruntime 1.32.0"."""
        if self.evidence == "measured":
            return f"measured with {self.title} {self.version}"
        return f"by its documentation for {self.version}, not measured: {self.source}"


@cache
def targets() -> dict[str, Target]:
    """Every runtime of the list by its name."""
    listed = tomllib.loads((Path(__file__).parent / "deviations.toml").read_text(encoding="utf-8"))
    return {name: _target(name, entry) for name, entry in listed.items()}


def _target(name: str, entry: dict[str, Any]) -> Target:
    deviations = tuple(_deviation(name, one) for one in entry["deviation"])
    words = {key: entry[key] for key in ("title", "version", "evidence", "source")}
    return Target(
        name=name, **words, module=entry.get("module"), falls_back=entry.get("falls_back", False), deviations=deviations
    )


def _deviation(target: str, entry: dict[str, Any]) -> Deviation:
    unknown = {fact for condition in entry["when"] for fact in condition} - set(FACTS)
    if unknown or entry["outcome"] not in OUTCOMES:
        raise KeyError(f"deviations.toml, {target}, {entry['name']}: {sorted(unknown)}, {entry['outcome']}")
    words = {key: entry[key] for key in ("name", "outcome", "what", "do")}
    return Deviation(target=target, **words, when=tuple(entry["when"]))


def _meets(value: object, wanted: object) -> bool:
    if value is None:
        return False
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return value in wanted
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
