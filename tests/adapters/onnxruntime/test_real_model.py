"""A text detector as people install it: six Resize nodes of opset 12, nearest, asymmetric, floor."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from tests.adapters.onnxruntime.sessions import CPU, OURS, session_of, who_ran

pytestmark = pytest.mark.needs("module:onnxruntime", "module:onnx", "module:rapidocr_onnxruntime")


def test_the_detector(tmp_path: Path) -> None:
    """Nearest copies samples, so that the whole model gives the same bits with our provider and without."""
    spec = importlib.util.find_spec("rapidocr_onnxruntime")
    assert spec is not None
    (model,) = Path(str(spec.origin)).parent.rglob("ch_PP-OCRv4_det_infer.onnx")
    content = model.read_bytes()
    x = np.random.default_rng(0).standard_normal((1, 3, 160, 224)).astype(np.float32)
    theirs = session_of(content, [CPU])
    feed = {theirs.get_inputs()[0].name: x}
    ran = who_ran(content, tmp_path, feed)
    assert ran["Resize"] == OURS
    assert set(ran.values()) == {OURS, CPU}
    result = session_of(content).run(None, feed)[0]
    assert result.shape == (1, 1, 160, 224)
    assert result.tobytes() == theirs.run(None, feed)[0].tobytes()
