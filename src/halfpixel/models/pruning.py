"""A large model cut down to its resize-like nodes and what says something about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from halfpixel.models.structure import graphs_of
from halfpixel.spec.operators import OPERATORS

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

_OP_TYPES = frozenset(op_type for op_type, _ in OPERATORS)
_LARGEST_CHAIN = 2048
"""Nodes behind one resize-like node, through the inputs that are not its data, that are kept."""


def pruned(model: ModelProto) -> tuple[ModelProto, int]:
    """Return a model of the resize-like nodes of a model, and how many nodes it has.

    Kept are these nodes, the nodes that hold them in subgraphs, and behind them the nodes from which their scales,
    sizes and roi are computed. A value whose node was cut off is a graph input, of the type that the model declared.
    """
    import onnx

    small = onnx.ModelProto(ir_version=model.ir_version)
    small.opset_import.extend(model.opset_import)
    cut = _Cut()
    free = cut.graph(model.graph, small.graph)
    known = {info.name for info in small.graph.input}
    declared = {info.name: info for info in model.graph.value_info if info.name in free}
    for name in sorted(free - known):
        if name in declared:
            small.graph.input.add().CopyFrom(declared[name])
        else:
            small.graph.input.add(name=name)
    for function in model.functions:
        body = onnx.FunctionProto()
        cut.graph(function, body)
        if body.node:
            body.domain, body.name, body.overload = function.domain, function.name, function.overload
            body.opset_import.extend(function.opset_import)
            body.attribute.extend(function.attribute)
            body.attribute_proto.extend(function.attribute_proto)
            defined = {name for node in body.node for name in node.output}
            read = {name for node in body.node for name in node.input if name and name not in defined}
            body.input.extend(sorted(read))
            small.functions.append(body)
    return small, cut.nodes


class _Cut:
    """Cuts graphs; counts the nodes that stay."""

    def __init__(self) -> None:
        self.nodes = 0

    def graph(self, graph: Any, small: Any) -> set[str]:
        """Copy what is kept of a graph or function into a small one; return the names that it reads from elsewhere."""
        kept: dict[int, NodeProto] = {}
        wanted: list[str] = []
        captured: set[str] = set()
        for position, node in enumerate(graph.node):
            if node.op_type in _OP_TYPES and node.domain in ("", "ai.onnx"):
                kept[position] = node
                wanted += node.input[1:]
            elif node.attribute:
                holder, free = self._holder(node)
                if holder is not None:
                    kept[position] = holder
                    wanted += free
                    captured |= free
        if wanted:
            producers = {name: position for position, node in enumerate(graph.node) for name in node.output}
            self._chains(graph, producers, wanted, kept)
        nodes = [kept[position] for position in sorted(kept)]
        self.nodes += len(nodes)
        small.node.extend(nodes)
        defined = {name for node in nodes for name in node.output}
        read = ({name for node in nodes for name in node.input} | captured) - {""}
        if hasattr(small, "initializer"):
            small.name = graph.name
            self._declared(graph, small, defined | read)
            defined |= {one.name for one in (*small.initializer, *small.input)}
        return read - defined

    def _holder(self, node: NodeProto) -> tuple[NodeProto | None, set[str]]:
        """A copy of a node whose subgraphs have resize-like nodes, without the rest of them; None for another node."""
        import onnx

        found, free = False, set[str]()
        small = onnx.NodeProto(op_type=node.op_type, domain=node.domain, name=node.name)
        for attribute in node.attribute:
            graphs = graphs_of(attribute)
            if not graphs:
                continue
            copy = small.attribute.add(name=attribute.name, type=attribute.type)
            for graph in graphs:
                part = copy.g if attribute.HasField("g") else copy.graphs.add()
                free |= self.graph(graph, part)
                found = found or bool(part.node)
        if not found:
            return None, set()
        small.input.extend(node.input)
        small.output.extend(node.output)
        return small, free

    def _chains(self, graph: Any, producers: dict[str, int], wanted: list[str], kept: dict[int, NodeProto]) -> None:
        """Keep the nodes from which the wanted names are computed."""
        seen = set(wanted)
        budget = _LARGEST_CHAIN * max(1, len(kept))
        while wanted and budget:
            position = producers.get(wanted.pop())
            if position is None or position in kept:
                continue
            budget -= 1
            node = graph.node[position]
            kept[position] = node
            if node.op_type not in ("Shape", "Size"):
                wanted += [name for name in node.input if name not in seen]
                seen.update(node.input)

    def _declared(self, graph: GraphProto, small: GraphProto, names: set[str]) -> None:
        """Keep the initializers, inputs and declared types of names; the shapes of large initializers alone."""
        small.initializer.extend(one for one in graph.initializer if one.name in names)
        small.input.extend(one for one in graph.input if one.name in names)
        small.output.extend(one for one in graph.output if one.name in names)
        small.value_info.extend(one for one in graph.value_info if one.name in names)
