"""`halfpixel resize`: files, folders, patterns, and what stays untouched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from halfpixel.cli import run
from tests.cli.commands import COMMAND, halfpixel, picture, samples

ROW = [[0, 100, 200, 255]]


def test_one_file(tmp_path: Path) -> None:
    picture(tmp_path / "in.png", ROW)
    done = halfpixel("resize", "in.png", "out.png", "--size", "2x1", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "in.png (4x1) -> out.png (2x1)\n"
    assert samples(tmp_path / "out.png") == [[62, 215]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--size 2x1 --no-antialias", [[50, 228]]),
        ("--size 2x1 --antialias", [[62, 215]]),
        ("--size 2x1 --mode nearest", [[0, 200]]),
        ("--size 2x1 --mode nearest --nearest-mode ceil", [[100, 255]]),
        ("--size 2x1 --exclude-outside", [[71, 209]]),
        ("--size 2x1 --linear-light --mode nearest", [[0, 200]]),
        # align_corners: the first and the last pixel.
        ("--size 2x1 --no-antialias --coordinate-transformation-mode align_corners", [[0, 255]]),
        # With a = 0 the two nearest pixels count one half each, the outer ones nothing.
        ("--scale 0.5x1 --no-antialias --mode cubic --cubic-coeff-a 0", [[50, 228]]),
        ("--scale 0.25 --length-rule ceil --mode nearest", [[100]]),
        ("--size 2x --no-antialias", [[50, 228]]),
        ("--size x1 --mode nearest", ROW),
        ("--fit 2x2 --no-antialias", [[50, 228]]),
        ("--fill 1x1 --mode nearest", [[100]]),
        ("--letterbox 2x3 --no-antialias", [[0, 0], [50, 228], [0, 0]]),
        ("--letterbox 2x2 --no-antialias --border 114", [[50, 228], [114, 114]]),
        ("--letterbox 2x1 --no-antialias --border 114", [[50, 228]]),
        ("--scales 1,0.5 --no-antialias", [[50, 228]]),
        ("--sizes 1,2 --no-antialias", [[50, 228]]),
        ("--sizes 2 --axes 1 --no-antialias", [[50, 228]]),
        ("--sizes 1,2 --no-antialias --version 18", [[50, 228]]),
        ("--sizes 1,2 --version 11", [[50, 228]]),
        ("--sizes 3,2 --keep-aspect-ratio-policy not_larger --no-antialias", [[50, 228]]),
    ],
)
def test_options(tmp_path: Path, options: str, expected: object) -> None:
    picture(tmp_path / "in.png", ROW)
    assert run(["resize", str(tmp_path / "in.png"), str(tmp_path / "out.png"), *options.split()]) == 0
    assert samples(tmp_path / "out.png") == expected


def test_crop_options(tmp_path: Path) -> None:
    picture(tmp_path / "in.png", [[10, 20, 30]])
    options = "--sizes 1,3 --no-antialias --coordinate-transformation-mode tf_crop_and_resize --roi 0,0.5,1,1.5"
    words = ["resize", str(tmp_path / "in.png"), str(tmp_path / "out.png"), *options.split()]
    assert run([*words, "--extrapolation-value", "99"]) == 0
    assert samples(tmp_path / "out.png") == [[20, 30, 99]]


def test_the_border_of_a_letterbox_is_opaque_and_no_palette_entry(tmp_path: Path) -> None:
    picture(tmp_path / "alpha.png", [[[10, 20, 30, 0], [10, 20, 30, 0]]])
    words = ["--letterbox", "2", "--border", "7", "--no-premultiply"]
    assert run(["resize", str(tmp_path / "alpha.png"), str(tmp_path / "out.png"), *words]) == 0
    assert samples(tmp_path / "out.png") == [[[10, 20, 30, 0]] * 2, [[7, 7, 7, 255]] * 2]
    indices = Image.fromarray(np.array([[0, 1]], np.uint8), "P")
    indices.putpalette([200, 100, 50, 1, 2, 3])
    indices.save(tmp_path / "palette.png")
    assert run(["resize", str(tmp_path / "palette.png"), str(tmp_path / "p.png"), *words, "--mode", "nearest"]) == 0
    assert samples(tmp_path / "p.png") == [[[200, 100, 50], [1, 2, 3]], [[7, 7, 7]] * 2]


def test_a_letterboxed_array(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.array([[[1.0, 3.0]], [[5.0, 7.0]]]))
    words = ["resize", str(tmp_path / "in.npy"), str(tmp_path / "out.npy"), "--letterbox", "2x3", "--border", "-2"]
    assert run(words) == 0
    assert np.load(tmp_path / "out.npy").tolist() == [[[-2, -2], [1, 3], [-2, -2]], [[-2, -2], [5, 7], [-2, -2]]]


def test_alpha_and_light_options(tmp_path: Path) -> None:
    picture(tmp_path / "in.png", [[[255, 0, 0, 255], [0, 255, 0, 0]]])
    picture(tmp_path / "light.png", [[0, 255]])
    assert run(["resize", str(tmp_path / "in.png"), str(tmp_path / "a.png"), "--size", "1"]) == 0
    assert samples(tmp_path / "a.png") == [[[255, 0, 0, 128]]]
    assert run(["resize", str(tmp_path / "in.png"), str(tmp_path / "b.png"), "--size", "1", "--no-premultiply"]) == 0
    assert samples(tmp_path / "b.png") == [[[128, 128, 0, 128]]]
    assert run(["resize", str(tmp_path / "light.png"), str(tmp_path / "c.png"), "--size", "1", "--linear-light"]) == 0
    assert samples(tmp_path / "c.png") == [[188]]


def test_arrays_by_axes(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.arange(4, dtype=np.int16).reshape(1, 1, 2, 2))
    words = ["resize", str(tmp_path / "in.npy"), str(tmp_path / "out.npy")]
    assert run([*words, "--scales", "1,2,1,1", "--mode", "nearest"]) == 0
    assert np.load(tmp_path / "out.npy").tolist() == [[[[0, 1], [2, 3]], [[0, 1], [2, 3]]]]
    assert run([*words, "--size", "1x1"]) == 0
    assert np.load(tmp_path / "out.npy").tolist() == [[[[2]]]]  # 1.5, half to even


def test_a_folder_keeps_its_places(tmp_path: Path) -> None:
    for place in ("a.png", "deep/er/b.jpg", "deep/c.tif"):
        picture(tmp_path / "in" / place, [[1, 2], [3, 4]])
    picture(tmp_path / "in" / ".hidden.png", [[1]])
    picture(tmp_path / "in" / ".git" / "d.png", [[1]])
    (tmp_path / "in" / "notes.txt").write_text("no picture")
    for _ in range(2):  # The second time the output folder, which lies in the input folder, is not read.
        done = halfpixel("resize", "in", "in/out", "--scale", "2", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "3 files resized\n")
    names = sorted(str(path.relative_to(tmp_path / "in/out")) for path in (tmp_path / "in/out").rglob("*.*"))
    assert names == ["a.png", "deep/c.tif", "deep/er/b.jpg"]


def test_several_files_and_patterns(tmp_path: Path) -> None:
    for name in ("a.png", "b.png", "sub/c.png"):
        picture(tmp_path / name, [[1]])
    assert halfpixel("resize", "a.png", "sub/*.png", "out", "--scale", "2", cwd=tmp_path).returncode == 0
    assert sorted(os.listdir(tmp_path / "out")) == ["a.png", "c.png"]
    assert halfpixel("resize", "**/*.png", "all", "--scale", "2", "--format", "webp", cwd=tmp_path).returncode == 2
    assert halfpixel("resize", "sub/**/*.png", "all", "--scale", "2", "--format", "webp", cwd=tmp_path).returncode == 0
    assert os.listdir(tmp_path / "all") == ["c.webp"]


def test_format_and_a_file_name(tmp_path: Path) -> None:
    picture(tmp_path / "in.png", [[1]])
    done = halfpixel("resize", "in.png", "out.webp", "--scale", "2", "--format", "webp", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "out.webp").is_file()) == (0, True)
    done = halfpixel("resize", "in.png", "out.jpg", "--scale", "2", "--format", "webp", cwd=tmp_path)
    assert done.returncode == 2
    assert "  given:   out.jpg, --format webp\n" in done.stderr


def test_a_slash_means_a_folder(tmp_path: Path) -> None:
    picture(tmp_path / "in.png", [[1]])
    assert halfpixel("resize", "in.png", "small.d/", "--scale", "2", cwd=tmp_path).returncode == 0
    assert os.listdir(tmp_path / "small.d") == ["in.png"]


def test_bad_files_are_reported_and_the_others_done(tmp_path: Path) -> None:
    picture(tmp_path / "in" / "good.png", ROW)
    (tmp_path / "in" / "bad.png").write_bytes(b"no picture at all")
    done = halfpixel("resize", "in", "missing.png", "nothing*.png", "out", "--scale", "1", "--json", cwd=tmp_path)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert [line for line in done.stderr.splitlines() if not line.startswith("  ")] == [
        "MediaError: [HP501] the file's content is of no kind that is read here",
        "MediaError: [HP500] the file cannot be opened",
        "MediaError: [HP510] the pattern matches no file",
    ]
    report = json.loads(done.stdout)
    assert report["resized"] == [
        {"input": "in/good.png", "output": "out/good.png", "before": [[4, 1]], "after": [[4, 1]]}
    ]
    assert [failed["input"] for failed in report["failed"]] == ["nothing*.png", "in/bad.png", "missing.png"]
    assert report["failed"][1]["error"]["code"] == "HP501"
    assert os.listdir(tmp_path / "out") == ["good.png"]


def test_counts_in_words(tmp_path: Path) -> None:
    picture(tmp_path / "good.png", ROW)
    done = halfpixel("resize", "good.png", "bad.png", "out", "--scale", "1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "1 file resized, 1 failed\n")


def test_a_request_that_does_not_fit_one_file_is_usage(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.zeros((2, 2)))
    done = halfpixel("resize", "in.npy", "out.npy", "--sizes", "1,2,3", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[:2] == [
        "SpecError: [HP106] 'sizes' has 3 values for 2 axes",
        "  given:   in.npy, sizes=[1, 2, 3], X of shape (2, 2)",
    ]


def test_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    done = halfpixel("resize", "in", "out", "--scale", "1", cwd=tmp_path)
    assert done.returncode == 3
    assert "[HP510] the folder has no file of a kind that is read here" in done.stderr


def test_same_output_twice_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    picture(tmp_path / "x" / "a.png", ROW)
    picture(tmp_path / "y" / "a.png", ROW)
    done = halfpixel("resize", "x", "y", "out", "--scale", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[:2] == [
        "UsageError: [HP601] two inputs would become the same output",
        "  given:   x/a.png and y/a.png, both out/a.png",
    ]
    picture(tmp_path / "x" / "a.jpg", ROW)
    assert halfpixel("resize", "x", "out", "--scale", "1", "--format", "webp", cwd=tmp_path).returncode == 2
    assert not (tmp_path / "out").exists()


def test_inputs_are_not_replaced_by_surprise(tmp_path: Path) -> None:
    source = picture(tmp_path / "a.png", ROW)
    os.symlink("a.png", tmp_path / "link.png")
    content = source.read_bytes()
    for target in ("a.png", "link.png", "."):
        done = halfpixel("resize", "a.png", target, "--scale", "0.5", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith("UsageError: [HP602] an output would replace an input\n")
    assert source.read_bytes() == content
    assert halfpixel("resize", "a.png", "a.png", "--size", "2x1", "--overwrite", cwd=tmp_path).returncode == 0
    assert samples(source) == [[62, 215]]


def test_an_input_is_never_replaced_by_another(tmp_path: Path) -> None:
    picture(tmp_path / "in" / "a.png", ROW)
    picture(tmp_path / "a.png", ROW)
    done = halfpixel("resize", "in/a.png", "a.png", ".", "--scale", "1", "--overwrite", cwd=tmp_path)
    assert done.returncode == 2
    picture(tmp_path / "b.png", ROW)
    done = halfpixel("resize", "in", "b.png", "in", "--scale", "1", "--overwrite", cwd=tmp_path)
    assert done.returncode == 0
    picture(tmp_path / "out" / "b.png", ROW)
    done = halfpixel("resize", "b.png", "out/b.png", "out", "--scale", "1", "--overwrite", cwd=tmp_path)
    assert done.returncode == 2


def test_several_inputs_and_a_file_name(tmp_path: Path) -> None:
    picture(tmp_path / "a.png", ROW)
    picture(tmp_path / "b.png", ROW)
    done = halfpixel("resize", "a.png", "b.png", "out.png", "--scale", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert "UsageError: [HP605] several inputs cannot become one file" in done.stderr
    assert "do:      name a folder: out/" in done.stderr


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("", "HP604"),
        ("--scale 2 --size 3", "HP604"),
        ("--scale big", "HP603"),
        ("--scale 2x3x4", "HP603"),
        ("--size 3x", "HP500"),
        ("--size x", "HP603"),
        ("--size 0x3", "HP603"),
        ("--size -3", "HP603"),
        ("--fit 3x", "HP603"),
        ("--fill 3y4", "HP603"),
        ("--letterbox 3", "HP500"),
        ("--letterbox 3x", "HP603"),
        ("--letterbox 3 --border nan", "HP114"),
        ("--fit 3 --border 1", "HP604"),
        ("--sizes 1.5,2", "HP603"),
        ("--scales 1,two", "HP603"),
        ("--scale 2 --roi a", "HP603"),
        ("--scale 2 --axes 0.5", "HP603"),
        ("--scale 2 --mode bilinear", "HP600"),
        ("--scale 2 --no-such-option", "HP600"),
        ("--scale 2 --quality 101", "HP600"),
        ("--scale 2 --threads 0", "HP600"),
        ("--scale 0", "HP107"),
        ("--scale nan", "HP107"),
        ("--scale 2 --version 12", "HP101"),
        ("--scale 2 --version 11 --antialias", "HP113"),
        ("--scale 2 --coordinate-transformation-mode tf_crop_and_resize", "HP117"),
        ("--scale 2 --coordinate-transformation-mode tf_half_pixel_for_nn", "HP113"),
        ("--scale 2 --mode cubic --cubic-coeff-a nan", "HP114"),
        ("--fit 3x3 --version 11", "HP113"),
        ("--letterbox 3x3 --version 11", "HP113"),
    ],
)
def test_wrong_requests_are_said_before_any_file_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: str, code: str
) -> None:
    # The input does not exist: a request that is right so far gets as far as opening it.
    result = run(["resize", str(tmp_path / "no.png"), str(tmp_path / "out.png"), *options.split()])
    error = capsys.readouterr().err
    assert f": [{code}] " in error.splitlines()[0]
    assert [line[:11] for line in error.splitlines()[1:]] == ["  given:   ", "  allowed: ", "  do:      "]
    assert result == (3 if code == "HP500" else 2)


def test_how_large_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resize", "a.png", "b.png"]) == 2
    assert capsys.readouterr().err == (
        "UsageError: [HP604] one option must say how large the result is\n"
        "  given:   none\n"
        "  allowed: one of --scale, --size, --fit, --fill, --letterbox, --scales, --sizes\n"
        "  do:      add one, such as --scale 0.5\n"
    )
    assert run(["resize", "a.png", "b.png", "--scale", "2", "--fit", "3x3"]) == 2
    assert capsys.readouterr().err == (
        "UsageError: [HP604] only one option can say how large\n"
        "  given:   --scale 2, --fit 3x3\n"
        "  allowed: one of --scale, --size, --fit, --fill, --letterbox, --scales, --sizes\n"
        "  do:      keep one of them\n"
    )


def test_limit_of_pixels(tmp_path: Path) -> None:
    picture(tmp_path / "in.png", ROW)
    done = halfpixel("resize", "in.png", "out.png", "--scale", "1", "--max-pixels", "3", cwd=tmp_path)
    assert done.returncode == 3
    assert "[HP504]" in done.stderr


def test_one_thread_gives_the_same_pixels(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (60, 80, 4))
    for name in ("a.png", "b.png", "c.png"):
        picture(tmp_path / "in" / name, noise.tolist())
    for threads in ("1", "3"):
        words = ["resize", "in", f"out{threads}", "--size", "33x21", "--threads", threads]
        assert halfpixel(*words, cwd=tmp_path).returncode == 0
    for name in ("a.png", "b.png", "c.png"):
        assert samples(tmp_path / "out1" / name) == samples(tmp_path / "out3" / name)


def begin_slow_write(folder: Path) -> subprocess.Popen[bytes]:
    """Start a resize whose output takes a while, and return when its file beside has begun."""
    noise = np.random.default_rng(0).integers(0, 256, (1500, 1500, 3)).astype(np.uint8)
    Image.fromarray(noise).save(folder / "in.png", compress_level=0)
    (folder / "out.png").write_bytes(b"old")
    words = [*COMMAND, "resize", "in.png", "out.png", "--scale", "2"]
    process = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not any(name.endswith(".part") for name in os.listdir(folder)):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.002)
    return process


def test_a_killed_process_leaves_no_half_file(tmp_path: Path) -> None:
    process = begin_slow_write(tmp_path)
    process.kill()
    process.communicate()
    assert (tmp_path / "out.png").read_bytes() == b"old"


def test_a_terminated_process_leaves_whole_files_only(tmp_path: Path) -> None:
    process = begin_slow_write(tmp_path)
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"Traceback" not in error
    assert sorted(os.listdir(tmp_path)) == ["in.png", "out.png"]
    content = (tmp_path / "out.png").read_bytes()
    if content != b"old":
        with Image.open(tmp_path / "out.png") as image:
            image.load()
            assert image.size == (3000, 3000)


def test_interrupt(tmp_path: Path) -> None:
    process = begin_slow_write(tmp_path)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in error
    assert sorted(os.listdir(tmp_path)) == ["in.png", "out.png"]
