"""The pages of the rules: one each, whose examples run and show the trap."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

from halfpixel.models.check import RULES

pytestmark = [pytest.mark.needs("module:onnx"), pytest.mark.needs("module:onnx_ir")]

ROOT = Path(__file__).resolve().parents[2]


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "rules").glob("HPM*.md")}
    assert pages == set(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_a_page_says_what_its_rule_says(rule: object) -> None:
    from halfpixel.models.check import Rule

    assert isinstance(rule, Rule)
    text = (ROOT / rule.page).read_text()
    assert text.startswith(f"# {rule.id}: {rule.title}\n\nSeverity: ")
    assert rule.severity in text.splitlines()[2]
    assert re.findall("^## (.*)$", text, re.MULTILINE) == ["What happens", "Why", "What to do"]
    assert f'>>> "{rule.id}" in [finding.rule for finding in check(model' in text


@pytest.mark.parametrize("rule", RULES)
def test_the_examples_of_a_page(rule: str) -> None:
    path = ROOT / "docs" / "rules" / f"{rule}.md"
    # A closing fence ends the expected output: doctest itself ends it at an empty line only.
    text = re.sub(r"^```\w*$", "", path.read_text(), flags=re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(text, {}, rule, str(path), 0)
    assert len(example.examples) > 5
    report: list[str] = []
    with np.printoptions(legacy=False):
        result = doctest.DocTestRunner().run(example, out=report.append)
    assert result.failed == 0, "".join(report)


def test_the_list_names_every_rule() -> None:
    text = (ROOT / "docs" / "rules" / "index.md").read_text()
    for rule in RULES.values():
        assert f"| [{rule.id}]({rule.id}.md) | {rule.title} | " in text


def test_links_between_the_pages() -> None:
    for path in (ROOT / "docs" / "rules").glob("*.md"):
        targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text())
        assert [target for target in targets if not (path.parent / target).exists()] == []
