"""ONNX models as the adapter takes them: loaded, checked, with the domain "ai.onnx" spelled as ""."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import onnx
from onnx import FunctionProto, GraphProto, ModelProto, NodeProto
from onnx.checker import ValidationError
from onnx.external_data_helper import load_external_data_for_model

from halfpixel._errors import ModelError
from halfpixel.onnx.files import parse_model, read_model

# Where the checker does not look at an Upsample: from opset 10 on its schema is deprecated, which is an error to the
# checker, while this project reads it as version 9.
_UNCHECKED_DOMAIN = "halfpixel.unchecked"
_UPSAMPLE_DEPRECATED_SINCE = 10


def load_model(proto: Any) -> Any:
    """Return a model ready for the evaluator: a path or bytes loaded, other protos as they are.

    ONNX has two names for its own domain, "" and "ai.onnx". The reference evaluator knows the first only, so a model
    that imports the second is copied with the first.

    Raises:
        ModelError: HP400 for bytes or a file that is no ONNX model, HP405 for a file that cannot be read.
    """
    if isinstance(proto, bytes):
        proto = parse_model(proto, f"{len(proto)} bytes")
    elif isinstance(proto, (str, os.PathLike)):
        proto = _read(os.fspath(proto))
    if isinstance(proto, ModelProto):
        holders = (proto, *proto.functions)
        if any(entry.domain == "ai.onnx" for holder in holders for entry in holder.opset_import):
            return _with_one_default_domain(proto)
    return proto


def _read(path: str) -> ModelProto:
    """Read a model and the data that it keeps in other files of its folder."""
    model = read_model(path)
    try:
        load_external_data_for_model(model, os.path.dirname(path))
    except (OSError, ValueError, ValidationError) as error:
        raise ModelError(
            "HP405",
            "the model file, or a file that it refers to, cannot be read",
            given=f"'{path}': {error}",
            allowed="a file that can be read, with its external data in the same folder",
            do="check the path and the permissions, and keep the files of a model together",
        ) from error
    return model


def _with_one_default_domain(model: ModelProto) -> ModelProto:
    """Return a copy in which the default domain is "" throughout."""
    renamed = ModelProto()
    renamed.CopyFrom(model)
    for holder in (renamed, *renamed.functions):
        for entry in holder.opset_import:
            entry.domain = "" if entry.domain == "ai.onnx" else entry.domain
    return renamed


def check_model(model: ModelProto) -> None:
    """Run onnx's checker over a model, letting the deprecated Upsample of opset 10 and later pass.

    Raises:
        ModelError: HP401 with the checker's words.
    """
    if any(True for _ in _deprecated_upsamples(model)):
        hidden = ModelProto()
        hidden.CopyFrom(model)
        for node in list(_deprecated_upsamples(hidden)):
            node.domain = _UNCHECKED_DOMAIN
        for holder in (hidden, *hidden.functions):
            holder.opset_import.add(domain=_UNCHECKED_DOMAIN, version=1)
        model = hidden
    _checked(onnx.checker.check_model, model)


def check_node(node: NodeProto, opsets: dict[str, int]) -> None:
    """Run onnx's checker over one node, letting the deprecated Upsample of opset 10 and later pass.

    Args:
        node: the node.
        opsets: domain -> version.
    Raises:
        ModelError: HP401 with the checker's words.
    """
    if node.domain == "" and node.op_type == "Upsample" and opsets[""] >= _UPSAMPLE_DEPRECATED_SINCE:
        return
    context = onnx.checker.C.CheckerContext()
    context.ir_version = onnx.IR_VERSION
    context.opset_imports = opsets
    _checked(onnx.checker.check_node, node, context)


def _checked(check: Callable[..., None], *arguments: Any) -> None:
    try:
        check(*arguments)
    except (ValidationError, UnicodeDecodeError) as error:  # the second where its words have a name that is not UTF-8
        raise ModelError(
            "HP401",
            "onnx's checker refuses this model",
            given=str(error),
            allowed="a model that onnx.checker accepts",
            do="correct the model, or run it unchecked with halfpixel.onnx.Evaluator",
        ) from error


def _deprecated_upsamples(model: ModelProto) -> Iterator[NodeProto]:
    """Every Upsample of opset 10 or later, in the graph, its subgraphs and the local functions."""
    for holder in (model, *model.functions):
        graph = holder.graph if isinstance(holder, ModelProto) else holder
        opset = max((entry.version for entry in holder.opset_import if entry.domain == ""), default=0)
        if opset >= _UPSAMPLE_DEPRECATED_SINCE:
            for node in _nodes(graph):
                if node.op_type == "Upsample" and node.domain == "":
                    yield node


def _nodes(graph: GraphProto | FunctionProto) -> Iterator[NodeProto]:
    """Every node of a graph and of the graphs that its nodes hold (branches of an If, body of a Loop or a Scan)."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for subgraph in (attribute.g, *attribute.graphs):
                yield from _nodes(subgraph)
