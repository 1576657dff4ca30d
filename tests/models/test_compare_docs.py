"""The commands of docs/compare.md print what stands below them and write what they say."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.commands import halfpixel

pytestmark = pytest.mark.needs("module:onnx", "module:onnxruntime", "module:openvino")

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "compare.md").read_text()
PAIRS = re.findall(r"^```sh\n(halfpixel .*)\n```\n(?:\n```text\n((?:.*\n)*?)```)?", TEXT, re.M)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the page's model and input."""
    import onnx

    names: dict[str, Any] = {}
    first = re.search(r"^```python\n(>>> import numpy, onnx\n.*?)^```", TEXT, re.M | re.S)
    assert first is not None
    for example in doctest.DocTestParser().get_examples(first[1]):
        exec(example.source, names)
    onnx.save(names["model"], tmp_path / "model.onnx")
    np.save(tmp_path / "x.npy", names["x"])
    return tmp_path


def test_there_are_commands_with_and_without_output() -> None:
    assert [bool(printed) for _, printed in PAIRS] == [True, False]


@pytest.mark.parametrize(("command", "printed"), PAIRS, ids=[command for command, _ in PAIRS])
def test_a_command_of_the_page(command: str, printed: str, folder: Path) -> None:
    done = halfpixel(*shlex.split(command)[1:], cwd=folder, env={"COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (1, "")
    if printed:
        # How far sums in float32 are off depends on the processor; what is read otherwise does not.
        assert re.sub(r"\d+ ULP, within", "ULP, within", done.stdout) == re.sub(
            r"\d+ ULP, within", "ULP, within", printed
        )
    else:
        assert {"compare.html", "compare.sarif"} <= {path.name for path in folder.iterdir()}
