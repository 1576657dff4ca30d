"""The four operators as operator classes of onnx's reference evaluator."""

from typing import Any

from onnx.helper import get_attribute_value
from onnx.reference.op_run import OpRun, RefAttrName

from halfpixel.ops.node import run_node


class _Operator(OpRun):
    """One node, run by ``halfpixel.run_node`` in the version that the model's opset picks.

    The base class fills in the attribute defaults of the *newest* schema whatever the model's opset, so an old node
    would carry attributes that its version does not know. Here a node has the attributes it was given and no others.
    """

    op_domain = ""

    def _load_attributes(self) -> None:
        """Read the node's own attributes; one that refers to a function's attribute keeps the name until the call."""
        self._own: dict[str, Any] = {}
        for attribute in self.onnx_node.attribute:
            name = attribute.ref_attr_name
            self._own[attribute.name] = RefAttrName(name) if name else get_attribute_value(attribute)
        self.has_linked_attribute = any(isinstance(value, RefAttrName) for value in self._own.values())
        self.attributes_names_ = set(self._own)

    def run(
        self, *args: Any, linked_attributes: dict[str, Any] | None = None, context: Any = None, bindings: Any = None
    ) -> tuple[Any, ...]:
        """Run the node on its inputs, None for an absent one.

        Args:
            *args: the node's inputs in their order.
            linked_attributes: values of the attributes of the function whose body the node is in. A reference to one
                that the caller of the function left out leaves the node's attribute out.
            context: not used: none of the four operators has a subgraph.
            bindings: not used, as ``context``.
        Returns:
            the node's one output.
        Raises:
            HalfpixelError: as ``halfpixel.run_node``; the base class would turn a TypeError into one without its code.
        """
        linked = linked_attributes or {}
        attributes = {}
        for name, value in self._own.items():
            if not isinstance(value, RefAttrName):
                attributes[name] = value
            elif value.name in linked:
                attributes[name] = linked[value.name]
        return self._run(*args, **attributes)

    def _run(self, *inputs: Any, **attributes: Any) -> tuple[Any, ...]:
        opset = self.run_params["opsets"][self.onnx_node.domain]
        return (run_node(self.onnx_node.op_type, inputs, attributes, opset=opset, strict=False),)


class Resize(_Operator):
    """Resize 10, 11, 13, 18, 19."""


class Upsample(_Operator):
    """Upsample 1, 7, 9, 10."""


class DepthToSpace(_Operator):
    """DepthToSpace 1, 11, 13, 28."""


class SpaceToDepth(_Operator):
    """SpaceToDepth 1, 13, 28."""


def new_ops() -> list[type[OpRun]]:
    """The four operator classes, for ``onnx.reference.ReferenceEvaluator(model, new_ops=halfpixel.onnx.new_ops())``.

    That evaluator uses them in the graph and its subgraphs, but not inside local functions; ``Evaluator`` does both.
    """
    return [Resize, Upsample, DepthToSpace, SpaceToDepth]
