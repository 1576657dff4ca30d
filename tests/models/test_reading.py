"""Models from everything that load takes, and back into files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx_ir
import pytest
from onnx import TensorProto, helper, numpy_helper

from halfpixel import MediaError, MissingExtraError, ModelError, models
from halfpixel.models import model as model_module
from halfpixel.models import saving
from tests.models import builders


@pytest.fixture
def message() -> onnx.ModelProto:
    return builders.model_of(builders.resize(13, name="resize"))


def test_everything_that_load_takes(message: onnx.ModelProto, tmp_path: Path) -> None:
    content = message.SerializeToString()
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    ir = onnx_ir.from_proto(message)
    sources: list[Any] = [path, str(path), content, bytearray(content), memoryview(content), message, ir]
    for source in [*sources, models.load(path)]:
        assert [site.name for site in models.find_sites(models.load(source))] == ["resize"]
    assert models.load(path).path == path
    assert models.load(content).path is None
    assert models.load(ir).ir is ir
    held = models.load(path)
    assert models.load(held) is held


@pytest.mark.parametrize("source", [None, 3, 2.5, ["model.onnx"], object])
def test_what_is_no_source(source: Any) -> None:
    with pytest.raises(ModelError, match="HP400"):
        models.load(source)


def test_load_leaves_a_message_as_it_is(message: onnx.ModelProto) -> None:
    before = message.SerializeToString()
    models.ls(message)
    models.load(message).proto().graph.name = "changed"
    models.run(message, {"X": np.zeros((1, 2, 4, 6), np.float32)})
    assert message.SerializeToString() == before


def test_proto_is_the_model(message: onnx.ModelProto) -> None:
    again = models.load(message).proto()
    assert list(again.graph.node) == list(message.graph.node)
    assert list(again.opset_import) == list(message.opset_import)
    assert [one.name for one in again.graph.initializer] == ["scales"]


def test_external_data(message: onnx.ModelProto, tmp_path: Path) -> None:
    path = builders.with_external_data(message, tmp_path / "model.onnx")
    model = models.load(path)
    assert models.find_site(model, "resize").constant("scales").tolist() == [1, 1, 2, 2]  # type: ignore[union-attr]
    inside = model.proto().graph.initializer[0]
    assert inside.data_location == TensorProto.DEFAULT
    assert numpy_helper.to_array(inside).tolist() == [1, 1, 2, 2]


def test_external_data_is_found_from_another_folder(message: onnx.ModelProto, tmp_path: Path) -> None:
    builders.with_external_data(message, tmp_path / "model.onnx")
    code = "from halfpixel import models; print(models.ls('model.onnx')[0].values)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "(1.0, 1.0, 2.0, 2.0)\n"


def test_external_data_of_bytes_has_no_folder(message: onnx.ModelProto, tmp_path: Path) -> None:
    path = builders.with_external_data(message, tmp_path / "model.onnx")
    with pytest.raises(ModelError, match="HP412") as caught:
        models.load(path.read_bytes())
    assert "not a file" in caught.value.given


def test_external_data_in_subgraphs_and_constants(tmp_path: Path) -> None:
    (tmp_path / "sizes.bin").write_bytes(np.array([1, 2, 8, 12], np.int64).tobytes())
    sizes = TensorProto(name="sizes", dims=[4], data_type=TensorProto.INT64)
    builders.refer_to(sizes, "sizes.bin", 0, 32)
    built = builders.resize(13, sizes=[0])
    built.initializers = []
    built.before = [helper.make_node("Constant", [], ["sizes"], value=sizes)]
    path = tmp_path / "model.onnx"
    path.write_bytes(builders.in_if(built).SerializeToString())
    assert models.ls(path)[0].values == (1, 2, 8, 12)
    (tmp_path / "sizes.bin").write_bytes(b"")
    with pytest.raises(ModelError, match="HP412"):
        models.ls(path)


def test_data_that_went_away(message: onnx.ModelProto, tmp_path: Path) -> None:
    model = models.load(builders.with_external_data(message, tmp_path / "model.onnx"))
    (tmp_path / "weights.bin").unlink()
    with pytest.raises(ModelError, match="HP412"):
        model.proto()


def test_save_and_load(message: onnx.ModelProto, tmp_path: Path) -> None:
    models.save(models.load(message), tmp_path / "new" / "model.onnx")
    assert os.listdir(tmp_path / "new") == ["model.onnx"]
    again = onnx.load(tmp_path / "new" / "model.onnx")
    onnx.checker.check_model(again, full_check=True)
    assert list(again.graph.node) == list(message.graph.node)


def test_save_keeps_external_data_outside(message: onnx.ModelProto, tmp_path: Path) -> None:
    weights = np.arange(1000, dtype=np.float32)
    message.graph.initializer.append(builders.tensor("weights", weights, np.float32))
    (tmp_path / "a").mkdir()
    path = builders.with_external_data(message, tmp_path / "a" / "m.onnx")
    model = models.load(path)
    models.save(model, tmp_path / "b" / "copy.onnx")
    assert sorted(os.listdir(tmp_path / "b")) == ["copy.onnx", "copy.onnx.data"]
    assert (tmp_path / "b" / "copy.onnx.data").stat().st_size == 4016
    copy = onnx.load(tmp_path / "b" / "copy.onnx")
    assert numpy_helper.to_array(copy.graph.initializer[1]).tolist() == weights.tolist()
    (tmp_path / "b" / "copy.onnx.data").unlink()
    # The model in memory still refers to the file that it was read from.
    assert model.proto().graph.initializer[1].raw_data == weights.tobytes()


def test_save_over_the_model_itself(message: onnx.ModelProto, tmp_path: Path) -> None:
    weights = np.arange(1000, dtype=np.float32)
    message.graph.initializer.append(builders.tensor("weights", weights, np.float32))
    path = builders.with_external_data(message, tmp_path / "m.onnx", "m.onnx.data")
    for _ in range(3):
        models.save(models.load(path), path)
    assert sorted(os.listdir(tmp_path)) == ["m.onnx", "m.onnx.data"]
    assert numpy_helper.to_array(onnx.load(path).graph.initializer[1]).tolist() == weights.tolist()


def test_save_takes_data_outside_when_it_must(
    message: onnx.ModelProto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message.graph.initializer.append(builders.tensor("weights", np.arange(100_000), np.float32))
    monkeypatch.setattr(saving, "LARGEST_MESSAGE", saving._ROOM + 200_000)
    models.save(models.load(message), tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").stat().st_size < 1000
    assert (tmp_path / "m.onnx.data").stat().st_size == 400_000
    assert models.load(tmp_path / "m.onnx").proto().graph.initializer[1].raw_data[-4:] == np.float32(99_999).tobytes()


def test_a_message_above_its_limit(message: onnx.ModelProto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = models.load(builders.with_external_data(message, tmp_path / "m.onnx"))
    monkeypatch.setattr(model_module, "LARGEST_MESSAGE", 15)
    with pytest.raises(ModelError, match="HP416"):
        model.proto()
    monkeypatch.setattr(saving, "LARGEST_MESSAGE", 15)
    with pytest.raises(ModelError, match="HP416"):
        models.save(model, tmp_path / "new.onnx")
    assert sorted(os.listdir(tmp_path)) == ["m.onnx", "weights.bin"]


def test_save_where_nothing_can_be_written(message: onnx.ModelProto, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MediaError, match="HP507"):
        models.save(models.load(message), tmp_path / "file" / "m.onnx")


def test_more_than_two_gigabytes(message: onnx.ModelProto, tmp_path: Path) -> None:
    weights = TensorProto(name="weights", dims=[3, 2**29], data_type=TensorProto.FLOAT)
    builders.refer_to(weights, "weights.bin", 0, 3 * 2**31)
    message.graph.initializer.append(weights)
    path = tmp_path / "large.onnx"
    path.write_bytes(message.SerializeToString())
    path.with_name("weights.bin").touch()
    os.truncate(tmp_path / "weights.bin", 3 * 2**31)  # a hole: takes no room on the disk
    assert models.ls(path)[0].values == (1, 1, 2, 2)
    with pytest.raises(ModelError, match="HP416"):
        models.load(path).proto()


def test_nothing_heavy_is_loaded_by_importing_the_room() -> None:
    code = "import halfpixel.models, sys; print([m for m in ('onnx', 'onnx_ir', 'onnxruntime') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_missing_packages_are_named(message: onnx.ModelProto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx_ir", None)
    with pytest.raises(MissingExtraError, match="HP900") as caught:
        models.load(message.SerializeToString())
    assert "halfpixel[onnx]" in caught.value.do


def test_a_function_and_its_package_share_a_name() -> None:
    code = (
        "import halfpixel.models as m; from halfpixel.models.check import check; import halfpixel.models.check.rules;"
        "print(m.check is check, callable(m.upgrade), m.ls.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True True ls\n", done.stderr
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        models.nothing  # noqa: B018
    assert {"load", "ls", "run", "check", "upgrade"} <= set(dir(models))
