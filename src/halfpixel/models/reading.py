"""Models from files, bytes and memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from halfpixel.models.model import Model

if TYPE_CHECKING:
    import onnx
    import onnx_ir

    Source = str | os.PathLike[str] | bytes | onnx.ModelProto | onnx_ir.Model | Model


def load(source: Source) -> Model:
    """Return a model, whatever it comes as."""
    import onnx
    import onnx_ir

    if isinstance(source, Model):
        return source
    if isinstance(source, onnx_ir.Model):
        return Model(source)
    if isinstance(source, onnx.ModelProto):
        return Model(onnx_ir.from_proto(source))
    if isinstance(source, bytes):
        return Model(onnx_ir.from_proto(onnx.load_model_from_string(source)))
    return Model(onnx_ir.load(source), Path(source))
