"""Dtypes to ONNX element types, and numbers to elements."""

import subprocess
import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

from halfpixel._errors import ElementTypeError
from halfpixel.plan.elements import BFLOAT16_BITS, check_strings, converted, dtype_of, element_of, moved_as

INTEGERS = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
NAMES = [*INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("name", NAMES)
def test_element_of_numeric_dtypes_in_both_byte_orders(name: str) -> None:
    assert element_of(np.dtype(name)) == name
    assert element_of(np.dtype(name).newbyteorder()) == name


def test_element_of_what_needs_a_rule_of_its_own() -> None:
    assert element_of(np.dtype(ml_dtypes.bfloat16)) == "bfloat16"
    assert element_of(BFLOAT16_BITS) == "bfloat16"
    assert element_of(np.dtype("u2")) == "uint16"
    for strings in ("O", "U3", ">U3", np.dtypes.StringDType()):
        assert element_of(np.dtype(strings)) == "string"


@pytest.mark.parametrize(
    ("dtype", "sentence", "do"),
    [
        ("M8[s]", "a date has no ONNX tensor type", "pass x.view(numpy.int64)"),
        ("m8[s]", "a time span has no ONNX tensor type", "pass x.view(numpy.int64)"),
        ("S3", "a byte string has no ONNX tensor type", "decode it: numpy.strings.decode(x)"),
        ("V4", "a block of bytes has no ONNX tensor type", "convert it to one of these types"),
        ([("r", "f4"), ("g", "f4")], "a record has no ONNX tensor type", "pass one field, such as x['r']"),
        (np.longdouble, "float128 has no ONNX tensor type", "convert it: x.astype(numpy.float64)"),
        (np.clongdouble, "complex256 has no ONNX tensor type", "convert it: x.astype(numpy.complex128)"),
        (ml_dtypes.float8_e4m3fn, "float8_e4m3fn has no ONNX tensor type", "convert it to one of these types"),
    ],
)
def test_other_dtypes_are_refused_with_a_way_out(dtype: Any, sentence: str, do: str) -> None:
    with pytest.raises(ElementTypeError) as caught:
        element_of(np.dtype(dtype))
    assert (caught.value.code, caught.value.sentence, caught.value.do) == ("HP220", sentence, do)
    assert caught.value.given == f"dtype {np.dtype(dtype)}"
    assert caught.value.allowed.startswith("bool, uint8, ")


def test_dtype_of_takes_dtypes_names_types_and_those_of_torch() -> None:
    assert dtype_of(np.dtype(">f4")) == np.dtype(">f4")
    assert dtype_of("float16") == np.float16
    assert dtype_of(np.uint8) == np.uint8
    assert dtype_of(bool) == np.bool_
    assert dtype_of("string") == np.dtype(object)
    assert dtype_of(torch.int64) == np.int64
    assert dtype_of(torch.complex64) == np.complex64
    assert dtype_of("bfloat16") == dtype_of(torch.bfloat16) == np.dtype(ml_dtypes.bfloat16)


def test_bfloat16_has_a_dtype_without_ml_dtypes() -> None:
    code = "import halfpixel; print(halfpixel.plan_resize((2,), 'bfloat16', scales=[2]).dtype)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[('bfloat16', '<u2')]"


@pytest.mark.parametrize("name", [None, "float33", 3, [1, 2], object()])
def test_dtype_of_refuses_the_rest(name: object) -> None:
    with pytest.raises(ElementTypeError) as caught:
        dtype_of(name)
    assert caught.value.code == "HP221"
    assert caught.value.sentence == "dtype is not an element type"
    assert caught.value.given == f"dtype={name!r}"
    assert caught.value.do == "pass x.dtype or one of the names"


@pytest.mark.parametrize(
    ("value", "element", "expected"),
    [
        (0.5, "int8", 0),  # half to even
        (1.5, "int8", 2),
        (-2.5, "int8", -2),
        (300.0, "uint8", 255),  # saturates
        (-0.6, "uint8", 0),
        (float("inf"), "int16", 32767),
        (float("-inf"), "int16", -32768),
        (2.0**63, "int64", 2**63 - 1),
        (-(2.0**63), "int64", -(2**63)),
        (2.0**64, "uint64", 2**64 - 1),
        (0.5, "bool", True),  # true from one half up
        (0.49, "bool", False),
        (float("inf"), "bool", True),
        (65519.0, "float16", 65504.0),
        (65520.0, "float16", float("inf")),  # overflows to infinity
        (1e300, "float32", float("inf")),
        (0.1, "float64", 0.1),
        (-2.5, "complex64", -2.5 + 0j),
    ],
)
def test_converted_rounds_like_a_result(value: float, element: str, expected: Any) -> None:
    array = converted(value, element)
    assert array.shape == ()
    assert array.dtype == element
    assert array == expected


@pytest.mark.parametrize(
    ("value", "bits"),
    [
        (1.0, 0x3F80),
        (-2.0, 0xC000),
        (1.0 + 2**-8, 0x3F80),  # a tie goes to the even neighbour
        (1.0 + 3 * 2**-8, 0x3F82),
        (1.0 + 2**-8 + 2**-40, 0x3F81),  # above the tie by less than float32 can tell
        (1e39, 0x7F80),
        (float("-inf"), 0xFF80),
        (2.0**-133, 0x0001),  # the smallest one
        (2.0**-134, 0x0000),
        (-1e-300, 0x8000),
        (0.0, 0x0000),
        (-0.0, 0x8000),
    ],
)
def test_converted_rounds_to_bfloat16_once(value: float, bits: int) -> None:
    assert converted(value, "bfloat16") == bits


def test_moved_as_is_as_wide() -> None:
    wide = [moved_as(np.dtype(name)).itemsize for name in ("bool", "i2", "f4", "c8", "c16")]
    assert wide == [1, 2, 4, 8, 16]


def test_object_arrays_hold_strings_only() -> None:
    check_strings(np.array(["a", np.str_("b")], object))
    check_strings(np.array([], object))
    for other, shown in (
        (None, "None of type NoneType"),
        (b"a", "b'a' of type bytes"),
        ([1, 2], "[1, 2] of type list"),
    ):
        array = np.array(["a", None], object)
        array[1] = other
        with pytest.raises(ElementTypeError) as caught:
            check_strings(array)
        assert caught.value.code == "HP224"
        assert caught.value.given == f"an object array that holds {shown}"
