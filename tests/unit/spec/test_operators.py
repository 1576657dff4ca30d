"""The operator table beside onnx.defs, and the look-ups."""

from typing import get_args

import onnx.defs
import pytest

from halfpixel._errors import SpecError
from halfpixel._typing import (
    CoordinateTransformationMode,
    KeepAspectRatioPolicy,
    LengthRule,
    Mode,
    NearestMode,
    OpType,
    RearrangeMode,
    UpsampleMode,
)
from halfpixel.spec.element_types import ELEMENT_TYPES
from halfpixel.spec.operators import OPERATORS, operator_of, since_version, versions_of
from halfpixel.spec.sizes import LENGTH_RULES

NAMES = ("Resize", "Upsample", "DepthToSpace", "SpaceToDepth")
SCHEMAS = {
    (schema.name, schema.since_version): schema
    for schema in onnx.defs.get_all_schemas_with_history()
    if schema.domain == "" and schema.name in NAMES
}
ONNX_NAMES = {element.onnx_name: name for name, element in ELEMENT_TYPES.items()}


def default_of(attribute):
    value = attribute.default_value
    fields = {onnx.AttributeProto.INT: value.i, onnx.AttributeProto.FLOAT: value.f, onnx.AttributeProto.STRING: value.s}
    default = fields.get(value.type)
    return default.decode() if isinstance(default, bytes) else default


@pytest.mark.rule("R-VER-12")
def test_the_versions_are_those_of_onnx():
    assert set(OPERATORS) == set(SCHEMAS)
    assert versions_of("Resize") == (10, 11, 13, 18, 19)
    assert versions_of("Upsample") == (1, 7, 9, 10)
    assert versions_of("DepthToSpace") == (1, 11, 13, 28)
    assert versions_of("SpaceToDepth") == (1, 13, 28)
    assert versions_of("Pad") == ()


@pytest.mark.rule("R-VER-03", "R-VER-12")
@pytest.mark.parametrize("key", OPERATORS)
def test_inputs_are_those_of_onnx(key):
    operator, schema = OPERATORS[key], SCHEMAS[key]
    ours = [(entry.name, set(entry.element_types), entry.optional) for entry in operator.inputs]
    theirs = []
    for parameter in schema.inputs:
        types = {constraint.type_param_str: constraint.allowed_type_strs for constraint in schema.type_constraints}
        allowed = types.get(parameter.type_str, [parameter.type_str])
        optional = parameter.option == onnx.defs.OpSchema.FormalParameterOption.Optional
        theirs.append((parameter.name, {ONNX_NAMES[name] for name in allowed}, optional))
    assert ours == theirs
    assert operator.min_inputs == schema.min_input


@pytest.mark.rule("R-TYP-11")
@pytest.mark.parametrize("key", OPERATORS)
def test_element_types_are_those_of_onnx(key):
    operator, schema = OPERATORS[key], SCHEMAS[key]
    constraints = {
        c.type_param_str: {ONNX_NAMES[name] for name in c.allowed_type_strs} for c in schema.type_constraints
    }
    assert operator.element_types == constraints.get("T1", constraints.get("T"))
    assert operator.roi_types == constraints.get("T2", frozenset())


@pytest.mark.rule("R-VER-12")
@pytest.mark.parametrize("key", OPERATORS)
def test_attributes_are_those_of_onnx(key):
    operator, schema = OPERATORS[key], SCHEMAS[key]
    ours = {a.name: (a.type, a.default, a.required) for a in operator.attributes.values()}
    theirs = {name: (a.type.name, default_of(a), a.required) for name, a in schema.attributes.items()}
    assert ours == theirs


@pytest.mark.parametrize("key", OPERATORS)
def test_the_words_of_string_attributes_stand_in_the_text(key):
    operator, schema = OPERATORS[key], SCHEMAS[key]
    # The words of versions 13 on leave this one out; the node test of 13 has it.
    exempt = {("Resize", 13, "tf_half_pixel_for_nn")}
    for attribute in operator.attributes.values():
        text = schema.attributes[attribute.name].description + schema.doc
        for value in attribute.values:
            assert value in text or (*key, value) in exempt


@pytest.mark.rule("R-UPS-05")
def test_deprecated_is_what_onnx_says():
    assert {key: operator.deprecated for key, operator in OPERATORS.items()} == {
        key: schema.deprecated for key, schema in SCHEMAS.items()
    }
    assert [key for key, operator in OPERATORS.items() if operator.deprecated] == [("Upsample", 10)]


@pytest.mark.rule("R-VER-09")
@pytest.mark.parametrize(
    ("op_type", "opset", "version"),
    [
        ("Resize", 10, 10),
        ("Resize", 12, 11),
        ("Resize", 17, 13),
        ("Resize", 18, 18),
        ("Resize", 28, 19),
        ("Upsample", 6, 1),
        ("Upsample", 8, 7),
        ("Upsample", 9, 9),
        ("Upsample", 13, 10),
        ("DepthToSpace", 10, 1),
        ("DepthToSpace", 27, 13),
        ("DepthToSpace", 28, 28),
        ("SpaceToDepth", 12, 1),
        ("SpaceToDepth", 27, 13),
    ],
)
def test_since_version(op_type, opset, version):
    assert since_version(op_type, opset) == version


@pytest.mark.parametrize("op_type", ["Resize", "Upsample", "DepthToSpace", "SpaceToDepth"])
def test_since_version_is_onnx_own_answer(op_type):
    first = versions_of(op_type)[0]
    for opset in range(first, 29):
        try:
            expected = onnx.defs.get_schema(op_type, opset).since_version
        except onnx.defs.SchemaError:  # deprecated from there on
            expected = 10
        assert since_version(op_type, opset) == expected


@pytest.mark.parametrize("opset", [0, -1, 9, 11.0, "11", True, None])
def test_an_opset_without_the_operator_is_an_error(opset):
    with pytest.raises(SpecError, match="there is no Resize in opset") as info:
        since_version("Resize", opset)
    assert info.value.code == "HP102"
    assert info.value.allowed == "an integer from 10 on"


@pytest.mark.parametrize("op_type", ["Pad", "resize", "", None, 3, ["Resize"]])
@pytest.mark.parametrize("look_up", [since_version, operator_of])
def test_an_unknown_operator_is_an_error(look_up, op_type):
    with pytest.raises(SpecError, match="is not one of the operators") as info:
        look_up(op_type, 19)
    assert info.value.code == "HP100"


@pytest.mark.parametrize("version", [0, 12, 20, 19.0, "19", None, True, [19]])
def test_an_unknown_version_is_an_error(version):
    with pytest.raises(SpecError, match="Resize has no version") as info:
        operator_of("Resize", version)
    assert info.value.code == "HP101"
    assert info.value.allowed == "10, 11, 13, 18, 19"


@pytest.mark.parametrize(
    ("literal", "op_types", "name"),
    [
        (CoordinateTransformationMode, ("Resize",), "coordinate_transformation_mode"),
        (NearestMode, ("Resize",), "nearest_mode"),
        (KeepAspectRatioPolicy, ("Resize",), "keep_aspect_ratio_policy"),
        (Mode, ("Resize",), "mode"),
        (UpsampleMode, ("Upsample",), "mode"),
        (RearrangeMode, ("DepthToSpace", "SpaceToDepth"), "mode"),
    ],
)
def test_the_literal_types_list_the_words_of_all_versions(literal, op_types, name):
    entries = [operator for operator in OPERATORS.values() if operator.op_type in op_types]
    words = {word for entry in entries if name in entry.attributes for word in entry.attributes[name].values}
    assert set(get_args(literal)) == words


def test_the_other_literal_types():
    assert get_args(OpType) == NAMES
    assert get_args(LengthRule) == LENGTH_RULES == ("floor", "round", "ceil", "float32_floor")


def test_the_table_cannot_be_changed():
    with pytest.raises(TypeError):
        OPERATORS["Resize", 20] = OPERATORS["Resize", 19]
    with pytest.raises(TypeError):
        OPERATORS["Resize", 19].attributes["axes"] = None
