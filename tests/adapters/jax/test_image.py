"""image_resize beside jax.image.resize: results, types, what it takes and what it refuses."""

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.needs("module:jax")

SHAPES = [
    ((7,), (11,)),
    ((8,), (4,)),
    ((9, 8), (4, 8)),
    ((2, 13, 5, 3), (2, 6, 17, 3)),
    ((4, 4), (4, 4)),
    ((5, 6), (0, 3)),
]
METHODS = ["nearest", "linear", "cubic", "cubic-pytorch"]
SYNONYMS = ["bilinear", "trilinear", "triangle", "bicubic", "tricubic", "bicubic-pytorch"]


@pytest.mark.parametrize("antialias", [True, False])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("shape", "out_shape"), SHAPES)
def test_results(shape: tuple[int, ...], out_shape: tuple[int, ...], method: str, antialias: bool) -> None:
    import jax

    import halfpixel.jax as hj

    x = np.random.default_rng(0).standard_normal(shape, np.float32)
    y = hj.image_resize(x, out_shape, method, antialias)
    expected = jax.image.resize(x, out_shape, method, antialias)
    assert y.shape == expected.shape
    assert y.dtype == expected.dtype
    np.testing.assert_allclose(y, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("method", SYNONYMS)
def test_synonyms(method: str) -> None:
    import jax

    import halfpixel.jax as hj

    x = np.random.default_rng(1).standard_normal((7,), np.float32)
    y, expected = (resize(x, (11,), method, antialias=False) for resize in (hj.image_resize, jax.image.resize))
    np.testing.assert_allclose(y, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("method", ["nearest", "linear"])
@pytest.mark.parametrize(
    "dtype",
    ["bool", "uint8", "int8", "int16", "int32", "uint32", "int64", "float16", "bfloat16", "float64", "complex64"],
)
def test_element_types(dtype: str, method: str, x64: bool) -> None:
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    jax.config.update("jax_enable_x64", x64)
    x = jnp.arange(12).reshape(3, 4).astype(jax.dtypes.canonicalize_dtype(dtype))
    y, expected = (resize(x, (5, 3), method) for resize in (hj.image_resize, jax.image.resize))
    assert y.dtype == expected.dtype
    tolerance = 2e-5 if y.dtype.itemsize > 2 else 0.06  # JAX computes the weights of 16-bit images in 16 bits
    np.testing.assert_allclose(
        np.asarray(y).astype(complex), np.asarray(expected).astype(complex), rtol=0, atol=tolerance
    )


def test_transforms_and_the_enumeration() -> None:
    import jax
    import jax.numpy as jnp
    from jax.image import ResizeMethod

    import halfpixel.jax as hj

    x = np.random.default_rng(0).standard_normal((2, 6, 5)).astype(np.float32)

    def loss(resize: Any) -> Any:
        return jax.jit(jax.grad(lambda x: (jax.vmap(lambda x: resize(x, (3, 9), ResizeMethod.CUBIC))(x) ** 2).sum()))

    np.testing.assert_allclose(loss(hj.image_resize)(x), loss(jax.image.resize)(x), rtol=0, atol=1e-4)
    assert hj.image_resize(jnp.array([1.0, 2.0, 3.0, 4.0]), (2,), "linear", antialias=False).tolist() == [1.5, 3.5]
    assert hj.image_resize(x, jnp.array([2, 6, 5]), "nearest").shape == (2, 6, 5)
    assert hj.image_resize(x, shape=(2, 6, 4), method="nearest", precision=jax.lax.Precision.DEFAULT).shape == (2, 6, 4)


@pytest.mark.parametrize("method", ["lanczos3", "lanczos5", "area", "spline", None])
def test_methods_without_our_weights(method: Any) -> None:
    import jax.numpy as jnp

    import halfpixel.jax as hj

    with pytest.raises(ValueError, match=r"^\[HP189\] image_resize has no method"):
        hj.image_resize(jnp.zeros((2, 2)), (4, 4), method)


def test_methods_of_the_enumeration_without_our_weights() -> None:
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    assert {method.name for method in jax.image.ResizeMethod} == {
        "NEAREST", "LINEAR", "LANCZOS3", "LANCZOS5", "CUBIC", "CUBIC_PYTORCH", "AREA",
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"^\[HP189\] "):
        hj.image_resize(jnp.zeros((2, 2)), (4, 4), jax.image.ResizeMethod.LANCZOS3)


def test_shapes_that_do_not_fit() -> None:
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    with pytest.raises(ValueError, match=r"^\[HP106\] "):
        hj.image_resize(jnp.zeros((2, 2)), (4,), "linear")
    with pytest.raises(ValueError, match=r"^\[HP119\] "):
        hj.image_resize(jnp.zeros((0, 2)), (4, 4), "linear")
    with pytest.raises(TypeError, match=r"^\[HP187\] sizes must be known"):
        jax.jit(lambda x, n: hj.image_resize(x, (n, 2), "linear"))(jnp.zeros((2, 2)), 4)
