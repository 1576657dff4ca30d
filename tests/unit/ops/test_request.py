"""The plan cache of the public functions looks requests up by their values, as they are at that moment."""

import numpy as np
import pytest
import torch

import halfpixel as hp
from halfpixel.ops.request import frozen


class Changing(float):
    """A number that is equal to itself only, as a tensor of one element is."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


@pytest.mark.parametrize("value", [1, 2.5, True, np.float32(2), np.int64(3)])
def test_numbers_are_part_of_a_key(value: object) -> None:
    assert frozen([value]) == (value, type(value))


@pytest.mark.parametrize(
    "values", [[Changing(2.0)], ["2"], [None], {2.0}, iter([2.0]), np.ones((1, 1)), np.array(["2"])]
)
def test_what_may_change_has_no_key(values: object) -> None:
    with pytest.raises(TypeError):
        frozen(values)


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
