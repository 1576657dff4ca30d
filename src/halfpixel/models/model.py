"""A model in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halfpixel._errors import ModelError

if TYPE_CHECKING:
    import onnx
    import onnx_ir

LARGEST_MESSAGE = 2**31 - 1
"""Bytes that one protobuf message can have."""


@dataclass(frozen=True, eq=False)
class Model:
    """An ONNX model.

    Attributes:
        ir: the model; external data stays in its files until a tensor is looked at.
        path: the file that it was read from; None for one from memory.
    """

    ir: onnx_ir.Model
    path: Path | None = None

    def proto(self) -> onnx.ModelProto:
        """Return a copy as a protobuf message, with the data of other files in it.

        Raises:
            ModelError: HP412 the files of external data are no longer there, HP416 it would be longer than the 2 GB
                that a message can be.
        """
        import onnx_ir

        external = list(external_tensors(self.ir))
        held = sum(tensor.nbytes for tensor in external)
        if held > LARGEST_MESSAGE:
            raise too_long(held)
        try:
            message: onnx.ModelProto = onnx_ir.to_proto(self.ir)
        except ValueError as error:
            raise too_long(held) from error
        if external:
            take_in(message, str(external[0].base_dir))
        if message.ByteSize() > LARGEST_MESSAGE:
            raise too_long(message.ByteSize())
        return message


def external_tensors(model: onnx_ir.Model) -> Iterator[onnx_ir.ExternalTensor]:
    """Every tensor of a model whose data lies in another file: initializers and attributes, in all graphs."""
    import onnx_ir

    for tensor in _tensors(model):
        if isinstance(tensor, onnx_ir.ExternalTensor):
            yield tensor


def _tensors(model: onnx_ir.Model) -> Iterator[Any]:
    for body in (model.graph, *(function.graph for function in model.functions.values())):
        for graph in (body, *body.subgraphs()):
            yield from (value.const_value for value in graph.initializers.values())
        for node in body.all_nodes():
            for attribute in node.attributes.values():
                if attribute.type.name == "TENSOR":
                    yield attribute.value
                elif attribute.type.name == "TENSORS":
                    yield from attribute.value or ()


def take_in(message: onnx.ModelProto, folder: str) -> None:
    """Put the data that a message has in other files of a folder into it.

    Raises:
        ModelError: HP412, a file is not there or has become shorter.
    """
    from onnx.checker import ValidationError
    from onnx.external_data_helper import load_external_data_for_model

    try:
        load_external_data_for_model(message, folder)
    except (OSError, ValueError, ValidationError) as error:
        raise ModelError(
            "HP412",
            "the data of a tensor is not where the model says",
            given=str(error)[:300],
            allowed="files in the folder that the model was read from, as they were then",
            do="keep the files of a model together in one folder",
        ) from error


def too_long(length: int) -> ModelError:
    """Return HP416."""
    return ModelError(
        "HP416",
        "the model does not fit into one protobuf message",
        given=f"{length} bytes and more",
        allowed=f"at most {LARGEST_MESSAGE} bytes",
        do="keep its tensors in a file beside it: halfpixel.models.save does so",
    )
