"""Memory that runs out gives an error of the family, and the process goes on."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.needs("memory limit")

SCRIPT = """
import resource
import numpy as np
import halfpixel as hp

x = np.ones((64, 64), np.float32)
hp.resize(x, scales=[2, 2], mode="linear", threads=2)
hp.depth_to_space(x.reshape(1, 64, 8, 8), 2, threads=2)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + {spare}
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

held = []

def failed(call):
    try:
        for _ in range(20):
            call()
            if not held:
                break
    except hp.ResourceError as error:
        return error.code
    return "nothing"

print(failed(lambda: hp.resize(x, sizes=[8000, 8000])))
print(failed(lambda: hp.resize(x, sizes=[16000, 16000], mode="linear", threads=2)))
print(failed(lambda: hp.resize(x, sizes=[8000, 8000], mode="cubic")))
print(failed(lambda: hp.plan_resize((64,), "float32", sizes=[40_000_000], mode="cubic")))
print(failed(lambda: held.append(hp.resize(x, sizes=[1900, 1900], mode="linear"))))
held.clear()
print(failed(lambda: hp.resize(x[:, ::-1], sizes=[8000, 8000])))
print(failed(lambda: hp.space_to_depth(np.broadcast_to(x, (200, 200, 64, 64)), 2)))
print(hp.resize(x, scales=[2, 2], mode="linear").sum())
"""


def test_limit_on_the_address_space() -> None:
    # 8000 x 8000 float32 is 256 MB less a little: too small to be asked about first, too large to be granted.
    script = SCRIPT.format(spare=200_000_000)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    assert done.stdout.split() == ["HP302", "HP301", "HP302", "HP301", "HP302", "HP302", "HP301", "16384.0"]


@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize("spare", [0, 1_000_000, 20_000_000])
def test_passes_without_memory_of_their_own(spare: int, threads: int) -> None:
    # The output is there; what the passes need beside it, and threads, may be refused: that must not end the process.
    script = f"""
import resource
import numpy as np
import halfpixel as hp

x = np.ones((4, 700, 900), np.float32)
out = np.empty((4, 1400, 1800), np.float32)
plan = hp.plan_resize(x.shape, x.dtype, scales=[1, 2, 2], mode="cubic")
plan(x, out=out, threads=1)
out[:] = 0
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + {spare}
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    plan(x, out=out, threads={threads})
    print(out.min() == out.max() == 1)
except hp.ResourceError as error:
    print(error.code == "HP302")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
