"""Whether the graphs of a model hang together: before anything walks them, circles and the like are refused.

The protobuf message is looked at, not the model made of it: a message of a million nodes is checked in seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfpixel._errors import ModelError
from halfpixel.onnx.files import too_large

if TYPE_CHECKING:
    from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto

DEEPEST = 64
"""Graphs in graphs."""
MOST_PARTS = 8_000_000
"""Nodes, attributes, inputs and outputs of nodes."""


def check_names(model: ModelProto) -> None:
    """Refuse a model with a name that is not UTF-8; protobuf gives bytes for it, where everything else expects text.

    Raises:
        ModelError: HP411.
    """
    for entry in model.opset_import:
        _text(entry.domain)
    graphs: list[Any] = [model.graph, *model.functions]
    for function in model.functions:
        for name in (function.domain, function.name, function.overload, *function.attribute):
            _text(name)
        graphs += (graph for attribute in function.attribute_proto for graph in graphs_of(attribute))
    while graphs:
        graph = graphs.pop()
        for info in (*getattr(graph, "value_info", ()), *graph.input, *graph.output):
            _text(info if isinstance(info, (str, bytes)) else info.name)
            if not isinstance(info, (str, bytes)):
                for axis in info.type.tensor_type.shape.dim:
                    _text(axis.dim_param)
        for one in getattr(graph, "initializer", ()):
            _text(one.name)
        for node in graph.node:
            for name in (node.op_type, node.domain, node.name, node.overload, *node.input, *node.output):
                _text(name)
            for attribute in node.attribute:
                _text(attribute.name)
                _text(attribute.ref_attr_name)
                graphs += graphs_of(attribute)


def _text(name: Any) -> None:
    if isinstance(name, bytes):
        raise broken("a name is not text", f"bytes that are not UTF-8: {name[:60]!r}")


@dataclass(frozen=True, eq=False)
class Contents:
    """What a sound model has, in all graphs and functions: how many nodes, and its tensors."""

    nodes: int
    tensors: list[TensorProto]


def check_structure(model: ModelProto) -> Contents:
    """Refuse a model whose graphs do not hang together.

    Every name that a node reads must be defined once, in its graph or one around it, and no node may wait for itself;
    functions must not call each other in a circle. Nodes may stand in any order.

    Raises:
        ModelError: HP410 too many parts or graphs nested too deeply, HP411 the graphs do not hang together.
    """
    checker = _Checker()
    checker.check(model)
    return Contents(checker.nodes, checker.tensors)


def broken(sentence: str, given: str) -> ModelError:
    """Return HP411."""
    return ModelError(
        "HP411",
        f"the model is not well formed: {sentence}",
        given=given,
        allowed="values that are defined once, nodes that wait for no circle, functions that do not call themselves",
        do="look for the tool that wrote it; onnx.checker.check_model says more",
    )


def graphs_of(attribute: Any) -> list[GraphProto]:
    """The graphs that an attribute holds."""
    single = [attribute.g] if attribute.HasField("g") else []
    return [*single, *attribute.graphs]


class _Checker:
    """One look at a model; counts what it has seen."""

    def __init__(self) -> None:
        self.nodes = 0
        self.tensors: list[TensorProto] = []
        self._parts = 0

    def check(self, model: ModelProto) -> None:
        domains = Counter("" if entry.domain == "ai.onnx" else entry.domain for entry in model.opset_import)
        if repeated := [domain or "ai.onnx" for domain, count in domains.items() if count > 1]:
            raise broken("a domain is imported twice", f"opset imports of {', '.join(map(repr, repeated))}")
        if free := self._free_names(model.graph, [], 0):
            raise _undefined(free, "the main graph")
        _check_functions(model.functions)
        for function in model.functions:
            free = self._free_names(function, function.input, 0)
            if free:
                raise _undefined(free, f"the function {function.domain}::{function.name}")

    def _free_names(self, graph: GraphProto | FunctionProto, inputs: Iterable[str], depth: int) -> set[str]:
        """The names that a graph reads and does not define; those of its subgraphs among them."""
        if depth > DEEPEST:
            raise too_large(f"graphs in graphs, {depth} deep", f"at most {DEEPEST}")
        given = set(inputs)
        if hasattr(graph, "initializer"):
            if graph.sparse_initializer:
                raise broken("sparse initializers are not read", f"{len(graph.sparse_initializer)} of them")
            given = _distinct([one.name for one in graph.input], "a graph input") | _distinct(
                [one.name for one in graph.initializer], "an initializer"
            )
            self.tensors += graph.initializer
        self.nodes += len(graph.node)
        producers: dict[str, int] = {}
        captured: dict[int, list[str]] = {}
        early: list[str] = []
        for position, node in enumerate(graph.node):
            names: Iterable[str] = node.input
            if node.attribute and (inside := self._read_inside(node, depth)):
                captured[position] = inside
                names = [*names, *inside]
            for name in names:
                if name not in producers and name not in given:
                    early.append(name)
            for name in node.output:
                if (name in producers or name in given) and name:
                    raise broken("a name is defined twice", f"{name!r}, by the node {node.name or node.op_type!r}")
                producers[name] = position
        self._count(2 * len(graph.node))
        producers.pop("", None)
        if not producers.keys().isdisjoint(early):
            _check_no_circle(graph, producers, captured)
        early += (getattr(output, "name", output) for output in graph.output)  # of a function names alone
        return {name for name in early if name and name not in producers and name not in given}

    def _read_inside(self, node: NodeProto, depth: int) -> list[str]:
        """The names that the subgraphs of a node read from around them."""
        self._count(1 + len(node.attribute))
        read: list[str] = []
        for attribute in node.attribute:
            if not attribute.type:
                raise broken(
                    "an attribute has no type", f"{attribute.name!r} of the node {node.name or node.op_type!r}"
                )
            if attribute.HasField("t") or (attribute.type == attribute.TENSOR and not attribute.ref_attr_name):
                self.tensors.append(attribute.t)
            self.tensors += attribute.tensors
            for subgraph in graphs_of(attribute):
                read += self._free_names(subgraph, (), depth + 1)
        return read

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MOST_PARTS:
            raise too_large(f"more than {MOST_PARTS} nodes and values", f"at most {MOST_PARTS}")


def _check_no_circle(
    graph: GraphProto | FunctionProto, producers: dict[str, int], captured: dict[int, list[str]]
) -> None:
    """Refuse a graph some nodes of which wait for each other: those that are left when all others have run.

    Args:
        producers: name -> position of the node that defines it.
        captured: position of a node -> the names that its subgraphs read.
    """
    waiting: list[int] = []
    readers: dict[int, list[int]] = {}
    for position, node in enumerate(graph.node):
        names = [*node.input, *captured.get(position, ())]
        sources = {producers[name] for name in names if name in producers}
        waiting.append(len(sources))
        for source in sources:
            readers.setdefault(source, []).append(position)
    ready = [position for position, count in enumerate(waiting) if count == 0]
    for position in ready:
        for reader in readers.get(position, ()):
            waiting[reader] -= 1
            if waiting[reader] == 0:
                ready.append(reader)
    if len(ready) < len(waiting):
        node = graph.node[next(position for position, count in enumerate(waiting) if count)]
        number = len(waiting) - len(ready)
        raise broken("nodes wait for each other", f"{number} nodes, {node.name or node.op_type!r} among them")


def _distinct(names: list[str], what: str) -> set[str]:
    distinct = set(names)
    if len(distinct) < len(names):
        name = next(name for name, count in Counter(names).items() if count > 1)
        raise broken("a name is defined twice", f"{what} {name!r}")
    return distinct


def _undefined(names: set[str], where: str) -> ModelError:
    some = sorted(names, key=str)[:5]
    return broken("a value is read that nothing defines", f"{', '.join(map(repr, some))} in {where}")


def _check_functions(functions: Iterable[FunctionProto]) -> None:
    """Refuse functions of one name, and those that call themselves, through others or not."""
    bodies: dict[tuple[str, str, str], FunctionProto] = {}
    for function in functions:
        key = (function.domain, function.name, function.overload)
        if key in bodies:
            raise broken("a function is defined twice", "::".join(part for part in key if part))
        bodies[key] = function
    done: set[tuple[str, str, str]] = set()
    for key in bodies:
        path: list[tuple[tuple[str, str, str], Iterator[tuple[str, str, str]]]] = [(key, iter(_calls(bodies, key)))]
        inside = {key}
        while path:
            current, calls = path[-1]
            called = next(calls, None)
            if called is None:
                path.pop()
                inside.discard(current)
                done.add(current)
            elif called in inside:
                raise broken("functions call each other in a circle", "::".join(part for part in called if part))
            elif called not in done:
                inside.add(called)
                path.append((called, iter(_calls(bodies, called))))


def _calls(bodies: dict[tuple[str, str, str], FunctionProto], key: tuple[str, str, str]) -> set[tuple[str, str, str]]:
    """The functions that one calls, in its subgraphs too."""
    called = set()
    graphs: list[GraphProto | FunctionProto] = [bodies[key]]
    while graphs:
        for node in graphs.pop().node:
            name = (node.domain, node.op_type, node.overload)
            if name in bodies:
                called.add(name)
            for attribute in node.attribute:
                graphs += graphs_of(attribute)
    return called
