"""One version number everywhere."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import halfpixel

ROOT = Path(__file__).resolve().parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_build_info_has_the_version_of_pyproject() -> None:
    assert halfpixel.build_info()["version"] == VERSION


def test_installed_metadata_has_the_version_of_pyproject() -> None:
    assert version("halfpixel") == VERSION


def test_changelog_starts_with_the_version_of_pyproject() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[:2] == ["Unreleased", VERSION]
