"""A process that has used threads forks: parent and child go on."""

import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.needs("fork")

SCRIPT = """
import hashlib, os, sys
import numpy as np
import halfpixel as hp

x = np.random.default_rng(1).standard_normal((3, 300, 400)).astype(np.float32)

def digest():
    y = hp.resize(x, sizes=[3, 777, 555], mode="cubic", threads=4)
    z = hp.resize_grad(y, x.shape, sizes=[3, 777, 555], mode="cubic", threads=4)
    w = hp.depth_to_space(x[:, :, :384].reshape(3, 4, 75, 384), 2, threads=4)
    return hashlib.sha256(y.tobytes() + z.tobytes() + w.tobytes()).hexdigest()

before = digest()
for generation in range(3):
    child = os.fork()
    if child == 0:
        same = all(digest() == before for _ in range(5))
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(0 if digest() == before else 3)
        status = os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1])
        os._exit(status if same else 2)
    assert digest() == before
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, status
print("same")
"""

UNUSED = """
import os
import halfpixel as hp, numpy as np
child = os.fork()
y = hp.resize(np.ones((3, 300, 400), np.float32), scales=[1, 2, 2], mode="linear", threads=3)
if child == 0:
    os._exit(0 if (y == 1).all() else 2)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("same")
"""

POOL = """
import multiprocessing
import numpy as np
import halfpixel as hp

x = np.random.default_rng(1).integers(0, 255, (600, 500, 3), np.uint8)

def job(size):
    return hp.resize(x, sizes=[size, size], axes=[0, 1], mode="linear", antialias=True, threads=2).tobytes()

if __name__ == "__main__":
    sizes = [100, 224, 300, 640]
    here = [job(size) for size in sizes]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(job, sizes * 3) == here * 3
    print("same")
"""


@pytest.mark.parametrize("script", [SCRIPT, UNUSED, POOL], ids=["after use", "before use", "process pool"])
def test_fork(script: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # a child that waits for threads of its parent waits for ever
        raise
    assert (output, errors, process.returncode) == ("same\n", "", 0)
