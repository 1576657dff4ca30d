"""The commands of docs/explain.md print what stands below them, and the pictures are those that the code draws."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from halfpixel.models import explain
from tests.cli.commands import halfpixel

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAIRS = re.findall(
    r"^```sh\n(halfpixel .*)\n```\n(?:\n```text\n((?:.*\n)*?)```)?", (DOCS / "explain.md").read_text(), re.M
)


def test_there_are_commands_with_and_without_output() -> None:
    assert len(PAIRS) == 5
    assert [bool(printed) for _, printed in PAIRS] == [True, True, True, False, False]


@pytest.mark.parametrize(("command", "printed"), PAIRS, ids=[command for command, _ in PAIRS])
def test_a_command_of_the_page(command: str, printed: str, tmp_path: Path) -> None:
    done = halfpixel(*shlex.split(command)[1:], cwd=tmp_path, env={"COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, "")
    if printed:
        assert done.stdout == printed
    else:
        assert [path.stem for path in tmp_path.iterdir()] == ["sample"]


def test_the_drawing_of_the_page_is_up_to_date() -> None:
    found = explain(x_shape=(5, 7), scales=(2, 2), mode="cubic", at=(0, 7))
    assert (DOCS / "images" / "explain.svg").read_text() == found.svg()
