"""A comparison as findings, for SARIF and JUnit."""

from __future__ import annotations

from typing import Any

from halfpixel.models.compare.call_text import number_text
from halfpixel.models.compare.difference import SHAPE, TYPE
from halfpixel.models.compare.result import ELSEWHERE, TIES, Comparison, NodeResult, RuntimeResult, WholeResult
from halfpixel.models.reports import ERROR, NOTE, WARNING, Finding, Rule, junit, sarif

DIFFERENCE = Rule("HPC001", "a node gives other numbers in another runtime", level=ERROR)
AT_TIES = Rule("HPC002", "a node gives other numbers in another runtime, at ties only", level=WARNING)
NOT_RUN = Rule("HPC003", "another runtime does not run a node", level=NOTE)
NO_RESULT = Rule("HPC004", "a node breaks a rule of its operator, or lacks an input", level=ERROR)
WHOLE = Rule("HPC005", "the whole model gives other numbers in another runtime", level=ERROR)
_MOST_OUTPUTS = 3

RULES = (DIFFERENCE, AT_TIES, NOT_RUN, NO_RESULT, WHOLE)


def sentence_of(result: RuntimeResult) -> str:
    """Return one sentence about a node in a runtime: how far, how often, where, why."""
    difference = result.difference
    if difference is None:
        return f"{result.runtime} {_verb(result.status)}: {result.words}"
    if difference.where in (SHAPE, TYPE):
        return f"{result.runtime} gives another {difference.where.removeprefix('the ')}: {result.why}"
    if not result.above:
        return f"{result.runtime}: {number_text(difference.largest)} {difference.unit} at most"
    far = f"{number_text(difference.largest)} {difference.unit} in {difference.count} of {difference.total} samples"
    return f"{result.runtime} differs by up to {far}, {difference.where}: {result.why}"


def _verb(status: str) -> str:
    return {"refused": "refuses the node", "crashed": "crashes", "timed out": "does not end"}[status]


def whole_sentence(whole: WholeResult) -> str:
    """Return one sentence about the whole model in a runtime."""
    if not whole.outputs:
        return f"{whole.runtime} {_verb(whole.status)}: {whole.words}".replace("the node", "the model")
    order = sorted(whole.outputs.items(), key=lambda item: -item[1][0])
    shown = [f"{name} {number_text(units)} {unit}" for name, (units, _, unit, _) in order[:_MOST_OUTPUTS]]
    rest = f" and {len(order) - len(shown)} more" if len(order) > len(shown) else ""
    above = sum(above for *_, above in whole.outputs.values())
    words = f"{above} of {len(order)} outputs differ" if above else "no output differs above its tolerance"
    why = ", but every resize-like node agrees: another operator is the cause" if whole.status == ELSEWHERE else ""
    return f"{whole.runtime}: {words}{why}; largest: {', '.join(shown)}{rest}"


def findings_of(node: NodeResult) -> list[tuple[str, Finding]]:
    """Return (runtime, finding) for everything that is to be said of a node; runtime "" where none is concerned."""
    place = (*node.scope, node.name)
    if node.error:
        return [("", Finding(NO_RESULT, f"{node.label}: {node.error}", place))]
    found = []
    for result in node.results:
        if result.difference is None:
            found.append((result.runtime, Finding(NOT_RUN, sentence_of(result), place)))
        elif result.above:
            rule = AT_TIES if result.status == TIES else DIFFERENCE
            properties = {
                "runtime": result.runtime,
                "causes": [change.key for change in result.cause.changes] if result.cause is not None else [],
            }
            found.append((result.runtime, Finding(rule, sentence_of(result), place, properties=properties)))
    return found


def as_sarif(comparison: Comparison) -> dict[str, Any]:
    """Return the findings as SARIF 2.1.0."""
    findings = [finding for node in comparison.nodes for _, finding in findings_of(node)]
    findings += [Finding(WHOLE, whole_sentence(one)) for one in comparison.whole if one.above]
    return sarif(findings, RULES, comparison.path)


def as_junit(comparison: Comparison) -> str:
    """Return every node in every runtime as a test; what a runtime refuses is skipped."""
    cases: dict[str, list[Finding]] = {}
    skipped: dict[str, str] = {}
    for node in comparison.nodes:
        name = "/".join((*node.scope, node.name))
        found = findings_of(node)
        if node.error:
            cases[name] = [finding for _, finding in found]
        for result in node.results:
            case = f"{name} in {result.runtime}"
            if result.difference is None:
                skipped[case] = sentence_of(result)
            else:
                cases[case] = [finding for runtime, finding in found if runtime == result.runtime]
    for whole in comparison.whole:
        case = f"the whole model in {whole.runtime}"
        if whole.outputs:
            cases[case] = [Finding(WHOLE, whole_sentence(whole))] if whole.above else []
        else:
            skipped[case] = whole_sentence(whole)
    model = "model" if comparison.path is None else comparison.path.name
    return junit(f"halfpixel compare {model}", cases, skipped)
