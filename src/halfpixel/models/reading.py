"""Models from files, bytes and memory. Nothing hostile gets past: see ``halfpixel.onnx.files``, structure, tensors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halfpixel._errors import HalfpixelError, MissingExtraError, ModelError
from halfpixel.models.model import Model

if TYPE_CHECKING:
    import onnx
    import onnx_ir

    Source = str | os.PathLike[str] | bytes | onnx.ModelProto | onnx_ir.Model | Model

MOST_NODES = 500_000
"""Nodes of a model that is held as an onnx_ir.Model: half a minute and a gigabyte."""
_SMALL = 20_000
"""Nodes up to which load_for_sites reads a model whole."""


def load(source: Source) -> Model:
    """Return a model, whatever it comes as.

    A file, bytes and a message are read with bounds: at most 2 GB without the external data, memory in proportion to
    the length, at most 500,000 nodes. External data is checked to be there and stays in its files. An ``onnx_ir.Model``
    is taken as it is, unless its graphs are nested more deeply than a file can have them.

    Args:
        source: a path, the bytes of a model, an ``onnx.ModelProto``, an ``onnx_ir.Model``, or a Model.
    Raises:
        ModelError: HP400 no ONNX model, HP405 a file that cannot be read, HP410 larger than what is read, HP411 graphs
            that do not hang together, HP412 external data out of reach, HP413 a tensor that is not what it says.
        MissingExtraError: HP900, onnx or onnx_ir is not installed.
    """
    held = held_model(source)
    if held is not None:
        return held
    message, path, nodes = checked_message(source)
    return _built(message, path, nodes)


def load_for_sites(source: Source) -> Model:
    """As load; of a message with more than 20,000 nodes only what its resize-like nodes need to be described.

    Enough for ``find_sites`` and for looking at the nodes around; not for running or saving. The shapes of what was cut
    off are those that the model declares.
    """
    held = held_model(source)
    if held is not None:
        return held
    message, path, nodes = checked_message(source)
    if nodes > _SMALL:
        from halfpixel.models.pruning import pruned

        message, nodes = pruned(message)
    return _built(message, path, nodes)


def checked_message(source: Any) -> tuple[onnx.ModelProto, Path | None, int]:
    """Read a path, bytes or a message and refuse what is hostile; return it with its path and its number of nodes.

    Raises:
        as load.
    """
    import onnx

    from halfpixel.models.structure import check_structure
    from halfpixel.models.tensors import check_tensors
    from halfpixel.onnx.files import not_a_model, parse_model, read_model

    path = None
    if isinstance(source, onnx.ModelProto):
        message = source
        if not message.opset_import:
            raise not_a_model("a message that imports no opset")
    elif isinstance(source, (bytes, bytearray, memoryview)):
        message = parse_model(bytes(source), f"{len(source)} bytes")
    elif isinstance(source, (str, os.PathLike)):
        path = Path(source)
        message = read_model(path)
    else:
        raise not_a_model(f"an object of type {type(source).__name__}")
    contents = check_structure(message)
    check_tensors(contents.tensors, None if path is None else path.parent)
    return message, path, contents.nodes


def held_model(source: Any) -> Model | None:
    """Return the model that a Model or an onnx_ir.Model is, None for anything else."""
    _require_packages()
    import onnx_ir

    if isinstance(source, Model):
        return source
    if not isinstance(source, onnx_ir.Model):
        return None
    _check_depth(source)
    return Model(source)


def _check_depth(model: onnx_ir.Model) -> None:
    """Refuse graphs in graphs that are nested more deeply than a file can have them: onnx_ir walks by recursion.

    Raises:
        ModelError: HP410.
    """
    from halfpixel.models.shapes import subgraphs_of
    from halfpixel.models.structure import DEEPEST
    from halfpixel.onnx.files import too_large

    graphs = [(body, 0) for body in (model.graph, *(function.graph for function in model.functions.values()))]
    while graphs:
        graph, depth = graphs.pop()
        if depth > DEEPEST:
            raise too_large(f"graphs in graphs, more than {DEEPEST} deep", f"at most {DEEPEST}")
        graphs += [(inner, depth + 1) for node in graph for inner in subgraphs_of(node)]


def _require_packages() -> None:
    try:
        import onnx  # noqa: F401
        import onnx_ir  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "HP900",
            "model files need packages that are not installed",
            given=f"no module {error.name}",
            allowed="onnx 1.23 and onnx-ir 1.1 or later",
            do="pip install 'halfpixel[onnx]'",
        ) from error


def _built(message: onnx.ModelProto, path: Path | None, nodes: int) -> Model:
    """The onnx_ir.Model of a message that was found sound."""
    import onnx_ir

    from halfpixel.models.structure import check_names
    from halfpixel.onnx.files import too_large

    if nodes > MOST_NODES:
        raise too_large(f"{nodes} nodes", f"at most {MOST_NODES}")
    check_names(message)
    try:
        model = onnx_ir.from_proto(message)
    except (HalfpixelError, MemoryError):
        raise
    except Exception as error:  # onnx_ir raises what Python raises, at an attribute without a type and the like
        raise ModelError(
            "HP411",
            "the model is not well formed: a part of it cannot be read",
            given=str(error)[:300] or type(error).__name__,
            allowed="attributes, types and tensors as ONNX has them",
            do="onnx.checker.check_model may say more",
        ) from error
    if path is not None:
        from halfpixel.models.model import external_tensors

        for tensor in external_tensors(model):
            tensor.base_dir = str(path.parent) or "."
    return Model(model, path)
