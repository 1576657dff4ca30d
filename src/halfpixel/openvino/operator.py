"""The operator in OpenVINO's graph: shapes where they are known, and the run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from openvino import Op, PartialShape, Shape

from halfpixel.ops.node import spec_in_host
from halfpixel.ops.rearrange import rearranged
from halfpixel.plan.elements import BFLOAT16_BITS, Array, dtype_of
from halfpixel.plan.plan import plan_from_spec
from halfpixel.spec.operators import Operator, operator_of
from halfpixel.spec.rearrange import RearrangeSpec
from halfpixel.spec.resize import ResizeSpec


@dataclass(frozen=True, slots=True)
class Description:
    """What a node says.

    Attributes:
        attributes: as ops.node.read_attributes returns them.
        given: which of the ONNX node's inputs are connected, by position; the graph's operator has these only.
        element: the element type that the model declares. OpenVINO's CPU hands data over in another one.
    """

    op_type: str
    version: int
    attributes: Mapping[str, Any]
    given: Sequence[int]
    element: str

    @property
    def operator(self) -> Operator:
        return operator_of(self.op_type, self.version)


class HalfpixelNode(Op):  # type: ignore[misc]  # openvino has no annotations
    """One node of the four operators. OpenVINO makes an empty one and fills it when it reads a saved model."""

    def __init__(self, inputs: Sequence[Any] | None = None, description: Description | None = None) -> None:
        super().__init__(self)
        self._text = {"node": json.dumps(asdict(description)) if description else ""}
        self._description = description
        if inputs is not None:
            self.set_arguments(inputs)
            self.constructor_validate_and_infer_types()

    @property
    def description(self) -> Description:
        if self._description is None:
            self._description = Description(**json.loads(self._text["node"]))
        return self._description

    def clone_with_new_inputs(self, new_inputs: Sequence[Any]) -> HalfpixelNode:
        return HalfpixelNode(new_inputs, self.description)

    def visit_attributes(self, visitor: Any) -> bool:
        visitor.on_attributes(self._text)
        return True

    def validate_and_infer_types(self) -> None:
        """Say the output's shape where the data's lengths are known and all else is constant; else its rank."""
        shape = self.get_input_partial_shape(0)
        self.set_output_type(0, self.get_input_element_type(0), self._known_shape(shape))

    def _known_shape(self, shape: PartialShape) -> PartialShape:
        nodes = [self.input_value(i).get_node() for i in range(1, self.get_input_size())]
        if shape.is_static and all(node.get_type_name() == "Constant" for node in nodes):
            spec = self._spec(tuple(shape.to_shape()), [node.data for node in nodes])
            return PartialShape(list(spec.out_shape))
        return PartialShape.dynamic(shape.rank)

    def has_evaluate(self) -> bool:
        return True

    def evaluate(self, outputs: Any, inputs: Any) -> bool:
        """Write the result for the data into outputs[0]. OpenVINO calls it from any of its threads."""
        spec = self._spec(tuple(inputs[0].shape), [tensor.data for tensor in inputs[1:]])
        outputs[0].shape = Shape(list(spec.out_shape))
        if self.description.element == "string":
            outputs[0].str_data = _result(spec, np.asarray(inputs[0].str_data))
            return True
        x, y = inputs[0].data, outputs[0].data
        dtype = dtype_of(self.description.element)
        if x.dtype == dtype:
            _result(spec, x, y)
        else:
            y[...] = _handed_over(_result(spec, _declared(x, dtype)), y.dtype)
        return True

    def _spec(self, shape: tuple[int, ...], values: Sequence[Array]) -> ResizeSpec | RearrangeSpec:
        """What the node does to data of a shape, with the values of its other connected inputs."""
        description = self.description
        entries = description.operator.inputs
        others: list[Array | None] = [None] * (len(entries) - 1)
        for position, value in zip(description.given[1:], values, strict=True):
            # An empty constant of the model arrives as one of rank 0.
            dtype = {"scales": np.float32, "sizes": np.int64}.get(entries[position].name, value.dtype)
            others[position - 1] = value.astype(dtype, copy=False) if value.ndim else None
        return spec_in_host(description.operator, description.attributes, shape, others)


def _result(spec: ResizeSpec | RearrangeSpec, x: Array, out: Array | None = None) -> Array:
    if isinstance(spec, RearrangeSpec):
        return rearranged(x, spec, out, None)
    result: Array = plan_from_spec(spec, x.dtype)(x, out)
    return result


def _declared(x: Array, dtype: np.dtype[Any]) -> Array:
    """Data as the model declares it: exact, as OpenVINO's CPU widens narrow types and makes bool 0 and 1."""
    if dtype == BFLOAT16_BITS:
        return (x.view(np.uint32) >> 16).astype(np.uint16).view(BFLOAT16_BITS)
    return x.astype(dtype)


def _handed_over(y: Array, dtype: np.dtype[Any]) -> Array:
    if y.dtype == BFLOAT16_BITS:
        return (y.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return y.astype(dtype)
