"""jax.image.resize by our passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from halfpixel._errors import SpecError
from halfpixel.jax.arguments import array_of
from halfpixel.jax.errors import jax_error
from halfpixel.jax.functions import resize

_METHODS: dict[str, str] = {
    "nearest": "nearest",
    **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), "linear"),
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), "cubic"),
    **dict.fromkeys(("cubic-pytorch", "bicubic-pytorch"), "cubic-pytorch"),
}
_AVERAGED_AS = {
    **dict.fromkeys(("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32"), np.float32),
    **dict.fromkeys(("uint64", "int64"), np.float64),
}


def image_resize(
    image: Any,
    shape: Sequence[int],
    method: str | jax.image.ResizeMethod,
    antialias: bool = True,
    precision: Any = jax.lax.Precision.HIGHEST,
) -> jax.Array:
    """Resize an image as jax.image.resize does, by the same arguments.

    Weights are exact and rounded once, where JAX computes them in the image's element type. Sums are in float32 at
    least.

    Example:
        >>> halfpixel.jax.image_resize(jnp.array([1.0, 2.0, 3.0, 4.0]), (2,), "linear", antialias=False)
        Array([1.5, 3.5], dtype=float32)

    Args:
        image: JAX array, traced or not, or NumPy array.
        shape: lengths of the result, one an axis of image.
        method: "nearest"; "linear", "bilinear", "trilinear", "triangle"; "cubic", "bicubic", "tricubic" (Keys, a =
            -0.5); "cubic-pytorch", "bicubic-pytorch" (a = -0.75 and repeated edges unless antialiased); or an entry of
            jax.image.ResizeMethod.
        antialias: widen the filter where an axis shrinks. No meaning for "nearest".
        precision: taken and not used: nothing is computed below float32.

    Returns:
        array of the image's element type; averages of integers and bool are floating point, as JAX has them.

    Raises:
        ValueError: HP189 a method without such weights (lanczos3, lanczos5, area); HP1xx shape.
        TypeError: HP187, HP2xx as resize.

    Source: jax.image.resize of JAX 0.10.
    """
    x = array_of(image)
    mode = _mode_of(method)
    if mode == "nearest":
        return resize(x, sizes=shape, nearest_mode="round_prefer_ceil")
    averaged = _AVERAGED_AS.get(x.dtype.name)
    if averaged is not None:
        x = x.astype(jax.dtypes.canonicalize_dtype(averaged))
    if mode == "cubic-pytorch" and not antialias:
        return resize(x, sizes=shape, mode="cubic")
    return resize(
        x,
        sizes=shape,
        mode="linear" if mode == "linear" else "cubic",
        cubic_coeff_a=-0.5,
        exclude_outside=True,
        antialias=antialias,
    )


def _mode_of(method: object) -> str:
    name = method.name.lower().replace("_", "-") if isinstance(method, jax.image.ResizeMethod) else method
    mode = _METHODS.get(name) if isinstance(name, str) else None
    if mode is None:
        raise jax_error(
            SpecError(
                "HP189",
                f"image_resize has no method {method!r}",
                given=f"method={method!r}",
                allowed=", ".join(_METHODS),
                do="use jax.image.resize for lanczos3, lanczos5 and area: no Resize of ONNX has their weights",
            )
        )
    return mode
