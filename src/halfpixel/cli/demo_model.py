"""The demo's model: small, with every kind of node that halfpixel runs, checked against onnx's reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from halfpixel.onnx import Evaluator, backend

OPSET = 19
TOLERANCE = 1e-5
"""The largest difference that counts as agreement: the model's values are about 1, in float32."""

OURS = ("Resize", "DepthToSpace", "SpaceToDepth")


@dataclass(frozen=True, slots=True)
class NodeCheck:
    """One node, given the same inputs in both implementations.

    Attributes:
        label: "Resize-19".
        difference: the largest absolute difference of an output value.
    """

    name: str
    label: str
    attributes: str
    in_shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    difference: float

    @property
    def agrees(self) -> bool:
        """Whether the difference is within the tolerance."""
        return self.difference <= TOLERANCE


_UNEVEN = {"mode": "linear", "axes": [2, 3], "coordinate_transformation_mode": "half_pixel_symmetric"}
_SHRINK = {"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}


def _node(name: str, op_type: str, inputs: list[str], output: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(op_type, inputs, [output], name, **attributes)


def demo_model() -> onnx.ModelProto:
    """A picture of 3 channels, halved, made 16 channels, rearranged, grown and shrunk; every value is an output."""
    random = np.random.default_rng(28)
    constants: dict[str, NDArray[Any]] = {
        "half": np.array([1, 1, 0.5, 0.5], np.float32),
        "weights": random.normal(0, 0.3, (16, 3, 3, 3)).astype(np.float32),
        "uneven": np.array([1.7, 2.3], np.float32),
        "sizes": np.array([1, 4, 96, 128], np.int64),
    }
    nodes = [
        _node("halve", "Resize", ["X", "", "half"], "halved", mode="linear", antialias=1),
        _node("conv", "Conv", ["halved", "weights"], "features", pads=[1, 1, 1, 1]),
        _node("spread", "DepthToSpace", ["features"], "spread_features", blocksize=2, mode="CRD"),
        _node("grow", "Resize", ["spread_features", "", "", "sizes"], "grown", mode="cubic", cubic_coeff_a=-0.5),
        _node("fold", "SpaceToDepth", ["grown"], "folded", blocksize=4),
        _node("grow_unevenly", "Resize", ["folded", "", "uneven"], "uneven_grown", **_UNEVEN),
        _node("shrink", "Resize", ["uneven_grown", "", "half"], "Y", **_SHRINK),
    ]
    outputs = [helper.make_tensor_value_info(one.output[0], TensorProto.FLOAT, [None] * 4) for one in nodes]
    x = helper.make_tensor_value_info("X", TensorProto.FLOAT, [1, 3, 48, 64])
    initializers = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "halfpixel_demo", [x], outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def check_model(model: onnx.ModelProto) -> tuple[list[NodeCheck], float]:
    """Run the model in onnx's reference and in halfpixel.

    Returns:
        the check of each of our nodes on the reference's inputs; and the largest difference of any value when the whole
        model runs with halfpixel's operators.
    """
    x = np.random.default_rng(19).random((1, 3, 48, 64), np.float32)
    names = [output.name for output in model.graph.output]
    expected = dict(zip(names, ReferenceEvaluator(model).run(None, {"X": x}), strict=True))
    whole = dict(zip(names, Evaluator(model).run(None, {"X": x}), strict=True))
    values = {"X": x, **{one.name: numpy_helper.to_array(one) for one in model.graph.initializer}, **expected}
    checks = [_check_node(node, values) for node in model.graph.node if node.op_type in OURS]
    return checks, max(_difference(whole[name], expected[name]) for name in names)


def _check_node(node: onnx.NodeProto, values: dict[str, Any]) -> NodeCheck:
    inputs = [values[name] for name in node.input if name]
    (ours,) = backend.run_node(node, inputs, opset_version=OPSET)
    expected = values[node.output[0]]
    since = onnx.defs.get_schema(node.op_type, OPSET).since_version
    attributes = ", ".join(f"{one.name}={_attribute(one)}" for one in node.attribute)
    difference = _difference(ours, expected)
    return NodeCheck(node.name, f"{node.op_type}-{since}", attributes, inputs[0].shape, ours.shape, difference)


def _attribute(attribute: onnx.AttributeProto) -> str:
    value = helper.get_attribute_value(attribute)
    return value.decode() if isinstance(value, bytes) else str(value)


def _difference(ours: NDArray[Any], expected: NDArray[Any]) -> float:
    """The largest absolute difference; infinite if the shapes differ."""
    if ours.shape != expected.shape:
        return float("inf")
    return float(np.max(np.abs(ours - expected), initial=0.0))
