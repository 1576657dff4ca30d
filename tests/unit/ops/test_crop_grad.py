"""crop_grad: how a crop moves with its roi, against differences of the crop itself."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

STEP = 1e-6


def crop(x: Any, roi: Any, **request: Any) -> Any:
    return hp.resize(x, roi=roi, coordinate_transformation_mode="tf_crop_and_resize", **request)


def differences(dy: np.ndarray, x: np.ndarray, roi: list[float], **request: Any) -> list[float]:
    """The loss sum(dy * y) a step to both sides of each number of the roi."""
    found = []
    for place in range(len(roi)):
        losses = []
        for sign in (1, -1):
            moved = np.array(roi)
            moved[place] += sign * STEP
            losses.append(float((dy * crop(x, moved, **request)).sum()))
        found.append((losses[0] - losses[1]) / (2 * STEP))
    return found


# No position of an output sample, nor of the border, lies within a step of a sample.
REQUESTS: list[tuple[tuple[int, ...], dict[str, Any], list[float]]] = [
    ((7,), {"sizes": [5]}, [0.13, 0.86]),
    ((7,), {"sizes": [1]}, [0.13, 0.67]),
    ((6, 7), {"sizes": [4, 5]}, [0.07, 0.91, 0.83, 0.14]),
    ((6, 7), {"sizes": [4, 5]}, [-0.41, 0.33, 1.13, 1.72]),
    ((2, 6, 3, 7), {"sizes": [5, 9], "axes": [3, 1]}, [0.21, -0.2, 0.77, 1.3]),
    ((6, 7), {"scales": [1.5, 0.75]}, [0.11, 0.07, 0.91, 0.93]),
    ((9, 12), {"sizes": [3, 4], "antialias": True}, [0.13, 0.04, 0.83, 0.91]),
    ((6, 7), {"sizes": [4, 5], "exclude_outside": True}, [0.03, 0.91, 0.83, 0.04]),
    ((9, 12), {"sizes": [3, 4], "antialias": True, "exclude_outside": True}, [0.13, 0.04, 0.83, 0.91]),
    ((6, 7), {"sizes": [4, 9], "keep_aspect_ratio_policy": "not_larger"}, [0.13, 0.04, 0.83, 0.91]),
]


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize(("shape", "request_", "roi"), REQUESTS)
def test_differences(mode: Any, shape: tuple[int, ...], request_: dict[str, Any], roi: list[float]) -> None:
    random = np.random.default_rng(5)
    x = random.standard_normal(shape)
    dy = random.standard_normal(crop(x, roi, mode=mode, **request_).shape)
    found = hp.crop_grad(dy, x, roi, mode=mode, **request_)
    assert found.dtype == np.float64
    assert np.abs(found).min() > 1e-3
    assert np.allclose(found, differences(dy, x, roi, mode=mode, **request_), rtol=1e-6, atol=1e-6)


def test_the_slope_of_a_ramp_by_hand() -> None:
    # Value 10 a sample, 4 samples: 30 over the roi's unit. Three output samples move with start by 1, 1/2, 0 of it.
    ramp = np.array([0.0, 10, 20, 30])
    assert hp.crop_grad(np.ones(3), ramp, [0.2, 0.8], sizes=[3]).tolist() == pytest.approx([45, 45])
    assert hp.crop_grad(np.array([1.0, 0, 0]), ramp, [0.2, 0.8], sizes=[3]).tolist() == pytest.approx([30, 0])
    assert hp.crop_grad(np.ones(1), ramp, [0.2, 0.8], sizes=[1]).tolist() == pytest.approx([15, 15])


def test_kinks_take_the_right_side_and_the_last_sample_the_left() -> None:
    # Output samples on the samples 0, 1, 2 of (0, 1, 4): slopes 1, 3 to the right, and 3 to the left of the last.
    x = np.array([0.0, 1, 4])
    starts, ends = zip(*(hp.crop_grad(unit, x, [0, 1], sizes=[3]).tolist() for unit in np.eye(3)), strict=True)
    assert starts == (2 * 1, 3, 0)
    assert ends == (0, 3, 2 * 3)
    assert hp.crop_grad(np.ones(1), np.ones(1), [0, 1], sizes=[1]).tolist() == [0, 0]


def test_extrapolated_samples_give_nothing() -> None:
    x = np.arange(4.0)
    # Positions 1.5, 3, 4.5: the last is outside, and no neighbour of it counts.
    found = hp.crop_grad(np.array([0.0, 0, 9]), x, [0.5, 1.5], sizes=[3])
    assert found.tolist() == [0, 0]
    assert hp.crop_grad(np.ones((2, 3)), np.ones((2, 4)), [2, 0, 3, 1], sizes=[2, 3]).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, ">f8"])
def test_element_types(dtype: Any) -> None:
    ramp = np.array([0.0, 10, 20, 30], dtype)
    assert hp.crop_grad(np.ones(1, dtype), ramp, [0.25, 0.75], sizes=[1]).tolist() == [15, 15]


def test_empty() -> None:
    assert hp.crop_grad(np.zeros(0), np.zeros(3), [0, 1], sizes=[0]).tolist() == [0, 0]


def refused(code: str, *args: Any, **request: Any) -> str:
    with pytest.raises(hp.HalfpixelError) as caught:
        hp.crop_grad(*args, **request)
    assert caught.value.code == code
    return str(caught.value)


def test_messages() -> None:
    x, dy = np.zeros(4), np.zeros(2)
    assert refused("HP185", dy, x, [0, 1], sizes=[2], mode="nearest") == (
        "[HP185] in mode 'nearest' the result does not move with the box\n"
        "  given:   mode='nearest'\n"
        "  allowed: linear, cubic\n"
        "  do:      train the box with mode='linear'"
    )
    assert refused("HP160", np.zeros(3), x, [0, 1], sizes=[2]) == (
        "[HP160] dy has another shape than the output\n"
        "  given:   dy of shape (3,)\n"
        "  allowed: shape (2,)\n"
        "  do:      pass the gradient for the output of resize with the same arguments"
    )
    assert refused("HP225", dy, x.astype(np.int32), [0, 1], sizes=[2]) == (
        "[HP225] a box in an array of int32 has no gradient\n"
        "  given:   x of element type int32\n"
        "  allowed: float16, bfloat16, float32, float64\n"
        "  do:      convert to a floating-point type; take real and imaginary parts by themselves"
    )
    refused("HP225", dy.astype(complex), x, [0, 1], sizes=[2])
    refused("HP117", dy, x, [0, 1, 2], sizes=[2])
    refused("HP103", dy, x, [0, 1])
