"""Arrays of every library in and out, without a copy."""

import array
import ctypes
import subprocess
import sys
from typing import Any

import ml_dtypes
import numpy as np
import onnxruntime
import pytest
import torch

import halfpixel as hp
from halfpixel._errors import ElementTypeError
from halfpixel.plan.arrays import export_array, import_array
from halfpixel.plan.elements import BFLOAT16_BITS

ROW = [1.0, 2.0]
DOUBLED = [1.0, 1.25, 1.75, 2.0]


class Exporter:
    """An array library of one class: DLPack out, and a namespace that takes DLPack."""

    def __init__(self, values: np.ndarray[Any, Any], device: tuple[int, int] = (1, 0)) -> None:
        self.values = values
        self.device = device

    def __dlpack__(self, **request: Any) -> Any:
        return self.values.__dlpack__(**request)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __array_namespace__(self) -> Any:
        return type(self)

    @classmethod
    def from_dlpack(cls, other: Any) -> "Exporter":
        return cls(np.from_dlpack(other))


class NoConstructor(Exporter):
    """DLPack out, and no way in."""

    __array_namespace__ = None  # type: ignore[assignment]


class Broken(Exporter):
    def __dlpack__(self, **request: Any) -> Any:
        raise BufferError("no export today")


def doubled(x: Any) -> Any:
    return hp.resize(x, scales=[2], mode="linear")


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128]
)
def test_torch_in_torch_out(dtype: torch.dtype) -> None:
    y = doubled(torch.tensor(ROW, dtype=dtype))
    assert isinstance(y, torch.Tensor)
    assert y.dtype is dtype
    assert y.tolist() == DOUBLED


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int8, torch.uint16, torch.int32, torch.uint64])
def test_torch_integers(dtype: torch.dtype) -> None:
    y = hp.resize(torch.tensor([0, 1], dtype=dtype), scales=[2])
    assert y.dtype is dtype
    assert y.tolist() == [0, 0, 1, 1]


def test_torch_shares_memory_both_ways() -> None:
    for dtype in (torch.float32, torch.bfloat16):
        x = torch.zeros(4, dtype=dtype)
        view, kind = import_array(x)
        x[1] = 1
        assert view.view(np.uint8).any()
        assert export_array(view, kind).data_ptr() == x.data_ptr()


def test_torch_keeps_channels_last() -> None:
    x = torch.arange(2 * 3 * 4 * 5, dtype=torch.float32).reshape(2, 3, 4, 5).to(memory_format=torch.channels_last)
    y = hp.resize(x, scales=[1, 1, 2, 2])
    assert y.shape == (2, 3, 8, 10)
    assert y.is_contiguous(memory_format=torch.channels_last)
    assert y[1, 2, 7, 9] == x[1, 2, 3, 4]


def test_torch_views_with_conjugate_bit() -> None:
    x = torch.tensor([1 + 2j, 3 + 4j]).conj()
    assert x.is_conj()
    assert hp.resize(x, scales=[1]).tolist() == [1 - 2j, 3 - 4j]


def test_torch_out_is_returned_as_it_is() -> None:
    out = torch.full((4,), -1.0, dtype=torch.bfloat16)
    y = hp.resize(torch.tensor(ROW, dtype=torch.bfloat16), scales=[2], mode="linear", out=out)
    assert y is out
    assert out.tolist() == DOUBLED


def test_torch_gradient_and_rearrangement() -> None:
    for y, expected in (
        (hp.resize_grad(torch.ones(4), (2,), scales=[2], mode="linear"), [2, 2]),
        (hp.upsample_grad(torch.ones(4), (2,), [2]), [2, 2]),
        (hp.upsample(torch.tensor([1, 2]), [2]), [1, 1, 2, 2]),
        (hp.depth_to_space(torch.arange(4).reshape(1, 4, 1, 1), 2), [[[[0, 1], [2, 3]]]]),
        (hp.space_to_depth(torch.arange(4).reshape(1, 1, 2, 2), 2), [[[[0]], [[1]], [[2]], [[3]]]]),
    ):
        assert isinstance(y, torch.Tensor)
        assert y.tolist() == expected


def test_ort_value_in_ort_value_out() -> None:
    y = doubled(onnxruntime.OrtValue.ortvalue_from_numpy(np.array(ROW, np.float32)))
    assert isinstance(y, onnxruntime.OrtValue)
    assert y.data_type() == "tensor(float)"
    assert y.numpy().tolist() == DOUBLED


def test_ort_value_of_bfloat16() -> None:
    bits = np.array(ROW, ml_dtypes.bfloat16).view(np.uint16)
    y = doubled(onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, 16))
    assert y.data_type() == "tensor(bfloat16)"
    view, _ = import_array(y)
    assert view.dtype == BFLOAT16_BITS
    assert view.view(ml_dtypes.bfloat16).tolist() == DOUBLED


def test_dlpack_in_and_out_through_the_library_s_namespace() -> None:
    y = doubled(Exporter(np.array(ROW)))
    assert type(y) is Exporter
    assert y.values.tolist() == DOUBLED


def test_dlpack_without_a_constructor_gives_numpy() -> None:
    y = doubled(NoConstructor(np.array(ROW)))
    assert type(y) is np.ndarray
    assert y.tolist() == DOUBLED


def test_dlpack_of_a_read_only_array() -> None:
    x = np.array(ROW)
    x.flags.writeable = False
    assert doubled(Exporter(x)).values.tolist() == DOUBLED


@pytest.mark.parametrize(
    "buffer",
    [
        array.array("d", ROW),
        memoryview(np.array(ROW)),
        (ctypes.c_double * 2)(*ROW),
    ],
)
def test_buffers_give_numpy_arrays(buffer: Any) -> None:
    y = doubled(buffer)
    assert type(y) is np.ndarray
    assert y.tolist() == DOUBLED


def test_bytes_are_uint8() -> None:
    assert hp.resize(b"\x01\x05", scales=[2]).tolist() == [1, 1, 5, 5]
    out = bytearray(4)
    assert hp.resize(b"\x01\x05", scales=[2], out=out) is out
    assert out == b"\x01\x01\x05\x05"


def test_numpy_scalars_and_subclasses_give_plain_arrays() -> None:
    y = hp.resize(np.float32(3), scales=[])
    assert (type(y), y.shape, y.dtype, y.item()) == (np.ndarray, (), np.float32, 3)
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix([[1, 2]])
    y = hp.resize(matrix, scales=[1, 2])
    assert (type(y), y.tolist()) == (np.ndarray, [[1, 1, 2, 2]])
    y = hp.resize(matrix.astype(np.complex64), scales=[1, 2], mode="linear")  # parts on a third axis: no matrix has one
    assert (type(y), y.tolist()) == (np.ndarray, [[1, 1.25, 1.75, 2]])
    y = hp.plan_resize((2,), np.float64, scales=[2])(np.array(ROW)[::-1])
    assert (type(y), y.tolist()) == (np.ndarray, [2, 2, 1, 1])


REFUSED = [
    ([1, 2], "HP221", "x is not an array", "x of type list", "pass numpy.asarray(x, dtype=...)"),
    (3.0, "HP221", "x is not an array", "x of type float", "pass numpy.asarray(x, dtype=...)"),
    ("text", "HP221", "x is not an array", "x of type str", "pass numpy.asarray(x, dtype=...)"),
    (None, "HP221", "x is not an array", "x of type NoneType", "pass numpy.asarray(x, dtype=...)"),
    (
        np.ma.masked_array([1.0, 2.0], [True, False]),
        "HP223",
        "x has a mask, which an average of its samples would ignore",
        "x of type MaskedArray",
        "pass x.filled(value)",
    ),
    (
        torch.ones(2, requires_grad=True),
        "HP223",
        "x requires a gradient, which NumPy code would cut off",
        "x, a tensor with requires_grad=True",
        "pass x.detach()",
    ),
    (
        torch.ones(2, device="meta"),
        "HP222",
        "x is not dense memory that the CPU can read",
        "a tensor on meta",
        "pass x.cpu()",
    ),
    (
        torch.ones(2).to_sparse(),
        "HP222",
        "x is not dense memory that the CPU can read",
        "a sparse or quantized tensor",
        "pass x.to_dense() or x.dequantize()",
    ),
    (
        torch.ones(2).to(torch.float8_e5m2),
        "HP222",
        "NumPy cannot read x",
        "x of type Tensor: Got unsupported ScalarType Float8_e5m2",
        "convert it first",
    ),
    (
        Exporter(np.zeros(2), device=(2, 0)),
        "HP222",
        "x is not dense memory that the CPU can read",
        "an array on DLPack device (2, 0)",
        "copy it to the CPU",
    ),
    (Broken(np.zeros(2)), "HP222", "NumPy cannot read x", "x of type Broken: no export today", "convert it first"),
]


@pytest.mark.parametrize(("x", "code", "sentence", "given", "do"), REFUSED)
def test_what_is_no_array_in_memory_is_refused(x: Any, code: str, sentence: str, given: str, do: str) -> None:
    with pytest.raises(ElementTypeError) as caught:
        hp.resize(x, scales=[2])
    error = caught.value
    assert (error.code, error.sentence, error.given) == (code, sentence, given)
    assert error.do.startswith(do)


def test_no_framework_is_loaded_to_recognise_arrays() -> None:
    code = (
        "import halfpixel, sys, array; halfpixel.resize(array.array('d', [1]), scales=[2]);"
        "print([m for m in ('torch', 'onnxruntime', 'ml_dtypes', 'jax') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
