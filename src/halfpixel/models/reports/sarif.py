"""Findings as SARIF 2.1.0, which code hosts and editors show.

Source: OASIS Static Analysis Results Interchange Format 2.1.0.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from halfpixel import __version__
from halfpixel.models.reports.finding import Finding, Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(findings: Sequence[Finding], rules: Sequence[Rule], path: str | os.PathLike[str] | None) -> dict[str, Any]:
    """Return a SARIF log of one run as plain data.

    Args:
        findings: in the order in which they are shown.
        rules: all that were looked at, also those without a finding.
        path: of the model; None for one from memory.
    """
    order = {rule.id: number for number, rule in enumerate(rules)}
    driver = {"name": "halfpixel", "semanticVersion": __version__, "rules": [_rule(rule) for rule in rules]}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "results": [_result(finding, order[finding.rule.id], path) for finding in findings],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": rule.id,
        "shortDescription": {"text": rule.name},
        "defaultConfiguration": {"level": rule.level},
    }
    return data | ({"helpUri": rule.help} if rule.help else {})


def _result(finding: Finding, index: int, path: str | os.PathLike[str] | None) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if path is not None:
        location["physicalLocation"] = {"artifactLocation": {"uri": _uri(path)}}
    if finding.place:
        location["logicalLocations"] = [
            {"name": finding.place[-1], "fullyQualifiedName": "/".join(finding.place), "kind": "node"}
        ]
    result: dict[str, Any] = {
        "ruleId": finding.rule.id,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": finding.message},
    }
    if location:
        result["locations"] = [location]
    return result | ({"properties": dict(finding.properties)} if finding.properties else {})


def _uri(path: str | os.PathLike[str]) -> str:
    """A relative path stays one, an absolute one becomes a file address; blanks and the like are written %20."""
    place = Path(path)
    return place.as_uri() if place.is_absolute() else quote(place.as_posix())
