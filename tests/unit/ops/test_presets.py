"""like=: what each library's row asks for, what a given attribute changes, and the libraries that are not installed."""

from typing import Any, get_args

import numpy as np
import pytest

import halfpixel as hp
from halfpixel._typing import Like
from halfpixel.ops.presets import PRESETS


def spec(like: Any, **request: Any) -> Any:
    return hp.plan_resize((10, 10), "float32", sizes=[7, 13], like=like, **request).spec


def test_every_name_has_a_row() -> None:
    assert set(get_args(Like)) == set(PRESETS)


@pytest.mark.parametrize(
    ("like", "mode", "antialias"),
    [
        ("pytorch", "nearest", False),
        ("torchvision", "linear", True),
        ("tensorflow", "linear", False),
        ("opencv", "linear", False),
        ("pillow", "cubic", True),
        ("jax", "linear", True),
        ("scikit-image", "linear", False),
        ("onnxruntime", "nearest", False),
        ("openvino", "nearest", False),
    ],
)
def test_the_mode_of_each_library(like: Any, mode: str, antialias: bool) -> None:
    assert (spec(like).mode, spec(like).antialias) == (mode, antialias)


@pytest.mark.parametrize(
    ("like", "plain", "antialiased"),
    [
        ("pytorch", (-0.75, False), (-0.5, True)),
        ("torchvision", (-0.75, False), (-0.5, True)),
        ("tensorflow", (-0.5, True), (-0.5, True)),
        ("opencv", (-0.75, False), (-0.5, False)),
        ("pillow", (-0.5, False), (-0.5, True)),
        ("jax", (-0.5, True), (-0.5, True)),
        ("onnxruntime", (-0.75, False), (-0.75, False)),
        ("openvino", (-0.75, False), (-0.75, False)),
    ],
)
def test_the_cubic_of_each_library(like: Any, plain: tuple[float, bool], antialiased: tuple[float, bool]) -> None:
    for antialias, expected in ((False, plain), (True, antialiased)):
        found = spec(like, mode="cubic", antialias=antialias)
        assert (found.cubic_coeff_a, found.exclude_outside) == expected


def test_a_given_attribute_wins_even_with_the_value_of_resize_s_own_default() -> None:
    assert spec("pillow", antialias=False).antialias is False
    assert spec("pillow", exclude_outside=False).exclude_outside is False
    assert spec("pillow", cubic_coeff_a=-0.75).cubic_coeff_a == -0.75
    assert spec("opencv", mode="nearest").axes[0].nearest_mode == "floor"
    given = spec("opencv", mode="nearest", coordinate_transformation_mode="half_pixel")
    assert (given.axes[0].line.start, given.axes[0].nearest_mode) != (0, "round_prefer_floor")
    assert (
        spec("opencv", mode="nearest", nearest_mode="round_prefer_floor").axes[0].nearest_mode == "round_prefer_floor"
    )


def test_a_call_without_like_is_the_operator_as_it_was() -> None:
    x = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(hp.resize(x, sizes=[2, 7]), hp.resize(x, sizes=[2, 7], like=None))
    assert spec(None).exclude_outside is False
    assert spec(None).antialias is False


def test_resize_plan_and_gradient_read_like_alike() -> None:
    x = np.arange(6.0)
    plan = hp.plan_resize((6,), "float64", sizes=[4], like="pillow")
    assert np.array_equal(hp.resize(x, sizes=[4], like="pillow"), plan(x))
    assert np.array_equal(hp.resize_grad(np.ones(4), (6,), sizes=[4], like="pillow"), plan.grad(np.ones(4)))


def test_lengths_follow_the_library() -> None:
    # 10 x float32(0.7) is just below 7: exactly it floors to 6, in float32 it is 7; 5 x 0.7 = 3.5 rounds to 4.
    ten, five = np.zeros(10), np.zeros(5)
    assert [hp.resize(ten, scales=[0.7], like=like).size for like in ("pytorch", "onnxruntime", "openvino")] == [
        6,
        7,
        7,
    ]
    assert hp.resize_grad(np.zeros(7), (10,), scales=[0.7], like="onnxruntime").shape == (10,)
    assert hp.resize(five, scales=[0.75], like="opencv").size == 4
    assert hp.plan_resize((10,), "float64", scales=[0.7], like="onnxruntime", length_rule="floor").output_shape == (6,)


def test_the_example_of_tensorflow_s_documentation() -> None:
    # tf.image.resize of the 5 x 5 identity to [3, 5]; and for the method "nearest", floor((i + 0.5) * 5 / 3) = 0, 2, 4.
    identity = np.eye(5, dtype=np.float32)
    expected = [[0.6666667, 0.3333333, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0.3333335, 0.6666665]]
    assert np.allclose(hp.resize(identity, sizes=[3, 5], like="tensorflow"), expected, rtol=0, atol=1e-5)
    nearest = hp.resize(np.arange(5), sizes=[3], like="tensorflow", mode="nearest")
    assert nearest.tolist() == [0, 2, 4]
    # Sample 0 lies at -1/4: Keys' weights with a = -1/2 are 111 / 128 and -9 / 128 inside, their sum is 102 / 128.
    cubic = hp.resize(np.array([1.0, 0, 0, 0]), sizes=[8], like="tensorflow", mode="cubic")
    assert cubic[0] == pytest.approx(37 / 34)


def test_torchvision_is_pytorch_with_antialias() -> None:
    # A tent of half-width 2 over 4 samples to 2: weights 1, 3, 3, 1 about 0.5, the tap at -1 left out: 3 + 3 + 1 = 7.
    y = hp.resize(np.array([7.0, 0, 0, 0]), sizes=[2], like="torchvision")
    assert y.tolist() == pytest.approx([3.0, 0.0])
    assert hp.resize(np.arange(5), sizes=[3], like="torchvision", mode="nearest").tolist() == [0, 1, 3]


def test_an_unknown_library_is_refused() -> None:
    with pytest.raises(hp.SpecError) as caught:
        hp.resize(np.zeros(3), sizes=[2], like="torch")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "[HP174] there is no preset 'torch'\n"
        "  given:   like='torch'\n"
        "  allowed: pytorch, torchvision, tensorflow, opencv, pillow, jax, scikit-image, onnxruntime, openvino\n"
        "  do:      pass one of these names, or None and the attributes themselves"
    )
    for like in (3, [], ("pillow",)):
        with pytest.raises(hp.SpecError, match="HP174"):
            hp.plan_resize((3,), "float32", sizes=[2], like=like)  # type: ignore[arg-type]
