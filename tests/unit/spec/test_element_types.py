"""The sixteen element types and where each is allowed."""

import numpy as np
import onnx
import pytest

from halfpixel._errors import ElementTypeError
from halfpixel.spec.element_types import ELEMENT_TYPES, check_element_type

WIDTHS = {
    "bool": 8,
    "uint8": 8,
    "uint16": 16,
    "uint32": 32,
    "uint64": 64,
    "int8": 8,
    "int16": 16,
    "int32": 32,
    "int64": 64,
    "float16": 16,
    "bfloat16": 16,
    "float32": 32,
    "float64": 64,
    "complex64": 64,
    "complex128": 128,
    "string": 0,
}


@pytest.mark.rule("R-TYP-01")
def test_there_are_sixteen():
    assert {name: element.bits for name, element in ELEMENT_TYPES.items()} == WIDTHS


def test_the_names_are_those_of_onnx():
    numbers = {"bool": 9, "uint8": 2, "uint16": 4, "uint32": 12, "uint64": 13, "int8": 3, "int16": 5, "int32": 6}
    numbers |= {"int64": 7, "float16": 10, "bfloat16": 16, "float32": 1, "float64": 11, "complex64": 14}
    numbers |= {"complex128": 15, "string": 8}
    for name, element in ELEMENT_TYPES.items():
        proto = element.onnx_name.removeprefix("tensor(").removesuffix(")").upper()
        assert onnx.TensorProto.DataType.Value(proto) == numbers[name]


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [
        ("bool", 0, 1),
        ("uint8", 0, 255),
        ("int8", -128, 127),
        ("uint16", 0, 65535),
        ("int16", -32768, 32767),
        ("int64", -9223372036854775808, 9223372036854775807),
        ("uint64", 0, 18446744073709551615),
        ("float16", -65504.0, 65504.0),
        ("bfloat16", -3.3895313892515355e38, 3.3895313892515355e38),
        ("float32", -3.4028234663852886e38, 3.4028234663852886e38),
        ("complex64", -3.4028234663852886e38, 3.4028234663852886e38),
        ("float64", -1.7976931348623157e308, 1.7976931348623157e308),
        ("string", None, None),
    ],
)
def test_ranges(name, lowest, highest):
    assert (ELEMENT_TYPES[name].lowest, ELEMENT_TYPES[name].highest) == (lowest, highest)


def test_numpy_carries_each_in_its_width():
    for name, element in ELEMENT_TYPES.items():
        if name not in ("string", "bfloat16"):
            assert np.dtype(element.numpy_carrier).itemsize * 8 == element.bits
    assert ELEMENT_TYPES["bfloat16"].numpy_carrier == "ml_dtypes.bfloat16"
    assert ELEMENT_TYPES["string"].numpy_carrier == "object"


@pytest.mark.rule("R-TYP-02", "R-TYP-04")
def test_rounding_words():
    words = {element.kind: element.rounding for element in ELEMENT_TYPES.values()}
    assert words == {
        "bool": "threshold",
        "integer": "half_even_saturate",
        "float": "half_even",
        "complex": "half_even",
        "string": "none",
    }


@pytest.mark.rule("R-TYP-01")
@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize(
    ("op_type", "version", "mode"),
    [("Resize", 19, "nearest"), ("DepthToSpace", 28, "CRD"), ("SpaceToDepth", 28, "DCR")],
)
def test_all_sixteen_in_moves(op_type, version, mode, name):
    assert check_element_type(op_type, version, name, mode) is ELEMENT_TYPES[name]


@pytest.mark.rule("R-TYP-06")
@pytest.mark.parametrize(
    ("op_type", "version", "mode"),
    [("Resize", 10, "linear"), ("Resize", 19, "linear"), ("Resize", 19, "cubic"), ("Upsample", 9, "linear")],
)
def test_strings_cannot_be_averaged(op_type, version, mode):
    with pytest.raises(ElementTypeError, match=f"{op_type}-{version} cannot average strings") as info:
        check_element_type(op_type, version, "string", mode)
    assert info.value.code == "HP202"
    assert info.value.do == "use mode='nearest'"


@pytest.mark.rule("R-VER-04", "R-TYP-11")
@pytest.mark.parametrize(
    ("op_type", "version", "do"),
    [
        ("Resize", 11, "use version=13, which takes bfloat16, or convert X"),
        ("DepthToSpace", 1, "use version=13, which takes bfloat16, or convert X"),
        ("Upsample", 9, "convert X to one of these types"),
    ],
)
def test_bfloat16_came_with_thirteen(op_type, version, do):
    with pytest.raises(ElementTypeError, match=f"{op_type}-{version} does not take bfloat16") as info:
        check_element_type(op_type, version, "bfloat16", "nearest")
    assert info.value.code == "HP201"
    assert info.value.do == do


def test_upsample_1_takes_six_types():
    with pytest.raises(ElementTypeError) as info:
        check_element_type("Upsample", 1, "uint8", "nearest")
    assert info.value.allowed == "bool, float16, float32, float64, int32, int64"
    assert info.value.do == "use version=7, which takes uint8, or convert X"


def test_an_unknown_element_type_is_an_error():
    with pytest.raises(ElementTypeError, match="'datetime64' is not an element type of Resize-19") as info:
        check_element_type("Resize", 19, "datetime64", "nearest")
    assert info.value.code == "HP200"
