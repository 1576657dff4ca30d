"""Models into files."""

from __future__ import annotations

import os
from pathlib import Path

from halfpixel.models.model import Model


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model into a file."""
    import onnx_ir

    onnx_ir.save(model.ir, Path(path))
