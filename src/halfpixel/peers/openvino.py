"""OpenVINO on the CPU: a compiled model of one node, with the tensors of its request set."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from halfpixel.peers.one_node import one_node_model, planar_shape
from halfpixel.peers.peer import Peer, Prepared
from halfpixel.peers.work import Array, Work, in_layout, planar

_HINTS = {"float16": "f16", "bfloat16": "bf16"}
_ELEMENTS = ("uint8", "float16", "bfloat16", "float32", "float64")


class OpenVINO(Peer):
    """It drops antialias without a word, so those requests count as not supported; float64 is computed in float32."""

    name = "OpenVINO"
    module = "openvino"

    def load(self) -> Any:
        # Its telemetry forks a process to send news; a measurement wants neither. OpenVINO has a stand-in for it.
        sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
        return super().load()

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        model = None if work.element not in _ELEMENTS or work.antialiases else one_node_model(work)
        if model is None:
            return None
        openvino = self.load()
        core = openvino.Core()
        settings = {
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": _HINTS.get(work.element, "f32"),
        }
        compiled = core.compile_model(core.read_model(model), "CPU", settings)
        given = in_layout(x, work.layout, planar(work))
        y = np.empty(planar_shape(work, work.result_shape), work.dtype)
        tensors = [self._tensor(array, work) for array in (given, y)]
        request = compiled.create_infer_request()
        request.set_input_tensor(tensors[0])
        request.set_output_tensor(tensors[1])

        held = given, tensors  # a tensor of shared memory does not keep its array

        def bound(held: object = held) -> Any:
            request.infer()
            return y

        another = compiled.create_infer_request()
        another.set_input_tensor(tensors[0])

        def allocating(held: object = held) -> Any:
            another.infer()
            return np.array(another.get_output_tensor().data, copy=True).view(work.dtype)

        return Prepared(bound, allocating, lambda result: in_layout(result, planar(work), work.layout))

    def _tensor(self, array: Array, work: Work) -> Any:
        openvino = self.load()
        if work.element == "bfloat16":
            return openvino.Tensor(array.view(np.uint16), list(array.shape), openvino.Type.bf16)
        return openvino.Tensor(array, shared_memory=True)
