"""jax on the CPU: jax.image.resize, its transpose, and rearrangements, each compiled by jit."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from halfpixel.peers.peer import CEIL, Peer, Prepared
from halfpixel.peers.work import DEPTH_TO_SPACE, RESIZE_GRAD, Array, Work


class Jax(Peer):
    """Taps outside get no weight, and the cubic coefficient is -0.5; every axis is a product with a dense matrix."""

    name = "jax"
    module = "jax"

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        if work.coordinates != "half_pixel":
            return None
        jax = self.load()
        jax.config.update("jax_enable_x64", work.element == "float64")
        function = self._resize(work) if work.resizes else self._rearrange(work)
        if work.operation == RESIZE_GRAD:
            like = jax.ShapeDtypeStruct(work.shape, work.dtype)
            transposed = jax.linear_transpose(function, like)
            compiled = jax.jit(lambda dy: transposed(dy)[0])
        else:
            compiled = jax.jit(function)
        given = import_module("jax.numpy").asarray(x)
        return Prepared(None, lambda: compiled(given).block_until_ready(), np.asarray, _reading(work))

    def _resize(self, work: Work) -> Callable[[Any], Any]:
        jax = self.load()
        jnp = import_module("jax.numpy")
        shape, method, antialias = work.out_shape, work.mode, work.antialiases
        if work.mode == "nearest" or work.dtype.kind not in "iu":
            return lambda x: jax.image.resize(x, shape, method, antialias=antialias)
        limits = np.iinfo(work.dtype)

        def rounded(x: Any) -> Any:
            y = jax.image.resize(x.astype(jnp.float32), shape, method, antialias=antialias)
            return jnp.clip(jnp.round(y), limits.min, limits.max).astype(work.dtype)

        return rounded

    @staticmethod
    def _rearrange(work: Work) -> Callable[[Any], Any]:
        to_space = work.operation == DEPTH_TO_SPACE
        blocks, shape = work.attributes["blocksize"], work.out_shape
        batch, channels, height, width = work.shape if to_space else shape
        wide = channels // blocks**2
        if work.mode == "DCR":
            deep, order = (batch, blocks, blocks, wide, height, width), (0, 3, 4, 1, 5, 2)
        else:
            deep, order = (batch, wide, blocks, blocks, height, width), (0, 1, 4, 2, 5, 3)
        space = (batch, wide, height, blocks, width, blocks)
        back = tuple(order.index(axis) for axis in range(6))
        if to_space:
            return lambda x: x.reshape(deep).transpose(order).reshape(shape)
        return lambda x: x.reshape(space).transpose(back).reshape(shape)


def _reading(work: Work) -> dict[str, Any]:
    if not work.resizes:
        return {}
    if work.mode == "nearest":
        return CEIL
    return {"exclude_outside": True} | ({"cubic_coeff_a": -0.5} if work.mode == "cubic" else {})
