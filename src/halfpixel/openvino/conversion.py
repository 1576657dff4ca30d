"""From a node of an ONNX model to an operator in OpenVINO's graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from openvino import Core
from openvino.frontend import NodeContext
from openvino.frontend.onnx import ConversionExtension

from halfpixel._errors import ModelError
from halfpixel.openvino.operator import Description, HalfpixelNode
from halfpixel.ops.node import read_attributes
from halfpixel.spec.operators import OPERATORS, operator_of, versions_of

ELEMENT_TYPES: dict[str, str] = {
    "boolean": "bool",
    "u8": "uint8",
    "i8": "int8",
    "u16": "uint16",
    "i16": "int16",
    "u32": "uint32",
    "i32": "int32",
    "u64": "uint64",
    "i64": "int64",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "string": "string",
}
"""OpenVINO's name of an element type -> ours. It has no complex ones."""

_ABSENT = "NullNode"


def register(core: Core) -> None:
    """Make a core read the four operators of ONNX models as ours. Once for each core; no other core changes.

    Lengths of outputs that scales give are floor(float32(in * scale)), roi not counted, as OpenVINO's own. All other
    numbers are those of ``halfpixel.plan_resize(..., length_rule="float32_floor")``.

    OpenVINO's CPU reads 64-bit integers and uint32 as int32 and float64 as float32 before any operator sees them; what
    that loses is lost.

    Args:
        core: an ``openvino.Core``. Its read_model raises RuntimeError with our text: HP112 and others for attributes,
            HP447 for an element type, and, where all is known before a run, what a plan refuses.
    """
    core.add_extension(HalfpixelNode)
    for op_type in dict.fromkeys(op_type for op_type, _ in OPERATORS):
        core.add_extension(ConversionExtension(op_type, "", _converter(op_type)))


def _converter(op_type: str) -> Callable[[NodeContext], Any]:
    def convert(node: NodeContext) -> Any:
        values = [node.get_input(i) for i in range(node.get_input_size())]
        given = [i for i, value in enumerate(values) if value.get_node().get_type_name() != _ABSENT]
        attributes = {name: node.get_attribute(name) for name in _names(op_type) if node.has_attribute(name)}
        operator = operator_of(op_type, version_of(op_type, len(values), attributes))
        plain = read_attributes(operator, attributes, strict=False)
        element = _element(values[0].get_element_type().get_type_name())
        made = HalfpixelNode([values[i] for i in given], Description(op_type, operator.version, plain, given, element))
        return made.outputs()

    return convert


def version_of(op_type: str, input_count: int, attributes: dict[str, Any]) -> int:
    """Return a since-version that means what the node means: an extension is not told the model's opset.

    Upsample and Resize took their scales from other places in other versions; what a node has shows which it is.
    Everything else that versions change is which values they allow.
    """
    if op_type == "Resize" and input_count == 2:
        return 10
    if op_type == "Upsample":
        return 9 if input_count == 2 else 7 if "scales" in attributes else 1
    return versions_of(op_type)[-1]


def _names(op_type: str) -> list[str]:
    """Every attribute that any version of the operator has."""
    return list(dict.fromkeys(name for (other, _), o in OPERATORS.items() if other == op_type for name in o.attributes))


def _element(name: str) -> str:
    element = ELEMENT_TYPES.get(name)
    if element is None:
        raise ModelError(
            "HP447",
            "a node's data has an element type that the operators do not have",
            given=f"element type {name}",
            allowed=", ".join(ELEMENT_TYPES),
            do="convert the data in the model with a Cast node before this one",
        )
    return element
