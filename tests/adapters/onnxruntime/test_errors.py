"""What the planner refuses is an exception of onnxruntime with our text."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from tests.adapters.onnxruntime.sessions import model_of, refusal, resize_model, run, session_of

pytestmark = pytest.mark.needs("module:onnxruntime", "module:onnx")


def test_a_wrong_value_in_a_run() -> None:
    from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument

    x = np.zeros((1, 1, 2, 2), np.float32)
    scales = np.ones(4, np.float32)
    session = session_of(model_of("Resize", x, {}, 19, None, ("X", "", "S"), True, {"S": scales}))
    with pytest.raises(InvalidArgument) as caught:
        session.run(None, {"X": x, "S": -scales})
    text = str(caught.value)
    assert "the node" in text
    assert "[HP107] a scale is not a finite number above 0\n  given:   scales=[-1.0, -1.0, -1.0, -1.0]" in text
    assert "do:      pass out / in for each axis" in text
    assert session.run(None, {"X": x, "S": scales})[0].shape == (1, 1, 2, 2)


def test_a_wrong_attribute_when_the_session_is_made() -> None:
    x = np.zeros((1, 1, 2, 2), np.float32)
    with refusal() as texts:
        session_of(resize_model(x, [1, 1, 2, 2], mode="lanczos"))
    assert "[HP112] 'lanczos' is not a value of 'mode'" in texts[0]


def test_strings_have_no_average() -> None:
    x = np.array(["a", "b"], object)
    with refusal() as texts:
        run(resize_model(x, [2], mode="linear"), x)
    assert "[HP202]" in texts[0]
    constants: dict[str, Any] = {"roi": np.array([-1, 1], np.float32), "sizes": np.array([4], np.int64)}
    crop = {"coordinate_transformation_mode": "tf_crop_and_resize"}
    with refusal() as texts:
        run(model_of("Resize", x, crop, 19, constants, ("X", "roi", "", "sizes")), x)
    assert "[HP171]" in texts[0]


def test_a_block_that_does_not_fit() -> None:
    x = np.zeros((1, 2, 5, 7), np.float32)
    with refusal() as texts:
        run(model_of("DepthToSpace", x, {"blocksize": 3}, 13, dynamic=True), x)
    assert "[HP125] DepthToSpace-13 needs C = 2 to be a multiple of blocksize^2 = 9" in texts[0]


def test_what_no_machine_holds() -> None:
    from onnxruntime.capi.onnxruntime_pybind11_state import RuntimeException

    x = np.zeros((1, 1, 2, 2), np.float32)
    session = session_of(resize_model(x, [1, 1, 1e15, 1e15], dynamic=True))
    with pytest.raises(RuntimeException) as caught:
        session.run(None, {"X": x})
    assert "[HP300]" in str(caught.value)


def test_a_long_text_is_cut_between_characters() -> None:
    """Six bytes and the final zero: two umlauts of two bytes behind an a, and not half of the third."""
    from halfpixel.onnxruntime import bridge

    room = ctypes.create_string_buffer(b"?" * 9, 10)
    message = bridge._Message(ctypes.addressof(room), 7)
    assert bridge._refused(2, "aäää", message) == 2
    assert room.raw == "aää".encode() + b"\0" + b"???" + b"\0"


def test_a_mistake_of_ours_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that is none of the family's may not pass into C."""
    from halfpixel.onnxruntime.planner import Planner

    def broken(*arguments: object) -> None:
        raise KeyError("planted")

    x = np.zeros((1, 1, 2, 2), np.float32)
    session = session_of(resize_model(x, [1, 1, 2, 2], dynamic=True))
    monkeypatch.setattr(Planner, "make_plan", broken)
    with refusal() as texts:
        session.run(None, {"X": x})
    assert "halfpixel: KeyError: 'planted'" in texts[0]
    monkeypatch.undo()
    assert session.run(None, {"X": x})[0].shape == (1, 1, 4, 4)
