"""The count of what did not run: skips are listed, an unexcused skip or an idle tier fails the run."""

from pathlib import Path
from textwrap import dedent

import pytest

CONFTEST = (Path(__file__).resolve().parents[1] / "conftest.py").read_text()
INI = """
    [pytest]
    testpaths = tests
    markers = needs(*capabilities)
"""

pytest_plugins = ["pytester"]


def run_suite(pytester: pytest.Pytester, tests: dict[str, str]) -> pytest.RunResult:
    """Run a suite with our conftest.py; tests maps a path below tests/ to its source."""
    pytester.makeini(dedent(INI))
    for name, source in {"conftest.py": CONFTEST, **tests}.items():
        path = pytester.path / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source))
    return pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")


def test_skip_for_a_missing_capability_is_listed_and_passes(pytester: pytest.Pytester) -> None:
    source = """
        import pytest

        def test_runs(): pass

        @pytest.mark.needs("module:no_such_module")
        def test_needs(): assert False
    """
    result = run_suite(pytester, {"unit/test_a.py": source})
    assert result.ret == 0
    result.stdout.fnmatch_lines(["skipped: 1", "  1 x this machine lacks: module:no_such_module: *::test_needs"])


def test_present_capability_runs_the_test(pytester: pytest.Pytester) -> None:
    source = """
        import pytest

        @pytest.mark.needs("module:json", "fork")
        def test_needs(): pass
    """
    result = run_suite(pytester, {"unit/test_a.py": source})
    result.stdout.fnmatch_lines(["skipped: 0", "1 passed*"])


def test_skip_without_a_capability_fails_the_run(pytester: pytest.Pytester) -> None:
    source = """
        import pytest

        def test_runs(): pass

        def test_skips(): pytest.skip("not today")
    """
    result = run_suite(pytester, {"unit/test_a.py": source})
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAULT skipped without a @pytest.mark.needs: *::test_skips (not today)"])


def test_idle_tier_fails_the_run(pytester: pytest.Pytester) -> None:
    result = run_suite(pytester, {"unit/test_a.py": "def test_runs(): pass", "peers/test_b.py": "CASES = []"})
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAULT nothing of tier 'peers' ran"])


def test_unknown_capability_is_an_error(pytester: pytest.Pytester) -> None:
    source = """
        import pytest

        @pytest.mark.needs("luck")
        def test_needs(): pass
    """
    result = run_suite(pytester, {"unit/test_a.py": source})
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*unknown capability 'luck'*"])
