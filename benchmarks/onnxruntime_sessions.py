"""Our provider beside onnxruntime's own kernels, in sessions of one process.

    python benchmarks/onnxruntime_sessions.py

Input and output are bound to memory that stays, so that the kernels' time is measured and not the allocator's. The
sessions take turns, on random data; their results are compared first. Prints the least time of each and their ratio.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import onnx
from onnxruntime import InferenceSession, OrtValue, SessionOptions

import halfpixel.onnxruntime

RUNS = 30
OURS, THEIRS = ["HalfpixelExecutionProvider", "CPUExecutionProvider"], ["CPUExecutionProvider"]
CASES = {
    "linear x2, 1x3x1080x1920": (
        "g (float[1,3,1080,1920] X) => (float[1,3,2160,3840] Y) <float[4] scales = {1, 1, 2, 2}>"
        '{ Y = Resize <mode = "linear"> (X, , scales) }'
    ),
    "DepthToSpace, 1x64x256x256": (
        "g (float[1,64,256,256] X) => (float[1,16,512,512] Y) { Y = DepthToSpace <blocksize = 2> (X) }"
    ),
}


class Bound:
    """A session with its input and output bound."""

    def __init__(self, model: onnx.ModelProto, providers: list[str], threads: int) -> None:
        options = SessionOptions()
        options.intra_op_num_threads = threads
        self._session = InferenceSession(model.SerializeToString(), options, providers=providers)
        (x,), (y,) = self._session.get_inputs(), self._session.get_outputs()
        samples = np.random.default_rng(2).random(x.shape, np.float32)
        self._held = OrtValue.ortvalue_from_numpy(samples), OrtValue.ortvalue_from_numpy(np.zeros(y.shape, np.float32))
        self._binding = self._session.io_binding()
        self._binding.bind_ortvalue_input("X", self._held[0])
        self._binding.bind_ortvalue_output("Y", self._held[1])

    def seconds(self) -> float:
        begin = time.perf_counter()
        self._session.run_with_iobinding(self._binding)
        return time.perf_counter() - begin

    @property
    def result(self) -> Any:
        return self._held[1].numpy()


def main() -> None:
    halfpixel.onnxruntime.register()
    for name, graph in CASES.items():
        model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 19]> {graph}')
        for threads in (1, 2):
            sessions = Bound(model, OURS, threads), Bound(model, THEIRS, threads)
            least = [min(times) for times in zip(*[[s.seconds() for s in sessions] for _ in range(RUNS)], strict=True)]
            np.testing.assert_allclose(sessions[0].result, sessions[1].result, rtol=0, atol=1e-6)
            ours, theirs = (1e3 * seconds for seconds in least)
            print(f"{name}, threads {threads}: {ours:.2f} ms, onnxruntime {theirs:.2f} ms, ratio {theirs / ours:.1f}")


if __name__ == "__main__":
    main()
