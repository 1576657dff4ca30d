"""Every error code in the sources is registered, and every registered one is used."""

import ast
import re
from pathlib import Path

from halfpixel._errors import ERROR_CODES

SOURCES = Path(__file__).resolve().parents[2] / "src" / "halfpixel"
FAMILIES = {
    "1": "SpecError",
    "2": "ElementTypeError",
    "3": "ResourceError",
    "4": "ModelError",
    "5": "MediaError",
    "9": "MissingExtraError",
}


def codes_in(source: str) -> set[str]:
    """The codes that stand as string literals in a source text."""
    constants = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and re.fullmatch(r"HP\d{3}", value)}


def raised_with_class(source: str) -> list[tuple[str, str]]:
    """(class, code) of each call in a source text whose first argument is a code."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args)
    found = []
    for call in calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        first = call.args[0]
        if name in FAMILIES.values() and isinstance(first, ast.Constant) and isinstance(first.value, str):
            found.append((name, first.value))
    return found


TEXTS = {path: path.read_text() for path in SOURCES.rglob("*.py")}


def test_every_code_in_the_sources_is_registered_and_used() -> None:
    used = set().union(*(codes_in(text) for path, text in TEXTS.items() if path.name != "_errors.py"))
    assert used == set(ERROR_CODES)


def test_each_code_is_raised_by_the_class_of_its_hundred() -> None:
    raised = [pair for text in TEXTS.values() for pair in raised_with_class(text)]
    assert raised
    assert [(name, code) for name, code in raised if FAMILIES[code[2]] != name] == []


def test_each_code_has_one_line_of_meaning() -> None:
    assert all(meaning and "\n" not in meaning for meaning in ERROR_CODES.values())
    assert len(set(ERROR_CODES.values())) == len(ERROR_CODES)


def test_codes_in_finds_literals() -> None:
    assert codes_in("raise SpecError('HP104', x)\nHP = 'HP1'\n# HP999") == {"HP104"}
    assert raised_with_class("raise errors.SpecError('HP104', x)") == [("SpecError", "HP104")]
