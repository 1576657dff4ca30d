"""Find what makes a model's resizes give other numbers, or none, elsewhere."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfpixel._errors import ModelError
from halfpixel.models.check.finding import SEVERITIES, Finding, Rule, finding_for_report, for_report
from halfpixel.models.check.rules import RULES
from halfpixel.models.check.subject import Subject, Surroundings
from halfpixel.models.model import Model
from halfpixel.models.reading import load
from halfpixel.models.reports import junit, sarif
from halfpixel.models.sites import find_sites
from halfpixel.peers.deviations import targets as known_targets

if TYPE_CHECKING:
    from halfpixel.models.reading import Source

__all__ = ["RULES", "SEVERITIES", "Checked", "Finding", "Rule", "check", "check_model"]


@dataclass(frozen=True)
class Checked:
    """What was looked at and what was found.

    Attributes:
        model: that was checked.
        nodes: (scope, name) of every resize-like node, in the order of the file.
        findings: in the order of the nodes, then of the rules.
        ignored: ids of the rules that were left out.
    """

    model: Model
    nodes: tuple[tuple[tuple[str, ...], str], ...]
    findings: tuple[Finding, ...]
    ignored: frozenset[str]

    def by_node(self) -> dict[tuple[tuple[str, ...], str], list[Finding]]:
        """Return the findings of each node, the nodes in the order of the file; an empty list where there are none."""
        found: dict[tuple[tuple[str, ...], str], list[Finding]] = {node: [] for node in self.nodes}
        for finding in self.findings:
            found[finding.scope, finding.node].append(finding)
        return found

    def sarif(self) -> dict[str, Any]:
        """Return the findings as a SARIF 2.1.0 log, as plain data."""
        rules = [for_report(rule) for rule in RULES.values() if rule.id not in self.ignored]
        return sarif([finding_for_report(one, RULES[one.rule]) for one in self.findings], rules, self.model.path)

    def junit(self) -> str:
        """Return a JUnit document with a test for each node, which fails at a finding of warning or above."""
        cases = {
            "/".join((*scope, name)): [finding_for_report(one, RULES[one.rule]) for one in found]
            for (scope, name), found in self.by_node().items()
        }
        return junit(f"halfpixel check {self.model.path or 'model'}", cases)


def check(source: Source, *, targets: Sequence[str] = (), ignore: Collection[str] = ()) -> list[Finding]:
    """Return what is found in a model: main graph, subgraphs and local functions.

    Args:
        source: a path, bytes, an onnx.ModelProto, an onnx_ir.Model or what ``load`` returned.
        targets: runtimes whose refusals and deviations are to be told: "onnxruntime", "openvino", "onnx-reference",
            "pytorch", "tract", "tensorrt", "coreml", "tflite".
        ignore: ids of rules that are left out, such as "HPM012".
    Returns:
        findings in the order of the nodes, then of the rules; empty for a model without traps.
    Raises:
        ModelError: HP420 unknown target, HP421 unknown rule, HP400-419 the model cannot be read.

    Example:
        >>> for finding in halfpixel.models.check("model.onnx", targets=["openvino"]):
        ...     print(finding.node, finding.rule, finding.sentence)
    """
    return list(check_model(load(source), targets=targets, ignore=ignore).findings)


def check_model(model: Model, *, targets: Sequence[str] = (), ignore: Collection[str] = ()) -> Checked:
    """Return what check finds together with what it looked at. Arguments and errors as there."""
    for name in targets:
        _check_known("HP420", "target", name, list(known_targets()))
    for name in ignore:
        _check_known("HP421", "rule", name, list(RULES))
    subjects = [Subject(site) for site in find_sites(model)]
    sound = [subject for subject in subjects if subject.is_sound]
    around = Surroundings(model, sound, [known_targets()[name] for name in dict.fromkeys(targets)])
    findings = [
        rule.finding(subject, trap)
        for subject in subjects
        for rule in RULES.values()
        if rule.id not in ignore and (rule.of_any or subject.is_sound)
        for trap in rule.search(subject, around)
    ]
    nodes = tuple((subject.site.scope, subject.site.name) for subject in subjects)
    return Checked(model, nodes, tuple(findings), frozenset(ignore))


def _check_known(code: str, what: str, name: str, known: list[str]) -> None:
    if name in known:
        return
    close = difflib.get_close_matches(str(name), known, 1)
    raise ModelError(
        code,
        f"there is no {what} {name!r}",
        given=f"{what} {name!r}",
        allowed=", ".join(known),
        do=f"did you mean {close[0]!r}?" if close else "pass one of these",
    )
