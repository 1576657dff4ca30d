"""The texts tell the truth: their examples run, their links lead somewhere, every room is described."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "decisions").glob("*.md")])
WITH_EXAMPLES = [path for path in TEXTS if "\n>>> " in path.read_text()]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def shell_lines(text: str) -> list[str]:
    """The halfpixel commands of the shell blocks of a text."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("halfpixel ")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=name)
def test_python_examples(path: Path) -> None:
    # A closing fence ends the expected output: doctest itself ends it at an empty line only.
    text = re.sub(r"^```\w*$", "", path.read_text(), flags=re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(text, {}, name(path), str(path), 0)
    assert example.examples
    report: list[str] = []
    with np.printoptions(legacy=False):
        result = doctest.DocTestRunner().run(example, out=report.append)
    assert result.failed == 0, "".join(report)


def test_readme_and_guide_have_examples() -> None:
    assert {"README.md", "docs/guide.md"} <= {name(path) for path in WITH_EXAMPLES}


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A directory with the files that the examples of the README read."""
    from PIL import Image

    ramp = np.arange(600 * 400 * 3, dtype=np.uint32).reshape(400, 600, 3) // 3000
    picture = Image.fromarray(ramp.astype(np.uint8))
    (tmp_path / "photos").mkdir()
    for place in ("photo.jpg", "photos/a.jpg", "photos/b.jpg"):
        picture.save(tmp_path / place)
    return tmp_path


def test_shell_examples_of_the_readme(pictures: Path) -> None:
    lines = shell_lines((ROOT / "README.md").read_text())
    assert len(lines) >= 3
    script = Path(sys.executable).with_name("halfpixel")
    environment = {**os.environ, "NO_COLOR": "1"}
    for line in lines:
        command = [str(script), *shlex.split(line)[1:]]
        done = subprocess.run(command, cwd=pictures, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    from PIL import Image

    with Image.open(pictures / "small.png") as small:
        assert small.size == (224, 224)
    with Image.open(pictures / "thumbnails" / "a.jpg") as thumbnail:
        assert thumbnail.size == (300, 200)


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_links_between_files(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text())
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("place", ["src/halfpixel", "core", "tests"])
def test_every_room_stands_in_the_architecture_page(place: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rooms = [path.name for path in (ROOT / place).iterdir() if path.is_dir() and any(path.glob("*.[chp]*"))]
    missing = [room for room in rooms if not re.search(rf"\b{room}\b", text)]
    assert rooms
    assert missing == []
