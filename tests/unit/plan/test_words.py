"""Maps as words: written as core/run/host_words.hpp says, read back, refused where they are wrong."""

import struct

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.plan.words import forward_words, gradient_words, rearrange_words
from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec

from .host_calls import INVALID, OK, OUT_OF_MEMORY, host_interface, made, make, run_map


def real(value: float) -> int:
    (word,) = struct.unpack("<q", struct.pack("<d", value))
    return int(word)


# (2, 3) float32, axis 1 to 6: x = (2 i - 1) / 4.
TABLE = [1, 1, 3, 6, 2, 0, -1, -1, 4, 0, 0, 1, 0, 1, 0, 0, real(-0.75), 0, 0]
DOUBLED = [1, 0, 11, 0, 0, 2, 2, 3, 0, 0, 0, 1, *TABLE]


def test_the_words_of_a_resize() -> None:
    plan = hp.plan_resize((2, 3), "float32", scales=[1, 2], mode="linear")
    words = list(forward_words(plan))
    # The line may be reduced or not; the rest is exactly this.
    assert words[:16] == DOUBLED[:16]
    assert words[16] * 4 == words[20] * 2
    assert words[18] * 4 == words[20] * -1
    assert words[22:] == DOUBLED[22:]


def test_words_make_a_map() -> None:
    with made(DOUBLED) as doubled:
        x = np.array([[1, 2, 3], [4, 4, 8]], np.float32)
        y = run_map(doubled, x, (2, 6))
    assert y.tolist() == [[1, 1.25, 1.75, 2.25, 2.75, 3], [4, 4, 4, 5, 7, 8]]


def test_words_of_a_gradient() -> None:
    plan = hp.plan_resize((1, 2), "complex64", scales=[1, 2], mode="linear")
    with made(gradient_words(plan)) as gradient:
        dx = run_map(gradient, np.array([[1, 2j, 3, 4j]], np.complex64), (1, 2))
    assert dx.tolist() == [[1.75 + 1.5j, 2.25 + 4.5j]]


def test_words_of_samples_beside_the_input() -> None:
    plan = hp.plan_resize(
        (3,),
        "uint8",
        sizes=[5],
        coordinate_transformation_mode="tf_crop_and_resize",
        roi=[0, 2],
        extrapolation_value=9.0,
    )
    with made(forward_words(plan)) as cropped:
        assert run_map(cropped, np.array([1, 2, 3], np.uint8), (5,)).tolist() == [1, 2, 3, 9, 9]


def test_words_of_rearrangements() -> None:
    x = np.arange(8, dtype=np.int16).reshape(1, 8, 1, 1)
    with made(rearrange_words(depth_to_space_spec((1, 8, 1, 1), 2), x.dtype)) as to_space:
        y = run_map(to_space, x, (1, 2, 2, 2))
    assert y.reshape(-1).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    with made(rearrange_words(space_to_depth_spec((1, 2, 2, 2), 2), x.dtype)) as to_depth:
        assert run_map(to_depth, y, x.shape).tolist() == x.tolist()


def test_words_of_empty_arrays() -> None:
    plan = hp.plan_resize((2, 3), "float64", sizes=[0, 3], mode="linear")
    with made(forward_words(plan)) as empty, made(gradient_words(plan)) as gradient:
        assert run_map(empty, np.ones((2, 3)), (0, 3)).shape == (0, 3)
        assert run_map(gradient, np.ones((0, 3)), (2, 3)).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("kind", [DOUBLED, [1, 3, 1, 4, 1, 1, 2, 0, 4], [1, 2, 0, 1, 2, 8, 0, 0]], ids=str)
def test_words_that_end_early_or_late(kind: list[int]) -> None:
    assert make(kind)[0] == OK
    for end in range(len(kind)):
        assert make(kind[:end]) == (INVALID, None)
    assert make([*kind, 0]) == (INVALID, None)


WRONG = {
    "version": (0, 2),
    "kind": (1, 5),
    "element": (2, 13),
    "pairs": (3, 2),
    "transposed": (4, -1),
    "rank": (5, 1025),
    "length": (7, -1),
    "value": (8, 17),
    "tables": (11, 3),
    "axis": (12, 2),
    "filter": (13, 3),
    "in_size": (14, 0),
    "another in_size": (14, 4),
    "out_size": (15, -6),
    "divisor": (20, 0),
    "antialias": (22, 2),
    "scale": (23, 0),
    "rounding": (27, 4),
    "exclude_outside": (29, 2),
    "extrapolate": (30, 2),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_word_out_of_its_range(what: str) -> None:
    place, value = WRONG[what]
    words = list(DOUBLED)
    words[place] = value
    assert make(words) == (INVALID, None)


def test_a_value_of_another_width() -> None:
    words = list(DOUBLED)
    words[8] = 2  # all of the output lies inside: no value is needed, and none is looked at
    assert make(words)[0] == OK
    words[16:22] = [1, 0, -1, -1, 1, 0]
    words[30] = 1
    assert make(words) == (INVALID, None)
    words[8] = 4
    status, address = make(words)
    assert status == OK
    host_interface().free(address)


def test_shapes_beyond_any_memory() -> None:
    assert make([1, 2, 0, 2, 2**40, 2**40, 4, 0, 0]) == (INVALID, None)
    words = list(DOUBLED)
    words[15] = 2**62
    assert make(words) == (OUT_OF_MEMORY, None)
