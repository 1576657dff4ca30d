"""The plan cache of the public functions looks requests up by their values, as they are at that moment."""

from typing import Any

import numpy as np
import pytest
import torch

import halfpixel as hp
from halfpixel._core import request_key
from halfpixel.ops import resizing
from halfpixel.ops.request import PLANS, short_call
from halfpixel.spec.resize import resize_spec

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


REQUESTS: list[dict[str, Any]] = [
    {"scales": [0.5, 1, 2.6], "mode": "linear"},
    {"scales": [1.5, 0.7], "axes": [-1, 0], "length_rule": "float32_floor", "antialias": True, "mode": "cubic"},
    {"sizes": [5, 7], "axes": [2, 0], "mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1},
    {"sizes": [7, 9], "axes": [1, 2], "keep_aspect_ratio_policy": "not_larger"},
    {"sizes": [7, 9], "axes": [1, 2], "keep_aspect_ratio_policy": "not_smaller", "nearest_mode": "ceil"},
    {
        "sizes": [3, 4],
        "axes": [-2, -1],
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "roi": [0.25, 0, 0.75, 1.5],
        "extrapolation_value": -3.0,
    },
    {"scales": [0.5, 2, 3], "version": 10},
    {"sizes": [], "axes": []},
]


@pytest.mark.parametrize("arguments", REQUESTS)
def test_a_request_that_is_kept_says_the_same_of_every_shape(arguments: dict[str, Any]) -> None:
    resizing._requests.clear()
    for shape in ((4, 6, 5), (6, 9, 8), (5, 3, 7), (6, 9, 8)):
        assert hp.plan_resize(shape, "float64", **arguments).spec == resize_spec(shape, **arguments)
        assert len(resizing._requests) == 1


def test_a_kept_request_is_one_of_its_rank() -> None:
    for shape, expected in (((4, 6), (8, 6)), ((4, 6, 5), (4, 8, 5)), ((4, 6, 5, 3), (4, 6, 8, 3))):
        assert hp.plan_resize(shape, "float32", sizes=[8], axes=[-2]).output_shape == expected


def test_a_kept_request_is_refused_for_a_shape_that_it_does_not_fit() -> None:
    crop: dict[str, Any] = {"coordinate_transformation_mode": "tf_crop_and_resize", "roi": [0.75, 0.25]}
    assert hp.resize(np.zeros((2, 5)), sizes=[3], axes=[0]).shape == (3, 5)
    with pytest.raises(hp.SpecError, match=r"^\[HP119\] "):
        hp.resize(np.zeros((0, 5)), sizes=[3], axes=[0])
    assert hp.resize(np.zeros((2, 0)), scales=[2], axes=[1], **crop).shape == (2, 0)
    with pytest.raises(hp.SpecError, match=r"^\[HP120\] "):
        hp.resize(np.zeros((2, 5)), scales=[2], axes=[1], **crop)
    assert hp.plan_resize((0, 3), "uint8", scales=[2**62], axes=[0]).output_shape == (0, 3)
    with pytest.raises(hp.ResourceError, match=r"^\[HP300\] "):
        hp.plan_resize((2, 3), "uint8", scales=[2**62], axes=[0])


def test_kept_requests_are_bounded() -> None:
    resizing._requests.clear()
    for size in range(resizing._MOST_REQUESTS + 2):
        hp.plan_resize((2,), "float32", sizes=[size])
    assert len(resizing._requests) == 2


class Fake:
    """What short_call takes for a plan that has no short way."""

    direct = None

    def __call__(self, *given: object) -> object:
        return "result", given


def test_what_has_no_plan_is_built_once_and_called() -> None:
    x, given = np.zeros((2, 3), np.float32), []

    def build(*arguments: object) -> Fake:
        given.append(arguments)
        return Fake()

    out = object()
    assert short_call({}, build, x, out, 4, "linear", [2.0]) == ("result", (x, out, 4))
    assert given == [(request_key(FLOAT, (2, 3), "linear", [2.0]), FLOAT, (2, 3), "linear", [2.0])]
    key = given[0][0]
    assert short_call({key: Fake()}, build, x, None, None, "linear", [2.0]) == ("result", (x, None, None))
    assert short_call({}, build, x, None, None, Changing(2.0)) is None
    assert len(given) == 1
