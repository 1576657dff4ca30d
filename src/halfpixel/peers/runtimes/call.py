"""One node with its inputs, as a runtime gets it: a model of that node alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from halfpixel.peers.one_node import IR_VERSION
from halfpixel.peers.work import Array

_NAMES = {"Resize": ("X", "roi", "scales", "sizes"), "Upsample": ("X", "scales")}
_WITHOUT_ROI = 11  # before it, Resize has X and scales


@dataclass(frozen=True, eq=False)
class NodeCall:
    """A node of the default domain and what it is given.

    Attributes:
        op_type: "Resize", "Upsample", "DepthToSpace" or "SpaceToDepth".
        inputs: in the operator's order, None for one that is left out. An empty array is named, as Resize-11 wants it.
        attributes: the node's own.
        opset: of the default domain.
        constants: positions of inputs that are constants of the model; the others are inputs of the graph.
    """

    op_type: str
    inputs: tuple[Array | None, ...]
    attributes: Mapping[str, Any]
    opset: int
    constants: frozenset[int] = field(default=frozenset())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs in the one-node model, "" for one that is left out."""
        known = _NAMES.get(self.op_type, ("X",))
        if self.op_type == "Resize" and self.opset < _WITHOUT_ROI:
            known = ("X", "scales")
        return tuple("" if value is None else name for name, value in zip(known, self.inputs, strict=False))

    @property
    def feeds(self) -> dict[str, Array]:
        """Graph input -> value."""
        pairs = enumerate(zip(self.names, self.inputs, strict=True))
        return {name: value for at, (name, value) in pairs if value is not None and at not in self.constants}

    def model(self) -> Any:
        """Return the model as a ModelProto: inputs of the graph as feeds has them, output "Y"."""
        onnx = import_module("onnx")
        helper = onnx.helper
        names = list(self.names)
        while names and names[-1] == "":
            names.pop()
        node = helper.make_node(self.op_type, names, ["Y"], "node", **self.attributes)
        for name, value in self.attributes.items():
            if isinstance(value, list | tuple) and not value:  # make_node cannot tell the type of an empty list
                node.attribute.append(onnx.AttributeProto(name=name, type=onnx.AttributeProto.INTS))
        initializers = [
            onnx.numpy_helper.from_array(np.asarray(value), name)
            for at, (name, value) in enumerate(zip(self.names, self.inputs, strict=True))
            if value is not None and at in self.constants
        ]
        infos = [helper.make_tensor_value_info(name, element(value), value.shape) for name, value in self.feeds.items()]
        x = self.inputs[0]
        y = helper.make_tensor_value_info("Y", element(np.empty(0) if x is None else x), None)
        graph = helper.make_graph([node], "one_node", infos, [y], initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=IR_VERSION)


def element(value: Array) -> int:
    """Return onnx's number for the element type of an array."""
    helper = import_module("onnx").helper
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(object) if value.dtype.kind in "OUT" else value.dtype))
