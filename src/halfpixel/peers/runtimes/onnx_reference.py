"""The reference evaluator of the package onnx."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.peers.work import Array


class ReferenceModels:
    """An evaluator for each model."""

    def __init__(self) -> None:
        self._module = import_module("onnx.reference")

    def run_node(self, call: NodeCall) -> tuple[Mapping[str, Any], str]:
        """Run a model of the node alone."""
        return self.run_model(call.model().SerializeToString(), call.feeds), ""

    def run_model(self, model: bytes | str, feeds: Mapping[str, Array]) -> Mapping[str, Any]:
        """Evaluate a model."""
        evaluator = self._module.ReferenceEvaluator(model)
        given = {name: value for name, value in feeds.items() if name in evaluator.input_names}
        with np.errstate(all="ignore"):
            results = evaluator.run(None, given)
        return dict(zip(evaluator.output_names, results, strict=True))


def runtime() -> ReferenceModels:
    """Return the runtime."""
    return ReferenceModels()
