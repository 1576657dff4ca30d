"""Models from elsewhere: a text detector as it is shipped, and what torch's exporter writes."""

from __future__ import annotations

import importlib.util
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from halfpixel.models.check import check
from halfpixel.models.compare import compare
from halfpixel.models.inventory import ls
from halfpixel.models.lower import lower
from halfpixel.models.simplify import simplify
from halfpixel.models.upgrade import upgrade
from tests.models.test_upgrade import operators, session

pytestmark = pytest.mark.needs("module:onnxruntime")


def detector_path() -> Path:
    """The detector in the package rapidocr-onnxruntime, which need not be imported."""
    spec = importlib.util.find_spec("rapidocr_onnxruntime")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "models" / "ch_PP-OCRv4_det_infer.onnx"


RESIZES = [f"p2o.Resize.{number}" for number in range(6)]


@pytest.mark.needs("module:rapidocr_onnxruntime")
class TestDetector:
    """Six Resize nodes of opset 12: nearest, asymmetric, floor, all but one double."""

    def test_listed(self) -> None:
        entries = ls(detector_path())
        assert [entry.name for entry in entries] == RESIZES

    def test_checked_in_two_seconds(self) -> None:
        check(detector_path())  # what is imported is imported
        start = time.thread_time()  # of the processor: other work on the machine does not count
        findings = check(detector_path())
        assert time.thread_time() - start < 2
        assert {finding.node for finding in findings} <= set(RESIZES)

    def test_upgraded_with_equal_output(self, tmp_path: Path) -> None:
        out = tmp_path / "detector.onnx"
        result = upgrade(detector_path(), out, opset=19)
        assert [change.name for change in result.changes] == RESIZES
        assert {(change.before, change.after) for change in result.changes} == {("Resize-11", ("Resize-19",))}
        assert result.equal
        onnx.checker.check_model(str(out), full_check=True)
        x = np.random.default_rng(1).random((1, 3, 96, 160), np.float32)
        expected, got = (session(path).run(None, {"x": x})[0] for path in (detector_path(), out))
        assert got.tobytes() == expected.tobytes()

    def test_lowered(self) -> None:
        """All six repeat samples by whole numbers: no Resize is left, and no node changes a bit.

        The whole differs by rounding: onnxruntime keeps channels in blocks through a Resize, but not through a Reshape,
        and its convolutions add up in another order then.
        """
        result = lower(detector_path(), to="reshape")
        assert [change.name for change in result.changes] == RESIZES
        assert all(change.proof.equal for change in result.changes)
        proto = result.model.proto()
        assert "Resize" not in operators(proto)
        x = np.random.default_rng(1).random((1, 3, 96, 160), np.float32)
        expected, got = (session(model).run(None, {"x": x})[0] for model in (detector_path(), proto))
        assert np.abs(got - expected).max() < 1e-4

    def test_compared(self) -> None:
        """onnxruntime gives every node's numbers as the standard has them."""
        found = compare(detector_path(), ["onnxruntime"], shapes={"x": (1, 3, 64, 64)})
        assert not found.differs

    def test_run_on_our_provider(self) -> None:
        import onnxruntime

        import halfpixel.onnxruntime

        halfpixel.onnxruntime.register()
        providers = [halfpixel.onnxruntime.PROVIDER, "CPUExecutionProvider"]
        ours = onnxruntime.InferenceSession(str(detector_path()), providers=providers)
        x = np.random.default_rng(1).random((1, 3, 96, 160), np.float32)
        expected = session(detector_path()).run(None, {"x": x})[0]
        assert ours.run(None, {"x": x})[0].tobytes() == expected.tobytes()


def exported(call: Callable[[Any], Any], path: Path, dynamic: bool = False) -> Path:
    """What torch's exporter writes for a function of x (1, 4, 12, 16)."""
    import torch
    from torch.export import Dim

    class Model(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return call(x)

    shapes = {"x": {2: Dim("h", min=4, max=512), 3: Dim("w", min=4, max=512)}} if dynamic else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Model().eval(), (torch.randn(1, 4, 12, 16),), str(path), dynamo=True, input_names=["x"],
            output_names=["y"], dynamic_shapes=shapes, verbose=False, external_data=False,
        )  # fmt: skip
    return path


def interpolated(**settings: Any) -> Callable[[Any], Any]:
    """F.interpolate with these settings."""

    def call(x: Any) -> Any:
        import torch

        return torch.nn.functional.interpolate(x, **settings)

    return call


def shuffled(down: bool) -> Callable[[Any], Any]:
    """F.pixel_shuffle or F.pixel_unshuffle by 2."""

    def call(x: Any) -> Any:
        import torch

        return (torch.nn.functional.pixel_unshuffle if down else torch.nn.functional.pixel_shuffle)(x, 2)

    return call


TORCH: dict[str, tuple[Callable[[Any], Any], bool, list[str]]] = {
    "bilinear": (interpolated(scale_factor=2, mode="bilinear"), False, ["Resize"]),
    "bilinear, open lengths": (interpolated(scale_factor=2, mode="bilinear"), True, ["Resize"]),
    "bicubic": (interpolated(scale_factor=1.5, mode="bicubic"), False, ["Resize"]),
    "antialias": (interpolated(scale_factor=0.5, mode="bilinear", antialias=True), False, ["Resize"]),
    "nearest": (interpolated(size=(20, 31), mode="nearest"), False, ["Resize"]),
    "nearest-exact": (interpolated(scale_factor=2, mode="nearest-exact"), False, ["Resize"]),
    "nearest-exact to a size": (interpolated(size=(20, 31), mode="nearest-exact"), False, ["Resize"]),
    "nearest-exact, open lengths": (interpolated(scale_factor=2, mode="nearest-exact"), True, ["Resize"]),
    "area": (interpolated(scale_factor=0.5, mode="area"), False, ["AveragePool"]),
    "area to a size": (interpolated(size=(5, 6), mode="area"), False, ["MatMul", "MatMul"]),
    "pixel shuffle": (shuffled(down=False), False, ["DepthToSpace"]),
    "pixel unshuffle": (shuffled(down=True), False, ["SpaceToDepth"]),
    "pixel unshuffle, open lengths": (shuffled(down=True), True, ["SpaceToDepth"]),
}
"""Name -> the function, whether lengths are open, what is left of it in opset 28 after simplify --rounding."""


@pytest.mark.needs("module:torch", "module:onnxscript")
@pytest.mark.parametrize("name", list(TORCH))
def test_torch_s_exports_are_upgraded_and_simplified(name: str, tmp_path: Path) -> None:
    import torch

    call, dynamic, left = TORCH[name]
    path = exported(call, tmp_path / "old.onnx", dynamic)
    upgraded = upgrade(path, tmp_path / "new.onnx", opset=28)
    assert upgraded.equal
    result = simplify(tmp_path / "new.onnx", tmp_path / "simple.onnx", rounding=True)
    assert operators(onnx.load(tmp_path / "simple.onnx")) == left
    assert result.nodes == len(left)
    onnx.checker.check_model(str(tmp_path / "simple.onnx"), full_check=True)
    x = torch.randn(1, 4, 10, 14) if dynamic else torch.randn(1, 4, 12, 16)
    expected = call(x).numpy()
    got = np.asarray(halfpixel_run(tmp_path / "simple.onnx", x.numpy()))
    assert got.shape == expected.shape
    assert np.abs(got - expected).max() < 1e-5


def halfpixel_run(path: Path, x: Any) -> Any:
    """The model by our operators: onnxruntime has no SpaceToDepth-28 yet."""
    from halfpixel.models import run

    return run(path, {"x": x})["y"]


@pytest.mark.needs("module:torch", "module:onnxscript")
def test_torch_s_older_exporter_computes_sizes(tmp_path: Path) -> None:
    import torch

    class Model(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            size = (x.shape[2] * 2, x.shape[3] * 2)
            return torch.nn.functional.interpolate(x, size=size, mode="bilinear")

    path = tmp_path / "old.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Model().eval(), (torch.randn(1, 4, 12, 16),), str(path), dynamo=False, opset_version=17,
            input_names=["x"], output_names=["y"], dynamic_axes={"x": {2: "h", 3: "w"}},
        )  # fmt: skip
    result = simplify(path)
    assert result.nodes_before > 10
    assert operators(result.model.proto()) == ["Resize"]
    assert result.changes[0].after == ("Resize with constant scales",)
    x = torch.randn(1, 4, 7, 9)
    got = session(result.model.proto()).run(None, {"x": x.numpy()})[0]
    assert np.abs(got - Model()(x).numpy()).max() < 1e-5
