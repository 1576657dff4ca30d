"""What is known of the shapes and element types of values: declared by the model, else inferred by onnx."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnx_ir

    from halfpixel.models.model import Model

Shape = tuple[int | str | None, ...]
"""An entry an axis: a length, the name of an unknown length, or None for an unknown one without a name."""

_INFERRED_SHAPE = "halfpixel.inferred_shape"
_INFERRED_TYPE = "halfpixel.inferred_type"

_ELEMENT_TYPES = {"FLOAT": "float32", "DOUBLE": "float64"}
"""ONNX's names of element types that are not NumPy's in capitals."""


def shape_of(value: onnx_ir.Value | None) -> Shape | None:
    """Return a value's shape; None where even its rank is unknown."""
    if value is None:
        return None
    inferred: Shape | None = value.meta.get(_INFERRED_SHAPE)
    if value.shape is None:
        return inferred
    declared = tuple(length if isinstance(length, int) else length.value for length in value.shape)
    if inferred is None or len(inferred) != len(declared):
        return declared
    # Inference may know a length that the model declares by name only.
    return tuple(
        two if not isinstance(one, int) and isinstance(two, int) else one for one, two in zip(declared, inferred)
    )


def element_type_of(value: onnx_ir.Value | None) -> str | None:
    """Return a value's element type as NumPy calls it ("float32", "bfloat16", "string"), None where unknown."""
    if value is None:
        return None
    name = value.meta.get(_INFERRED_TYPE) if value.dtype is None else value.dtype.name
    return None if name is None or name == "UNDEFINED" else _ELEMENT_TYPES.get(name, name.lower())


def infer_shapes(model: Model, wanted: Sequence[onnx_ir.Value | None]) -> None:
    """Let onnx infer shapes, if one of the wanted values lacks its own."""
