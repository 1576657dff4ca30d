"""`halfpixel check`: words, JSON, SARIF, JUnit XML, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from importlib.metadata import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from halfpixel.cli import run
from halfpixel.models.check import RULES

from .builders import chain, in_function, in_if, resize
from .check_models import line

pytestmark = [pytest.mark.needs("module:onnx"), pytest.mark.needs("module:onnx_ir")]

ERROR_WARNING_NOTE = {"sizes": 4, "opset": 13, "antialias": 1, "extrapolation_value": 1.0}
"""Of a nearest Resize: an attribute of a later version, one without effect, one of another mode."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, model: Any) -> str:
    """Write a model; return its name."""
    path.write_bytes(model.SerializeToString())
    return path.name


def test_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "model.onnx", line(8, sizes=4, antialias=1, name="shrink"))
    assert run(["check", model]) == 1
    assert capsys.readouterr().out == (
        "shrink\n"
        "  warning HPM005: antialias on nearest\n"
        "    antialias has no effect in nearest; onnxruntime and onnx.reference refuse the node\n"
        '    given:   antialias=1, mode="nearest"\n'
        "    allowed: antialias with linear or cubic\n"
        "    do:      remove antialias, or take linear or cubic\n"
        "    page:    docs/rules/HPM005.md\n"
        "\n"
        "1 resize-like node: 1 warning\n"
    )


def test_a_clean_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "model.onnx", chain(resize(), resize(mode="linear")))
    assert run(["check", model]) == 0
    assert capsys.readouterr().out == "2 resize-like nodes: no findings\n"


def test_a_node_in_a_subgraph_is_named_with_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "model.onnx", in_if(resize(name="up", antialias=1)))
    assert run(["check", model]) == 1
    assert capsys.readouterr().out.startswith("If_3.then_branch/up\n")


def test_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "model.onnx", line(8, **ERROR_WARNING_NOTE))
    assert run(["check", model]) == 1
    assert capsys.readouterr().out.endswith("\n1 resize-like node: 1 error, 1 warning, 1 note\n")


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        (ERROR_WARNING_NOTE, {"note": 1, "warning": 1, "error": 1, "never": 0}),
        ({"sizes": 4, "antialias": 1}, {"note": 1, "warning": 1, "error": 0, "never": 0}),
        ({"sizes": 4, "extrapolation_value": 1.0}, {"note": 1, "warning": 0, "error": 0, "never": 0}),
        ({"sizes": 4}, {"note": 0, "warning": 0, "error": 0, "never": 0}),
    ],
)
def test_fail_on(folder: Path, settings: dict[str, Any], codes: dict[str, int]) -> None:
    model = write(folder / "model.onnx", line(8, **settings))
    assert {severity: run(["check", model, "--fail-on", severity]) for severity in codes} == codes
    assert run(["check", model]) == codes["warning"]


def test_ignore(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "model.onnx", line(8, **ERROR_WARNING_NOTE))
    assert run(["check", model, "--ignore", "HPM010,HPM005", "--ignore", "HPM009"]) == 0
    assert capsys.readouterr().out.endswith("no findings\n")


def test_targets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "model.onnx", line(9, sizes=4, antialias=1, exclude_outside=1, mode="linear"))
    assert run(["check", model, "--target", "openvino", "--target", "tensorrt,onnxruntime", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(one["target"], one["rule"]) for one in found] == [("tensorrt", "HPM021"), ("openvino", "HPM022")]
    assert "not measured: docs/operators.md of onnx-tensorrt" in found[0]["allowed"]


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "model.onnx", in_function(resize(name="up", antialias=1)))
    assert run(["check", model, "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "model": "model.onnx",
        "nodes": [{"scope": ["function pkg::Grow"], "name": "up"}],
        "findings": [
            {
                "rule": "HPM005",
                "severity": "warning",
                "node": "up",
                "scope": ["function pkg::Grow"],
                "sentence": "antialias has no effect in nearest; onnxruntime and onnx.reference refuse the node",
                "given": 'antialias=1, mode="nearest"',
                "allowed": "antialias with linear or cubic",
                "do": "remove antialias, or take linear or cubic",
                "page": "docs/rules/HPM005.md",
                "target": None,
            }
        ],
    }


def test_sarif(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(folder / "my model.onnx", line(8, name="shrink", **ERROR_WARNING_NOTE))
    assert run(["check", model, "--sarif", "out/check.sarif", "--ignore", "HPM022"]) == 1
    log = json.loads((folder / "out" / "check.sarif").read_text())
    check_sarif(log)
    (one_run,) = log["runs"]
    assert [rule["id"] for rule in one_run["tool"]["driver"]["rules"]] == [rule for rule in RULES if rule != "HPM022"]
    results = one_run["results"]
    assert [(one["ruleId"], one["level"]) for one in results] == [
        ("HPM005", "warning"),
        ("HPM009", "note"),
        ("HPM010", "error"),
    ]
    assert results[2]["message"]["text"].splitlines()[0] == "Resize-13 has no antialias: it came with Resize-18"
    (location,) = results[0]["locations"]
    assert unquote(location["physicalLocation"]["artifactLocation"]["uri"]) == "my model.onnx"
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "shrink"
    assert results[0]["properties"] == {"page": "docs/rules/HPM005.md"}


def check_sarif(log: dict[str, Any]) -> None:
    """What SARIF 2.1.0 asks of the parts that are written: sections 3.13, 3.14, 3.19, 3.49, 3.27, 3.28, 3.33, 3.4."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    assert log["$schema"].startswith("https://")
    levels = {"none", "note", "warning", "error"}
    for one_run in log["runs"]:
        driver = one_run["tool"]["driver"]
        assert isinstance(driver["name"], str)
        rules = driver["rules"]
        assert max(Counter(rule["id"] for rule in rules).values()) == 1
        for rule in rules:
            assert rule["shortDescription"]["text"]
            assert rule["defaultConfiguration"]["level"] in levels
            assert "helpUri" not in rule or urlsplit(rule["helpUri"]).scheme
        for result in one_run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in levels
            assert result["message"]["text"]
            for location in result["locations"]:
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                assert not set(uri) & set(' <>"{}|\\^`')
                for logical in location["logicalLocations"]:
                    assert logical["fullyQualifiedName"].endswith(logical["name"])


def test_junit(folder: Path) -> None:
    built = [resize(name="first", antialias=1), resize(name="second"), resize(name="third", extrapolation_value=1.0)]
    model = write(folder / "model.onnx", chain(*built))
    assert run(["check", model, "--junit", "check.xml"]) == 1
    (suite,) = ET.parse(folder / "check.xml").getroot()
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "3", "1")
    cases = list(suite)
    assert [case.get("name") for case in cases] == ["first", "second", "third"]
    (failure,) = cases[0]
    assert failure.tag == "failure"
    assert failure.get("type") == "HPM005"
    assert "do: remove antialias" in str(failure.text)
    assert [len(case) for case in cases[1:]] == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--target", "ort"], 2, "onnxruntime, openvino, onnx-reference"),
        (["--ignore", "HPM1"], 2, "HPM001, HPM002"),
        (["--fail-on", "fatal"], 2, "'note', 'warning', 'error', 'never'"),
        (["--sarif", "model.onnx/out.sarif"], 3, "HP507"),
    ],
)
def test_mistakes(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    model = write(folder / "model.onnx", line(8, sizes=4))
    assert run(["check", model, *arguments]) == code
    assert words in capsys.readouterr().err


def test_a_file_that_is_no_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "model.onnx").write_bytes(b"not a model")
    assert run(["check", "model.onnx"]) == 3
    assert capsys.readouterr().err.startswith("ModelError: [HP")


def test_nothing_is_imported_that_is_not_needed() -> None:
    """The detector in a process of its own: no runtime, no framework, no other command."""
    place = files("rapidocr-onnxruntime") or []
    (path,) = [one.locate() for one in place if one.name == "ch_PP-OCRv4_det_infer.onnx"]
    code = (
        "import sys; from halfpixel.cli import run; code = run(sys.argv[1:]); "
        "names = ('onnxruntime', 'torch', 'openvino', 'jax', 'PIL', 'scipy', 'halfpixel.cli.bench', "
        "'halfpixel.peers.speed', 'rich.markdown', 'jinja2'); "
        "print([name for name in names if name in sys.modules], code)"
    )
    done = subprocess.run([sys.executable, "-c", code, "check", str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["6 resize-like nodes: no findings", "[] 0"]
