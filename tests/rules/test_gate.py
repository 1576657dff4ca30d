"""Every rule has a test that names it, and every name is that of a rule."""

import ast
import re
import tomllib
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_name("rules.toml")


def rules_in(text):
    """id -> {rule, source} of every section of the table."""
    return {rule: entry for section in tomllib.loads(text).values() for rule, entry in section.items()}


def marks_in(source):
    """The arguments of every ``mark.rule(...)`` in a source text; the source of one that is not a string literal."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.rule"):
            for argument in node.args:
                literal = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                found.append(argument.value if literal else ast.unparse(argument))
    return found


def unmarked_tests(source):
    """The names of the test functions in a source text that no ``mark.rule(...)`` decorates."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return [
        function.name
        for function in functions
        if function.name.startswith("test_")
        and not any("mark.rule(" in ast.unparse(decorator) for decorator in function.decorator_list)
    ]


RULES = rules_in(TABLE.read_text())
MARKED = {path: marks_in(path.read_text()) for path in sorted(TESTS.rglob("*.py")) if path != Path(__file__).resolve()}


def test_every_rule_has_a_test():
    marked = {name for names in MARKED.values() for name in names}
    assert sorted(set(RULES) - marked) == []


def test_every_mark_names_a_rule():
    unknown = [(path.name, name) for path, names in MARKED.items() for name in names if name not in RULES]
    assert unknown == []


def test_every_test_of_this_tier_names_a_rule():
    files = [path for path in Path(__file__).parent.glob("test_*.py") if path.name != Path(__file__).name]
    assert files
    assert [(path.name, name) for path in files for name in unmarked_tests(path.read_text())] == []


def test_the_table_is_complete():
    assert len(RULES) == sum(len(section) for section in tomllib.loads(TABLE.read_text()).values())
    for rule, entry in RULES.items():
        assert re.fullmatch(r"R-[A-Z]{2,3}-\d{2}", rule)
        assert set(entry) == {"rule", "source"}
        assert entry["rule"]
        assert entry["source"]
    assert len({entry["rule"] for entry in RULES.values()}) == len(RULES)


def test_the_gate_sees_what_is_wrong():
    source = "@pytest.mark.rule('R-LEN-01', name)\ndef test_a(): ...\n\ndef test_b(): ...\n"
    assert marks_in(source) == ["R-LEN-01", "name"]
    assert unmarked_tests(source) == ["test_b"]
    assert rules_in("[x]\nR-A-01 = { rule = 'r', source = 's' }") == {"R-A-01": {"rule": "r", "source": "s"}}
