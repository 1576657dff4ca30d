"""Whole models on halfpixel's operators: as a function, as a command, from array files and pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper
from PIL import Image, ImageDraw, ImageFont

from halfpixel import MediaError, ModelError, SpecError, models
from halfpixel.cli import run as command
from halfpixel.media.picture import Picture
from halfpixel.models.files_of_arrays import as_input, read_inputs, write_outputs
from tests.cli.commands import halfpixel
from tests.models import builders
from tests.models.test_ls import detector

X = np.array([[[[1, 2], [3, 4]]]], np.float32)
Y = [[[[1, 1.25, 1.75, 2], [1.5, 1.75, 2.25, 2.5], [2.5, 2.75, 3.25, 3.5], [3, 3.25, 3.75, 4]]]]
"""X twice as large in mode linear."""


def linear(opset: int = 13, **settings: Any) -> builders.Node:
    settings.setdefault("x_shape", (1, 1, "h", "w"))
    return builders.resize(opset, mode="linear", **settings)


@pytest.mark.parametrize(
    "model",
    [
        builders.model_of(linear()),
        builders.model_of(linear(sizes="computed")),
        builders.model_of(linear(scales="computed")),
        builders.in_function(linear()),
    ],
)
def test_run(model: onnx.ModelProto) -> None:
    assert {name: value.tolist() for name, value in models.run(model, {"X": X}).items()} == {"Y": Y}


def test_run_with_what_the_caller_passes() -> None:
    model = builders.model_of(linear(scales="passed"))
    assert models.run(model, {"X": X, "scales": np.float32([1, 1, 2, 2])})["Y"].tolist() == Y


def test_run_in_subgraphs() -> None:
    inputs = {"X": X, "condition": np.array(True)}
    assert models.run(builders.in_if(linear()), inputs)["Y"].tolist() == Y
    assert models.run(builders.in_if(linear()), inputs | {"condition": np.array(False)})["Y"].tolist() == X.tolist()
    assert models.run(builders.in_loop(linear()), {"X": X})["stacked"].tolist() == [Y, Y]


def test_every_kind_of_source(tmp_path: Path) -> None:
    message = builders.model_of(linear())
    content = message.SerializeToString()
    path = builders.with_external_data(message, tmp_path / "model.onnx")
    for source in (path, str(path), content, models.load(path), models.load(content).ir):
        assert models.run(source, {"X": X})["Y"].tolist() == Y


def test_the_detector_as_onnxruntime_runs_it() -> None:
    picture = Image.new("L", (320, 96), 255)
    ImageDraw.Draw(picture).text((20, 20), "halfpixel", fill=0, font=ImageFont.load_default(48))
    x = np.broadcast_to(np.asarray(picture, np.float32) / 128 - 1, (1, 3, 96, 320)).copy()
    session = onnxruntime.InferenceSession(detector(), providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, {"x": x})
    ((name, found),) = models.run(detector(), {"x": x}).items()
    assert name == session.get_outputs()[0].name
    assert found.shape == (1, 1, 96, 320)
    assert np.abs(found - expected).max() < 1e-4
    assert (found > 0.5).any()  # it finds the word
    assert (found < 0.1).any()


def test_a_model_that_declares_lengths_of_minus_one() -> None:
    model = detector().with_name("ch_ppocr_mobile_v2.0_cls_infer.onnx")
    x = np.random.default_rng(1).standard_normal((1, 3, 48, 192)).astype(np.float32)
    (expected,) = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"x": x})
    (found,) = models.run(model, {"x": x}).values()
    assert np.abs(found - expected).max() < 1e-5


@pytest.mark.parametrize(
    ("inputs", "given", "allowed"),
    [
        ({}, "no X", "X (float32, 1x1xhxw)"),
        ({"X": X, "Z": X}, "an input named 'Z'", "X (float32, 1x1xhxw)"),
        ({"X": X.astype(np.float64)}, "X of float64", "X of float32"),
        ({"X": X[0]}, "X of shape 1x2x2", "X of shape 1x1xhxw"),
        ({"X": np.concatenate([X, X], 1)}, "X of shape 1x2x2x2", "X of shape 1x1xhxw"),
    ],
)
def test_inputs_that_are_not_the_models(inputs: dict[str, Any], given: str, allowed: str) -> None:
    with pytest.raises(ModelError, match="HP404") as caught:
        models.run(builders.model_of(linear()), inputs)
    assert (caught.value.given, caught.value.allowed) == (given, allowed)


def test_an_input_with_an_initializer_may_be_left_out() -> None:
    model = builders.model_of(linear())
    model.graph.input.append(helper.make_tensor_value_info("scales", TensorProto.FLOAT, [4]))
    assert models.run(model, {"X": X})["Y"].tolist() == Y
    passed = models.run(model, {"X": X, "scales": np.float32([1, 1, 1, 1])})
    assert passed["Y"].tolist() == X.tolist()


def test_errors_of_the_operators_and_of_others() -> None:
    with pytest.raises(SpecError, match="HP105"):
        models.run(builders.model_of(linear(scales=[2, 2])), {"X": X})
    model = builders.model_of(linear())
    model.graph.node[0].op_type = "NoSuchOperator"
    with pytest.raises(ModelError, match="HP401"):
        models.run(model, {"X": X})


@pytest.mark.parametrize(("x_type", "dtype"), [(TensorProto.STRING, object), (TensorProto.STRING, "<U1")])
def test_strings(x_type: int, dtype: Any) -> None:
    model = builders.model_of(builders.resize(13, x_shape=(2,), scales=[2], x_type=x_type))
    assert models.run(model, {"X": np.array(["a", "b"], dtype)})["Y"].tolist() == ["a", "a", "b", "b"]


def test_bfloat16_through_files(tmp_path: Path) -> None:
    import ml_dtypes

    model = builders.model_of(builders.resize(13, x_shape=(2,), scales=[2], x_type=TensorProto.BFLOAT16))
    np.save(tmp_path / "x.npy", np.array([1.5, -2], ml_dtypes.bfloat16))
    declared = {"X": model.graph.input[0]}
    outputs = models.run(model, read_inputs([("X", tmp_path / "x.npy")], declared))
    assert outputs["Y"].astype(float).tolist() == [1.5, 1.5, -2, -2]
    write_outputs(outputs, tmp_path / "y.npz")
    again = np.load(tmp_path / "y.npz")["Y"]
    assert again.view(ml_dtypes.bfloat16).astype(float).tolist() == [1.5, 1.5, -2, -2]


def info(shape: Any, kind: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info("X", kind, shape)


RGB = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((1, 3, "h", "w"), RGB.transpose(2, 0, 1)[None]),
        ((None, None, None, None), RGB.transpose(2, 0, 1)[None]),
        ((1, "h", "w", 3), RGB[None]),
        ((3, "h", "w"), RGB.transpose(2, 0, 1)),
        ((2, 4, 3), RGB),
    ],
)
def test_a_picture_as_the_model_declares_it(shape: Any, expected: Any) -> None:
    found = as_input(Picture(RGB, "rgb"), info(shape, TensorProto.UINT8), Path("p.png"))
    assert found.dtype == np.uint8
    assert found.tolist() == expected.tolist()


def test_a_picture_of_floating_point() -> None:
    samples = np.array([[[0], [51], [255]]], np.uint8)
    found = as_input(Picture(samples, "grey"), info((1, 1, "h", "w")), Path("p.png"))
    assert found.dtype == np.float32
    assert found.tolist() == [[[[0, np.float32(0.2), 1]]]]
    deep = as_input(Picture(samples.astype(np.uint16) * 257, "grey"), info(("h", "w")), Path("p.png"))
    assert deep.tolist() == [[0, np.float32(0.2), 1]]


@pytest.mark.parametrize(
    ("shape", "kind"),
    [((1, 4, "h", "w"), TensorProto.FLOAT), ((1, 3, 7, 7), TensorProto.FLOAT), ((1, 3, "h", "w"), TensorProto.INT64),
     (None, TensorProto.FLOAT), ((3,), TensorProto.FLOAT)],
)  # fmt: skip
def test_a_picture_that_is_no_such_input(shape: Any, kind: int) -> None:
    with pytest.raises(ModelError, match="HP418"):
        as_input(Picture(RGB, "rgb"), info(shape, kind), Path("p.png"))


def test_inputs_from_files(tmp_path: Path) -> None:
    declared = {"a": info((2,)), "b": info((2,))}
    one, two = np.float32([1, 2]), np.float32([3, 4])
    np.save(tmp_path / "a.npy", one)
    np.savez(tmp_path / "both.npz", a=one, b=two)
    np.savez(tmp_path / "single.npz", whatever=two)
    found = read_inputs([("a", tmp_path / "a.npy"), ("b", tmp_path / "single.npz")], declared)
    assert {name: value.tolist() for name, value in found.items()} == {"a": [1, 2], "b": [3, 4]}
    found = read_inputs([("", tmp_path / "both.npz")], declared)
    assert {name: value.tolist() for name, value in found.items()} == {"a": [1, 2], "b": [3, 4]}
    assert read_inputs([("", tmp_path / "a.npy")], {"only": info((2,))})["only"].tolist() == [1, 2]
    with pytest.raises(ModelError, match="HP404"):
        read_inputs([("", tmp_path / "a.npy")], declared)
    with pytest.raises(ModelError, match="HP418"):
        read_inputs([("a", tmp_path / "both.npz")], declared)
    with pytest.raises(MediaError, match="HP500"):
        read_inputs([("a", tmp_path / "missing.npy")], declared)
    Image.fromarray(RGB).save(tmp_path / "p.png")
    with pytest.raises(ModelError, match="HP404"):
        read_inputs([("z", tmp_path / "p.png")], declared)
    frames = [Image.fromarray(RGB), Image.fromarray(RGB)]
    frames[0].save(tmp_path / "p.tiff", save_all=True, append_images=frames[1:])
    with pytest.raises(ModelError, match="HP418"):
        read_inputs([("a", tmp_path / "p.tiff")], declared)


def test_a_pickle_is_not_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([{"a": 1}], object), allow_pickle=True)
    with pytest.raises(MediaError, match="HP502"):
        read_inputs([("X", tmp_path / "x.npy")], {"X": info((1,))})


def test_outputs_of_every_kind(tmp_path: Path) -> None:
    outputs = {"file": X, "words": np.array(["a", "bc"], object), "parts": [X, X[0]], "a/b": np.float32(3)}
    write_outputs(outputs, tmp_path / "new" / "y.npz")
    with np.load(tmp_path / "new" / "y.npz", allow_pickle=False) as found:
        assert {name: found[name].tolist() for name in found} == {
            "file": X.tolist(), "words": ["a", "bc"], "parts.0": X.tolist(), "parts.1": X[0].tolist(), "a/b": 3,
        }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.onnx").write_bytes(builders.model_of(linear(x_shape=(1, 3, "h", "w"))).SerializeToString())
    np.save(tmp_path / "x.npy", np.broadcast_to(X, (1, 3, 2, 2)))
    Image.fromarray(RGB).save(tmp_path / "x.png")
    return tmp_path


def test_the_command(folder: Path) -> None:
    done = halfpixel("run", "model.onnx", "--input", "X=x.npy", "--output", "out.npz", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    head, row = done.stdout.splitlines()
    assert head.split() == ["output", "shape", "type", "least", "greatest", "mean"]
    assert row.split() == ["Y", "1x3x4x4", "float32", "1.0", "4.0", "2.5"]
    assert np.load(folder / "out.npz")["Y"].tolist() == np.broadcast_to(Y, (1, 3, 4, 4)).tolist()


def test_the_command_on_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["run", str(folder / "model.onnx"), "-i", str(folder / "x.png"), "--json"]) == 0
    (summary,) = json.loads(capsys.readouterr().out)
    assert (summary["output"], summary["shape"], summary["type"]) == ("Y", [1, 3, 4, 8], "float32")
    assert (summary["least"], summary["greatest"]) == (0, pytest.approx(23 / 255))


def test_the_command_summarises_what_has_no_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built = builders.resize(13, x_shape=(2,), scales=[2], x_type=TensorProto.STRING)
    (tmp_path / "m.onnx").write_bytes(builders.model_of(built).SerializeToString())
    np.save(tmp_path / "x.npy", np.array(["a", "b"]))
    assert command(["run", str(tmp_path / "m.onnx"), "-i", f"X={tmp_path / 'x.npy'}"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["Y", "4", "string", "-", "-", "-"]


def test_mistakes_on_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(folder / "model.onnx")
    assert command(["run"]) == 2
    for arguments in (["-o", "out.npy"], ["-i", "=x.npy"], ["-i", "X="]):
        assert command(["run", model, *arguments]) == 2, arguments
        assert "HP603" in capsys.readouterr().err
    assert command(["run", model]) == 3
    assert "X (float32, 1x3xhxw)" in capsys.readouterr().err
    assert command(["run", model, "-i", f"X={folder / 'missing.npy'}"]) == 3
    assert "HP500" in capsys.readouterr().err
