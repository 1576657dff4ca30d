"""What check says: a finding, and the rule that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfpixel.models.reports import ERROR, NOTE, WARNING
from halfpixel.models.reports import Finding as ReportFinding
from halfpixel.models.reports import Rule as ReportRule

if TYPE_CHECKING:
    from halfpixel.models.check.subject import Subject, Surroundings

SEVERITIES = (NOTE, WARNING, ERROR)
"""From the least to the most severe."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One trap in one node.

    Attributes:
        rule: its id, "HPM001".
        severity: "error": the node breaks a rule, or a chosen target refuses it; "warning": numbers or shapes depend on
            who runs the model; "note": worth knowing.
        node: name of the node, unique in the model.
        scope: the subgraph or function around it, () for the main graph.
        sentence: what is the matter.
        given, allowed, do: what the node has, what has no trap, how to get there.
        page: the page of the rule, in the project's folder.
        target: the runtime that it is about, None for all.
    """

    rule: str
    severity: str
    node: str
    scope: tuple[str, ...]
    sentence: str
    given: str
    allowed: str
    do: str
    page: str
    target: str | None = None

    def as_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        names = ("rule", "severity", "node", "scope", "sentence", "given", "allowed", "do", "page", "target")
        data = {name: getattr(self, name) for name in names}
        return data | {"scope": list(self.scope)}


@dataclass(frozen=True, slots=True)
class Trap:
    """What a rule found at a node, before it is a finding.

    Attributes:
        severity: where it is another than the rule's.
    """

    sentence: str
    given: str
    allowed: str
    do: str
    severity: str | None = None
    target: str | None = None


Search = Callable[["Subject", "Surroundings"], Iterator[Trap]]
"""What a rule does: look at one node, and at the model around it where it must."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: "HPM001"; it keeps its meaning for ever.
        title: what a node with the trap does, in words.
        severity: of its findings, where they do not say another.
        search: finds it at a node.
        of_any: it also looks at nodes whose attributes are not what their operator has; it must not trust their types.
    """

    id: str
    title: str
    severity: str
    search: Search
    of_any: bool = False

    @property
    def page(self) -> str:
        """Where people read more."""
        return f"docs/rules/{self.id}.md"

    def finding(self, subject: Subject, trap: Trap) -> Finding:
        """Return a trap as a finding."""
        return Finding(
            self.id,
            trap.severity or self.severity,
            subject.site.name,
            subject.site.scope,
            trap.sentence,
            trap.given,
            trap.allowed,
            trap.do,
            self.page,
            trap.target,
        )


def for_report(rule: Rule) -> ReportRule:
    """Return a rule as the writers of SARIF and JUnit take it."""
    return ReportRule(rule.id, rule.title, level=rule.severity)


def finding_for_report(finding: Finding, rule: Rule) -> ReportFinding:
    """Return a finding as the writers of SARIF and JUnit take it."""
    message = f"{finding.sentence}\ngiven: {finding.given}\nallowed: {finding.allowed}\ndo: {finding.do}"
    properties = {"page": finding.page} | ({} if finding.target is None else {"target": finding.target})
    return ReportFinding(
        for_report(rule), message, (*finding.scope, finding.node), finding.severity, properties=properties
    )
