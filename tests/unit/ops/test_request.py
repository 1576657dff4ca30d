"""The plan cache of the public functions looks requests up by their values, as they are at that moment."""

import numpy as np
import pytest
import torch

import halfpixel as hp
from halfpixel._core import request_key
from halfpixel.ops.request import PLANS

FLOAT = np.dtype(np.float32)


class Changing(float):
    """A number that is equal to itself only, as a tensor of one element is."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


DIFFERENT = [
    None, "", "2", "linear", 2, 2.0, True, False, 0, 0.0, -0.0, float("nan"), -(2**63), 2**63 - 1,
    [], [2], [2.0], [True], [2, 2], [2, 2.0], [0.0], [-0.0], np.float32(2), np.float64(2), np.int64(2), np.bool_(True),
    [np.int64(2)], [np.float32(2)], np.array([2]), np.array([2.0]), np.array([2, 2]), np.array([2], np.int32),
]  # fmt: skip


def test_no_two_different_values_have_one_key() -> None:
    keys = [request_key(FLOAT, (3,), value) for value in DIFFERENT]
    assert all(type(key) is bytes for key in keys)
    assert len(set(keys)) == len(DIFFERENT)


def test_lists_of_arguments_do_not_run_into_each_other() -> None:
    calls = [("a", "b"), ("ab", ""), ("", "ab"), ([1], [2]), ([1, 2], []), ([1, 2],), (1, 2), ("a", "b", None), ()]
    assert len({request_key(FLOAT, (3,), *call) for call in calls}) == len(calls)
    shapes = [(), (1,), (1, 1), (1, 2), (2, 1), (0, 1)]
    assert len({request_key(FLOAT, shape) for shape in shapes}) == len(shapes)


def test_equal_calls_have_one_key() -> None:
    values = ([1, 2.5], "linear", np.array([3]), np.int64(2))
    others = ((1, 2.5), "".join(["lin", "ear"]), np.array([3, 4])[:1], np.int64(2))
    assert request_key(FLOAT, (2, 3), *values) == request_key(np.dtype("<f4"), torch.Size([2, 3]), *others)


def test_dtype_is_part_of_a_key() -> None:
    bits = np.dtype([("bfloat16", "=u2")])
    dtypes = (FLOAT, np.dtype(">f4"), np.dtype(np.uint32), bits, "float32", torch.float32, np.float32)
    assert len({request_key(dtype, (3,)) for dtype in dtypes}) == len(dtypes)


@pytest.mark.parametrize(
    "value",
    [
        Changing(2.0), [Changing(2.0)], ["2"], [None], [[2]], {2.0}, iter([2.0]), torch.tensor(2.0), object(), 2**63,
        np.ones((1, 1)), np.array(["2"]), np.array(2), np.arange(4)[::2], np.ones(1, ">f4"), "\ud800", "x" * 2000,
        [1] * 2000, np.datetime64("2026-01-01"), np.complex64(1),
    ],
)  # fmt: skip
def test_what_may_change_has_no_key(value: object) -> None:
    assert request_key(FLOAT, (3,), value) is None


@pytest.mark.parametrize("shape", [[3], (3.0,), (True,), (np.int64(3),), (2**63,), 3, None, (1,) * 65])
def test_only_tuples_of_integers_are_shapes(shape: object) -> None:
    assert request_key(FLOAT, shape) is None


def test_dtype_that_cannot_be_hashed_has_no_key() -> None:
    assert request_key([], (3,)) is None


def test_second_call_finds_the_plan_of_the_first() -> None:
    x = np.zeros((5, 7), np.float32)
    for _ in range(2):
        before = len(PLANS)
        hp.resize(x, sizes=[9, 11], mode="cubic", cubic_coeff_a=-0.625)
    assert len(PLANS) == before


def test_list_changed_between_two_calls() -> None:
    x, scales = np.zeros(4, np.float32), [2.0]
    assert hp.resize(x, scales).shape == (8,)
    scales[0] = 3.0
    assert hp.resize(x, scales).shape == (12,)


def test_number_of_another_library_changed_between_two_calls() -> None:
    x, scale = np.zeros(4, np.float32), torch.tensor(2.0)
    assert hp.resize(x, [scale]).shape == (8,)
    scale += 1
    assert hp.resize(x, [scale]).shape == (12,)
