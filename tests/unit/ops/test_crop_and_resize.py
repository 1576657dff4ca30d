"""crop_and_resize and its gradient for the batch."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

ROW = np.array([[0.0, 10, 20, 30]])
BOXES = np.array([[0.1, 0.2, 0.9, 0.8], [0.9, -0.3, 0.2, 1.4], [0.5, 0.5, 0.5, 0.5], [2, 2, 3, 3]])
INDICES = [1, 0, 1, 0]


def test_half_pixel_boxes_on_sample_borders_are_slices() -> None:
    x = np.arange(2 * 3 * 4 * 8.0).reshape(2, 3, 4, 8)
    y = hp.crop_and_resize(x, [[0.25, 0.5, 0.75, 1], [0, 0, 1, 1]], [1, 0], [2, 4])
    assert np.array_equal(y[0], x[1, :, 1:3, 4:8])
    assert y.shape == (2, 3, 2, 4)
    # The whole of 4 by 8 in 2 by 4 samples: each the mean of a block of 2 by 2.
    assert np.array_equal(y[1], x[0].reshape(3, 2, 2, 4, 2).mean(axis=(2, 4)))


@pytest.mark.parametrize(
    ("sampling", "box", "size", "expected"),
    [
        # Positions 0, 1, 2, 3; 0, 1.5, 3; the middle 1.5; mirrored; 1.5, 3, 4.5 of which the last is outside.
        ("align_corners", [0, 1], 4, [0, 10, 20, 30]),
        ("align_corners", [0, 1], 3, [0, 15, 30]),
        ("align_corners", [0, 1], 1, [15]),
        ("align_corners", [1, 0], 2, [30, 0]),
        ("align_corners", [0.5, 1.5], 3, [15, 30, -7]),
        ("align_corners", [-1, 0], 4, [-7, -7, -7, 0]),
        # Positions 0, 1, 2, 3; 0.5, 2.5; -0.25, ..., 3.25, which are inside; 3.5 is inside, 4.5 is not.
        ("half_pixel", [0, 1], 4, [0, 10, 20, 30]),
        ("half_pixel", [0, 1], 2, [5, 25]),
        ("half_pixel", [0, 1], 8, [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30]),
        ("half_pixel", [1, 0], 4, [30, 20, 10, 0]),
        ("half_pixel", [0.875, 1.375], 2, [30, -7]),
        ("half_pixel", [-0.625, -0.125], 2, [-7, -7]),
        ("half_pixel", [0.375, 0.375], 3, [10, 10, 10]),
        ("half_pixel", [5, 6], 2, [-7, -7]),
    ],
)
def test_values(sampling: Any, box: list[float], size: int, expected: list[float]) -> None:
    y = hp.crop_and_resize(ROW, [box], [0], [size], sampling=sampling, extrapolation_value=-7)
    assert y.tolist() == [expected]


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_corner_aligned_boxes_are_crops_of_resize(mode: Any) -> None:
    x = np.random.default_rng(2).random((2, 6, 3, 7))
    request: Any = {"mode": mode, "extrapolation_value": 5.0}
    y = hp.crop_and_resize(x, BOXES, INDICES, [4, 5], axes=[1, 3], sampling="align_corners", **request)
    for crop, box, index in zip(y, BOXES, INDICES, strict=True):
        crop_mode: Any = {"coordinate_transformation_mode": "tf_crop_and_resize", "roi": box}
        assert np.array_equal(crop, hp.resize(x[index], sizes=[4, 5], axes=[0, 2], **crop_mode, **request))


def test_modes_of_nearest_and_cubic() -> None:
    # Positions 0.5 and 2.5.
    assert hp.crop_and_resize(ROW, [[0, 1]], [0], [2], mode="nearest").tolist() == [[0, 20]]
    y = hp.crop_and_resize(ROW, [[0, 1]], [0], [2], mode="nearest", nearest_mode="ceil")
    assert y.tolist() == [[10, 30]]
    # Keys at one half: (-3, 19, 19, -3) / 32 with a = -0.75.
    y = hp.crop_and_resize(ROW, [[0, 1]], [0], [2], mode="cubic")
    assert y.tolist() == [[(0 + 0 + 190 - 60) / 32, (-30 + 380 + 570 - 90) / 32]]
    y = hp.crop_and_resize(ROW, [[0, 1]], [0], [2], mode="cubic", exclude_outside=True)
    assert y[0, 0] == pytest.approx((190 - 60) / 35)


@pytest.mark.parametrize("dtype", [np.uint8, ">f4", np.float16, ml_dtypes.bfloat16, np.complex64])
def test_element_types(dtype: Any) -> None:
    y = hp.crop_and_resize(ROW.astype(dtype), [[0, 1], [0.5, 1.5]], [0, 0], [2], extrapolation_value=3)
    assert y.dtype == dtype
    assert y.tolist() == [[5, 25], [25, 3]]
    words = np.array([["a", "b"]])
    assert hp.crop_and_resize(words, [[1, 0]], [0], [2], mode="nearest").tolist() == [["b", "a"]]
    with pytest.raises(hp.SpecError, match="HP171"):
        hp.crop_and_resize(words, [[1, 2]], [0], [2], mode="nearest")


def test_no_boxes_and_no_samples() -> None:
    x = np.zeros((2, 3, 4, 5))
    assert hp.crop_and_resize(x, [], [], [7, 8]).shape == (0, 3, 7, 8)
    assert hp.crop_and_resize(x, np.zeros((0, 4)), np.zeros(0, np.int64), [7, 8]).shape == (0, 3, 7, 8)
    assert hp.crop_and_resize(x, [[0, 0, 1, 1]], [0], [0, 8]).shape == (1, 3, 0, 8)
    assert not hp.crop_and_resize_grad(np.zeros((0, 3, 7, 8)), (2, 3, 4, 5), [], [], axes=[2, 3]).any()


def test_kind_out_and_threads() -> None:
    import torch

    x = torch.arange(8.0).reshape(1, 8)
    y = hp.crop_and_resize(x, torch.tensor([[0.0, 1.0]]), torch.tensor([0]), [4])
    assert isinstance(y, torch.Tensor)
    assert y.tolist() == [[0.5, 2.5, 4.5, 6.5]]
    out = np.empty((1, 2))
    assert hp.crop_and_resize(ROW, [[0, 1]], [0], [2], out=out, threads=1) is out
    assert out.tolist() == [[5, 25]]
    with pytest.raises(hp.SpecError, match="HP165"):
        hp.crop_and_resize(ROW, [[0, 1]], [0], [4], out=ROW)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("sampling", ["half_pixel", "align_corners"])
@pytest.mark.parametrize("exclude_outside", [False, True])
def test_the_gradient_is_the_transpose(mode: Any, sampling: Any, exclude_outside: bool) -> None:
    request: Any = {"mode": mode, "sampling": sampling, "exclude_outside": exclude_outside}
    forward = [
        hp.crop_and_resize(unit.reshape(2, 1, 5, 3), BOXES, INDICES, [3, 4], **request).ravel() for unit in np.eye(30)
    ]
    backward = [
        hp.crop_and_resize_grad(unit.reshape(4, 1, 3, 4), (2, 1, 5, 3), BOXES, INDICES, **request).ravel()
        for unit in np.eye(48)
    ]
    assert np.count_nonzero(forward) >= 24
    assert np.allclose(np.array(forward), np.array(backward).T, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.complex128, ">f8"])
def test_the_gradient_of_each_type(dtype: Any) -> None:
    dx = hp.crop_and_resize_grad(np.ones((2, 1), dtype), (1, 2), [[0, 1], [0, 0.5]], [0, 0])
    assert dx.dtype == dtype
    assert dx.tolist() == [[1.5, 0.5]]
    out = np.empty((1, 2), dtype)
    assert hp.crop_and_resize_grad(np.ones((1, 1), dtype), (1, 2), [[0, 1]], [0], out=out) is out
    assert out.tolist() == [[0.5, 0.5]]


def test_bfloat16_gradients_round_half_to_even() -> None:
    # 300 and 4 times 1: bfloat16 has 8 bits, 301 is half-way between 300 and 302, 303 between 302 and 304.
    half = ml_dtypes.bfloat16
    for ones, expected in ((1, 300), (3, 304)):
        dy = np.array([[300]] + [[1]] * ones, half)
        assert hp.crop_and_resize_grad(dy, (1, 1), [[0, 1]] * (1 + ones), [0] * (1 + ones)).tolist() == [[expected]]
    assert np.isnan(hp.crop_and_resize_grad(np.array([[np.nan]], half), (1, 1), [[0, 1]], [0])).all()


def refused(code: str, call: Any, *args: Any, **request: Any) -> str:
    with pytest.raises(hp.HalfpixelError) as caught:
        call(*args, **request)
    assert caught.value.code == code
    return str(caught.value)


def test_messages() -> None:
    crop, gradient = hp.crop_and_resize, hp.crop_and_resize_grad
    assert refused("HP177", crop, ROW, [[0, 1, 2]], [0], [2]) == (
        "[HP177] boxes is not a table of boxes\n"
        "  given:   boxes=[[0, 1, 2]] of shape (1, 3)\n"
        "  allowed: finite numbers of shape (n, 2): the starts along all axes, then the ends\n"
        "  do:      pass one row a box, in fractions of each axis, such as [[0.1, 0.2, 0.9, 0.8]] for two axes"
    )
    for boxes in ([[0, np.inf]], [0, 1], [["a", "b"]], 3, [[0, 1], [2]], [[0j, 1]]):
        refused("HP177", crop, ROW, boxes, [0], [2])
    assert refused("HP178", crop, ROW, [[0, 1]], [1], [2]) == (
        "[HP178] box_indices has not one entry of the batch for each box\n"
        "  given:   box_indices=[1]\n"
        "  allowed: 1 integers from 0 to 0\n"
        "  do:      pass for each box the index along axis 0 of the array that it is cut from"
    )
    for indices in ([], [0, 0], [-1], [0.0], 0, "a", [[0]]):
        refused("HP178", crop, ROW, [[0, 1]], indices, [2])
    assert refused("HP179", crop, ROW, [[0, 0, 1, 1]], [0], [2, 2]) == (
        "[HP179] axis 0 is the batch and cannot be cropped\n"
        "  given:   axes=None, 2 lengths, x of rank 2\n"
        "  allowed: axes from 1 to 1, as many as there are lengths\n"
        "  do:      name the axes to crop; give x a batch of one with x[None] if it has none"
    )
    refused("HP179", crop, ROW, [[0, 1]], [0], [2], axes=[-2])
    refused("HP179", crop, np.zeros(()), [[0, 1]], [0], [2])
    refused("HP110", crop, ROW, [[0, 1]], [0], [2], axes=[2])
    assert refused("HP112", crop, ROW, [[0, 1]], [0], [2], sampling="corners") == (
        "[HP112] 'corners' is not a value of 'sampling'\n"
        "  given:   sampling='corners'\n"
        "  allowed: half_pixel, align_corners\n"
        "  do:      pass one of these words, spelled exactly so"
    )
    refused("HP106", crop, ROW, [[0, 1]], [0], [2, 2], axes=[1])
    refused("HP112", crop, ROW, [[0, 1]], [0], [2], mode="area")
    refused("HP119", crop, np.zeros((1, 0)), [[0, 1]], [0], [2])
    refused("HP202", crop, np.array([["a"]]), [[0, 1]], [0], [2])
    assert refused("HP160", gradient, np.ones((1, 2)), (1, 4), [[0, 1]] * 2, [0, 0]) == (
        "[HP160] dy has another shape than the output of crop_and_resize\n"
        "  given:   dy of shape (1, 2), 2 boxes, x_shape (1, 4)\n"
        "  allowed: shape (2, 2)\n"
        "  do:      pass the gradient for the whole output"
    )
    refused("HP160", gradient, np.ones((1, 2, 1)), (1, 4), [[0, 1]], [0])
    assert refused("HP225", gradient, np.ones((1, 2), int), (1, 4), [[0, 1]], [0]).startswith(
        "[HP225] a map of int64 has no gradient\n  given:   dy of element type int64\n"
    )
