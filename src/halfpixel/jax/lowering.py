"""How the primitives run: our passes on the CPU, called by the compiled program; jax.numpy elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.interpreters import mlir

from halfpixel.jax import portable
from halfpixel.jax.handler import TARGET, connect
from halfpixel.jax.request import Request
from halfpixel.ops.rearrange import rearranged
from halfpixel.plan.elements import Array
from halfpixel.plan.host import check_rearrangeable
from halfpixel.plan.words import Words, forward_words, gradient_words, rearrange_words
from halfpixel.spec.rearrange import RearrangeSpec

_HAS_HANDLER = connect()
"""Whether compiled programs call our passes directly; without the library they call back into Python."""


def register_resize(primitive: Any, *, transposed: bool) -> None:
    """Give a resize, or its transpose, a lowering for every platform."""

    def words(dtype: np.dtype[Any], request: Request) -> Words:
        return (gradient_words if transposed else forward_words)(request.plan(dtype))

    def run(x: Array, request: Request, threads: int | None) -> Array:
        plan = request.plan(x.dtype)
        y: Array = (plan.grad if transposed else plan)(x, threads=threads)
        return y

    def elsewhere(x: Any, request: Request, threads: int) -> Any:
        return portable.resized(x, request.plan(x.dtype), transposed)

    _register(primitive, "request", words, run, elsewhere)


def register_rearrangement(primitive: Any) -> None:
    """Give a rearrangement a lowering for every platform."""

    def words(dtype: np.dtype[Any], spec: RearrangeSpec) -> Words:
        check_rearrangeable(spec, dtype)
        return rearrange_words(spec, dtype)

    def elsewhere(x: Any, spec: RearrangeSpec, threads: int) -> Any:
        return portable.rearranged(x, spec)

    def run(x: Array, spec: RearrangeSpec, threads: int | None) -> Array:
        return rearranged(x, spec, None, threads)

    _register(primitive, "spec", words, run, elsewhere)


def _register(
    primitive: Any,
    parameter: str,
    words: Callable[[np.dtype[Any], Any], Words],
    run: Callable[[Array, Any, int | None], Array],
    elsewhere: Callable[[Any, Any, int], Any],
) -> None:
    def handled(ctx: Any, x: Any, **parameters: Any) -> Sequence[Any]:
        made = np.array(words(np.dtype(ctx.avals_in[0].dtype), parameters[parameter]), np.int64)
        call = jax.ffi.ffi_lowering(TARGET)
        lowered: Sequence[Any] = call(ctx, x, words=made, threads=np.int64(parameters["threads"]))
        return lowered

    def called_back(ctx: Any, x: Any, **parameters: Any) -> Any:
        """What jax.pure_callback becomes, with the array as it lies.

        jax.pure_callback makes it an array of JAX first. That copies it on the threads that run programs; when all of
        them wait in callbacks, nothing goes on.
        """

        def host(x: Array) -> tuple[Array]:
            return (run(np.asarray(x), parameters[parameter], parameters["threads"] or None),)

        callback: Any = mlir.emit_python_callback
        avals = list(ctx.avals_in), list(ctx.avals_out)
        return callback(ctx, host, None, [x], *avals, has_side_effect=False)[0]

    def written_out(x: Any, **parameters: Any) -> Any:
        return elsewhere(x, parameters[parameter], parameters["threads"])

    if _HAS_HANDLER:
        mlir.register_lowering(primitive, handled, platform="cpu")
    else:  # a callback belongs to one program: its text must not be taken for another one
        mlir.register_lowering(primitive, called_back, platform="cpu", cacheable=False)
    mlir.register_lowering(primitive, mlir.lower_fun(written_out, multiple_results=False))
