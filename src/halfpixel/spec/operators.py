"""The table of the four operators: for every since-version its inputs, attributes, defaults and element types.

Everything that depends on a version is read from here. Source: the ONNX operator texts (Resize 10, 11, 13, 18, 19;
Upsample 1, 7, 9, 10; DepthToSpace 1, 11, 13, 28; SpaceToDepth 1, 13, 28) and ``onnx.defs``; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from halfpixel._errors import SpecError
from halfpixel.spec.arguments import integer_or_none, show

AttributeValue = int | float | str | None


@dataclass(frozen=True, slots=True)
class Input:
    """One input: its name, the element types it may have, and whether a node may leave it out."""

    name: str
    element_types: frozenset[str]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute.

    Attributes:
        type: ONNX's word: "INT", "INTS", "FLOAT", "FLOATS" or "STRING".
        default: the value of an absent attribute; None where the text gives none.
        required: a node must have it.
        values: the strings that the text of this version lists; empty for other types.
    """

    name: str
    type: str
    default: AttributeValue = None
    required: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator as one since-version has it.

    Attributes:
        label: "Resize-19", the way messages call it.
        inputs: in order; the first one is the data.
        attributes: by name.
        element_types: what the data may be made of (names of spec.element_types).
        roi_types: what roi may be made of; empty where there is no roi.
        deprecated: the standard advises against it.
    """

    op_type: str
    version: int
    label: str
    inputs: tuple[Input, ...]
    attributes: Mapping[str, Attribute]
    element_types: frozenset[str]
    roi_types: frozenset[str] = frozenset()
    deprecated: bool = False

    @property
    def min_inputs(self) -> int:
        """How many inputs a node must list at least."""
        return max((i + 1 for i, entry in enumerate(self.inputs) if not entry.optional), default=0)


_EARLY_TYPES = frozenset({"bool", "int32", "int64", "float16", "float32", "float64"})
_INTEGERS = frozenset({"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"})
_FIFTEEN_TYPES = _INTEGERS | {"bool", "float16", "float32", "float64", "complex64", "complex128", "string"}
_ALL_TYPES = _FIFTEEN_TYPES | {"bfloat16"}
_ROI_TYPES = frozenset({"float16", "float32", "float64"})
_FLOAT = frozenset({"float32"})
_INT64 = frozenset({"int64"})

_COORDINATES_11 = (
    "half_pixel",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
)
# The words of version 13 leave tf_half_pixel_for_nn out, its node test keeps it: the test has the higher authority.
_COORDINATES_18 = tuple(value for value in _COORDINATES_11 if value != "tf_half_pixel_for_nn")
_COORDINATES_19 = ("half_pixel", "half_pixel_symmetric", *_COORDINATES_18[1:])
_NEAREST_MODES = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
_POLICIES = ("stretch", "not_larger", "not_smaller")


def _mode(*values: str) -> Attribute:
    return Attribute("mode", "STRING", values[0], values=values)


def _operator(
    op_type: str,
    version: int,
    inputs: tuple[Input, ...],
    attributes: tuple[Attribute, ...],
    deprecated: bool = False,
) -> Operator:
    roi_types = next((entry.element_types for entry in inputs if entry.name == "roi"), frozenset[str]())
    by_name = MappingProxyType({attribute.name: attribute for attribute in attributes})
    label = f"{op_type}-{version}"
    return Operator(op_type, version, label, inputs, by_name, inputs[0].element_types, roi_types, deprecated)


def _resize(version: int, coordinates: tuple[str, ...]) -> Operator:
    """Resize from version 11 on: the inputs became optional with 13, and 18 added three attributes."""
    optional = version >= 13
    element_types = _ALL_TYPES if optional else _FIFTEEN_TYPES
    inputs = (
        Input("X", element_types),
        Input("roi", _ROI_TYPES, optional),
        Input("scales", _FLOAT, optional),
        Input("sizes", _INT64, optional=True),
    )
    attributes: tuple[Attribute, ...] = (
        _mode("nearest", "linear", "cubic"),
        Attribute("coordinate_transformation_mode", "STRING", "half_pixel", values=coordinates),
        Attribute("nearest_mode", "STRING", "round_prefer_floor", values=_NEAREST_MODES),
        Attribute("cubic_coeff_a", "FLOAT", -0.75),
        Attribute("exclude_outside", "INT", 0),
        Attribute("extrapolation_value", "FLOAT", 0.0),
    )
    if version >= 18:
        attributes += (
            Attribute("antialias", "INT", 0),
            Attribute("axes", "INTS"),
            Attribute("keep_aspect_ratio_policy", "STRING", "stretch", values=_POLICIES),
        )
    return _operator("Resize", version, inputs, attributes)


def _resampler_with_scales(op_type: str, version: int, deprecated: bool = False) -> Operator:
    """Resize-10, Upsample-9 and -10: X, scales and a mode."""
    inputs = (Input("X", _FIFTEEN_TYPES), Input("scales", _FLOAT))
    return _operator(op_type, version, inputs, (_mode("nearest", "linear"),), deprecated)


def _rearrangement(op_type: str, version: int, element_types: frozenset[str], with_mode: bool) -> Operator:
    attributes: tuple[Attribute, ...] = (Attribute("blocksize", "INT", required=True),)
    if with_mode:
        attributes += (_mode("DCR", "CRD"),)
    return _operator(op_type, version, (Input("input", element_types),), attributes)


_TABLE = (
    _resampler_with_scales("Resize", 10),
    _resize(11, _COORDINATES_11),
    _resize(13, _COORDINATES_11),
    _resize(18, _COORDINATES_18),
    _resize(19, _COORDINATES_19),
    _operator(
        "Upsample",
        1,
        (Input("X", _EARLY_TYPES),),
        (
            _mode("nearest", "bilinear"),
            Attribute("height_scale", "FLOAT", required=True),
            Attribute("width_scale", "FLOAT", required=True),
        ),
    ),
    _operator(
        "Upsample",
        7,
        (Input("X", _FIFTEEN_TYPES),),
        (_mode("nearest", "linear"), Attribute("scales", "FLOATS", required=True)),
    ),
    _resampler_with_scales("Upsample", 9),
    _resampler_with_scales("Upsample", 10, deprecated=True),
    _rearrangement("DepthToSpace", 1, _FIFTEEN_TYPES, with_mode=False),
    _rearrangement("DepthToSpace", 11, _FIFTEEN_TYPES, with_mode=True),
    _rearrangement("DepthToSpace", 13, _ALL_TYPES, with_mode=True),
    _rearrangement("DepthToSpace", 28, _ALL_TYPES, with_mode=True),
    _rearrangement("SpaceToDepth", 1, _FIFTEEN_TYPES, with_mode=False),
    _rearrangement("SpaceToDepth", 13, _ALL_TYPES, with_mode=False),
    _rearrangement("SpaceToDepth", 28, _ALL_TYPES, with_mode=True),
)

OPERATORS: Mapping[tuple[str, int], Operator] = MappingProxyType({(o.op_type, o.version): o for o in _TABLE})
"""(operator, since-version) -> what that version says. Versions of one operator ascend."""


def versions_of(op_type: str) -> tuple[int, ...]:
    """Return the since-versions of an operator, ascending; empty for an unknown one."""
    return tuple(version for other, version in OPERATORS if other == op_type)


def operator_of(op_type: str, version: int) -> Operator:
    """Return the table's entry for a since-version.

    Raises:
        SpecError: HP100 unknown operator, HP101 no such since-version.
    """
    if type(op_type) is str and type(version) is int:
        operator = OPERATORS.get((op_type, version))
        if operator is not None:
            return operator
    versions = _known_versions(op_type)
    number = integer_or_none(version)
    if number in versions:
        return OPERATORS[op_type, number]
    raise SpecError(
        "HP101",
        f"{op_type} has no version {show(version)}",
        given=f"version={show(version)}",
        allowed=", ".join(map(str, versions)),
        do="pass one of these since-versions; since_version(op_type, opset) finds the one of an opset",
    )


def since_version(op_type: str, opset: int) -> int:
    """Return the since-version that an opset uses: the highest one that is not above it.

    Raises:
        SpecError: HP100 unknown operator, HP102 an opset that is not an integer from 1 on or lacks the operator.
    """
    versions = _known_versions(op_type)
    number = integer_or_none(opset)
    if number is not None and number >= versions[0]:
        return max(version for version in versions if version <= number)
    raise SpecError(
        "HP102",
        f"there is no {op_type} in opset {show(opset)}",
        given=f"opset={show(opset)}",
        allowed=f"an integer from {versions[0]} on",
        do="pass the opset of the default domain that the model imports",
    )


def _known_versions(op_type: object) -> tuple[int, ...]:
    versions = versions_of(op_type) if isinstance(op_type, str) else ()
    if versions:
        return versions
    raise SpecError(
        "HP100",
        f"{show(op_type)} is not one of the operators",
        given=f"op_type={show(op_type)}",
        allowed="Resize, Upsample, DepthToSpace, SpaceToDepth",
        do="pass one of these names",
    )
