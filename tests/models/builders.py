"""Small models for tests: a resize-like node of any version, wherever it may stand.

A ``Node`` is built first, then a model around it: ``model_of(node)``, ``in_if(node)``, ``in_loop(node)``,
``in_function(node)``. X is the graph input "X", Y the graph output "Y".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

Lengths = Sequence[int | str | None]

X_SHAPE = (1, 2, 4, 6)
IR_VERSION = 8
"""Of models up to opset 17 and beyond; every runtime that the tests use reads it."""


@dataclass
class Node:
    """A node with the constants and nodes that it needs.

    Attributes:
        node: the resize-like node; its data input is "X", its output "Y".
        before: nodes that compute its scales or sizes.
        initializers: its constant inputs.
        opset: of the default domain.
        x_shape: what the model declares for X.
        x_type: the element type of X.
        inputs: further graph inputs: name -> (element type, shape), for scales or sizes that the caller passes.
    """

    node: NodeProto
    opset: int
    x_shape: Lengths = X_SHAPE
    x_type: int = TensorProto.FLOAT
    before: list[NodeProto] = field(default_factory=list)
    initializers: list[TensorProto] = field(default_factory=list)
    inputs: dict[str, tuple[int, Lengths]] = field(default_factory=dict)

    @property
    def nodes(self) -> list[NodeProto]:
        """All nodes in their order."""
        return [*self.before, self.node]


def tensor(name: str, values: Any, dtype: Any) -> TensorProto:
    """A named constant."""
    return numpy_helper.from_array(np.asarray(values, dtype), name)


def resize(
    opset: int = 19,
    *,
    scales: Sequence[float] | str | None = None,
    sizes: Sequence[int] | str | None = None,
    roi: Sequence[float] | None = None,
    name: str = "",
    x_shape: Lengths = X_SHAPE,
    x_type: int = TensorProto.FLOAT,
    **attributes: Any,
) -> Node:
    """A Resize of any version.

    Args:
        opset: 10 or later; picks the version.
        scales, sizes: numbers become an initializer; the word "computed" makes nodes that compute them from X's shape
            (twice the last two axes); "passed" makes a graph input. Neither: scales (1, 1, 2, 2).
        roi: numbers of an initializer; in version 11, which must have one, it is empty where None.
        name: of the node.
        x_shape, x_type: what the model declares for X.
        **attributes: of the node.
    """
    if scales is None and sizes is None:
        scales = (1, 1, 2, 2)
    built = Node(helper.make_node("Resize", [], ["Y"], name=name, **attributes), opset, x_shape, x_type)
    rank = len(x_shape)
    names = ["X"]
    if opset >= 11:
        if roi is None and opset < 13:
            roi = ()
        if roi is not None:
            built.initializers.append(tensor("roi", roi, np.float32))
        names.append("" if roi is None else "roi")
    if opset in (11, 12) and scales is None:
        built.initializers.append(tensor("scales", (), np.float32))
        names.append("scales")
    else:
        names.append(_input(built, "scales", scales, np.float32, rank))
    if sizes is not None:
        names.append(_input(built, "sizes", sizes, np.int64, rank))
    built.node.input.extend(names)
    return built


def upsample(
    opset: int = 9,
    *,
    scales: Sequence[float] | str = (1, 1, 2, 2),
    name: str = "",
    x_shape: Lengths = X_SHAPE,
    x_type: int = TensorProto.FLOAT,
    **attributes: Any,
) -> Node:
    """An Upsample: attributes height_scale and width_scale in opset 1 to 6, scales in 7 and 8, an input from 9 on.

    Args:
        scales: one an axis; from opset 9 on also "computed" or "passed", as in resize.
    """
    node = helper.make_node("Upsample", ["X"], ["Y"], name=name, **attributes)
    built = Node(node, opset, x_shape, x_type)
    if opset >= 9:
        node.input.append(_input(built, "scales", scales, np.float32, len(x_shape)))
    elif opset >= 7:
        node.attribute.append(helper.make_attribute("scales", [float(scale) for scale in scales]))
    else:
        for attribute, scale in zip(("height_scale", "width_scale"), list(scales)[-2:], strict=True):
            node.attribute.append(helper.make_attribute(attribute, float(scale)))
    return built


def rearrange(op_type: str, opset: int = 13, *, blocksize: int = 2, name: str = "", **settings: Any) -> Node:
    """A DepthToSpace of X (1, 8, 2, 3) or a SpaceToDepth of X (1, 2, 4, 6).

    Args:
        **settings: ``mode``, ``x_shape``, ``x_type``.
    """
    x_shape = settings.pop("x_shape", (1, 8, 2, 3) if op_type == "DepthToSpace" else X_SHAPE)
    x_type = settings.pop("x_type", TensorProto.FLOAT)
    node = helper.make_node(op_type, ["X"], ["Y"], name=name, blocksize=blocksize, **settings)
    return Node(node, opset, x_shape, x_type)


def _input(built: Node, name: str, values: Any, dtype: Any, rank: int) -> str:
    """Give a node an input: a constant, computed from the shape of X, or passed by the caller. Return its name."""
    if values is None:
        return ""
    if isinstance(values, str) and values == "passed":
        built.inputs[name] = (helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), (rank,))
    elif isinstance(values, str):
        assert values == "computed"
        built.before += _twice_the_shape(name)
        built.initializers.append(tensor("twice", [1] * (rank - 2) + [2, 2], np.int64))
    else:
        built.initializers.append(tensor(name, values, dtype))
    return name


def _twice_the_shape(name: str) -> list[NodeProto]:
    """Nodes from X to scales or sizes that double the last two axes, as exporters write them."""
    nodes = [
        helper.make_node("Shape", ["X"], ["shape"], name="Shape_of_X"),
        helper.make_node("Mul", ["shape", "twice"], ["doubled"], name="Double"),
    ]
    if name == "sizes":
        return [*nodes, helper.make_node("Identity", ["doubled"], ["sizes"], name="Sizes")]
    return [
        *nodes,
        helper.make_node("Cast", ["doubled"], ["doubled_float"], name="Cast_doubled", to=TensorProto.FLOAT),
        helper.make_node("Cast", ["shape"], ["shape_float"], name="Cast_shape", to=TensorProto.FLOAT),
        helper.make_node("Div", ["doubled_float", "shape_float"], ["scales"], name="Ratio"),
    ]


def graph_inputs(built: Node) -> list[onnx.ValueInfoProto]:
    """X and what else the caller passes."""
    passed = [helper.make_tensor_value_info(name, *what) for name, what in built.inputs.items()]
    return [helper.make_tensor_value_info("X", built.x_type, built.x_shape), *passed]


def output(built: Node, y_shape: Lengths | None = None) -> onnx.ValueInfoProto:
    """Y, of a rank alone if no shape is given."""
    return helper.make_tensor_value_info("Y", built.x_type, [None] * len(built.x_shape) if y_shape is None else y_shape)


def finished(graph: onnx.GraphProto, opset: int, functions: Sequence[onnx.FunctionProto] = ()) -> onnx.ModelProto:
    """The model of a graph."""
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(one.domain, 1) for one in functions)]
    version = 4 if opset < 10 else IR_VERSION if opset < 23 else 11
    return helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=version)


def model_of(built: Node, y_shape: Lengths | None = None) -> onnx.ModelProto:
    """A model with the node in its main graph. Constants are inputs as well where the IR version asks for it."""
    inputs = graph_inputs(built)
    graph = helper.make_graph(built.nodes, "main", inputs, [output(built, y_shape)], built.initializers)
    return finished(graph, built.opset)


def chain(*nodes: Node, opset: int | None = None) -> onnx.ModelProto:
    """A model in which each node's Y is the next one's X; their names of values get a number behind them."""
    merged, initializers, inputs = [], [], graph_inputs(nodes[0])[:1]
    for number, built in enumerate(nodes):
        last = number == len(nodes) - 1
        renamed = {"X": "X" if number == 0 else f"Y{number - 1}", "Y": "Y" if last else f"Y{number}", "": ""}
        for node in built.nodes:
            copy = NodeProto()
            copy.CopyFrom(node)
            copy.input[:] = [renamed.get(name, f"{name}{number}") for name in node.input]
            copy.output[:] = [renamed.get(name, f"{name}{number}") for name in node.output]
            merged.append(copy)
        for constant in built.initializers:
            initializers.append(TensorProto())
            initializers[-1].CopyFrom(constant)
            initializers[-1].name = f"{constant.name}{number}"
        for info in graph_inputs(built)[1:]:
            info.name = f"{info.name}{number}"
            inputs.append(info)
    graph = helper.make_graph(merged, "main", inputs, [output(nodes[-1])], initializers)
    return finished(graph, nodes[0].opset if opset is None else opset)


def in_if(built: Node, name: str = "If_3") -> onnx.ModelProto:
    """A model whose If runs the node in its then_branch (X and constants from outside) and passes X on in the other."""
    then = helper.make_graph(built.nodes, "then", [], [_open(built, "Y")])
    other = helper.make_graph([helper.make_node("Identity", ["X"], ["Z"])], "else", [], [_open(built, "Z")])
    node = helper.make_node("If", ["condition"], ["Y"], name=name, then_branch=then, else_branch=other)
    condition = helper.make_tensor_value_info("condition", TensorProto.BOOL, [])
    inputs = [condition, *graph_inputs(built)]
    return finished(helper.make_graph([node], "main", inputs, [output(built)], built.initializers), built.opset)


def in_loop(built: Node, name: str = "Loop_0") -> onnx.ModelProto:
    """A model whose Loop runs the node on X once in each of two rounds; "Y" stacks the two results."""
    body_inputs = [
        helper.make_tensor_value_info("round", TensorProto.INT64, []),
        helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
        helper.make_tensor_value_info("carried", TensorProto.BOOL, []),  # a Loop before opset 11 carries something
    ]
    passed_on = [helper.make_node("Identity", [name], [f"{name}_out"]) for name in ("go_on", "carried")]
    body_outputs = [helper.make_tensor_value_info(node.output[0], TensorProto.BOOL, []) for node in passed_on]
    body = helper.make_graph([*passed_on, *built.nodes], "body", body_inputs, [*body_outputs, _open(built, "Y")])
    rounds = [tensor("rounds", 2, np.int64), tensor("yes", True, np.bool_)]
    node = helper.make_node("Loop", ["rounds", "yes", "yes"], ["last", "stacked"], name=name, body=body)
    stacked = helper.make_tensor_value_info("stacked", built.x_type, [None] * (len(built.x_shape) + 1))
    graph = helper.make_graph([node], "main", graph_inputs(built), [stacked], [*built.initializers, *rounds])
    return finished(graph, built.opset)


def in_function(
    built: Node, name: str = "Grow", domain: str = "pkg", references: dict[str, Any] | None = None
) -> onnx.ModelProto:
    """A model that calls a local function once; the node is in its body, its constants become Constant nodes there.

    Args:
        references: attributes of the node that refer to attributes of the function of the same names; the values are
            the function's defaults, None gives no default (the call then passes "linear", which must be a mode).
    """
    constants = [helper.make_node("Constant", [], [one.name], value=one) for one in built.initializers]
    node = NodeProto()
    node.CopyFrom(built.node)
    required, defaults, passed = [], [], {}
    for attribute, default in (references or {}).items():
        kind = onnx.AttributeProto.STRING if default is None else helper.make_attribute(attribute, default).type
        node.attribute.add(name=attribute, ref_attr_name=attribute, type=kind)
        if default is None:
            required.append(attribute)
            passed[attribute] = "linear"
        else:
            defaults.append(helper.make_attribute(attribute, default))
    imports = [helper.make_opsetid("", built.opset)]
    names = ["X", *built.inputs]
    body = [*constants, *built.before, node]
    function = helper.make_function(domain, name, names, ["Y"], body, imports, required, defaults)
    call = helper.make_node(name, names, ["Y"], domain=domain, name="Call", **passed)
    graph = helper.make_graph([call], "main", graph_inputs(built), [output(built)])
    return finished(graph, built.opset, [function])


def _open(built: Node, name: str) -> onnx.ValueInfoProto:
    """An output of a subgraph, without a shape."""
    return helper.make_tensor_value_info(name, built.x_type, None)


def with_external_data(model: onnx.ModelProto, path: Path, location: str = "weights.bin") -> Path:
    """Write a model with all its initializers in another file of its folder; return the path of the model.

    The data are those of the file, whatever their length (onnx's own writer keeps small tensors inside).
    """
    content = b""
    for initializer in model.graph.initializer:
        data = numpy_helper.to_array(initializer).tobytes()
        for kind in ("float_data", "int32_data", "int64_data", "raw_data"):
            initializer.ClearField(kind)
        refer_to(initializer, location, len(content), len(data))
        content += data
    path.parent.joinpath(location).write_bytes(content)
    path.write_bytes(model.SerializeToString())
    return path


def refer_to(constant: TensorProto, location: str, offset: int | None = None, length: int | None = None) -> None:
    """Make a tensor refer to a file, whatever lies there."""
    constant.data_location = TensorProto.EXTERNAL
    del constant.external_data[:]
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            constant.external_data.add(key=key, value=str(value))
