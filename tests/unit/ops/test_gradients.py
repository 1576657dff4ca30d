"""resize_grad and upsample_grad: the exact transpose."""

from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

DIFFERENTIABLE: list[Any] = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64, np.complex64, np.complex128]


@pytest.mark.parametrize("dtype", DIFFERENTIABLE)
def test_linear(dtype: Any) -> None:
    dx = hp.resize_grad(np.array([1, 2, 4, 8], dtype), (2,), scales=[2], mode="linear")
    assert dx.dtype == dtype
    assert dx.tolist() == [1 + 1.5 + 1, 0.5 + 3 + 8]


@pytest.mark.parametrize("dtype", DIFFERENTIABLE)
def test_nearest_is_the_sum_over_the_copies(dtype: Any) -> None:
    dy = np.arange(1, 9).reshape(2, 4).astype(dtype)
    assert hp.resize_grad(dy, (2, 2), scales=[1, 2]).tolist() == [[3, 7], [11, 15]]
    if dtype is not ml_dtypes.bfloat16:  # which Upsample does not take
        assert hp.upsample_grad(dy, (1, 2), [2, 2]).tolist() == [[14, 22]]


def test_samples_that_nothing_reads_get_zero() -> None:
    dx = hp.resize_grad(np.array([3, 5], np.float32), (6,), sizes=[2], coordinate_transformation_mode="asymmetric")
    assert dx.tolist() == [3, 0, 0, 5, 0, 0]


def test_extrapolated_samples_give_nothing() -> None:
    request: Any = {
        "sizes": [2, 5],
        "mode": "linear",
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "roi": [0, 0, 1, 2],
        "extrapolation_value": 9,
    }
    dy = np.array([[1, 2, 4, 8, 16], [32, 64, 128, 256, 512]], np.float64)
    assert hp.resize_grad(dy, (2, 3), **request).tolist() == [[1, 2, 4], [32, 64, 128]]


def test_complex_gradient_has_real_weights() -> None:
    dx = hp.resize_grad(np.array([1j, 2, 4j, 8], np.complex64), (2,), scales=[2], mode="linear")
    assert dx.tolist() == [1.5 + 2j, 8.5 + 3j]


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("sizes", [(7, 4), (3, 9), (1, 1)])
def test_dot_products_agree_exactly(mode: Any, antialias: bool, sizes: tuple[int, int]) -> None:
    # <A x, y> = <x, A' y> with unit vectors: every entry of the one map is an entry of the other.
    plan = hp.plan_resize((5, 6), "float64", sizes=sizes, mode=mode, antialias=antialias)
    forward = np.array([plan(unit.reshape(5, 6)).ravel() for unit in np.eye(30)])
    backward = np.array([plan.grad(unit.reshape(sizes)).ravel() for unit in np.eye(sizes[0] * sizes[1])])
    assert np.count_nonzero(forward) >= sizes[0] * sizes[1]
    assert np.abs(forward - backward.T).max() < 1e-15


def test_gradient_of_constant_one_sums_to_the_output_count() -> None:
    dx = hp.resize_grad(np.ones((7, 9)), (3, 5), sizes=[7, 9], mode="cubic", antialias=True)
    assert abs(Fraction(float(dx.sum())) - 63) < Fraction(1, 10**12)


def test_strides_byte_order_and_out() -> None:
    request: Any = {"scales": [1, 2], "mode": "linear"}
    dy = np.array([[1, 2, 4, 8], [16, 32, 64, 128]], np.float32)
    expected = [[3.5, 11.5], [56, 184]]
    for view in (dy, np.asfortranarray(dy), dy.astype(">f4"), np.repeat(dy, 2, 1)[:, ::2], dy[::-1][::-1]):
        dx = hp.resize_grad(view, (2, 2), **request)
        assert dx.dtype == view.dtype
        assert dx.tolist() == expected
    out = np.zeros((2, 4), np.float32)[:, ::2]
    assert hp.resize_grad(dy, [2, 2], out=out, threads=1, **request) is out
    assert out.tolist() == expected


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "U1", object])
def test_types_without_a_gradient(dtype: Any) -> None:
    for call in (
        lambda: hp.resize_grad(np.zeros(4, dtype), (2,), scales=[2]),
        lambda: hp.upsample_grad(np.zeros(4, dtype), (2,), [2]),
        lambda: hp.plan_resize((2,), dtype, scales=[2]).grad(np.zeros(4, dtype)),
    ):
        with pytest.raises(hp.ElementTypeError) as caught:
            call()
        error = caught.value
        element = "string" if dtype in ("U1", object) else dtype
        assert (error.code, error.sentence) == ("HP225", f"a map of {element} has no gradient")
        assert error.given == f"element type {element}"
        assert error.allowed == "float16, bfloat16, float32, float64, complex64, complex128"
        assert error.do == "convert to a floating-point type"


@pytest.mark.parametrize("shape", [(5,), (2, 2), ()])
def test_wrong_shape_of_dy(shape: tuple[int, ...]) -> None:
    with pytest.raises(hp.SpecError) as caught:
        hp.resize_grad(np.zeros(shape, np.float32), (2,), scales=[2])
    assert (caught.value.code, caught.value.given, caught.value.allowed) == (
        "HP160",
        f"dy of shape {shape}",
        "shape (4,)",
    )


@pytest.mark.parametrize("x_shape", [(2.0,), (-2,), None, 2, "2"])
def test_wrong_x_shape(x_shape: Any) -> None:
    with pytest.raises(hp.SpecError) as caught:
        hp.resize_grad(np.zeros(4, np.float32), x_shape, scales=[2])
    assert caught.value.code == "HP121"


def test_rank_0_and_nothing_resampled() -> None:
    assert hp.resize_grad(np.array(3.0), (), scales=[]).item() == 3
    assert hp.resize_grad(np.array([3.0, 4.0]), (2,), scales=[1]).tolist() == [3, 4]
