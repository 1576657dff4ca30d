"""The four operators on JAX's arrays, with ONNX's arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Never

import jax

from halfpixel._typing import (
    CoordinateTransformationMode,
    Integers,
    KeepAspectRatioPolicy,
    Like,
    Mode,
    NearestMode,
    RealNumbers,
    RearrangeMode,
    UpsampleMode,
)
from halfpixel.jax import primitives
from halfpixel.jax.arguments import array_of, checked, threads_of
from halfpixel.jax.request import Request, request_of
from halfpixel.ops.presets import (
    ANTIALIAS,
    COORDINATE_TRANSFORMATION_MODE,
    CUBIC_COEFF_A,
    EXCLUDE_OUTSIDE,
    MODE,
    NEAREST_MODE,
)
from halfpixel.ops.request import unknown_keyword
from halfpixel.ops.resizing import plan_resize
from halfpixel.plan.host import check_rearrangeable
from halfpixel.plan.plan import plan_from_spec
from halfpixel.spec.rearrange import RearrangeSpec, depth_to_space_spec, space_to_depth_spec
from halfpixel.spec.upsample import upsample_spec


def resize(
    x: Any,
    scales: RealNumbers | None = None,
    sizes: Integers | None = None,
    *,
    roi: RealNumbers | None = None,
    axes: Integers | None = None,
    mode: Mode = MODE,
    coordinate_transformation_mode: CoordinateTransformationMode = COORDINATE_TRANSFORMATION_MODE,
    nearest_mode: NearestMode = NEAREST_MODE,
    cubic_coeff_a: float = CUBIC_COEFF_A,
    antialias: bool = ANTIALIAS,
    exclude_outside: bool = EXCLUDE_OUTSIDE,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: KeepAspectRatioPolicy = "stretch",
    version: int = 19,
    like: Like | None = None,
    threads: int | None = None,
    **unknown: Never,
) -> jax.Array:
    """Resize an array of any rank and element type; the arguments and results are those of halfpixel.resize.

    Example:
        >>> halfpixel.jax.resize(jnp.array([1.0, 2.0]), [2], mode="linear")
        Array([1.  , 1.25, 1.75, 2.  ], dtype=float32)

    Args:
        x: JAX array, traced or not, or NumPy array.
        threads: at most so many on the CPU; no meaning elsewhere. None: the default of the process that runs it.
        scales, sizes and the other keywords: as in halfpixel.resize, and known when the function is traced.

    Returns:
        array of x's element type. On the CPU the bits are those of halfpixel.resize.

    Raises:
        ValueError: HP1xx, the request breaks a rule of the operator.
        TypeError: HP187 an argument is traced; HP2xx what x is.
        RuntimeError: HP3xx memory.

    Source: ONNX Resize.
    """
    arguments: dict[str, Any] = {
        "scales": scales,
        "sizes": sizes,
        "roi": roi,
        "axes": axes,
        "mode": mode,
        "coordinate_transformation_mode": coordinate_transformation_mode,
        "nearest_mode": nearest_mode,
        "cubic_coeff_a": cubic_coeff_a,
        "antialias": antialias,
        "exclude_outside": exclude_outside,
        "extrapolation_value": extrapolation_value,
        "keep_aspect_ratio_policy": keep_aspect_ratio_policy,
        "version": version,
        "like": like,
        **unknown,
    }
    x = array_of(x)
    return _resized(
        primitives.RESIZE, x, lambda: request_of(plan_resize(x.shape, x.dtype, **arguments)), arguments, threads
    )


def upsample(
    x: Any,
    scales: RealNumbers | None = None,
    *,
    height_scale: float | None = None,
    width_scale: float | None = None,
    mode: UpsampleMode = "nearest",
    version: int = 9,
    threads: int | None = None,
    **unknown: Never,
) -> jax.Array:
    """Enlarge an array as ONNX Upsample does; the arguments and results are those of halfpixel.upsample.

    Example:
        >>> halfpixel.jax.upsample(jnp.array([1.0, 2.0]), [2])
        Array([1., 1., 2., 2.], dtype=float32)

    Args:
        x, threads: as in resize.
        scales, height_scale, width_scale, mode, version: as in halfpixel.upsample.

    Raises:
        ValueError, TypeError, RuntimeError: as resize.

    Source: ONNX Upsample.
    """
    arguments: dict[str, Any] = {
        "scales": scales,
        "height_scale": height_scale,
        "width_scale": width_scale,
        "mode": mode,
        "version": version,
    }
    x = array_of(x)

    def request() -> Request:
        if unknown:
            raise unknown_keyword("upsample", unknown, (*arguments, "threads"))
        return request_of(plan_from_spec(upsample_spec(x.shape, **arguments), x.dtype))

    return _resized(primitives.UPSAMPLE, x, request, arguments, threads)


def depth_to_space(
    x: Any,
    blocksize: int,
    *,
    mode: RearrangeMode = "DCR",
    version: int = 28,
    threads: int | None = None,
    **unknown: Never,
) -> jax.Array:
    """Move channels into blocks of rows and columns: [N, C, H, W] -> [N, C / b^2, H * b, W * b].

    Arguments and results are those of halfpixel.depth_to_space.

    Raises:
        ValueError, TypeError, RuntimeError: as resize.

    Source: ONNX DepthToSpace.
    """
    arguments: dict[str, Any] = {"blocksize": blocksize, "mode": mode, "version": version}
    return _rearranged(primitives.DEPTH_TO_SPACE, depth_to_space_spec, x, arguments, unknown, threads)


def space_to_depth(
    x: Any,
    blocksize: int,
    *,
    mode: RearrangeMode = "DCR",
    version: int = 28,
    threads: int | None = None,
    **unknown: Never,
) -> jax.Array:
    """Move blocks of rows and columns into channels: [N, C, H, W] -> [N, C * b^2, H / b, W / b].

    Arguments and results are those of halfpixel.space_to_depth.

    Raises:
        ValueError, TypeError, RuntimeError: as resize.

    Source: ONNX SpaceToDepth.
    """
    arguments: dict[str, Any] = {"blocksize": blocksize, "mode": mode, "version": version}
    return _rearranged(primitives.SPACE_TO_DEPTH, space_to_depth_spec, x, arguments, unknown, threads)


def _resized(
    primitive: Any,
    x: jax.Array,
    request: Callable[[], Request],
    arguments: Mapping[str, Any],
    threads: object,
) -> jax.Array:
    made, count = checked(lambda: (request(), threads_of(threads)), {**arguments, "threads": threads})
    return primitives.applied(primitive, x, request=made, threads=count)


def _rearranged(
    primitive: Any,
    spec_of: Callable[..., RearrangeSpec],
    x: Any,
    arguments: Mapping[str, Any],
    unknown: Mapping[str, Any],
    threads: object,
) -> jax.Array:
    x = array_of(x)

    def make() -> tuple[RearrangeSpec, int]:
        if unknown:
            raise unknown_keyword(primitive.name.removeprefix("halfpixel_"), unknown, (*arguments, "threads"))
        spec = spec_of(x.shape, **arguments)
        check_rearrangeable(spec, x.dtype)
        return spec, threads_of(threads)

    spec, count = checked(make, {**arguments, "threads": threads})
    return primitives.applied(primitive, x, spec=spec, threads=count)
