"""Run ONNX models with halfpixel's operators.

- ``backend``: onnx's backend interface (``prepare``, ``run_model``, ``run_node``, ``supports_device``).
- ``Evaluator``: onnx's ``ReferenceEvaluator`` with Resize, Upsample, DepthToSpace and SpaceToDepth run by halfpixel,
  in the graph, its subgraphs and its local functions.
- ``new_ops()``: the four operator classes, for a ``ReferenceEvaluator`` of one's own.

All other operators are run by onnx's reference implementations.

Raises:
    MissingExtraError: HP900 on import, where the package ``onnx`` is not installed.
"""

from halfpixel._errors import MissingExtraError

try:
    import onnx as _onnx  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "onnx":
        raise
    raise MissingExtraError(
        "HP900",
        "halfpixel.onnx needs the package 'onnx'",
        given="an environment in which 'import onnx' finds no module",
        allowed="onnx 1.23 or later",
        do="pip install 'halfpixel[onnx]'",
    ) from error

from halfpixel.onnx import backend
from halfpixel.onnx.evaluator import Evaluator
from halfpixel.onnx.operators import new_ops

__all__ = ["Evaluator", "backend", "new_ops"]
