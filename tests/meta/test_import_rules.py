"""The import contracts of pyproject.toml hold, and each fails on a wrong import planted in a copy of the sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.import_contracts import imports_core

ROOT = Path(__file__).resolve().parents[2]

# contract -> (file, a line that breaks it)
PLANTS = {
    "rooms import one way, and not side by side": [
        ("spec/__init__.py", "import halfpixel.plan"),
        ("plan/__init__.py", "from halfpixel.ops import resize"),
        ("ops/__init__.py", "import halfpixel.media"),
        ("onnx/__init__.py", "import halfpixel.media"),
        ("layers/__init__.py", "import halfpixel.onnx"),
        ("media/__init__.py", "import halfpixel.cli"),
        ("_errors.py", "import halfpixel.spec"),
    ],
    "only plan and ops import halfpixel._core": [
        ("spec/__init__.py", "import halfpixel._core"),
        ("onnx/__init__.py", "from halfpixel._core import isa"),
        ("cli/__init__.py", "from .. import _core"),
        ("__init__.py", "from halfpixel import _core"),
    ],
    "spec, _errors, _typing: standard library only": [
        ("spec/__init__.py", "import numpy"),
        ("_typing.py", "from numpy.typing import NDArray"),
    ],
    "the public package, plan, ops: NumPy only": [
        ("ops/__init__.py", "import ml_dtypes"),
        ("__init__.py", "import onnx"),
        ("plan/__init__.py", "def f():\n    import torch"),
    ],
    "layers: NumPy, and onnx to build a node": [
        ("layers/__init__.py", "import torch"),
    ],
}


def lint(directory: Path) -> tuple[int, str]:
    """Status and report of lint-imports on the sources under a directory."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"]
    environment = {**os.environ, "PYTHONPATH": "src", "COLUMNS": "200"}
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The Python sources, the tests and pyproject.toml in a directory of their own."""
    ignored = shutil.ignore_patterns("__pycache__", "_core*", "data")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    for package in ("", "meta", "oracles"):
        (tmp_path / "tests" / package).mkdir(parents=True)
        for source in (ROOT / "tests" / package).glob("*.py"):
            shutil.copy(source, tmp_path / "tests" / package)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_contracts_hold() -> None:
    status, report = lint(ROOT)
    assert status == 0, report


@pytest.mark.parametrize("contract", PLANTS)
def test_planted_imports_break_their_contract(copy: Path, contract: str) -> None:
    package = copy / "src" / "halfpixel"
    for name, line in PLANTS[contract]:
        path = package / name
        path.write_text(path.read_text() + f"\n{line}\n")
    status, report = lint(copy)
    assert status != 0
    assert f"{contract} BROKEN" in report
    for name, _ in PLANTS[contract]:
        module = "halfpixel." + name.removesuffix(".py").replace("/", ".").replace("__init__", "")
        assert module.strip(".") in report.split("Broken contracts")[1]


def test_oracle_that_imports_halfpixel_breaks_its_contract(copy: Path) -> None:
    path = copy / "tests" / "oracles" / "exact.py"
    path.write_text(path.read_text() + "\nimport halfpixel.spec\n")
    status, report = lint(copy)
    assert status != 0
    assert "the oracles import nothing of halfpixel BROKEN" in report


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import halfpixel._core", True),
        ("import halfpixel._core as core", True),
        ("from halfpixel._core import isa", True),
        ("from halfpixel import _core", True),
        ("from .. import _core", True),
        ("from .._core import isa", True),
        ("def f():\n    from halfpixel import _core", True),
        ("import halfpixel", False),
        ("from halfpixel import resize", False),
        ("import _core", False),
    ],
)
def test_imports_core(line: str, expected: bool) -> None:
    assert imports_core(line, "halfpixel.cli.resize") is expected
