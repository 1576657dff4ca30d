"""letterbox and its Box."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp


def refused(code: str, *args: Any, **request: Any) -> hp.SpecError:
    with pytest.raises(hp.SpecError) as caught:
        hp.letterbox(*args, **request)
    assert caught.value.code == code
    return caught.value


@pytest.mark.parametrize("dtype", [np.uint8, ">i4", np.float16, ml_dtypes.bfloat16, np.float64, np.complex64])
def test_values(dtype: Any) -> None:
    # 2 x 4 into 3 x 2: scale 1/2, one row of two means, one row of fill below, as the smaller half lies before.
    x = np.array([[0, 2, 10, 12], [4, 6, 14, 16]], dtype)
    y, box = hp.letterbox(x, [3, 2], fill=9, antialias=False)
    assert y.dtype == dtype
    assert y.tolist() == [[9, 9], [3, 13], [9, 9]]
    assert box == hp.Box((0, 1), (1, 0), (2, 2), 0.5, (slice(1, 2), slice(0, 2)))
    y, box = hp.letterbox(x, [4, 2], fill=9, mode="nearest")
    assert y.tolist() == [[9, 9], [0, 10], [9, 9], [9, 9]]
    assert (box.begin, box.end) == ((1, 0), (2, 2))


def test_fill_is_rounded_like_a_result() -> None:
    y, _ = hp.letterbox(np.zeros((1, 2), np.uint8), [3, 2], fill=300)
    assert y[0].tolist() == [255, 255]
    y, _ = hp.letterbox(np.zeros((1, 2), np.int16), [3, 2], fill=2.5)
    assert y[0].tolist() == [2, 2]
    assert hp.letterbox(np.zeros((1, 2)), [3, 2])[0].tolist() == [[0, 0]] * 3


def test_axes_in_any_order_and_the_others_untouched() -> None:
    x = np.arange(2 * 4 * 3, dtype=np.float32).reshape(2, 4, 3)
    y, box = hp.letterbox(x, [4, 4], axes=[1, 0], fill=-1)
    assert y.shape == (4, 4, 3)
    assert (box.axes, box.begin, box.end, box.scale) == ((1, 0), (0, 1), (4, 3), 1.0)
    assert np.array_equal(y[box.slices], x)
    assert (y[0] == -1).all()
    assert (y[3] == -1).all()
    assert hp.letterbox(x, [4, 4], axes=[-3, -2], fill=-1)[0].tolist() == y.tolist()


def test_memory_order_and_kind_stay() -> None:
    import torch

    x = np.zeros((2, 5, 9, 3), np.uint8).transpose(0, 3, 1, 2)
    y, _ = hp.letterbox(x, [6, 6], axes=[2, 3])
    assert y.transpose(0, 2, 3, 1).flags.c_contiguous
    z, _ = hp.letterbox(torch.zeros(1, 3, 4, 8), [4, 4], axes=[2, 3], fill=0.5)
    assert isinstance(z, torch.Tensor)
    assert z[0, 0, 0].tolist() == [0.5] * 4


def test_out_is_written_and_returned() -> None:
    x, out = np.ones((2, 4), np.float32), np.full((3, 2), np.nan, np.float32)
    y, _ = hp.letterbox(x, [3, 2], fill=7, out=out)
    assert y is out
    assert out.tolist() == [[7, 7], [1, 1], [7, 7]]
    assert refused("HP162", x, [3, 2], out=np.empty((2, 2), np.float32)).sentence.startswith("out has another shape")
    refused("HP165", x, [2, 4], out=x)


def test_coordinates_go_back_and_forth() -> None:
    _, box = hp.letterbox(np.zeros((100, 200)), [64, 64])
    assert (box.begin, box.end, box.scale) == ((16, 0), (48, 64), 0.32)
    corners = [[0, 0], [100, 200]]
    assert np.allclose(box.edges_to_output(corners), [[16, 0], [48, 64]])
    assert np.allclose(box.edges_to_input([[16, 0], [48, 64]]), corners)
    # The centre of output sample (16, 0) lies 1/2 / 0.32 = 1.5625 from the edges of the input.
    assert np.allclose(box.to_input([16, 0]), [1.0625, 1.0625])
    assert np.allclose(box.to_output([1.0625, 1.0625]), [16, 0])
    points = np.random.default_rng(1).random((2, 5, 2)) * 100
    assert np.allclose(box.to_input(box.to_output(points)), points)


def test_to_input_is_where_the_samples_come_from() -> None:
    # A ramp keeps its values at the coordinates where its samples lie, away from the edges.
    ramp = np.arange(30.0)[:, None] + np.zeros(60)
    y, box = hp.letterbox(ramp, [40, 41], mode="cubic")
    rows = np.arange(box.begin[0] + 2, box.end[0] - 2)
    places = box.to_input(np.stack([rows, rows], -1))[:, 0]
    assert np.allclose(y[rows, 20], places, atol=0.1)
    linear, box = hp.letterbox(ramp, [40, 41], antialias=False)
    assert np.allclose(linear[rows, 20], places)


def test_messages() -> None:
    box = hp.letterbox(np.zeros((4, 8)), [4, 4])[1]
    with pytest.raises(hp.SpecError) as caught:
        box.to_input([1, 2, 3])
    assert str(caught.value) == (
        "[HP175] a point of this box has 2 coordinates\n"
        "  given:   points=[1, 2, 3]\n"
        "  allowed: an array of shape (..., 2): a number for each of the axes (0, 1)\n"
        "  do:      pass the coordinates in the order of box.axes, the last axis of the array running over them"
    )
    for points in (1, "ab", [["a", "b"]]):
        with pytest.raises(hp.SpecError, match="HP175"):
            box.edges_to_output(points)
    assert str(refused("HP176", np.zeros((1, 100)), [10, 10])) == (
        "[HP176] nothing of the picture would be left\n"
        "  given:   sizes=[10, 10] for axes of lengths [1, 100]\n"
        "  allowed: sizes into which every axis fits with one sample or more, its proportions kept\n"
        "  do:      pass larger sizes, or crop the picture first"
    )
    refused("HP114", np.zeros((2, 2)), [4, 4], fill=float("nan"))
    refused("HP116", np.zeros((2, 2)), [4.5, 4])
    refused("HP106", np.zeros((2, 2)), [4])
    refused("HP109", np.zeros((2, 2)), [4, -4])
    words = np.array([["a", "b"]])
    assert str(refused("HP171", words, [3, 2], mode="nearest")) == (
        "[HP171] strings have no value for the border of a letterbox\n"
        "  given:   strings, and output samples beside the input\n"
        "  allowed: numbers or bool; strings where every output sample lies in the input\n"
        "  do:      keep the output within the input, or resize indices into a list of strings"
    )
    assert hp.letterbox(words, [2, 4], mode="nearest")[0].tolist() == [["a", "a", "b", "b"]] * 2
