"""onnxruntime's CPU provider."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.peers.work import Array

_QUIET = 4


class OnnxRuntimeModels:
    """A session for each model."""

    def __init__(self) -> None:
        self._module = import_module("onnxruntime")

    def run_node(self, call: NodeCall) -> tuple[Mapping[str, Any], str]:
        """Run a model of the node alone."""
        return self.run_model(call.model().SerializeToString(), call.feeds), ""

    def run_model(self, model: bytes | str, feeds: Mapping[str, Array]) -> Mapping[str, Any]:
        """Run a model on the CPU provider."""
        onnxruntime = self._module
        options = onnxruntime.SessionOptions()
        options.log_severity_level = _QUIET
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        taken = {entry.name for entry in session.get_inputs()}
        given = {name: value for name, value in feeds.items() if name in taken}
        return dict(zip(names, session.run(names, given), strict=True))


def runtime() -> OnnxRuntimeModels:
    """Return the runtime."""
    return OnnxRuntimeModels()
