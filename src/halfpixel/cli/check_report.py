"""What check found, in words and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from halfpixel.models.check import RULES, SEVERITIES, Checked, Finding


def as_data(checked: Checked) -> dict[str, Any]:
    """Return the findings for --json."""
    return {
        "model": str(checked.model.path),
        "nodes": [{"scope": list(scope), "name": name} for scope, name in checked.nodes],
        "findings": [finding.as_data() for finding in checked.findings],
    }


def lines_of(checked: Checked) -> Iterator[str]:
    """Yield the findings node by node, and a line that counts them."""
    for (scope, name), found in checked.by_node().items():
        if found:
            yield "/".join((*scope, name))
            for finding in found:
                yield from _finding(finding)
            yield ""
    yield _summary(checked)


def _finding(finding: Finding) -> Iterator[str]:
    yield f"  {finding.severity} {finding.rule}: {RULES[finding.rule].title}"
    yield f"    {finding.sentence}"
    for label in ("given", "allowed", "do"):
        yield f"    {label + ':':9}{getattr(finding, label)}"
    yield f"    page:    {finding.page}"


def _summary(checked: Checked) -> str:
    nodes = f"{len(checked.nodes)} resize-like node{'s' * (len(checked.nodes) != 1)}"
    counts = Counter(finding.severity for finding in checked.findings)
    found = [f"{counts[word]} {word}{'s' * (counts[word] > 1)}" for word in reversed(SEVERITIES) if counts[word]]
    return f"{nodes}: {', '.join(found) or 'no findings'}"
