"""Models into files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from halfpixel.media.atomic import replacing
from halfpixel.models.model import LARGEST_MESSAGE, Model, external_tensors, too_long

if TYPE_CHECKING:
    import onnx_ir

_SMALLEST_OUTSIDE = 1024
"""Bytes of a tensor that stays in the model file although others go beside it."""
_ROOM = 2**24
"""Bytes that nodes and names may take beside the tensors in a message."""


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model into a file; readers see the old file or the new one, never a part.

    A model that had data in other files, or whose tensors do not fit into one message, gets one file ``NAME.data``
    beside it, NAME being the whole name of the model file, with every initializer of a kilobyte or more. The two files
    take their places one directly after the other. The model in memory stays as it is.

    Raises:
        ModelError: HP416, nodes and small tensors alone are longer than a protobuf message can be.
        MediaError: HP507, the folder or a file cannot be written.
    """
    target = Path(path)
    inside = next(external_tensors(model.ir), None) is None
    if inside and _bytes_of_initializers(model.ir) <= LARGEST_MESSAGE - _ROOM:
        with replacing(target) as stream:
            stream.write(_serialised(model.ir))
        return
    beside = target.with_name(f"{target.name}.data")
    with replacing(target) as stream, replacing(beside) as data, _moved_outside(model.ir, data, beside.name):
        stream.write(_serialised(model.ir))


def _serialised(model: onnx_ir.Model) -> bytes:
    import onnx_ir

    message = onnx_ir.to_proto(model)
    if message.ByteSize() > LARGEST_MESSAGE:
        raise too_long(message.ByteSize())
    return bytes(message.SerializeToString())


def _initializers(model: onnx_ir.Model) -> Iterator[onnx_ir.Value]:
    for graph in model.graphs():
        yield from graph.initializers.values()


def _bytes_of_initializers(model: onnx_ir.Model) -> int:
    return sum(value.const_value.nbytes for value in _initializers(model) if value.const_value is not None)


@contextmanager
def _moved_outside(model: onnx_ir.Model, data: IO[bytes], location: str) -> Iterator[None]:
    """Write the initializers of a kilobyte or more, and all data that lies in other files, into a file.

    Within the block the model's tensors are references into that file.
    """
    import onnx_ir

    def reference(tensor: Any) -> onnx_ir.ExternalTensor:
        offset = data.tell()
        data.write(tensor.tobytes())
        shape = onnx_ir.Shape(list(tensor.shape))
        return onnx_ir.ExternalTensor(
            location, offset, data.tell() - offset, tensor.dtype, shape=shape, name=tensor.name or ""
        )

    values: list[tuple[onnx_ir.Value, Any]] = []
    attributes: list[tuple[onnx_ir.Node, onnx_ir.Attr]] = []
    try:
        for value in _initializers(model):
            tensor = value.const_value
            if tensor is None or tensor.dtype == onnx_ir.DataType.STRING:
                continue
            if tensor.nbytes >= _SMALLEST_OUTSIDE or isinstance(tensor, onnx_ir.ExternalTensor):
                values.append((value, tensor))
                value.const_value = reference(tensor)
        for body in (model.graph, *(function.graph for function in model.functions.values())):
            for node in body.all_nodes():
                for attribute in list(node.attributes.values()):
                    if isinstance(attribute.value, onnx_ir.ExternalTensor):
                        attributes.append((node, attribute))
                        node.attributes[attribute.name] = onnx_ir.AttrTensor(attribute.name, reference(attribute.value))
        yield
    finally:
        for value, tensor in values:
            value.const_value = tensor
        for node, attribute in attributes:
            node.attributes[attribute.name] = attribute
