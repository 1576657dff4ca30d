"""OpenVINO's CPU device, computing in float32: by default it takes bfloat16 where the processor has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from halfpixel.peers.openvino import OpenVINO
from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.peers.work import Array


class OpenVINOModels:
    """A compiled model for each."""

    def __init__(self) -> None:
        self._openvino = OpenVINO().load()

    def run_node(self, call: NodeCall) -> tuple[Mapping[str, Any], str]:
        """Run a model of the node alone."""
        return self.run_model(call.model().SerializeToString(), call.feeds), ""

    def run_model(self, model: bytes | str, feeds: Mapping[str, Array]) -> Mapping[str, Any]:
        """Run a model on the CPU."""
        core = self._openvino.Core()
        read = core.read_model(model)
        compiled = core.compile_model(read, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        request = compiled.create_infer_request()
        for port in compiled.inputs:
            name = next((name for name in port.get_names() if name in feeds), None)
            if name is not None:
                request.set_tensor(port, self._tensor(feeds[name]))
        request.infer()
        outputs = {}
        for number, port in enumerate(compiled.outputs):
            names = port.get_names()
            name = next(iter(sorted(names)), str(number))
            outputs[name] = self._array(request.get_output_tensor(number))
        return outputs

    def _tensor(self, array: Array) -> Any:
        array = np.array(array, order="C")  # ascontiguousarray would give a scalar a rank of 1
        if array.dtype.name == "bfloat16":
            return self._openvino.Tensor(array.view(np.uint16), list(array.shape), self._openvino.Type.bf16)
        return self._openvino.Tensor(array)

    def _array(self, tensor: Any) -> Array:
        if tensor.element_type == self._openvino.Type.bf16:
            import ml_dtypes

            bits = np.array(tensor.data).view(np.uint16).reshape(list(tensor.shape))
            return np.asarray(bits.view(ml_dtypes.bfloat16))
        return np.array(tensor.data)


def runtime() -> OpenVINOModels:
    """Return the runtime."""
    return OpenVINOModels()
