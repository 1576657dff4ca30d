"""halfpixel's evaluator with operators that record what they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from halfpixel.models.compare.capture import Call, Key
from halfpixel.onnx import Evaluator
from halfpixel.onnx.operators import new_ops


def recording_evaluator(proto: Any, calls: dict[Key, Call]) -> Evaluator:
    """Return an evaluator of a model that fills in calls as it runs, in subgraphs and local functions too."""

    def recording(base: type[Any]) -> type[Any]:
        def run_and_record(self: Any, *inputs: Any, **attributes: Any) -> Any:
            node = self.onnx_node
            key = (node.op_type, node.name, node.output[0] if node.output else "")
            arrays = tuple(None if value is None else np.asarray(value) for value in inputs)
            calls.setdefault(key, Call(arrays, dict(attributes)))
            return base._run(self, *inputs, **attributes)

        return type(base.__name__, (base,), {"_run": run_and_record})

    operators = [recording(base) for base in new_ops()]

    class RecordingEvaluator(Evaluator):
        """The evaluator builds one of its own class for every subgraph and local function."""

        def __init__(self, proto: Any, *arguments: Any, **words: Any) -> None:
            words["new_ops"] = operators
            super().__init__(proto, *arguments[:3], **words)

    return RecordingEvaluator(proto)
