"""depth_to_space and space_to_depth on arrays."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

DEEP = np.arange(8).reshape(1, 8, 1, 1)
DCR = [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]]
CRD = [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]
DTYPES: list[Any] = [
    "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", ml_dtypes.bfloat16,
    "float32", "float64", "complex64", "complex128", "U2", np.dtypes.StringDType(), ">f4", ">c16", ">U2",
]  # fmt: skip


@pytest.mark.parametrize(("mode", "expected"), [("DCR", DCR), ("CRD", CRD)])
def test_both_modes_both_ways(mode: Any, expected: Any) -> None:
    assert hp.depth_to_space(DEEP, 2, mode=mode).tolist() == expected
    assert hp.space_to_depth(np.array(expected), 2, mode=mode).tolist() == DEEP.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type(dtype: Any) -> None:
    deep = (DEEP % 2 if dtype == "bool" else DEEP).astype(dtype)
    wide = np.array(DCR)
    wide = (wide % 2 if dtype == "bool" else wide).astype(dtype)
    space = hp.depth_to_space(deep, 2)
    assert space.dtype == deep.dtype
    assert np.array_equal(space, wide)
    back = hp.space_to_depth(space, 2)
    assert back.dtype == deep.dtype
    assert np.array_equal(back, deep)


def test_objects_are_strings() -> None:
    x = np.array(list("abcd"), object).reshape(1, 4, 1, 1)
    assert hp.depth_to_space(x, 2).tolist() == [[[["a", "b"], ["c", "d"]]]]
    x[0, 3] = None
    with pytest.raises(hp.ElementTypeError) as caught:
        hp.depth_to_space(x, 2)
    assert caught.value.code == "HP224"


def test_bits_are_moved() -> None:
    bits = np.array([0x7FC12345, 0xFFA00001, 0x80000000, 0x00000001], np.uint32)
    y = hp.depth_to_space(bits.view(np.float32).reshape(1, 4, 1, 1), 2)
    assert y.view(np.uint32).ravel().tolist() == bits.tolist()


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("blocksize", [1, 2, 3, 5])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "complex128"])
def test_every_element_goes_where_the_text_says(mode: Any, blocksize: int, dtype: str) -> None:
    b, wide = blocksize, 3
    x = np.arange(2 * wide * b * b * 4 * 5).reshape(2, wide * b * b, 4, 5).astype(dtype)
    y = hp.depth_to_space(x, b, mode=mode)
    assert y.shape == (2, wide, 4 * b, 5 * b)
    for n, c, h, w in np.ndindex(*y.shape):
        row, column = h % b, w % b
        channel = (row * b + column) * wide + c if mode == "DCR" else (c * b + row) * b + column
        assert y[n, c, h, w] == x[n, channel, h // b, w // b]
    assert np.array_equal(hp.space_to_depth(y, b, mode=mode), x)


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_strides_and_out(mode: Any) -> None:
    x = np.arange(2 * 8 * 3 * 4, dtype=np.float32).reshape(2, 8, 3, 4)
    plain = hp.depth_to_space(x, 2, mode=mode)
    last = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    y = hp.depth_to_space(last, 2, mode=mode)
    assert y.transpose(0, 2, 3, 1).flags.c_contiguous
    reversed_ = np.ascontiguousarray(x[::-1, ::-1, ::-1, ::-1])[::-1, ::-1, ::-1, ::-1]
    misaligned = np.ndarray(x.shape, x.dtype, bytearray(b"\0" + x.tobytes()), 1)
    for view in (last, reversed_, np.repeat(x, 2, 3)[..., ::2], misaligned, x.astype(">f4")):
        assert np.array_equal(hp.depth_to_space(view, 2, mode=mode), plain)
        out = np.zeros((2, 2, 6, 16), view.dtype)[..., ::2]
        assert hp.depth_to_space(view, 2, mode=mode, out=out, threads=1) is out
        assert np.array_equal(out, plain)
        assert np.array_equal(hp.space_to_depth(out, 2, mode=mode), x)


def test_zero_size() -> None:
    assert hp.depth_to_space(np.zeros((0, 4, 3, 2)), 2).shape == (0, 1, 6, 4)
    assert hp.depth_to_space(np.zeros((1, 0, 3, 2), object), 2).shape == (1, 0, 6, 4)
    assert hp.space_to_depth(np.zeros((1, 3, 0, 4)), 2).shape == (1, 12, 0, 2)


def test_wrong_out_is_refused_untouched() -> None:
    out = np.full((1, 2, 2, 2), 7, np.int32)
    with pytest.raises(hp.SpecError) as caught:
        hp.depth_to_space(DEEP, 2, out=out)
    assert caught.value.code == "HP163"
    assert (out == 7).all()
    memory = np.arange(8)
    with pytest.raises(hp.SpecError) as caught:
        hp.depth_to_space(memory.reshape(1, 8, 1, 1), 2, out=memory.reshape(1, 2, 2, 2))
    assert caught.value.code == "HP165"
    assert memory.tolist() == list(range(8))
