"""register(): once and again, and every way in which it cannot work."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from halfpixel import MissingExtraError, ModelError

pytestmark = pytest.mark.needs("module:onnxruntime", "module:onnx")

REGISTER_AGAIN = """
import halfpixel.onnxruntime, onnxruntime, numpy
from tests.adapters.onnxruntime.sessions import resize_model, run
names = lambda: [device.ep_name for device in onnxruntime.get_ep_devices()]
x = numpy.zeros(2)
print(halfpixel.onnxruntime.PROVIDER in names())
for _ in range(2):
    halfpixel.onnxruntime.register()
    halfpixel.onnxruntime.register()
    print(names().count(halfpixel.onnxruntime.PROVIDER), run(resize_model(x, [2]), x).shape)
    onnxruntime.unregister_execution_provider_library("halfpixel")
print(halfpixel.onnxruntime.PROVIDER in names())
"""

IMPORT = """
import sys
{0}
try:
    import halfpixel.onnxruntime
except ImportError as error:
    print(error)
"""


def run_python(code: str, path: str = "") -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [path, os.environ.get("PYTHONPATH")]))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_register_twice_and_after_it_was_taken_back() -> None:
    assert run_python(REGISTER_AGAIN).splitlines() == ["False", "1 (4,)", "1 (4,)", "False"]


def test_by_the_options_of_a_session() -> None:
    """float64, which no kernel of onnxruntime takes."""
    import numpy as np
    import onnxruntime

    from halfpixel.onnxruntime import PROVIDER, add_to
    from tests.adapters.onnxruntime.sessions import resize_model

    x = np.array([1, 2], np.float64)
    options = onnxruntime.SessionOptions()
    add_to(options)
    session = onnxruntime.InferenceSession(resize_model(x, [2]), options)
    assert session.get_providers()[0] == PROVIDER
    assert session.run(None, {"X": x})[0].tolist() == [1, 1, 2, 2]


def test_no_onnxruntime() -> None:
    printed = run_python(IMPORT.format("sys.modules['onnxruntime'] = None"))
    assert "[HP900] halfpixel.onnxruntime needs the package 'onnxruntime'" in printed
    assert "pip install 'halfpixel[onnxruntime]'" in printed


@pytest.mark.parametrize("version", ["1.23.2", "1.9", "0.99.1"])
def test_an_old_onnxruntime(version: str, tmp_path: Path) -> None:
    """A stand-in with nothing but a version: an older one cannot be installed beside the one that is tested."""
    (tmp_path / "onnxruntime.py").write_text(f"__version__ = {version!r}\n")
    printed = run_python(IMPORT.format(""), str(tmp_path))
    assert f"[HP901] halfpixel.onnxruntime needs a later onnxruntime than {version}" in printed
    assert "allowed: onnxruntime 1.24 or later" in printed


def test_versions_that_work() -> None:
    from halfpixel.onnxruntime.registration import check_version

    for version in ("1.24.0", "1.32.0", "1.100.0", "2.0", "1.24.0.dev20260101001", "1.33.0rc1"):
        check_version(version)
    with pytest.raises(MissingExtraError, match="HP901"):
        check_version("1.23.9")


def test_a_missing_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from halfpixel.onnxruntime import registration

    monkeypatch.setattr(registration, "_path", lambda: tmp_path / "_ort_ep.so")
    with pytest.raises(ModelError, match="HP446") as caught:
        registration._connect()
    assert "cannot open shared object file" in caught.value.given


def test_a_library_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    from halfpixel.onnxruntime import registration

    build = registration.connection

    def of_another_size(*arguments: Any) -> Any:
        made = build(*arguments)
        made.size += 8
        return made

    monkeypatch.setattr(registration, "connection", of_another_size)
    with pytest.raises(ModelError, match="HP446") as caught:
        registration._connect()
    assert "another version of this package" in caught.value.given


def test_the_library_alone_says_how_to_register_it() -> None:
    """onnxruntime loads it by itself, without Python's side."""
    code = """
import importlib.util, onnxruntime, pathlib
library = pathlib.Path(importlib.util.find_spec("halfpixel._core").origin).with_name("_ort_ep.so")
try:
    onnxruntime.register_execution_provider_library("halfpixel", str(library))
except Exception as error:
    print(error)
"""
    assert "register the provider by halfpixel.onnxruntime.register()" in run_python(code)


def test_element_numbers_are_those_of_onnx() -> None:
    from onnx import TensorProto, helper

    from halfpixel.onnxruntime.bridge import ELEMENT_NUMBERS
    from halfpixel.spec.element_types import ELEMENT_TYPES

    assert set(ELEMENT_NUMBERS) == set(ELEMENT_TYPES)
    for name, number in ELEMENT_NUMBERS.items():
        if name != "string":
            assert helper.tensor_dtype_to_np_dtype(number).name == name
    assert ELEMENT_NUMBERS["string"] == TensorProto.STRING


def test_structures_have_the_layout_of_c() -> None:
    """Sizes that a person can add up: pointers and 64-bit numbers of 8 bytes, pairs of 32-bit numbers."""
    from halfpixel.onnxruntime import bridge

    sizes = {"_AttributeName": 16, "_OperatorEntry": 32, "_AttributeValue": 32, "_Tensor": 24, "_Message": 16}
    sizes |= {"_NodeRequest": 40, "_PlanRequest": 64, "Connection": 80}
    assert {name: ctypes.sizeof(getattr(bridge, name)) for name in sizes} == sizes
