"""What every tier shares: tests that need something of the machine, and a count of what did not run.

A test that needs more than a plain machine says so with ``@pytest.mark.needs("x86-64-v4")``. It is skipped where that
is missing and listed at the end; any other skip fails the run, and so does a tier of which nothing ran.
"""

from __future__ import annotations

import ctypes.util
import importlib.util
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
# OpenVINO's telemetry forks a process to send its news, which may hang where JAX has started threads.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

SKIP_PREFIX = "this machine lacks: "


def _isa_available(name: str) -> bool:
    from halfpixel import build_info

    return name in build_info()["available_isas"]


def _module_found(name: str) -> bool:
    return importlib.util.find_spec(name.removeprefix("module:")) is not None


def _program_found(name: str) -> bool:
    return shutil.which(name.removeprefix("program:")) is not None


def _library_found(name: str) -> bool:
    return ctypes.util.find_library(name.removeprefix("library:")) is not None


# What a test may need, and how to find out whether this machine has it. The last part of a name after ":" is free.
CAPABILITIES: dict[str, Callable[[str], bool]] = {
    "x86-64-v2": _isa_available,
    "x86-64-v3": _isa_available,
    "x86-64-v4": _isa_available,
    "neon": _isa_available,
    "fork": lambda _: hasattr(os, "fork"),
    "memory limit": lambda _: "libasan" not in os.environ.get("LD_PRELOAD", ""),  # its shadow memory needs the room
    "two cores": lambda _: len(os.sched_getaffinity(0)) > 1,
    "module": _module_found,
    "program": _program_found,
    "library": _library_found,
}


def missing_capabilities(names: tuple[str, ...]) -> list[str]:
    """Those of the named capabilities that this machine lacks; an unknown name is a mistake in the test."""
    for name in names:
        if name.partition(":")[0] not in CAPABILITIES:
            raise pytest.UsageError(f"unknown capability {name!r}; tests/conftest.py lists them: {list(CAPABILITIES)}")
    return [name for name in names if not CAPABILITIES[name.partition(":")[0]](name)]


def pytest_runtest_setup(item: pytest.Item) -> None:
    names = tuple(name for mark in item.iter_markers("needs") for name in mark.args)
    missing = missing_capabilities(names)
    if missing:
        pytest.skip(SKIP_PREFIX + ", ".join(missing))


class Attendance:
    """Counts for each tier, a directory of tests, what ran, and keeps the reasons of what was skipped."""

    def __init__(self, expected: set[str]) -> None:
        self.expected = expected
        self.ran: Counter[str] = Counter()
        self.skipped: dict[str, list[str]] = {}

    @staticmethod
    def tier(nodeid: str) -> str:
        return nodeid.split("/")[1] if nodeid.count("/") > 1 else "tests"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            self.skipped.setdefault(reason.removeprefix("Skipped: "), []).append(report.nodeid)
        elif report.when == "call":
            self.ran[self.tier(report.nodeid)] += 1

    def faults(self) -> list[str]:
        """What is wrong with what did not run."""
        unexcused = [reason for reason in self.skipped if not reason.startswith(SKIP_PREFIX)]
        found = [f"skipped without a @pytest.mark.needs: {self.skipped[reason][0]} ({reason})" for reason in unexcused]
        excused = {self.tier(nodeid) for names in self.skipped.values() for nodeid in names}
        idle = sorted(self.expected - set(self.ran) - excused)
        return found + [f"nothing of tier {tier!r} ran" for tier in idle]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.faults() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        total = sum(map(len, self.skipped.values()))
        terminalreporter.write_line(f"skipped: {total}")
        for reason, nodeids in sorted(self.skipped.items()):
            terminalreporter.write_line(f"  {len(nodeids)} x {reason}: {nodeids[0]}" + (", ..." if nodeids[1:] else ""))
        for fault in self.faults():
            terminalreporter.write_line(f"FAULT {fault}", red=True)


def tiers_of_a_full_run(config: pytest.Config) -> set[str]:
    """Every directory of tests, when pytest was asked for all of them; else nothing is expected."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS or config.option.keyword or config.option.markexpr:
        return set()
    return {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py") if path.parent != TESTS}


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Attendance(tiers_of_a_full_run(config)), "halfpixel-attendance")
