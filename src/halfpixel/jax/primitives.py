"""The primitives: their shapes, derivatives, transposes and batches. How they run stands in lowering.py.

Every one is a linear map, or, where a crop leaves the input, a linear map plus a constant. The tangent goes through the
linear part; the cotangent through the transpose, which is a primitive with the same rules; so derivatives of every
order exist, forwards and backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching

from halfpixel._errors import SpecError
from halfpixel.jax import lowering
from halfpixel.jax.errors import jax_error
from halfpixel.jax.request import Request
from halfpixel.spec.rearrange import RearrangeSpec

Rule: TypeAlias = Callable[..., Any]
_Zero: Any = ad.Zero
_config: Any = jax.config


def _primitive(name: str, out_shape: Callable[[Any], tuple[int, ...]], statics: tuple[str, ...]) -> Any:
    """A primitive of one array to one of the same element type; an eager call compiles it alone."""
    primitive: Any = Primitive(f"halfpixel_{name}")

    def shape(x: Any, **parameters: Any) -> Any:
        return x.update(shape=out_shape(parameters[statics[0]]), weak_type=False)

    compiled = jax.jit(primitive.bind, static_argnames=statics, inline=True)

    def run(x: Any, **parameters: Any) -> Any:
        if not _config.jax_disable_jit:
            return compiled(x, **parameters)
        with jax.disable_jit(False):  # there is no other way to run it
            return compiled(x, **parameters)

    primitive.def_abstract_eval(shape)
    primitive.def_impl(run)
    return primitive


def applied(primitive: Any, x: jax.Array, **parameters: Any) -> jax.Array:
    """Bind the primitive; a concrete array goes to its program at once, as JAX's way there takes twice as long."""
    bound = primitive.bind if isinstance(x, jax.core.Tracer) else primitive.impl
    y: jax.Array = bound(x, **parameters)
    return y


def _define_derivative(primitive: Any, linear: Rule, transpose: Rule) -> None:
    """Tangents go through linear(t, **parameters), cotangents through transpose(dy, **parameters)."""

    def jvp(primals: Sequence[Any], tangents: Sequence[Any], **parameters: Any) -> tuple[Any, Any]:
        return primitive.bind(*primals, **parameters), linear(*tangents, **parameters)

    def transposed(cotangent: Any, x: Any, **parameters: Any) -> list[Any]:
        if type(cotangent) is _Zero:
            return [_Zero(x.aval.to_tangent_aval())]
        return [transpose(cotangent, **parameters)]

    ad.primitive_jvps[primitive] = jvp
    ad.primitive_transposes[primitive] = transposed


def _pair(name: str) -> Any:
    """A resize and its transpose, each the other's."""
    statics = ("request", "threads")
    forward = _primitive(name, lambda request: request.spec.out_shape, statics)
    backward = _primitive(f"{name}_transpose", lambda request: request.spec.in_shape, statics)

    def linear(tangent: Any, *, request: Request, threads: int) -> Any:
        return forward.bind(tangent, request=request.linear, threads=threads)

    def transpose(dy: Any, *, request: Request, threads: int) -> Any:
        if not request.is_linear:
            raise jax_error(_not_linear(request))
        return backward.bind(dy, request=request, threads=threads)

    _define_derivative(forward, linear, transpose)
    _define_derivative(backward, backward.bind, forward.bind)
    for primitive in (forward, backward):
        batching.primitive_batchers[primitive] = partial(_batched_resize, primitive)
    lowering.register_resize(forward, transposed=False)
    lowering.register_resize(backward, transposed=True)
    return forward


def _batched_resize(
    primitive: Any, arrays: Sequence[Any], axes: Sequence[int], *, request: Request, threads: int
) -> tuple[Any, int]:
    """The batch's axis stays where it is and is copied."""
    (x,), (axis,) = arrays, axes
    return primitive.bind(x, request=request.batched(axis, x.shape[axis]), threads=threads), axis


def _rearrangements() -> tuple[Any, Any]:
    """DepthToSpace and SpaceToDepth, permutations: each is the inverse, and so the transpose, of the other."""
    statics = ("spec", "threads")
    to_space = _primitive("depth_to_space", lambda spec: spec.out_shape, statics)
    to_depth = _primitive("space_to_depth", lambda spec: spec.out_shape, statics)
    for primitive, inverse in ((to_space, to_depth), (to_depth, to_space)):
        _define_derivative(primitive, primitive.bind, partial(_inverted, inverse))
        batching.primitive_batchers[primitive] = partial(_batched_rearrangement, primitive)
        lowering.register_rearrangement(primitive)
    return to_space, to_depth


def _inverted(inverse: Any, dy: Any, *, spec: RearrangeSpec, threads: int) -> Any:
    op_type = "SpaceToDepth" if spec.op_type == "DepthToSpace" else "DepthToSpace"
    # Version 28 of both has every mode and every element type.
    inverted = replace(spec, op_type=op_type, version=28, in_shape=spec.out_shape, out_shape=spec.in_shape)
    return inverse.bind(dy, spec=inverted, threads=threads)


def _batched_rearrangement(
    primitive: Any, arrays: Sequence[Any], axes: Sequence[int], *, spec: RearrangeSpec, threads: int
) -> tuple[Any, int]:
    """The batch's axis and N are one axis for the passes."""
    x = jax.numpy.moveaxis(arrays[0], axes[0], 0)
    batch, n = x.shape[:2]
    in_shape, out_shape = ((batch * n, *shape[1:]) for shape in (spec.in_shape, spec.out_shape))
    together = replace(spec, in_shape=in_shape, out_shape=out_shape)
    y = primitive.bind(x.reshape(in_shape), spec=together, threads=threads)
    return y.reshape((batch, n, *out_shape[1:])), 0


def _not_linear(request: Request) -> SpecError:
    return SpecError(
        "HP188",
        "a crop that fills in a constant is not linear, and has no transpose",
        given=f"extrapolation_value={request.value}, output samples beside the input",
        allowed="extrapolation_value=0 under jax.linear_transpose; every value under jax.grad and jax.vjp",
        do="pass extrapolation_value=0, or take jax.vjp",
    )


RESIZE = _pair("resize")
UPSAMPLE = _pair("upsample")
DEPTH_TO_SPACE, SPACE_TO_DEPTH = _rearrangements()
