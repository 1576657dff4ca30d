"""onnxruntime's CPU provider: a session of one node, with input and output bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from halfpixel.peers.one_node import one_node_model, planar_shape
from halfpixel.peers.peer import Peer, Prepared, tolerance_of_clipping
from halfpixel.peers.work import Array, Work, in_layout, planar

_QUIET = 4
_NO_KERNEL = "bfloat16"  # NumPy carries it in a type that onnxruntime does not take


class OnnxRuntime(Peer):
    """It reads a request as we do, to the attribute; element types without a kernel are its own refusal."""

    name = "onnxruntime"
    module = "onnxruntime"

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        model = None if work.element == _NO_KERNEL else one_node_model(work)
        if model is None:
            return None
        onnxruntime = self.load()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = _QUIET
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        state = onnxruntime.capi.onnxruntime_pybind11_state
        try:
            session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except (state.NotImplemented, state.InvalidGraph):
            return None
        given = in_layout(x, work.layout, planar(work))
        y = np.empty(planar_shape(work, work.result_shape), work.dtype)
        binding = session.io_binding()
        held = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in (given, y)]
        binding.bind_ortvalue_input("X", held[0])
        binding.bind_ortvalue_output("Y", held[1])

        def bound() -> Any:
            session.run_with_iobinding(binding)
            return held[1]

        def array(result: Any) -> Array:
            values = result.numpy() if hasattr(result, "numpy") else result[0]
            return in_layout(values, planar(work), work.layout)

        return Prepared(bound, lambda: session.run(None, {"X": given}), array, tolerance=tolerance_of_clipping(work))
