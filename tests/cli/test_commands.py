"""The frame: help, version, info, mistakes on the command line, missing packages, pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from halfpixel.cli import run
from halfpixel.cli.values import factors, open_sides, real_numbers, sides, whole_numbers
from tests.cli.commands import COMMAND, halfpixel


def test_help_names_the_commands() -> None:
    done = halfpixel("--help")
    assert done.returncode == 0
    for command in ("resize", "demo", "schema", "bench", "info"):
        assert f" {command} " in done.stdout
    assert "2 usage" in done.stdout


def test_nothing_asked_is_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "Usage: halfpixel" in capsys.readouterr().out


def test_help_of_resize_shows_whole_option_names() -> None:
    # Typer cuts names that do not fit; 80 columns is what a pipe gets.
    text = halfpixel("resize", "--help", env={"COLUMNS": "80"}).stdout
    for name in ("coordinate-transformation-mode", "keep-aspect-ratio-policy", "extrapolation-value", "no-premultiply"):
        assert f"--{name} " in text
    assert "\N{HORIZONTAL ELLIPSIS}" not in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    import halfpixel as package

    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"halfpixel {package.__version__}\n"


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["operators"] == {
        "DepthToSpace": [1, 11, 13, 28],
        "Resize": [10, 11, 13, 18, 19],
        "SpaceToDepth": [1, 13, 28],
        "Upsample": [1, 7, 9, 10],
    }
    assert data["isa"] in data["available_isas"]
    assert data["formats"]["JPEG"]["colours"] == ["grey", "rgb", "cmyk"]
    assert data["extras"]["cli"] is True
    assert run(["info"]) == 0
    text = capsys.readouterr().out
    assert "Resize: 10, 11, 13, 18, 19" in text
    assert "WebP: suffixes: .webp; colours: grey, rgb; alpha: yes" in text


def test_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resise", "a"]) == 2
    error = capsys.readouterr().err.splitlines()
    assert error[0].startswith("UsageError: [HP600] No such command 'resise'")
    assert error[1:] == [
        "  given:   halfpixel resise a",
        "  allowed: halfpixel [OPTIONS] COMMAND [ARGS]...",
        "  do:      halfpixel --help",
    ]


def test_a_word_that_is_no_choice(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resize", "a.png", "b.png", "--mode", "bilinear"]) == 2
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.endswith("Invalid value for '--mode': 'bilinear' is not one of 'nearest', 'linear', 'cubic'")
    assert last == "  do:      halfpixel resize --help"


def test_a_missing_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resize"]) == 2
    assert capsys.readouterr().err.startswith("UsageError: [HP600] Missing ")


def test_a_wrong_environment_is_said_in_the_same_layout() -> None:
    done = halfpixel("info", env={"HALFPIXEL_ISA": "pentium"})
    assert done.returncode == 2
    assert done.stderr.startswith("SpecError: [HP")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("typer", ["info"]),
        ("rich", ["info"]),
        ("PIL", ["resize", "{photo}", "{out}/a.png", "--scale", "1"]),
        ("jinja2", ["demo", "{out}"]),
        ("imagecodecs", ["resize", "{deep}", "{out}/a.png", "--scale", "1"]),
        ("tifffile", ["resize", "{tiff}", "{out}/a.png", "--scale", "1"]),
        ("onnx", ["schema", "Resize"]),
    ],
)
def test_a_missing_package(tmp_path: Path, package: str, words: list[str]) -> None:
    import imagecodecs
    import numpy as np
    import tifffile

    from halfpixel.media.samples import PHOTOGRAPH

    (tmp_path / "deep.png").write_bytes(imagecodecs.png_encode(np.zeros((2, 2), np.uint16)))
    tifffile.imwrite(tmp_path / "t.tif", np.zeros((2, 2), np.uint8), photometric="minisblack")
    places = {"photo": PHOTOGRAPH, "out": tmp_path, "deep": tmp_path / "deep.png", "tiff": tmp_path / "t.tif"}
    filled = [word.format(**places) for word in words]
    code = f"import sys; sys.modules[{package!r}] = None\nfrom halfpixel.cli import run\nsys.exit(run({filled!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("MissingExtraError: [HP900] ")
    assert f"pip install halfpixel[{'onnx' if package == 'onnx' else 'cli'}]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_mistake() -> None:
    process = subprocess.Popen(
        [*COMMAND, "schema", "Resize", "--examples"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait(timeout=60)


def test_values() -> None:
    assert sides("--fit", "800x600") == (800, 600)
    assert sides("--fit", "224") == (224, 224)
    assert sides("--fit", None) is None
    assert open_sides("--size", "800X") == (800, None)
    assert open_sides("--size", "x600") == (None, 600)
    assert factors("--scale", "0.5") == (0.5, 0.5)
    assert factors("--scale", "0.5x2") == (0.5, 2.0)
    assert whole_numbers("--sizes", "1,3") == (1, 3)
    assert whole_numbers("--axes", "") == ()
    assert real_numbers("--scales", "1,.5") == (1.0, 0.5)
    assert real_numbers("--scales", None) is None


def test_a_value_that_is_not_of_its_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resize", "a", "b", "--fit", "wide"]) == 2
    assert capsys.readouterr().err == (
        "UsageError: [HP603] the value of --fit is not of its form\n"
        "  given:   --fit wide\n"
        "  allowed: WIDTHxHEIGHT in pixels, such as 800x600; 224 is 224x224\n"
        "  do:      write it in this form\n"
    )
