"""out=: written exactly, or refused before anything is written."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

import halfpixel as hp
from halfpixel.plan.out import overlaps

X = np.array([1, 5], np.float32)
DOUBLED = [1, 2, 4, 5]


def doubled(x: Any, out: Any) -> Any:
    return hp.resize(x, scales=[2], mode="linear", out=out)


def read_only() -> Any:
    out = np.zeros(4, np.float32)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("out", "code", "sentence", "given", "allowed"),
    [
        (
            np.full(5, 7, np.float32),
            "HP162",
            "out has another shape than the result",
            "out of shape (5,), dtype float32",
            "shape (4,)",
        ),
        (
            np.full(4, 7, np.float64),
            "HP163",
            "out has another dtype than the input",
            "out of shape (4,), dtype float64",
            "dtype float32",
        ),
        (
            np.full(4, 7, ">f4"),
            "HP163",
            "out has another dtype than the input",
            "out of shape (4,), dtype >f4",
            "dtype float32",
        ),
        (
            read_only(),
            "HP164",
            "out is read-only",
            "out of shape (4,), dtype float32, read-only",
            "a writeable array",
        ),
        (
            np.lib.stride_tricks.as_strided(np.full(2, 7, np.float32), (4,), (0,)),
            "HP165",
            "out overlaps itself",
            "out of shape (4,), dtype float32",
            "an array whose elements are all in different places",
        ),
    ],
)
def test_wrong_out_is_refused_untouched(out: Any, code: str, sentence: str, given: str, allowed: str) -> None:
    before = out.tobytes()
    with pytest.raises(hp.SpecError) as caught:
        doubled(X, out)
    error = caught.value
    assert (error.code, error.sentence, error.given, error.allowed) == (code, sentence, given, allowed)
    assert error.do == "pass such an array, or leave out= away and take the result"
    assert out.tobytes() == before


@pytest.mark.parametrize("offset", [1, 2, 4, 5])
def test_overlap_with_the_input_is_refused(offset: int) -> None:
    memory = np.arange(10, dtype=np.float32)
    with pytest.raises(hp.SpecError) as caught:
        doubled(memory[4:6], memory[offset : offset + 4])
    assert (caught.value.code, caught.value.sentence) == ("HP165", "out shares memory with the input")
    assert memory.tolist() == list(range(10))


def test_neighbours_and_interleaved_arrays_do_not_overlap() -> None:
    memory = np.zeros(10, np.float32)
    memory[4:6] = X
    doubled(memory[4:6], memory[:4])
    doubled(memory[4:6], memory[6:])
    assert memory.tolist() == [*DOUBLED, 1, 5, *DOUBLED]
    memory = np.zeros((4, 2), np.float32)
    memory[:2, 0] = X
    doubled(memory[:2, 0], memory[:, 1])
    assert memory[:, 1].tolist() == DOUBLED


def test_overlap_that_is_too_hard_to_decide_counts_as_overlap() -> None:
    memory = np.zeros(192_163_377, np.int8)  # the example of numpy.shares_memory; no page of it is touched
    a = np.lib.stride_tricks.as_strided(memory, (1049, 1049, 1049), (36674, 61119, 85569))
    b = np.lib.stride_tricks.as_strided(memory[64_023_025:], (1049, 1049, 1), (12223, 12224, 1))
    with pytest.raises(np.exceptions.TooHardError):
        np.shares_memory(a, b, 10_000)  # type: ignore[arg-type]
    assert overlaps(a, b)


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(8, np.float32)[::2],
        np.zeros(4, np.float32)[::-1],
        np.zeros((4, 3), np.float32)[:, 1],
        np.ndarray((4,), np.float32, bytearray(17), 1),
    ],
)
def test_any_strides_are_written_exactly(out: Any) -> None:
    around = out.base if isinstance(out.base, np.ndarray) else None
    total = None if around is None else np.count_nonzero(around)
    assert doubled(X, out) is out
    assert out.tolist() == DOUBLED
    assert around is None or np.count_nonzero(around) == total + 4


def test_out_of_another_memory_order_than_the_input() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    out = np.zeros((4, 6), np.float32, order="F")
    hp.resize(x, scales=[2, 2], out=out)
    assert out.tolist() == [[0, 0, 1, 1, 2, 2]] * 2 + [[3, 3, 4, 4, 5, 5]] * 2


def test_out_of_another_library() -> None:
    out = torch.zeros(4)
    assert doubled(X, out) is out
    assert out.tolist() == DOUBLED
    array = np.zeros(4, np.float32)
    assert doubled(torch.from_numpy(X), array) is array
    assert array.tolist() == DOUBLED


def test_bfloat16_of_two_libraries_is_one_type() -> None:
    out = np.zeros(4, ml_dtypes.bfloat16)
    assert doubled(torch.tensor([1, 5], dtype=torch.bfloat16), out) is out
    assert out.tolist() == DOUBLED
    tensor = torch.zeros(4, dtype=torch.bfloat16)
    assert doubled(np.array([1, 5], ml_dtypes.bfloat16), tensor) is tensor
    assert tensor.tolist() == DOUBLED


def test_out_that_is_no_array_is_refused() -> None:
    with pytest.raises(hp.ElementTypeError) as caught:
        doubled(X, [0, 0, 0, 0])
    assert (caught.value.code, caught.value.sentence) == ("HP221", "out is not an array")
