"""The table of resize-like nodes: as Python, as text, as JSON."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from halfpixel import ModelError, models
from halfpixel.cli import run
from halfpixel.models.inventory import Entry, multiply_adds
from halfpixel.spec.resize import resize_spec
from tests.cli.commands import halfpixel
from tests.models import builders


def entry(built: builders.Node) -> Entry:
    (found,) = models.ls(builders.model_of(built))
    return found


def detector() -> Path:
    """The text detector in the package rapidocr-onnxruntime, of which no code is run."""
    spec = importlib.util.find_spec("rapidocr_onnxruntime")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("models") / "ch_PP-OCRv4_det_infer.onnx"


def test_an_entry_in_full() -> None:
    found = entry(builders.resize(13, name="grow", mode="linear", x_shape=(1, 3, 32, 32)))
    assert found == Entry(
        name="grow",
        scope=(),
        op_type="Resize",
        opset=13,
        version=13,
        mode="linear",
        coordinate_transformation_mode="half_pixel",
        nearest_mode="round_prefer_floor",
        antialias=False,
        given="scales",
        values=(1.0, 1.0, 2.0, 2.0),
        source="initializer",
        axes=None,
        element_type="float32",
        in_shape=(1, 3, 32, 32),
        out_shape=(1, 3, 64, 64),
        # 3 * 64 * 32 samples of 2 taps, then 3 * 64 * 64 of 2 taps
        multiply_adds=36_864,
        # 3 * 32 * 32 + 3 * 64 * 64 samples of 4 bytes
        bytes=61_440,
        risks=(),
    )
    assert json.loads(json.dumps(found.as_data()))["out_shape"] == [1, 3, 64, 64]


def test_defaults_are_those_of_the_version() -> None:
    old = entry(builders.resize(10))
    assert (old.mode, old.coordinate_transformation_mode, old.nearest_mode) == ("nearest", None, None)
    up = entry(builders.upsample(1, scales=(1, 1, 2, 3)))
    assert (up.mode, up.values, up.source, up.out_shape) == ("nearest", (1, 1, 2, 3), "attribute", (1, 2, 8, 18))
    deep = entry(builders.rearrange("DepthToSpace", 11))
    assert (deep.mode, deep.given, deep.values, deep.source) == ("DCR", "blocksize", (2,), "attribute")
    assert (deep.multiply_adds, deep.bytes) == (0, 2 * 48 * 4)


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ({"mode": "nearest"}, 0),
        # 200 x 100 -> 100 x 50: 100 * 100 then 100 * 50 outputs, of 4 taps
        ({"mode": "cubic"}, 4 * (100 * 100 + 100 * 50)),
        # the widened filters have 8 taps
        ({"mode": "cubic", "antialias": True}, 8 * (100 * 100 + 100 * 50)),
        ({"mode": "linear", "antialias": True}, 4 * (100 * 100 + 100 * 50)),
    ],
)
def test_multiply_adds(keywords: dict[str, Any], expected: int) -> None:
    assert multiply_adds(resize_spec((200, 100), [0.5, 0.5], **keywords)) == expected


def test_multiply_adds_of_axes_in_the_better_order() -> None:
    # 10 x 10 -> 40 x 5: the axis that shrinks first, 10 * 5 * 2, then 40 * 5 * 2
    assert multiply_adds(resize_spec((10, 10), [4, 0.5], mode="linear")) == 500
    assert multiply_adds(resize_spec((10, 10), [1, 2], mode="linear")) == 400
    assert multiply_adds(resize_spec((10, 10), [0.7, 1], mode="linear", antialias=True)) == 6 * 10 * 3
    assert multiply_adds(resize_spec((0, 10), [2, 2], mode="linear")) == 0


@pytest.mark.parametrize(
    ("built", "risk"),
    [
        (builders.resize(13, scales="passed"), "scales of the run"),
        (builders.resize(13, sizes="passed"), "sizes of the run"),
        (builders.upsample(13), "Upsample is deprecated since opset 10"),
        (builders.resize(13, mode="linear", scales=[1, 1, 0.25, 0.5]), "shrinks by 4 without antialias"),
        (
            builders.resize(13, x_shape=(1, 1, 86, 86), scales=[1, 1, 256 / 86, 1]),
            "a product in float32 gives 1x1x256x86, the exact one 1x1x255x86",
        ),
        (builders.resize(13, antialias=1), "Resize-13 has no 'antialias': it came with Resize-18 (HP113)"),
        (builders.resize(13, scales=[1, 1, 2]), "'scales' has 3 values for 4 axes (HP105)"),
        (builders.upsample(9, scales=[1, 1, 0.5, 1]), "Upsample-9 only grows: a scale is below 1 (HP108)"),
        (builders.resize(11, x_type=16), "Resize-11 does not take bfloat16 (HP201)"),
        (builders.resize(13, x_type=8, mode="linear"), "Resize-13 cannot average strings (HP202)"),
    ],
)
def test_risks(built: builders.Node, risk: str) -> None:
    assert risk in entry(built).risks


@pytest.mark.parametrize(
    "built",
    [
        builders.resize(18, mode="linear", scales=[1, 1, 0.25, 0.5], antialias=1),
        builders.resize(13, mode="linear", scales=[1, 1, 0.5, 0.5]),
        builders.resize(13, scales=[1, 1, 0.25, 0.25]),
        builders.resize(11),
        builders.resize(10),
        builders.upsample(9),
        builders.rearrange("SpaceToDepth"),
    ],
)
def test_nothing_to_look_at(built: builders.Node) -> None:
    assert entry(built).risks == ()


def test_a_declared_length_that_is_not_the_standards() -> None:
    model = builders.model_of(builders.resize(13, x_shape=(1, 1, 5, 5)), y_shape=(1, 1, 11, 10))
    (found,) = models.ls(model)
    assert found.risks == ("the model declares 1x1x11x10, the standard gives 1x1x10x10",)
    assert found.out_shape == (1, 1, 10, 10)


def test_the_attribute_of_a_function_that_its_caller_passes() -> None:
    (found,) = models.ls(builders.in_function(builders.resize(19), references={"mode": None}))
    assert found.risks == ("mode comes from the caller of the function",)
    assert found.scope == ("function pkg::Grow",)


def test_shapes_that_the_model_leaves_open() -> None:
    model = builders.chain(builders.resize(13, x_shape=("n", 2, "h", "w")), builders.resize(13, sizes="computed"))
    before = model.SerializeToString()
    assert models.ls(model)[0].in_shape == ("n", 2, "h", "w")
    assert models.ls(model)[1].values is None
    found = models.ls(model, {"X": (1, 2, 5, 7)})
    assert [one.out_shape for one in found] == [(1, 2, 10, 14), (1, 2, 20, 28)]
    held = models.load(model)
    assert models.ls(held, {"X": (1, 2, 5, 7)})[1].values == (1, 2, 20, 28)
    assert held.ir.graph.inputs[0].shape[2] != 5  # type: ignore[index]
    assert model.SerializeToString() == before
    with pytest.raises(ModelError, match="HP404") as caught:
        models.ls(model, {"Z": (1,)})
    assert caught.value.allowed == "X"


def test_the_detector() -> None:
    found = models.ls(detector(), {"x": (1, 3, 736, 1280)})
    assert [one.name for one in found] == [f"p2o.Resize.{i}" for i in range(6)]
    for one in found:
        assert (one.opset, one.version, one.mode, one.element_type) == (12, 11, "nearest", "float32")
        assert (one.coordinate_transformation_mode, one.nearest_mode) == ("asymmetric", "floor")
        assert (one.given, one.source, one.risks) == ("scales", "constant", ())
    scales = [one.values[2] for one in found if one.values is not None]
    assert scales == [2, 2, 2, 8, 4, 2]
    assert [one.in_shape for one in found] == [
        (1, 96, 23, 40),
        (1, 96, 46, 80),
        (1, 96, 92, 160),
        (1, 24, 23, 40),
        (1, 24, 46, 80),
        (1, 24, 92, 160),
    ]
    assert found[5].out_shape == (1, 24, 184, 320)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    built = builders.resize(19, name="grow", sizes=[8, 12], axes=[2, 3], mode="linear", x_shape=(1, 3, 4000, 600))
    path.write_bytes(builders.in_if(built).SerializeToString())
    return path


def test_the_command(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ls", str(model)]) == 0
    head, row = capsys.readouterr().out.splitlines()
    words = "node where operator mode coordinates given type shapes multiply-adds bytes risks"
    assert head.split() == words.split()
    cells = [cell.strip() for cell in row.split("   ") if cell.strip()]
    assert cells == [
        "grow",
        "If_3.then_branch",
        "Resize-19 (opset 19)",
        "linear",
        "half_pixel",
        "sizes 8,12 on axes 2,3 (initializer)",
        "float32",
        "1x3x4000x600 -> 1x3x8x12",
        "29.4k",
        "28.8M",
        "shrinks by 500 without antialias",
    ]


def test_the_command_with_shapes_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ls", str(detector()), "--shape", "x=1x3x736x1280", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["out_shape"] for one in data][:2] == [[1, 96, 46, 80], [1, 96, 92, 160]]
    assert list(data[0]) == list(Entry.__dataclass_fields__)


def test_the_command_on_a_model_without_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = builders.model_of(builders.resize(13))
    model.graph.node[0].op_type = "Relu"
    del model.graph.node[0].input[1:]
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    assert run(["ls", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: no resize-like nodes\n"
    assert run(["ls", str(path), "--json"]) == 0
    assert capsys.readouterr().out == "[]\n"


def test_mistakes_on_the_command_line(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ls"]) == 2
    assert run(["ls", str(tmp_path / "missing.onnx")]) == 3
    assert "HP405" in capsys.readouterr().err
    for shape in ("x", "x=", "=1x2", "x=1xtwo", "x=-1"):
        assert run(["ls", str(model), "--shape", shape]) == 2, shape
        assert "HP603" in capsys.readouterr().err
    assert run(["ls", str(model), "--shape", "z=1x2"]) == 3
    assert "HP404" in capsys.readouterr().err


def test_a_process_of_its_own(model: Path) -> None:
    done = halfpixel("ls", model)
    assert (done.returncode, done.stderr) == (0, "")
    assert "grow" in done.stdout
    assert "--shape" in halfpixel("ls", "--help").stdout
