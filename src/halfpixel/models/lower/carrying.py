"""Average in floating point what is no floating point: cast, and round and saturate back as the operator does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.editing import Patch
from halfpixel.models.elements import element_number
from halfpixel.models.refusals import NoEqualError
from halfpixel.spec.element_types import ELEMENT_TYPES

if TYPE_CHECKING:
    import onnx_ir

_EXACT_IN_FLOAT64 = ("int32", "uint32")
_ROUND_SINCE = "Round"


class Carrier:
    """The floating-point type in which a node's data is averaged.

    float32 and float64 carry themselves; float16, bfloat16, bool and integers of 8 and 16 bits go in float32, integers
    of 32 bits in float64.

    Args:
        element: the element type of the data.
        opset: where the nodes stand.
        patch: what they are added to.
    Raises:
        NoEqualError: strings, complex numbers, 64-bit integers.
    """

    def __init__(self, element: str, opset: int, patch: Patch) -> None:
        kind = ELEMENT_TYPES[element].kind
        if kind in ("string", "complex") or element in ("int64", "uint64"):
            raise NoEqualError(f"no floating-point type carries {element}")
        self._element, self._kind, self._patch = element, kind, patch
        self.name = "float64" if element == "float64" or element in _EXACT_IN_FLOAT64 else "float32"
        self.dtype: Any = np.dtype(self.name)
        if kind == "integer":
            _require("Round", opset, element)

    def enter(self, x: onnx_ir.Value) -> onnx_ir.Value:
        """Cast the data to the carrier."""
        if self._element == self.name:
            return x
        return self._patch.add("Cast", [x], {"to": element_number(self.name)}, "carried")[0]

    def leave(self, y: onnx_ir.Value) -> onnx_ir.Value:
        """Round a result half to even, saturate it, and cast it back; bool is true from one half up."""
        if self._element == self.name:
            return y
        if self._kind == "bool":
            half = self._patch.constant(np.array(0.5, self.dtype), "half")
            below = self._patch.add("Less", [y, half], {}, "below")[0]
            return self._patch.add("Not", [below], {}, "bool")[0]
        if self._kind == "integer":
            limits = np.iinfo(self._element)
            rounded = self._patch.add("Round", [y], {}, "rounded")[0]
            low = self._patch.constant(np.array(limits.min, self.dtype), "lowest")
            high = self._patch.constant(np.array(limits.max, self.dtype), "highest")
            raised = self._patch.add("Max", [rounded, low], {}, "raised")[0]
            y = self._patch.add("Min", [raised, high], {}, "saturated")[0]
        return self._patch.add("Cast", [y], {"to": element_number(self._element)}, "back")[0]


def _require(op_type: str, opset: int, element: str) -> None:
    import onnx

    try:
        onnx.defs.get_schema(op_type, opset)
    except onnx.defs.SchemaError as error:
        raise NoEqualError(f"opset {opset} has no {op_type}, which {element} needs: upgrade the model first") from error
