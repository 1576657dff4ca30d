"""The end of the interpreter: a planner that is gone is an error with a text, not a thread that never comes back."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.needs("module:onnxruntime", "module:onnx")

BEGIN = """
import atexit, threading
import numpy as np

def at_the_end():
    print(session.run(None, {"X": x})[0].shape)
    try:
        session.run(None, {"X": x[:1]})
    except Exception as error:
        print(str(error).partition("Status Message: ")[2])
    returned.wait(30)

returned = threading.Event()
returned.set()
atexit.register(at_the_end)  # before ours, and so after it
import halfpixel.onnxruntime
from tests.adapters.onnxruntime.sessions import resize_model, session_of
halfpixel.onnxruntime.register()
x = np.zeros(2, np.float32)
session = session_of(resize_model(x, [2], dynamic=True))
session.run(None, {"X": x})
"""

SLOW = """
from halfpixel.onnxruntime.planner import Planner
make, began = Planner.make_plan, threading.Event()

def slow(self, *arguments):
    began.set()
    threading.Event().wait(0.3)
    made = make(self, *arguments)
    print("planned", flush=True)
    return made

Planner.make_plan = slow

def forever():
    session.run(None, {"X": np.zeros(3, np.float32)})
    returned.set()  # onnxruntime itself cannot bear that its thread ends within a run
    threading.Event().wait()

returned.clear()
threading.Thread(target=forever, daemon=True).start()
began.wait()
"""


def run_python(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_shapes_that_are_known_still_run_and_others_are_refused() -> None:
    printed = run_python(BEGIN)
    assert printed[0] == "(4,)"
    assert printed[1] == "[HP445] a shape that this session has not seen needs the planner, and Python has ended"


def test_a_plan_under_way_is_finished_first() -> None:
    """Not so: a thread in the middle of Python when it ends."""
    printed = run_python(BEGIN + SLOW)
    assert printed[:2] == ["planned", "(4,)"]
    assert printed[2].startswith("[HP445]")
