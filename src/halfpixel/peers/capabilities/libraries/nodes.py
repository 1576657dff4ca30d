"""The runtimes that run a node of ONNX."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from halfpixel.peers.capabilities.request import Request
from halfpixel.peers.runtimes import onnx_reference, onnxruntime, openvino
from halfpixel.peers.runtimes.registry import Runtime
from halfpixel.peers.work import Array


def _answering(start: Callable[[], Runtime]) -> Callable[[Request], Array]:
    """Run the node of a request in a runtime that is started with the first one."""
    started: list[Runtime] = []

    def answer(request: Request) -> Array:
        if not started:
            started.append(start())
        outputs, _ = started[0].run_node(request.node())
        y: Array = np.asarray(next(iter(outputs.values())))
        return y[0, 0, ...]

    return answer


by_onnxruntime = _answering(onnxruntime.runtime)
by_openvino = _answering(openvino.runtime)
by_onnx_reference = _answering(onnx_reference.runtime)
