"""The nodes that are none of ours, converted by onnx's own version converter, each in a model of its own.

That converter takes whole models, and changes the numbers of Upsample and Resize-10 silently. Node by node it never
sees those, and the rest works in subgraphs and local functions, with external data and in models of any size as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.editing import Names, Patch
from halfpixel.models.elements import element_number
from halfpixel.models.refusals import NoEqualError

if TYPE_CHECKING:
    import onnx
    import onnx_ir

_LARGEST_CONSTANT = 1024
"""Elements of a constant input that the converter gets to see: axes, pads, steps, but no weights."""

_TYPES_ONLY = frozenset({"If", "Loop", "Scan", "SequenceMap"})
"""Operators with graphs inside; from Scan-9 on their versions differ in the element types only."""


class Others:
    """Convert nodes between two opsets.

    Args:
        names: of the model.
        before, after: opsets of the default domain.
    """

    def __init__(self, names: Names, before: int, after: int) -> None:
        self._names = names
        self._before = before
        self._after = after
        self._converted: dict[tuple[Any, ...], onnx.ModelProto] = {}

    def concerns(self, node: onnx_ir.Node) -> bool:
        """True if a node's version differs between the two opsets."""
        try:
            return self._version(node, self._before) != self._version(node, self._after)
        except NoEqualError:
            return True

    def convert(self, node: onnx_ir.Node) -> bool:
        """Bring a node of the default domain from one opset to the other; true if anything about it changed.

        Raises:
            NoEqualError: onnx has no conversion for it.
        """
        old, new = self._version(node, self._before), self._version(node, self._after)
        if old == new:
            return False
        if node.op_type in _TYPES_ONLY and (node.op_type, old) != ("Scan", 8):
            return False
        if node.op_type == "Constant" and (self._before < self._after or set(node.attributes) == {"value"}):
            return False
        if any(attribute.is_ref() for attribute in node.attributes.values()):
            raise NoEqualError(
                f"{node.op_type}-{old} in a function takes an attribute of the function: inline the function first"
            )
        model = self._model(node)
        key = (model.graph.SerializeToString(), old)
        if key not in self._converted:
            self._converted[key] = self._by_onnx(node, old, model)
        return self._splice(node, model, self._converted[key])

    def _version(self, node: onnx_ir.Node, opset: int) -> int:
        import onnx

        try:
            schema = onnx.defs.get_schema(node.op_type, opset)
        except onnx.defs.SchemaError as error:
            raise NoEqualError(f"there is no {node.op_type} in opset {opset}") from error
        if schema.deprecated and opset == self._after:
            raise NoEqualError(f"{node.op_type} is deprecated in opset {opset}, and onnx has no conversion for it")
        return int(schema.since_version)

    def _model(self, node: onnx_ir.Node) -> onnx.ModelProto:
        """A model with this node alone. Its inputs are called i0, i1, ..., its outputs o0, o1, ..."""
        import onnx
        import onnx_ir

        proto = onnx_ir.to_proto(node)
        graph = onnx.GraphProto(name="node")
        for position, value in enumerate(node.inputs):
            if value is None or not value.name:
                continue
            name = proto.input[position] = f"i{position}"
            constant = _small_constant(value)
            if constant is not None:
                graph.initializer.append(onnx.numpy_helper.from_array(constant, name))
            else:
                graph.input.append(_described(value, name))
        for position, value in enumerate(node.outputs):
            if value.name:
                proto.output[position] = f"o{position}"
                graph.output.append(_described(value, f"o{position}"))
        proto.name = proto.doc_string = ""
        del proto.metadata_props[:]
        graph.node.append(proto)
        return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", self._before)], ir_version=8)

    def _by_onnx(self, node: onnx_ir.Node, version: int, model: onnx.ModelProto) -> onnx.ModelProto:
        from onnx.version_converter import convert_version

        try:
            return convert_version(model, self._after)
        except Exception as error:  # the converter raises RuntimeError, ConvertError and what its assertions raise
            words = " ".join(str(error).split()).rpartition("Assertion `false` failed: ")[2]
            raise NoEqualError(f"onnx's converter has no way for {node.op_type}-{version}: {words}") from error

    def _splice(self, node: onnx_ir.Node, before: onnx.ModelProto, after: onnx.ModelProto) -> bool:
        """Put what the converter made in the node's place."""
        import onnx
        import onnx_ir

        given = {item.name for item in before.graph.initializer}
        made = [item for item in after.graph.initializer if item.name not in given]
        if len(after.graph.node) == 1 and not made and _same(before.graph.node[0], after.graph.node[0]):
            return False
        patch = Patch(self._names, node.name or node.outputs[0].name or node.op_type)
        values: dict[str, onnx_ir.Value | None] = {f"i{at}": value for at, value in enumerate(node.inputs)}
        values[""] = None
        for item in made:
            values[item.name] = patch.constant(onnx.numpy_helper.to_array(item), "constant")
        for item in after.graph.node:
            plain = onnx_ir.Node(
                "",
                item.op_type,
                [values[name] for name in item.input],
                [onnx_ir.from_proto(attribute) for attribute in item.attribute],
                num_outputs=len(item.output),
                name=self._names.new(node.name or item.op_type),
            )
            for name, value in zip(item.output, plain.outputs, strict=True):
                value.name = self._names.new(f"{node.outputs[0].name}_{item.op_type}") if name else ""
                values[name] = value
            patch.nodes.append(plain)
        outputs = [values[f"o{at}"] if value.name else value for at, value in enumerate(node.outputs)]
        patch.put(node, [value for value in outputs if value is not None])
        return True


def _small_constant(value: onnx_ir.Value) -> np.ndarray[Any, Any] | None:
    from halfpixel.models.values import constant_value

    if value.const_value is not None and value.const_value.size > _LARGEST_CONSTANT:
        return None
    constant = constant_value(value)
    return None if constant is None or constant.size > _LARGEST_CONSTANT else constant


def _described(value: onnx_ir.Value, name: str) -> onnx.ValueInfoProto:
    """A value's type and shape as far as they are known."""
    import onnx

    from halfpixel.models.shapes import element_type_of, shape_of

    element, shape = element_type_of(value), shape_of(value)
    if element is None:
        return onnx.ValueInfoProto(name=name)
    number = element_number(element)
    return onnx.helper.make_tensor_value_info(name, number, None if shape is None else list(shape))


def _same(one: onnx.NodeProto, other: onnx.NodeProto) -> bool:
    def words(node: onnx.NodeProto) -> Any:
        kept = sorted(attribute.SerializeToString(deterministic=True) for attribute in node.attribute)
        return node.op_type, list(node.input), list(node.output), kept

    return bool(words(one) == words(other))
