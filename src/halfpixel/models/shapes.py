"""What is known of the shapes and element types of values: declared by the model, else inferred by onnx."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from halfpixel.models.folding import FOLDS
from halfpixel.models.model import Model

if TYPE_CHECKING:
    import onnx
    import onnx_ir

Shape = tuple[int | str | None, ...]
"""An entry an axis: a length, the name of an unknown length, or None for an unknown one without a name."""

_INFERRED_SHAPE = "halfpixel.inferred_shape"
_INFERRED_TYPE = "halfpixel.inferred_type"
_DONE = "halfpixel.inferred"

NUMPY_NAMES = {"FLOAT": "float32", "DOUBLE": "float64"}
"""ONNX's names of element types that are not NumPy's in capitals."""

_MOST_NODES = 50_000
"""Inference of more nodes than this is left out: shapes are then known only where the model declares them."""
_LARGEST_KEPT = 1024
"""Bytes of an initializer that inference may read: sizes, axes, pads. Of a larger one it gets the shape alone."""


def shape_of(value: onnx_ir.Value | None) -> Shape | None:
    """Return a value's shape; None where even its rank is unknown."""
    if value is None:
        return None
    inferred: Shape | None = value.meta.get(_INFERRED_SHAPE)
    if value.shape is None:
        return inferred
    declared = tuple(_declared(length) for length in value.shape)
    if inferred is None or len(inferred) != len(declared):
        return declared
    # Inference may know a length that the model declares by name only.
    pairs = zip(declared, inferred, strict=True)
    return tuple(two if not isinstance(one, int) and isinstance(two, int) else one for one, two in pairs)


def _declared(length: Any) -> int | str | None:
    """A length as the model declares it; some exporters write -1 for an unknown one."""
    if isinstance(length, int):
        return length if length >= 0 else None
    name: str | None = length.value
    return name


def note_shape(value: onnx_ir.Value, shape: Shape) -> None:
    """Keep a shape beside a value, as inference does; what the model declares is not changed."""
    value.meta[_INFERRED_SHAPE] = shape


def element_type_of(value: onnx_ir.Value | None) -> str | None:
    """Return a value's element type as NumPy calls it ("float32", "bfloat16", "string"), None where unknown."""
    if value is None:
        return None
    name = value.meta.get(_INFERRED_TYPE) if value.dtype is None else value.dtype.name
    return None if name is None or name == "UNDEFINED" else NUMPY_NAMES.get(name, name.lower())


def infer_shapes(model: Model, wanted: Sequence[onnx_ir.Value | None]) -> None:
    """Let onnx infer the shapes of a model's values, if one of the wanted values lacks its own.

    What it finds is kept beside the values (in their ``meta``) and never written into a file. It is left out for a
    model of more than 50,000 nodes, counting the body of a function at each call: a few functions that call each other
    twice are worth billions of nodes.
    """
    if model.ir.meta.get(_DONE) or all(_is_known(value) for value in wanted):
        return
    model.ir.meta[_DONE] = True
    if _expanded_nodes(model.ir) > _MOST_NODES:
        return
    proto = _inferred(model.ir)
    if proto is not None:
        _keep(proto.graph, model.ir.graph)


def _is_known(value: onnx_ir.Value | None) -> bool:
    shape = shape_of(value)
    return value is None or (shape is not None and all(isinstance(length, int) for length in shape))


def _expanded_nodes(model: onnx_ir.Model) -> int:
    """How many nodes the main graph has with every call of a local function replaced by its body."""
    bodies = dict(model.functions)
    counted: dict[tuple[str, str, str], int] = {}
    # Functions call no function in a circle (load has seen to that); those that are called come first here.
    order: list[tuple[str, str, str]] = []
    stack = [(identifier, False) for identifier in bodies]
    while stack:
        identifier, entered = stack.pop()
        if entered:
            order.append(identifier)
        elif identifier not in counted:
            counted[identifier] = 0
            stack.append((identifier, True))
            called = {node.op_identifier() for node in bodies[identifier].all_nodes()}
            stack += [(name, False) for name in called if name in bodies]
    for identifier in order:
        counted[identifier] = sum(1 + counted.get(node.op_identifier(), 0) for node in bodies[identifier].all_nodes())
    return sum(1 + counted.get(node.op_identifier(), 0) for node in model.graph.all_nodes())


_COMPUTED_ALONG = frozenset({*FOLDS, "Shape", "Size"})
"""Operators through which onnx may follow the numbers of shapes."""
_LONGEST_VECTOR = 4096


def _vectors_stay_short(model: onnx_ir.Model) -> bool:
    """Whether no vector of shape arithmetic becomes long: a Concat of a vector with itself, often enough, fills memory.

    The numbers themselves are onnx's to follow; here only their count is, and within functions not even that.
    """
    if any(node.op_type == "Concat" for function in model.functions.values() for node in function.all_nodes()):
        return False
    lengths: dict[onnx_ir.Value, int] = {}
    for node in model.graph.all_nodes():
        if node.op_type not in _COMPUTED_ALONG:
            continue
        given = [_length(value, lengths) for value in node.inputs if value is not None]
        length = sum(given) if node.op_type == "Concat" else max(given, default=1)
        if length > _LONGEST_VECTOR:
            return False
        if length or node.op_type in ("Shape", "Size"):
            lengths |= dict.fromkeys(node.outputs, length or _LONGEST_SHAPE)
    return True


_LONGEST_SHAPE = 16
"""Axes of a value whose Shape is taken, more than there are."""


def _length(value: onnx_ir.Value, lengths: dict[onnx_ir.Value, int]) -> int:
    """Numbers in a vector of shape arithmetic, 0 for what is none."""
    tensor = value.const_value
    if tensor is None:
        return lengths.get(value, 0)
    return tensor.size if len(tensor.shape) <= 1 and tensor.dtype.is_integer() else 0


def _inferred(model: onnx_ir.Model) -> onnx.ModelProto | None:
    """The model with all shapes that onnx can infer, without its large tensors; None where onnx gives up."""
    import onnx_ir
    from onnx.shape_inference import infer_shapes as onnx_infer_shapes

    propagates = _vectors_stay_short(model)
    kept = {}
    for graph in model.graphs():
        for value in graph.initializers.values():
            tensor = value.const_value
            if tensor is not None and (tensor.nbytes > _LARGEST_KEPT or isinstance(tensor, onnx_ir.ExternalTensor)):
                kept[value] = tensor
                shape = onnx_ir.Shape(tensor.shape.numpy())
                value.const_value = onnx_ir.ExternalTensor(
                    "left-out", 0, 0, tensor.dtype, shape=shape, name=value.name or ""
                )
    try:
        proto = onnx_ir.to_proto(model)
    except Exception:  # a message above 2 GB; shapes stay unknown then
        return None
    finally:
        for value, tensor in kept.items():
            value.const_value = tensor
    try:
        result: onnx.ModelProto = onnx_infer_shapes(proto, check_type=False, strict_mode=False, data_prop=propagates)
    except Exception:  # whatever onnx raises for a model that it cannot work out; shapes stay unknown then
        return None
    return result


def _keep(proto: onnx.GraphProto, graph: onnx_ir.Graph) -> None:
    """Keep the types of a graph's values, and those of its subgraphs, beside the values."""
    graphs = [(proto, graph)]
    while graphs:
        proto, graph = graphs.pop()
        types = {info.name: info.type for info in (*proto.value_info, *proto.input, *proto.output)}
        for message, node in zip(proto.node, graph, strict=True):
            for value in node.outputs:
                if value.name in types:
                    _keep_type(types[value.name], value)
            graphs += zip(_graphs_of_message(message), subgraphs_of(node), strict=True)


def _keep_type(type_: onnx.TypeProto, value: onnx_ir.Value) -> None:
    import onnx_ir

    if not type_.HasField("tensor_type"):
        return
    tensor = type_.tensor_type
    if tensor.elem_type:
        value.meta[_INFERRED_TYPE] = onnx_ir.DataType(tensor.elem_type).name
    if tensor.HasField("shape"):
        value.meta[_INFERRED_SHAPE] = tuple(
            known_length(axis) if known_length(axis) is not None else _own_name(axis.dim_param)
            for axis in tensor.shape.dim
        )


def known_length(axis: onnx.TensorShapeProto.Dimension) -> int | None:
    """Return the length that a message declares for an axis, None for an unknown one: by a name, nothing, or -1."""
    return axis.dim_value if axis.HasField("dim_value") and axis.dim_value >= 0 else None


def _own_name(name: str) -> str | None:
    """The name of an unknown length, None for one that onnx made up."""
    return None if name == "" or name.startswith("unk__") else name


def _graphs_of_message(message: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    for attribute in message.attribute:
        if attribute.type == attribute.GRAPH:
            yield attribute.g
        elif attribute.type == attribute.GRAPHS:
            yield from attribute.graphs


def subgraphs_of(node: onnx_ir.Node) -> Iterator[onnx_ir.Graph]:
    """Return the graphs that a node holds."""
    for attribute in node.attributes.values():
        if attribute.type.name == "GRAPH" and not attribute.is_ref():
            yield attribute.as_graph()
        elif attribute.type.name == "GRAPHS" and not attribute.is_ref():
            yield from attribute.as_graphs()
