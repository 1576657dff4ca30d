"""The examples do what they say."""

import importlib.util
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name: str) -> Any:
    """The module of an example, imported from its file."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_has_a_test() -> None:
    text = Path(__file__).read_text()
    assert [path.stem for path in EXAMPLES.glob("*.py") if f'example("{path.stem}")' not in text] == []


def test_trainable_layer(capsys: pytest.CaptureFixture[str]) -> None:
    example("trainable_layer").main()
    errors = [float(line.rsplit(" ", 1)[1]) for line in capsys.readouterr().out.splitlines()[:-1]]
    assert len(errors) == 6
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 100


def test_super_resolution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import onnxruntime

    module = example("super_resolution")
    kept: list[Any] = []
    train = module.train

    def kept_train(net: Any, *arguments: Any) -> Any:
        kept.append(net)
        return train(net, *arguments)

    monkeypatch.setattr(module, "STEPS", 80)
    monkeypatch.setattr(module, "train", kept_train)
    picture, model = tmp_path / "loss.svg", tmp_path / "net.onnx"
    monkeypatch.setattr(sys, "argv", ["super_resolution.py", str(picture), str(model)])
    module.main()
    found = re.search(r"linear ([0-9.]+), net ([0-9.]+)", capsys.readouterr().out)
    assert found is not None
    assert float(found[2]) < float(found[1])
    # Down is up in a picture: the loss falls on the paper where the height grows.
    (line,) = ET.parse(picture).iter("{http://www.w3.org/2000/svg}polyline")
    heights = [float(point.split(",")[1]) for point in str(line.get("points")).split()]
    assert len(heights) == 9
    assert heights[0] == pytest.approx(340 - 300 / 1.1, abs=0.05)
    assert heights[-1] > heights[0] + 30
    x = np.random.default_rng(3).random((2, 1, 9, 14), np.float32)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    assert np.allclose(session.run(None, {"X": x})[0], kept[0].forward(x), rtol=0, atol=1e-5)


def test_the_gradients_of_the_net() -> None:
    module = example("super_resolution")
    random = np.random.default_rng(4)
    net = module.Net(random)
    for layer in net.convolutions:
        layer.weight = random.standard_normal(layer.weight.shape)
        layer.bias = random.standard_normal(layer.bias.shape)
    x, dy = random.standard_normal((1, 1, 4, 5)), random.standard_normal((1, 1, 8, 10))
    net.forward(x)
    dx = net.backward(dy)
    slopes = [*zip(net.parameters(), net.slopes(), strict=True), (x, dx)]
    for values, slope in slopes:
        place = (0,) * values.ndim
        kept, losses = values[place], []
        for step in (1e-6, -1e-6):
            values[place] = kept + step
            losses.append((net.forward(x) * dy).sum())
        values[place] = kept
        assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(slope[place], rel=1e-5, abs=1e-6)
