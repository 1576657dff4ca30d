"""Replace nodes of a model by others, in a graph, a subgraph or the body of a function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import onnx_ir

    Bodies = Iterator[tuple[onnx_ir.Graph, dict[str, int]]]


def bodies(model: onnx_ir.Model) -> Bodies:
    """The main graph and the body of each local function, each with the opsets that it imports."""
    yield model.graph, model.graph.opset_imports
    for function in model.functions.values():
        yield function.graph, function.opset_imports


def all_nodes(model: onnx_ir.Model) -> list[onnx_ir.Node]:
    """Every node of a model: main graph, subgraphs, local functions."""
    return [node for graph, _ in bodies(model) for node in graph.all_nodes()]


class Names:
    """Names for values and nodes that a model does not have yet.

    Args:
        model: new names differ from all of its values and nodes, in every graph.
    """

    def __init__(self, model: onnx_ir.Model) -> None:
        self._used: set[str] = set()
        for graph, _ in bodies(model):
            for owner in (graph, *graph.subgraphs()):
                self._used.update(value.name or "" for value in (*owner.inputs, *owner.initializers.values()))
            for node in graph.all_nodes():
                self._used.add(node.name or "")
                self._used.update(value.name or "" for value in node.outputs)

    def new(self, wanted: str) -> str:
        """Return the wanted name, or it with a number behind it where it is taken."""
        name, number = wanted, 1
        while name in self._used:
            number += 1
            name = f"{wanted}_{number}"
        self._used.add(name)
        return name


class Patch:
    """Nodes that take the place of one or more old ones.

    Args:
        names: of the model.
        label: what the names of new values and nodes begin with.
    """

    def __init__(self, names: Names, label: str) -> None:
        self.nodes: list[onnx_ir.Node] = []
        self._names = names
        self._label = label

    def constant(self, array: np.ndarray[Any, Any], name: str) -> onnx_ir.Value:
        """Add a Constant: unlike an initializer it may stand in a function, and needs no graph input in old models."""
        import onnx_ir

        tensor = onnx_ir.tensor(array, name=self._names.new(f"{self._label}_{name}"))
        (value,) = self.add("Constant", [], {"value": tensor}, name)
        value.const_value = tensor
        return value

    def add(
        self, op_type: str, inputs: Sequence[onnx_ir.Value | None], attributes: dict[str, Any], name: str
    ) -> Sequence[onnx_ir.Value]:
        """Add a node and return its outputs (one). Attributes are plain values or attributes of another node."""
        import onnx_ir

        kept = {key: value for key, value in attributes.items() if isinstance(value, onnx_ir.Attr)}
        plain = {key: value for key, value in attributes.items() if key not in kept}
        converted = onnx_ir.convenience.convert_attributes(plain)
        node = onnx_ir.Node(
            "", op_type, inputs, [*kept.values(), *converted], name=self._names.new(f"{self._label}_{name}")
        )
        node.outputs[0].name = self._names.new(f"{self._label}_{name}_out")
        self.nodes.append(node)
        return node.outputs

    def put(self, old: onnx_ir.Node, outputs: Sequence[onnx_ir.Value]) -> None:
        """Put the new nodes where an old one stands; users of its outputs take these instead, under the old names.

        An output that is no output of a new node (the old node passed something through) goes through an Identity: a
        value can carry one name only.
        """
        from onnx_ir.convenience import replace_nodes_and_values

        made = {id(value) for node in self.nodes for value in node.outputs}
        fresh = [value if id(value) in made else self.add("Identity", [value], {}, "same")[0] for value in outputs]
        graph = old.graph
        assert graph is not None
        if len(fresh) == len(old.outputs) == 1 and fresh[0].producer() is not None:
            producer = fresh[0].producer()
            assert producer is not None
            producer.name = old.name or producer.name
        inputs = list(old.inputs)
        replace_nodes_and_values(graph, old, [old], self.nodes, old.outputs, fresh)
        drop_unused(inputs)


def drop_unused(values: Iterable[onnx_ir.Value | None]) -> None:
    """Remove constants, initializers and the nodes that compute them, where nothing uses these values any more."""
    waiting = [value for value in values if value is not None]
    while waiting:
        value = waiting.pop()
        if value.uses() or value.is_graph_output():
            continue
        producer = value.producer()
        if producer is not None and producer.graph is not None:
            if not any(output.uses() or output.is_graph_output() for output in producer.outputs):
                waiting += [other for other in producer.inputs if other is not None]
                producer.graph.remove(producer, safe=True)
        elif value.is_initializer() and not value.is_graph_input() and value.graph is not None:
            value.graph.initializers.pop(value.name or "", None)
