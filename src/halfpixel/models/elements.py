"""ONNX's numbers of element types."""

from __future__ import annotations

_WORDS = {"float32": "FLOAT", "float64": "DOUBLE"}
"""Where ONNX's word is not NumPy's in capitals."""


def element_number(element: str) -> int:
    """Return ONNX's TensorProto.DataType of an element type such as "float32"."""
    from onnx import TensorProto

    return int(TensorProto.DataType.Value(_WORDS.get(element, element.upper())))
