"""A few nodes as a model of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.values import constant_value

if TYPE_CHECKING:
    import onnx
    import onnx_ir

    from halfpixel.models.proving.inputs import Feeds

_IR_VERSION = 8
"""Read by every onnxruntime that this project works with; bfloat16 and local functions are in it."""


@dataclass(frozen=True)
class Fragment:
    """Nodes with the constants that they read.

    Attributes:
        nodes: in order.
        constants: name -> value, of inputs that are the same in every run.
        open_inputs: names of the inputs that are not.
        output: name of the one result.
        opset: of the default domain.
    """

    nodes: tuple[onnx.NodeProto, ...]
    constants: Mapping[str, Any]
    open_inputs: tuple[str, ...]
    output: str
    opset: int

    def model(self, feeds: Feeds, element_type: int) -> onnx.ModelProto:
        """Return a model whose inputs have the types and ranks of the feeds.

        Args:
            feeds: name -> array, for every open input.
            element_type: ONNX's number of the result's.
        """
        from onnx import GraphProto, ValueInfoProto, helper, numpy_helper

        inputs = [_described(name, np.asarray(feeds[name])) for name in self.open_inputs]
        output = ValueInfoProto(name=self.output)
        output.type.tensor_type.elem_type = element_type
        initializers = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = GraphProto(name="fragment", node=self.nodes, input=inputs, output=[output], initializer=initializers)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)


def fragment_of(
    nodes: Sequence[onnx_ir.Node],
    output: onnx_ir.Value,
    opset: int,
    defaults: Mapping[str, Any] | None = None,
    open_values: Sequence[onnx_ir.Value | None] = (),
) -> Fragment:
    """Return some nodes of a model as they are now; later changes of the model do not change the fragment.

    Args:
        nodes: in order, without subgraphs.
        output: the one result.
        opset: of the default domain where they stand.
        defaults: values for attributes that refer to one of the function around the nodes.
        open_values: inputs that are not taken for constants though they may be.
    """
    import onnx_ir
    from onnx import helper

    made = {value.name for node in nodes for value in node.outputs}
    constants: dict[str, Any] = {}
    open_inputs: list[str] = []
    protos = []
    kept_open = {id(value) for value in open_values}
    for node in nodes:
        proto = onnx_ir.to_proto(node)
        references = [attribute for attribute in proto.attribute if attribute.ref_attr_name]
        for attribute in references:
            proto.attribute.remove(attribute)
            value = (defaults or {}).get(attribute.name)
            if value is not None:
                proto.attribute.append(helper.make_attribute(attribute.name, value))
        protos.append(proto)
        for value in node.inputs:
            if value is None or not value.name or value.name in made:
                continue
            constant = None if id(value) in kept_open else constant_value(value)
            if constant is not None:
                constants[value.name] = constant
            elif value.name not in open_inputs:
                open_inputs.append(value.name)
    return Fragment(tuple(protos), constants, tuple(open_inputs), output.name or "", opset)


def _described(name: str, array: np.ndarray[Any, Any]) -> onnx.ValueInfoProto:
    from onnx import helper

    number = helper.np_dtype_to_tensor_dtype(array.dtype)
    # A Resize of onnxruntime wants to know how many scales and sizes there are.
    shape = [array.size] if array.ndim == 1 else [None] * array.ndim
    return helper.make_tensor_value_info(name, number, shape)
