"""What upgrade, lower and simplify print: the nodes before and after, and the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from halfpixel.cli.output import print_table
from halfpixel.models.proving import Outcome, Proof


class Rewritten(Protocol):
    """One place of a model, before and after."""

    @property
    def name(self) -> str: ...
    @property
    def scope(self) -> tuple[str, ...]: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> tuple[str, ...]: ...
    @property
    def proof(self) -> Proof: ...


def print_rewritten(changes: Sequence[Rewritten]) -> None:
    """Print a line for each rewritten place, then why a runtime could not be asked."""
    if not changes:
        print("no node changed")
        return
    runtimes = [outcome.runtime for outcome in changes[0].proof.outcomes]
    rows = [["node", "before", "after", *runtimes]]
    reasons: Counter[str] = Counter()
    for change in changes:
        place = "/".join((*change.scope, change.name))
        rows.append([place, change.before, _counted(change.after), *map(_cell, change.proof.outcomes)])
        reasons.update(f"{one.runtime}: {one.reason}" for one in change.proof.outcomes if not one.inputs)
    print_table(rows)
    for reason, count in reasons.items():
        print(f"not compared by {reason}" + (f" ({count} times)" if count > 1 else ""))


def print_proof(proof: Proof) -> None:
    """Print the proof of the whole model."""
    print(f"{proof.name}: " + "; ".join(outcome.words() for outcome in proof.outcomes))


def _counted(labels: Sequence[str]) -> str:
    """ "Reshape, Transpose, Reshape" as they stand; repeated neighbours as "2 x Resize-19"."""
    parts: list[tuple[str, int]] = []
    for label in labels:
        if parts and parts[-1][0] == label:
            parts[-1] = label, parts[-1][1] + 1
        else:
            parts.append((label, 1))
    return ", ".join(label if count == 1 else f"{count} x {label}" for label, count in parts)


def _cell(outcome: Outcome) -> str:
    if not outcome.inputs:
        return "not compared"
    if outcome.equal:
        return f"equal ({outcome.values} values)"
    return f"differs by {outcome.difference:.2g} of {outcome.largest:.2g}"
