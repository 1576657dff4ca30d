"""Findings as JUnit XML, which continuous integration shows as tests."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

from halfpixel.models.reports.finding import NOTE, Finding

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(suite: str, cases: Mapping[str, Sequence[Finding]], skipped: Mapping[str, str] | None = None) -> str:
    """Return a JUnit document of one suite.

    Args:
        suite: its name: the command and the model.
        cases: name of each thing that was looked at -> what was found there; a case without findings, or with notes
            alone, passes.
        skipped: name of each thing that could not be looked at -> why.
    """
    skipped = skipped or {}
    failed = {name: [one for one in found if one.severity != NOTE] for name, found in cases.items()}
    counts = {
        "tests": len(cases) + len(skipped),
        "failures": sum(1 for found in failed.values() if found),
        "errors": 0,
        "skipped": len(skipped),
    }
    attributes = {"name": _text(suite)} | {name: str(count) for name, count in counts.items()}
    root = ET.Element("testsuites")
    box = ET.SubElement(root, "testsuite", attributes)
    for name, found in failed.items():
        case = ET.SubElement(box, "testcase", {"classname": _text(suite), "name": _text(name)})
        if found:
            message = "; ".join(one.message.splitlines()[0] for one in found)
            failure = ET.SubElement(case, "failure", {"message": _text(message), "type": found[0].rule.id})
            failure.text = _text("\n\n".join(f"{one.rule.id} {one.message}" for one in found))
    for name, why in skipped.items():
        case = ET.SubElement(box, "testcase", {"classname": _text(suite), "name": _text(name)})
        ET.SubElement(case, "skipped", {"message": _text(why)})
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _text(text: str) -> str:
    """Without the characters that XML cannot hold; node names may have any."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
