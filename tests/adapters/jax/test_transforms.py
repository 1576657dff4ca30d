"""Gradients of every order and JAX's transforms, nested, against the matrix of the map."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from .maps import CROP, MAPS, affine_map, function_of

pytestmark = pytest.mark.needs("module:jax")


@pytest.fixture(autouse=True)
def double_precision(default_precision: None) -> None:
    import jax

    jax.config.update("jax_enable_x64", True)


def flat(y: Any) -> Any:
    return np.asarray(y).reshape(-1)


@pytest.mark.parametrize("name", MAPS)
def test_derivatives_agree_with_finite_differences(name: str) -> None:
    """Forward and reverse mode, to second order."""
    from jax.test_util import check_grads

    function, x = function_of(name)
    check_grads(function, (x,), order=2, modes=("fwd", "rev"), atol=1e-6, rtol=1e-6)
    check_grads(lambda x: (function(x) ** 2).sum(), (x,), order=2, modes=("fwd", "rev"), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "jit"])
def test_jacobians_are_the_matrix(name: str, compiled: bool) -> None:
    import jax

    function, x = function_of(name)
    matrix, b = affine_map(name)
    wrap = jax.jit if compiled else (lambda transformed: transformed)
    np.testing.assert_allclose(flat(wrap(function)(x)), matrix @ x.reshape(-1) + b, rtol=0, atol=1e-12)
    for jacobian in (jax.jacfwd, jax.jacrev):
        found = wrap(jacobian(function))(x)
        np.testing.assert_allclose(np.asarray(found).reshape(matrix.shape), matrix, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", MAPS)
def test_gradient_and_hessian_of_half_the_sum_of_squares(name: str) -> None:
    """Half of |A x + b|^2 has the gradient A' (A x + b) and the hessian A' A."""
    import jax

    function, x = function_of(name)
    matrix, b = affine_map(name)

    def energy(x: Any) -> Any:
        return (function(x) ** 2).sum() / 2

    gradient = matrix.T @ (matrix @ x.reshape(-1) + b)
    np.testing.assert_allclose(flat(jax.grad(energy)(x)), gradient, rtol=0, atol=1e-11)
    np.testing.assert_allclose(flat(jax.jit(jax.grad(energy))(x)), gradient, rtol=0, atol=1e-11)
    for hessian in (jax.hessian(energy), jax.jacrev(jax.grad(energy)), jax.jit(jax.hessian(energy))):
        found = np.asarray(hessian(x)).reshape(matrix.shape[1], -1)
        np.testing.assert_allclose(found, matrix.T @ matrix, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", [name for name in MAPS if "extrapolation" not in name])
def test_linear_transpose(name: str) -> None:
    import jax

    function, x = function_of(name)
    matrix, _ = affine_map(name)
    dy = np.random.default_rng(2).standard_normal(function(x).shape)
    (dx,) = jax.linear_transpose(function, x)(dy)
    np.testing.assert_allclose(flat(dx), matrix.T @ dy.reshape(-1), rtol=0, atol=1e-12)
    (again,) = jax.linear_transpose(jax.linear_transpose(function, x), function(x))((dx,))
    np.testing.assert_allclose(flat(again), matrix @ matrix.T @ dy.reshape(-1), rtol=0, atol=1e-11)


def test_a_constant_has_no_transpose_but_a_gradient() -> None:
    import jax

    function, x = function_of("crop with extrapolation")
    matrix, _ = affine_map("crop with extrapolation")
    y, backward = jax.vjp(function, x)
    dy = np.random.default_rng(2).standard_normal(y.shape)
    np.testing.assert_allclose(flat(backward(dy)[0]), matrix.T @ dy.reshape(-1), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=r"^\[HP188\] a crop that fills in a constant is not linear"):
        jax.linear_transpose(function, x)(dy)


@pytest.mark.parametrize(("name", "axis"), [*product(MAPS, [0, 2, -1])])
def test_vmap_is_a_loop(name: str, axis: int) -> None:
    """Bit for bit, and so is its gradient."""
    import jax

    function, x = function_of(name)
    batch = np.stack([x, x[::-1], 2 * x], axis)
    y = jax.vmap(function, axis, axis)(batch)
    assert y.tobytes() == np.stack([function(part) for part in np.moveaxis(batch, axis, 0)], axis).tobytes()

    def total(x: Any) -> Any:
        return (function(x) ** 2).sum()

    gradients = jax.vmap(jax.grad(total), axis, axis)(batch)
    expected = np.stack([jax.grad(total)(part) for part in np.moveaxis(batch, axis, 0)], axis)
    np.testing.assert_allclose(gradients, expected, rtol=0, atol=1e-12)
    twice = jax.jit(jax.vmap(jax.vmap(function)))(np.stack([np.stack([x, -x]), np.stack([3 * x, x])]))
    assert twice[1, 0].tobytes() == np.asarray(function(3 * x)).tobytes()


@pytest.mark.parametrize("name", MAPS)
def test_jvp_is_the_linear_part(name: str) -> None:
    import jax

    function, x = function_of(name)
    matrix, _ = affine_map(name)
    tangent = np.random.default_rng(3).standard_normal(x.shape)
    y, dy = jax.jvp(function, (x,), (tangent,))
    assert y.tobytes() == np.asarray(function(x)).tobytes()
    np.testing.assert_allclose(flat(dy), matrix @ tangent.reshape(-1), rtol=0, atol=1e-12)
    _, linear = jax.linearize(function, x)
    np.testing.assert_allclose(flat(linear(tangent)), matrix @ tangent.reshape(-1), rtol=0, atol=1e-12)


def test_scan_checkpoint_and_cond() -> None:
    """Up and down again in a loop; its gradient through the loop is the product of the transposes."""
    import jax

    import halfpixel.jax as hj

    def around(x: Any) -> Any:
        return hj.resize(hj.resize(x, [2], mode="linear"), sizes=[3], mode="cubic")

    def step(x: Any, _: None) -> tuple[Any, Any]:
        y = jax.lax.cond(x[0] > -100, jax.checkpoint(around), lambda x: x, x)
        return y, y

    x = np.array([1.0, -2.0, 4.0])
    once = np.stack([np.asarray(around(unit)) for unit in np.eye(3)], 1)
    last, steps = jax.jit(lambda x: jax.lax.scan(step, x, None, length=4))(x)
    np.testing.assert_allclose(last, np.linalg.matrix_power(once, 4) @ x, rtol=0, atol=1e-12)
    assert steps.shape == (4, 3)
    gradient = jax.grad(lambda x: jax.lax.scan(step, x, None, length=4)[0].sum())(x)
    np.testing.assert_allclose(gradient, np.linalg.matrix_power(once, 4).T @ np.ones(3), rtol=0, atol=1e-12)


def test_complex_numbers() -> None:
    """Holomorphic, and as the gradient of a real loss."""
    import jax

    import halfpixel.jax as hj

    def function(x: Any) -> Any:
        return hj.resize(x, [2], mode="linear")

    x = np.array([1 + 2j, 3 - 1j])
    assert function(x).tolist() == [1 + 2j, 1.5 + 1.25j, 2.5 - 0.25j, 3 - 1j]
    gradient = jax.grad(lambda x: (function(x) * np.array([1, 1j, 2, 0])).sum(), holomorphic=True)(x)
    assert gradient.tolist() == [1.5 + 0.75j, 1.5 + 0.25j]
    loss = jax.grad(lambda x: (abs(function(x)) ** 2).sum() / 2)(x)
    matrix = np.array([[1, 0], [0.75, 0.25], [0.25, 0.75], [0, 1]])
    np.testing.assert_allclose(loss, (matrix.T @ matrix @ x).conj(), rtol=0, atol=1e-12)


def test_parts_that_are_not_differentiated() -> None:
    """An unused result and an integer input: zeros as JAX has them."""
    import jax

    import halfpixel.jax as hj

    x = np.array([1.0, 2.0])
    assert jax.grad(lambda x: jax.lax.stop_gradient(hj.resize(x, [2])).sum() + x.sum())(x).tolist() == [1, 1]
    backward = jax.linear_transpose(lambda x: [hj.resize(x, [2]), 3 * x][1], x)
    assert backward(np.ones(2))[0].tolist() == [3, 3]
    indices = np.array([1, 2], np.int32)
    y, tangent = jax.jvp(lambda i: hj.resize(i, [2]), (indices,), (np.zeros(2, jax.dtypes.float0),))
    assert y.tolist() == [1, 1, 2, 2]
    assert tangent.dtype == jax.dtypes.float0
    _, backward = jax.vjp(lambda i: hj.resize(i, [2]), indices)
    assert backward(np.zeros(4, jax.dtypes.float0))[0].dtype == jax.dtypes.float0
    with pytest.raises(TypeError, match="grad requires real- or complex-valued inputs"):
        jax.grad(lambda i: hj.resize(i, [2]).sum())(indices)


def test_a_cotangent_that_is_known_to_be_zero() -> None:
    """The rule that JAX calls, with the zero that later rules may hand it: it stays one, and nothing runs."""
    import jax
    from jax.interpreters import ad

    import halfpixel.jax as hj

    (equation,) = jax.make_jaxpr(lambda x: hj.resize(x, [2]))(np.ones(2)).eqns
    x, y = equation.invars[0].aval, equation.outvars[0].aval
    rule = ad.primitive_transposes[equation.primitive]
    (cotangent,) = rule(ad.Zero(y), ad.UndefinedPrimal(x), **equation.params)
    assert type(cotangent) is ad.Zero
    assert cotangent.aval.shape == (2,)


def test_the_primitives_stand_in_the_jaxpr() -> None:
    import jax

    import halfpixel.jax as hj

    jaxpr = jax.make_jaxpr(jax.grad(lambda x: hj.resize(x, **CROP, sizes=[3, 4]).sum()))(np.ones((1, 2, 3, 4)))
    names = [equation.primitive.name for equation in jaxpr.eqns]
    assert "halfpixel_resize" in names
    assert "halfpixel_resize_transpose" in names
    assert "extrapolation_value=3.0" in str(jaxpr)
