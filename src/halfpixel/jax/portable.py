"""The operators in jax.numpy, for platforms without our passes: gathers by the tables, and sums.

The numbers are those of the tables to the rounding of the platform's sums, not bit for bit.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from halfpixel.plan.host import fill_of, tables_of
from halfpixel.plan.plan import Plan
from halfpixel.spec.element_types import ELEMENT_TYPES
from halfpixel.spec.rearrange import RearrangeSpec

_ACCUMULATORS = {
    **dict.fromkeys(("bool", "uint8", "int8", "float16", "bfloat16", "float32"), "float32"),
    **{"complex64": "complex64", "complex128": "complex128"},
}
"""What averages are summed in; float64 for every other element type."""


def resized(x: Any, plan: Plan, transposed: bool) -> Any:
    """Return a call of the plan, or of plan.grad, on a traced array."""
    out_shape = plan.in_shape if transposed else plan.output_shape
    if x.size == 0:
        return jnp.zeros(out_shape, x.dtype)
    moves = plan.spec.mode == "nearest" and not transposed
    with jax.enable_x64(True):  # sums of 16-bit integers and more, and float64 itself
        y = x if moves or not tables_of(plan, transposed) else x.astype(_accumulator(plan))
        inside: Any = None
        for axis, table in tables_of(plan, transposed).items():
            y = _along(y, axis, table, moves)
            if table.inside != (0, table.out_size):
                within = np.isin(np.arange(table.out_size), np.arange(*table.inside))
                within = within.reshape([-1 if other == axis else 1 for other in range(y.ndim)])
                inside = within if inside is None else inside & within
        y = y if y.dtype == x.dtype else _rounded(y, x.dtype, plan.element_type)
        fill = None if transposed else fill_of(plan)
        return y if fill is None or inside is None else jnp.where(inside, y, fill.view(x.dtype))


def _accumulator(plan: Plan) -> str:
    return _ACCUMULATORS.get(plan.element_type, "float64")


def _along(y: Any, axis: int, table: Any, moves: bool) -> Any:
    """Return the sums along one axis; an output without taps is 0, whatever lies at index 0."""
    if moves:
        return jnp.take(y, np.asarray(table.first), axis, mode="clip")
    taps = np.arange(max(1, table.max_taps))
    real = taps < table.count[:, None]
    places = np.where(real, table.offset[:, None] + taps, 0)
    weights = np.where(real, table.weights[places], 0) if len(table.weights) else np.zeros(real.shape)
    index = np.where(real, table.first[:, None] + taps, 0)
    shape = [1] * (y.ndim - axis - 1)
    gathered = jnp.take(y, index, axis, mode="clip")
    products = gathered * weights.astype(gathered.real.dtype).reshape(*weights.shape, *shape)
    # A weight of 0 is no tap: what is not a number there must not spread.
    return jnp.where((weights != 0).reshape(*weights.shape, *shape), products, 0).sum(axis + 1)


def _rounded(y: Any, dtype: Any, element: str) -> Any:
    """Sums as elements: integers half to even and clipped, bool from one half up."""
    kind = ELEMENT_TYPES[element].kind
    if kind == "bool":
        return y >= 0.5
    if kind != "integer":
        return y.astype(dtype)
    limits = np.iinfo(dtype)
    lowest, highest = float(limits.min), float(limits.max)  # the largest 64-bit integers are no doubles
    y = jnp.round(y)
    inner = jnp.clip(y, lowest, highest).astype(dtype)
    return jnp.where(
        y >= highest, np.array(limits.max, dtype), jnp.where(y <= lowest, np.array(limits.min, dtype), inner)
    )


def rearranged(x: Any, spec: RearrangeSpec) -> Any:
    """Return a DepthToSpace or SpaceToDepth of a traced array: its axes split, permuted and joined."""
    to_space, b = spec.op_type == "DepthToSpace", spec.blocksize
    batch, channels, rows, columns = spec.out_shape if to_space else spec.in_shape
    height, width = rows // b, columns // b
    if spec.mode == "CRD":
        deep, order = (batch, channels, b, b, height, width), (0, 1, 4, 2, 5, 3)
    else:
        deep, order = (batch, b, b, channels, height, width), (0, 3, 4, 1, 5, 2)
    if to_space:
        return x.reshape(deep).transpose(order).reshape(spec.out_shape)
    space = (batch, channels, height, b, width, b)
    return x.reshape(space).transpose(np.argsort(order)).reshape(spec.out_shape)
