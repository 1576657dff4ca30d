"""Values that are the same in every run of a model, and words for where a value comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.folding import FOLDS, MOST_ELEMENTS, Known, known
from halfpixel.models.shapes import shape_of

if TYPE_CHECKING:
    import onnx_ir

_DEEPEST = 64
"""Nodes in a row that folding looks through."""
_MOST_NODES = 2048
"""Nodes that folding looks at for one value."""
_MOST_LEAVES = 4
"""Sources that source_of names."""


def constant_value(value: onnx_ir.Value | None) -> np.ndarray[Any, Any] | None:
    """Return what a value is in every run of the model, None where that depends on the run.

    That are initializers, Constant nodes, and what follows from them and from known lengths of shapes through the
    operators in ``folding`` (Shape, Gather, Slice, Concat, Cast, Mul, Floor, Unsqueeze, ...). An initializer that is a
    graph input as well counts, although a caller may pass another value: no runtime's users do so for sizes.

    Work is bounded: at most 64 nodes in a row and 2,048 in all, on arrays of at most 4,096 elements.
    """
    found = partly_constant(value)
    return None if found is None or not found.known.all() else found.values


def partly_constant(value: onnx_ir.Value | None) -> Known | None:
    """Return a value of which some elements are the same in every run: with a mask that says which.

    A Shape of (N, 3, 32, 32) is one: N is unknown, the rest known. None where nothing is known, not even how many.
    """
    if value is None:
        return None
    if value.const_value is not None:
        return known(value.const_value.numpy())
    return _fold(value, {}, _DEEPEST)


def _fold(value: onnx_ir.Value | None, seen: dict[onnx_ir.Value, Known | None], depth: int) -> Known | None:
    """What is known of a value; `seen` has the values that were looked at, None while one is being looked at."""
    if value is None or depth == 0 or len(seen) > _MOST_NODES:
        return None
    if value in seen:
        return seen[value]
    seen[value] = None
    if value.const_value is not None:
        small = value.const_value.size <= MOST_ELEMENTS
        seen[value] = known(value.const_value.numpy()) if small else None
        return seen[value]
    node = value.producer()
    if node is None or node.domain != "" or len(node.outputs) != 1:
        return None
    if node.op_type == "Constant":
        seen[value] = _of_constant(node)
    elif node.op_type in ("Shape", "Size"):
        seen[value] = _of_shape(node)
    elif node.op_type in FOLDS and not any(attribute.is_ref() for attribute in node.attributes.values()):
        inputs = [None if one is None else _fold(one, seen, depth - 1) for one in node.inputs]
        missing = any(one is not None and found is None for one, found in zip(node.inputs, inputs, strict=True))
        if not missing:
            seen[value] = _applied(node, inputs)
    return seen[value]


def _applied(node: onnx_ir.Node, inputs: list[Known | None]) -> Known | None:
    """The result of a node on what is known of its inputs."""
    attributes = {attribute.name: attribute.value for attribute in node.attributes.values()}
    with np.errstate(all="ignore"):
        try:
            result = FOLDS[node.op_type](inputs, attributes)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError, MemoryError, OverflowError):
            return None  # the node is wrong, or its inputs are; what it gives is then not known
    return result if result is not None and result.values.size <= MOST_ELEMENTS else None


def _of_constant(node: onnx_ir.Node) -> Known | None:
    dtypes = {
        "value": None,
        "value_float": np.float32,
        "value_floats": np.float32,
        "value_int": np.int64,
        "value_ints": np.int64,
    }
    for name, dtype in dtypes.items():
        attribute = node.attributes.get(name)
        if attribute is not None and not attribute.is_ref():
            return known(attribute.as_tensor().numpy() if dtype is None else np.array(attribute.value, dtype))
    return None


def _of_shape(node: onnx_ir.Node) -> Known | None:
    shape = shape_of(node.inputs[0]) if node.inputs else None
    if shape is None or any(attribute.is_ref() for attribute in node.attributes.values()):
        return None
    lengths = np.array([length if isinstance(length, int) else 1 for length in shape], np.int64)
    mask = np.array([isinstance(length, int) for length in shape], np.bool_)
    if node.op_type == "Size":
        return Known(np.array(lengths.prod(), np.int64), np.array(mask.all()))
    bounds = {attribute.name: attribute.value for attribute in node.attributes.values()}
    part = slice(bounds.get("start", 0), bounds.get("end"))
    return Known(lengths[part], mask[part])


def source_of(value: onnx_ir.Value) -> str:
    """Say in words where a value comes from.

    "initializer", "constant" (a Constant node), "graph input" (or one of the subgraph or function around it), or
    "computed: Div of Shape(X), scale": the node that gives it and the ends of the chain behind it without constants.
    """
    if value.is_initializer():
        return "initializer"
    node = value.producer()
    if node is None:
        return "graph input"
    if node.op_type == "Constant":
        return "constant"
    leaves = list(dict.fromkeys(_leaves(node)))
    named = leaves[:_MOST_LEAVES] + ["..."] * (len(leaves) > _MOST_LEAVES)
    return f"computed: {node.op_type} of {', '.join(named) or 'constants'}"


def _leaves(node: onnx_ir.Node) -> list[str]:
    """Where the chain behind a node ends: "Shape(X)" or the name of a graph input; constants are left out."""
    if node.op_type in ("Shape", "Size") and node.domain == "":
        return [_call(node)]
    leaves: list[str] = []
    seen = {node}
    stack = [node]
    while stack and len(seen) <= _MOST_NODES:
        inputs = stack.pop().inputs
        for one in inputs:
            producer = None if one is None else one.producer()
            if one is None or one.const_value is not None or (producer is not None and producer in seen):
                continue
            if producer is None:
                leaves.append(str(one.name))
                continue
            seen.add(producer)
            if producer.op_type in ("Shape", "Size") and producer.domain == "":
                leaves.append(_call(producer))
            elif producer.op_type != "Constant":
                stack.append(producer)
    return leaves


def _call(node: onnx_ir.Node) -> str:
    data = node.inputs[0] if node.inputs else None
    return f"{node.op_type}({'' if data is None else data.name})"
