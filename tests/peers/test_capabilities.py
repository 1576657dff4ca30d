"""The table of capabilities: how an answer is judged, what a crash does, and that a part of it comes out again."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halfpixel.peers.capabilities import GROUPS, QUESTIONS, Question, answers_of, installed, page_of
from halfpixel.peers.capabilities.__main__ import text_of
from halfpixel.peers.capabilities.asking import answers_from
from halfpixel.peers.capabilities.judging import exact, judge
from halfpixel.peers.capabilities.registry import LIBRARIES
from halfpixel.peers.capabilities.request import NoSuchArgumentError, Request

from .dying_library import answer as linear

ROOT = Path(__file__).resolve().parents[2]
STORED = json.loads((ROOT / "docs" / "capabilities.json").read_text(encoding="utf-8"))
QUICK = [question.name for group in ("Modes", "Coordinates") for question in GROUPS[group]]
LINE = Question("a line", {"mode": "linear"}, (((5,), (8,)), ((9,), (4,))))


def outcome(answer: Callable[[Request], Any], question: Question = LINE) -> tuple[str, Any]:
    record = judge(question, dict(question.attributes), answer)
    return record["outcome"], record.get("off", record.get("said"))


def test_judgements() -> None:
    """NumPy's interp is the exact linear; 1/4 more, another type, another shape, an exception are what they are."""
    assert outcome(linear) == ("works", None)
    assert outcome(lambda request: linear(request) + np.float32(0.25)) == ("other numbers", 0.25)
    assert outcome(lambda request: linear(request).astype(np.float64)) == ("other type", "a result of float64")
    assert outcome(lambda request: linear(request)[1:]) == ("other numbers", "a result of shape (3,)")
    assert outcome(lambda request: linear(request) * np.nan) == ("other numbers", "samples that are no numbers")

    def refuse(request: Request) -> Any:
        raise NoSuchArgumentError("has no lines")

    assert outcome(refuse) == ("refuses", "NoSuchArgumentError: has no lines")


def test_judgement_of_integers_and_copies() -> None:
    """Rounded is exact, truncated is not; one other sample in nearest is other numbers."""
    whole = replace(LINE, element="int16")

    def as_floats(request: Request) -> Any:
        return linear(replace(request, x=request.x.astype(np.float64)))

    assert outcome(lambda request: as_floats(request).round().astype(np.int16), whole)[0] == "works"
    assert outcome(lambda request: as_floats(request).astype(np.int16), whole)[0] == "other numbers"
    copied = replace(LINE, attributes={"mode": "nearest"}, shapes=(((3,), (6,)),))

    def twice(request: Request) -> Any:
        return np.repeat(request.x, 2)

    def shifted(request: Request) -> Any:
        return np.roll(twice(request), 1)

    assert outcome(twice, copied)[0] == "works"
    assert outcome(shifted, copied) == ("other numbers", "3 of 6 samples")


def test_area_and_its_node() -> None:
    """Windows 0 1, 1 2, 2 3; ONNX has no such mode."""
    request = Request(np.array([1.0, 2.0, 3.0, 6.0]), (3,), None, {"mode": "area"})
    assert exact(request).tolist() == [1.5, 2.5, 4.5]
    with pytest.raises(NoSuchArgumentError, match="no mode area"):
        request.node()


def test_a_process_that_dies_or_hangs_takes_one_question_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    library = replace(LIBRARIES["scikit-image"], place="tests.peers.dying_library:answer")
    names = ["1 axis, linear", "1 axis, cubic", "1 axis, nearest"]
    answers = answers_from(library, names, seconds=20)
    assert [answers[name]["outcome"] for name in names] == ["works", "crashes", "crashes"]
    assert answers["1 axis, cubic"]["said"] == "its process ended with SIGABRT"
    assert answers["1 axis, nearest"]["said"] == "its process ended with SIGKILL"


def test_the_page_is_that_of_the_stored_answers() -> None:
    assert (ROOT / "docs" / "capabilities.md").read_text(encoding="utf-8") == page_of(STORED)
    assert (ROOT / "docs" / "capabilities.json").read_text(encoding="utf-8") == text_of(STORED)
    for name in STORED["versions"]:
        assert list(STORED["answers"][name]) == list(QUESTIONS), name


def test_halfpixel_refuses_only_area() -> None:
    refused = {name for name, record in STORED["answers"]["halfpixel"].items() if record["outcome"] != "works"}
    assert refused == {"area, whole windows", "area, windows that overlap"}


@pytest.mark.parametrize("library", STORED["versions"])
@pytest.mark.needs("module:onnx", "module:onnxruntime", "module:openvino", "module:torch", "module:cv2", "module:jax")
@pytest.mark.needs("module:PIL", "module:skimage")
def test_modes_and_coordinates_come_out_again(library: str) -> None:
    """The stored versions are those installed, and the libraries still do what the table says."""
    assert installed() == STORED["versions"]
    answers = answers_of(library, QUICK)
    stored = STORED["answers"][library]
    assert {name: answers[name]["outcome"] for name in QUICK} == {name: stored[name]["outcome"] for name in QUICK}
    for name in QUICK:
        assert answers[name].get("off", 0) == pytest.approx(stored[name].get("off", 0), rel=0.1)


def test_import_loads_no_library() -> None:
    code = (
        "import halfpixel.peers.capabilities, sys;"
        "print([name for name in ('torch','jax','cv2','PIL','onnx','onnxruntime','openvino','skimage')"
        " if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
