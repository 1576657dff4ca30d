"""The sixteen ONNX tensor types that the four operators take: bits, range, rounding, and how NumPy carries them.

Source: ONNX TensorProto.DataType and the type constraints of Resize, Upsample, DepthToSpace and SpaceToDepth;
IEEE 754 for the ranges of the floating-point types.
"""

from __future__ import annotations

from dataclasses import dataclass

from halfpixel._errors import ElementTypeError
from halfpixel.spec.arguments import show
from halfpixel.spec.operators import OPERATORS, operator_of


@dataclass(frozen=True, slots=True)
class ElementType:
    """One element type.

    Attributes:
        name: our word for it, which is NumPy's ("float32", "bool", "string", ...).
        onnx_name: as the type constraints write it ("tensor(float)", ...).
        bits: width of one element; 0 for strings.
        kind: "bool", "integer", "float", "complex" or "string".
        lowest, highest: the smallest and largest finite value (of a part, for complex); None for strings.
        rounding: how a weighted average becomes an element: "threshold" (true from one half up),
            "half_even_saturate" (nearest integer, ties to even, clamped to the range),
            "half_even" (IEEE 754 round to nearest even, overflow to infinity) or "none" (never averaged).
        numpy_carrier: the dtype that holds it in NumPy; "ml_dtypes.bfloat16" is the only one from elsewhere.
    """

    name: str
    onnx_name: str
    bits: int
    kind: str
    lowest: int | float | None
    highest: int | float | None
    rounding: str
    numpy_carrier: str


_FLOAT16_HIGHEST = 65504.0
_BFLOAT16_HIGHEST = (2 - 2**-7) * 2.0**127
_FLOAT32_HIGHEST = (2 - 2**-23) * 2.0**127
_FLOAT64_HIGHEST = (2 - 2**-52) * 2.0**1023


def _integer(bits: int, signed: bool) -> ElementType:
    name = f"int{bits}" if signed else f"uint{bits}"
    lowest = -(2 ** (bits - 1)) if signed else 0
    highest = 2 ** (bits - 1) - 1 if signed else 2**bits - 1
    return ElementType(name, f"tensor({name})", bits, "integer", lowest, highest, "half_even_saturate", name)


def _real(name: str, onnx_name: str, bits: int, highest: float, carrier: str) -> ElementType:
    return ElementType(name, onnx_name, bits, "float", -highest, highest, "half_even", carrier)


def _complex(bits: int, highest: float) -> ElementType:
    name = f"complex{bits}"
    return ElementType(name, f"tensor({name})", bits, "complex", -highest, highest, "half_even", name)


ELEMENT_TYPES: dict[str, ElementType] = {
    element.name: element
    for element in (
        ElementType("bool", "tensor(bool)", 8, "bool", 0, 1, "threshold", "bool"),
        _integer(8, signed=False),
        _integer(16, signed=False),
        _integer(32, signed=False),
        _integer(64, signed=False),
        _integer(8, signed=True),
        _integer(16, signed=True),
        _integer(32, signed=True),
        _integer(64, signed=True),
        _real("float16", "tensor(float16)", 16, _FLOAT16_HIGHEST, "float16"),
        _real("bfloat16", "tensor(bfloat16)", 16, _BFLOAT16_HIGHEST, "ml_dtypes.bfloat16"),
        _real("float32", "tensor(float)", 32, _FLOAT32_HIGHEST, "float32"),
        _real("float64", "tensor(double)", 64, _FLOAT64_HIGHEST, "float64"),
        _complex(64, _FLOAT32_HIGHEST),
        _complex(128, _FLOAT64_HIGHEST),
        ElementType("string", "tensor(string)", 0, "string", None, None, "none", "object"),
    )
}
"""Every element type by its name."""


def check_element_type(op_type: str, version: int, name: str, mode: str) -> ElementType:
    """Return the element type, or say why X may not have it.

    Args:
        op_type: "Resize", "Upsample", "DepthToSpace" or "SpaceToDepth".
        version: a since-version of it.
        name: a key of ELEMENT_TYPES.
        mode: "nearest", "linear", "bilinear" or "cubic"; of a rearrangement "DCR" or "CRD".

    Raises:
        ElementTypeError: HP200 unknown name, HP201 not in this version, HP202 string in a weighted average.
    """
    operator = operator_of(op_type, version)
    element = ELEMENT_TYPES.get(name)
    if element is None:
        raise ElementTypeError(
            "HP200",
            f"{show(name)} is not an element type of {operator.label}",
            given=f"element type {show(name)}",
            allowed=", ".join(sorted(operator.element_types)),
            do="convert X to one of these types",
        )
    if name not in operator.element_types:
        raise ElementTypeError(
            "HP201",
            f"{operator.label} does not take {name}",
            given=f"element type {name}",
            allowed=", ".join(sorted(operator.element_types)),
            do=_other_version(op_type, version, name),
        )
    if element.kind == "string" and mode in ("linear", "bilinear", "cubic", "area"):
        raise ElementTypeError(
            "HP202",
            f"{operator.label} cannot average strings",
            given=f"element type string, mode={mode!r}",
            allowed="mode='nearest' for strings; every other type in every mode",
            do="use mode='nearest'",
        )
    return element


def _other_version(op_type: str, version: int, name: str) -> str:
    for (other, since), operator in OPERATORS.items():
        if other == op_type and since > version and name in operator.element_types:
            return f"use version={since}, which takes {name}, or convert X"
    return "convert X to one of these types"
