"""Values that are the same in every run of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import onnx_ir


def constant_value(value: onnx_ir.Value | None) -> np.ndarray[Any, Any] | None:
    """Return what a value is in every run, None where that depends on the run."""
    if value is None:
        return None
    if value.const_value is not None:
        return value.const_value.numpy()
    node = value.producer()
    if node is not None and node.op_type == "Constant":
        for name in ("value", "value_ints", "value_floats", "value_int", "value_float"):
            attribute = node.attributes.get(name)
            if attribute is not None:
                return attribute.value.numpy() if name == "value" else np.array(attribute.value)
    return None


def source_of(value: onnx_ir.Value) -> str:
    """Say in words where a value comes from."""
    if value.is_initializer():
        return "initializer"
    node = value.producer()
    if node is None:
        return "graph input"
    return "constant" if node.op_type == "Constant" else f"computed: {node.op_type}"
