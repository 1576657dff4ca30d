"""The nodes between one value and another, if nothing else goes in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.elements import element_number
from halfpixel.models.proving.fragments import Fragment, fragment_of
from halfpixel.models.proving.running import OURS, CannotRunError, runtimes
from halfpixel.models.shapes import shape_of

if TYPE_CHECKING:
    import onnx_ir

_MOST_NODES = 400
"""Nodes of a region; torch's area of 7 x 7 windows has 150."""

_ONLY_LENGTHS = ("Shape", "Size")


@dataclass(frozen=True)
class Region:
    """Nodes that compute one value from another and constants.

    Attributes:
        x, y: the two values.
        nodes: in order; y comes from the last one.
        opset: of the default domain where they stand.
    """

    x: onnx_ir.Value
    y: onnx_ir.Value
    nodes: tuple[onnx_ir.Node, ...]
    opset: int

    @property
    def in_shape(self) -> tuple[int | None, ...] | None:
        """Lengths of x, None for those that only the run knows; None for an unknown rank."""
        shape = shape_of(self.x)
        return None if shape is None else tuple(n if isinstance(n, int) else None for n in shape)

    def fragment(self) -> Fragment:
        """The nodes as a model of their own."""
        return fragment_of(self.nodes, self.y, self.opset, None, [self.x])

    def runner(self, element: str) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any] | None]:
        """Return what runs the nodes on an x with our evaluator; None where they do not take it."""
        fragment, name = self.fragment(), self.x.name or ""
        number = element_number(element)
        ready: dict[int, Any] = {}

        def run(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
            try:
                if x.ndim not in ready:
                    ready[x.ndim] = runtimes()[OURS](fragment.model({name: x}, number))
                return np.asarray(ready[x.ndim]({name: x})[0])
            except CannotRunError:
                return None

        return run


def region_of(y: onnx_ir.Value, x: onnx_ir.Value, opset: int) -> Region | None:
    """Return the nodes that y comes from, back to x and to constants; None where anything else goes in.

    Nodes with graphs inside, of other domains, or with attributes of the function around them are not taken.
    """
    found: list[onnx_ir.Node] = []
    done: set[int] = set()
    stack: list[tuple[onnx_ir.Value, bool]] = [(y, False)]
    while stack:
        value, ready = stack.pop()
        node = value.producer()
        if value is x or (id(value) in done and not ready):
            continue
        if node is None or node.op_type == "Constant":
            if value.const_value is None and node is None:
                return None
            continue
        if ready:
            if id(node) not in done:
                done.add(id(node))
                found.append(node)
            continue
        if id(node) in done:
            continue
        if not _plain(node) or len(found) + len(stack) > 8 * _MOST_NODES:
            return None
        done.add(id(value))
        stack.append((value, True))
        stack += [(one, False) for one in node.inputs if one is not None]
    if not found or len(found) > _MOST_NODES:
        return None
    return Region(x, y, tuple(found), opset)


def _plain(node: onnx_ir.Node) -> bool:
    if node.domain != "" or len(node.outputs) != 1:
        return False
    return all(not one.is_ref() and one.type.name not in ("GRAPH", "GRAPHS") for one in node.attributes.values())


def users_that_read(value: onnx_ir.Value) -> list[onnx_ir.Node]:
    """The nodes that read a value itself, not its lengths only."""
    return [node for node, _ in value.uses() if node.op_type not in _ONLY_LENGTHS]
