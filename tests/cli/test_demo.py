"""`halfpixel demo`: the page, the model, and the pictures on it."""

from __future__ import annotations

import base64
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import onnx
import pytest
from PIL import Image

from halfpixel.cli import demo_model, run
from tests.cli.commands import halfpixel


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a demo has been written."""
    place = tmp_path_factory.mktemp("demo")
    assert run(["demo", str(place / "page")]) == 0
    return place / "page"


def pictures(folder: Path) -> list[Image.Image]:
    text = (folder / "index.html").read_text()
    found = re.findall(r'src="data:image/png;base64,([^"]+)"', text)
    return [Image.open(io.BytesIO(base64.b64decode(one))) for one in found]


def test_it_says_where_the_page_is(tmp_path: Path) -> None:
    done = halfpixel("demo", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("agrees") == 7
    assert f"Open file://{tmp_path}/demo/index.html" in done.stdout


def test_the_page_needs_no_other_file(folder: Path) -> None:
    text = (folder / "index.html").read_text()
    assert re.findall(r'(?:src|href)="(?!data:)([^"]*)"', text) == ["model.onnx"]
    assert "url(" not in text
    assert "http" not in text
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "model.onnx"]


def test_the_page_is_well_formed(folder: Path) -> None:
    class Balance(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []
            self.alt_missing = 0

        def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag in ("rect", "circle", "line", "path")

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in ("meta", "img", "br", "input"):
                self.open.append(tag)
            if tag == "img" and not dict(attrs).get("alt"):
                self.alt_missing += 1

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    balance = Balance()
    balance.feed((folder / "index.html").read_text())
    assert balance.open == []
    assert balance.alt_missing == 0


def test_every_mode_with_and_without_antialias(folder: Path) -> None:
    sizes = [image.size for image in pictures(folder)]
    # The pair to drag; source and six of the zone plate; source and six of the photograph; grown; alpha; light.
    assert sizes == (
        [(240, 240)] * 2 + [(448, 448)] + [(168, 168)] * 6 + [(451, 300)] + [(169, 112)] * 6
        + [(340, 225)] * 3 + [(51, 51)] * 2 + [(140, 120)] + [(14, 12)] * 2
    )  # fmt: skip


def test_antialias_takes_the_false_rings_away(folder: Path) -> None:
    without, antialiased = pictures(folder)[:2]
    # A false centre at the left edge: loud without antialias, grey with it.
    spot = (slice(105, 135), slice(5, 35))
    assert np.array(without)[spot].std() > 30
    assert np.array(antialiased)[spot].std() < 10


def test_light_and_alpha_on_the_page(folder: Path) -> None:
    *_, weighted, plain, _, light, stored = pictures(folder)
    assert np.array(light)[6, 7].tolist() == [188, 188, 0]
    assert np.array(stored)[6, 7].tolist() in ([128, 127, 0], [127, 128, 0], [128, 128, 0])
    edge = (np.array(weighted)[..., 3] > 0) & (np.array(weighted)[..., 3] < 255)
    assert np.array(weighted)[edge][:, 1].max() <= 121
    assert np.array(plain)[edge][:, 1].max() > 150


def test_the_model_is_valid_and_agrees(folder: Path) -> None:
    model = onnx.load(folder / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    checks, whole = demo_model.check_model(model)
    assert [check.label for check in checks] == [
        "Resize-19", "DepthToSpace-13", "Resize-19", "SpaceToDepth-13", "Resize-19", "Resize-19",
    ]  # fmt: skip
    assert all(check.agrees for check in checks)
    assert whole < 1e-5


def test_a_difference_is_found_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = demo_model.backend.run_node

    def wrong(node: onnx.NodeProto, *arguments: object, **keywords: object) -> tuple[object, ...]:
        (value,) = real(node, *arguments, **keywords)
        return (value + (0.001 if node.name == "grow" else 0),)

    monkeypatch.setattr(demo_model.backend, "run_node", wrong)
    assert run(["demo", str(tmp_path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [one["node"] for one in data["checks"] if not one["agrees"]] == ["grow"]
    text = (tmp_path / "index.html").read_text()
    assert text.count("\N{BALLOT X} differs") == 1
    assert "a node differs from onnx's reference" in text
