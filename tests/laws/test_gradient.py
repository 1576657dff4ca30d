"""The gradient is the transpose of the forward map."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import halfpixel as hp

from .requests import COMPLEX, REALS, Array, Request, law, random_array, requests


def forward_matrix(request: Request) -> Array:
    """The map as a matrix: column j is the result of the j-th unit array, minus the result of zeros."""
    plan = request.plan()
    units = np.eye(math.prod(request.shape)).reshape(-1, *request.shape)
    constant = plan(np.zeros(request.shape)).ravel()
    return np.stack([plan(unit).ravel() - constant for unit in units], axis=1)


def gradient_matrix(request: Request) -> Array:
    """The gradient as a matrix: column i is the gradient of the i-th unit array."""
    plan = request.plan()
    units = np.eye(math.prod(plan.output_shape)).reshape(-1, *plan.output_shape)
    return np.stack([plan.grad(unit).ravel() for unit in units], axis=1)


@law
@given(requests(ranks=(1, 2), longest=6))
def test_gradient_matrix_is_the_transposed_matrix(request: Request) -> None:
    """B == A^T to 1e-12, entry by entry; extrapolated rows are 0."""
    np.testing.assert_allclose(gradient_matrix(request), forward_matrix(request).T, rtol=0, atol=1e-12)


@law
@given(requests())
def test_inner_products_agree(request: Request) -> None:
    """<y, A x> == <A^T y, x> in float64."""
    plan = request.plan()
    x, y = random_array(request.shape, np.float64, 1), random_array(plan.output_shape, np.float64, 2)
    left = np.vdot(y, plan(x) - plan(np.zeros(request.shape)))
    assert left == pytest.approx(np.vdot(plan.grad(y), x), rel=1e-10, abs=1e-9)


@law
@given(requests(modes=("nearest",), longest=8))
def test_nearest_gradient_counts(request: Request) -> None:
    """Of ones, each input sample gets the number of times that it was copied."""
    plan = request.plan()
    index = np.arange(math.prod(request.shape), dtype=np.int64).reshape(request.shape)
    keywords = {**request.keywords, "extrapolation_value": -1.0}
    taken = np.asarray(hp.resize(index, **keywords)).ravel()
    counts = np.bincount(taken[taken >= 0], minlength=index.size)
    np.testing.assert_array_equal(plan.grad(np.ones(plan.output_shape)).ravel(), counts)


@pytest.mark.parametrize("dtype", [*REALS, *COMPLEX], ids=str)
def test_gradient_of_every_float_type(dtype: Any) -> None:
    """The gradient of each type is the gradient in float64 up to its own precision."""
    keywords: dict[str, Any] = {"sizes": [7, 10], "mode": "cubic", "antialias": True}
    dy = random_array((7, 10), dtype)
    wide = dy.astype(np.complex128 if dtype.kind == "c" else np.float64)
    gradient = np.asarray(hp.resize_grad(dy, (11, 5), **keywords))
    assert gradient.dtype == dtype
    precision = {"bfloat16": 2.0**-8, "float16": 2.0**-11}.get(dtype.name, 2.0**-20)
    expected = np.asarray(hp.resize_grad(wide, (11, 5), **keywords))
    np.testing.assert_allclose(gradient.astype(wide.dtype), expected, rtol=precision, atol=1e-3)


@law
@given(requests(modes=("linear", "cubic"), crop=False))
def test_gradient_of_ones_sums_to_the_output(request: Request) -> None:
    """Each output is an average with weights of sum 1, so the gradient of ones sums to their number."""
    plan = request.plan()
    gradient = plan.grad(np.ones(plan.output_shape))
    assert gradient.sum() == pytest.approx(math.prod(plan.output_shape), rel=1e-12)
