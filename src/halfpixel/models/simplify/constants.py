"""Scales and sizes that a model computes, but always to the same values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.simplify.regions import Region, region_of
from halfpixel.models.sites import Site

if TYPE_CHECKING:
    import onnx_ir

_LENGTHS = (*range(1, 41), 63, 64, 100, 255, 257, 640, 1000, 1080, 4093, 10007)
"""For lengths that the model leaves open. Only their number is used: no sample is touched."""


@dataclass(frozen=True)
class Fixed:
    """What the computed input of a Resize becomes.

    Attributes:
        name: "scales" or "sizes".
        values: one a listed axis.
        axes: the axes that they are for; None for all.
        seen: how it is known.
    """

    name: str
    values: tuple[float, ...] | tuple[int, ...]
    axes: tuple[int, ...] | None
    seen: str


def fixed_input(site: Site) -> Fixed | None:
    """Return constant scales or sizes in place of computed ones, None where the run decides.

    Sizes that are k times the lengths for a whole k become scales k: then out / in is exactly k whatever the length.
    Sizes that keep some axes and fix others become sizes of the others alone, where the version has axes.
    """
    for name in ("scales", "sizes"):
        value = site.value(name)
        if value is None or not site.given(name) or _is_constant(value):
            continue
        constant = site.constant(name)
        if constant is not None:
            return Fixed(name, tuple(constant.tolist()), _axes(site), "known before the model runs")
        return _by_lengths(site, value) if name == "sizes" else None
    return None


def _is_constant(value: onnx_ir.Value) -> bool:
    producer = value.producer()
    return value.is_initializer() or (producer is not None and producer.op_type == "Constant")


def _axes(site: Site) -> tuple[int, ...] | None:
    axes = site.attributes.get("axes")
    return None if axes is None else tuple(axes)


def _by_lengths(site: Site, sizes: onnx_ir.Value) -> Fixed | None:
    """Compute the sizes for many lengths of the data, and see how they follow them."""
    x = site.value("X")
    if x is None or site.in_shape is None or site.attributes.get("keep_aspect_ratio_policy", "stretch") != "stretch":
        return None
    if any(site.attributes.get(name) is not None for name in ("axes",)):
        return None
    region = region_of(sizes, x, site.opset)
    if region is None or not _reads_lengths_only(region):
        return None
    pairs = _pairs(region, [n if isinstance(n, int) else None for n in site.in_shape], site.element_type or "float32")
    if pairs is None:
        return None
    rows = [(shape, result) for shape, result in pairs if len(result) == len(shape)]
    if len(rows) != len(pairs) or not rows:
        return None
    rank = len(rows[0][0])
    seen = f"computed for {len(rows)} shapes"
    factors = [_factor([(shape[axis], result[axis]) for shape, result in rows]) for axis in range(rank)]
    if all(factor is not None for factor in factors):
        return Fixed("scales", tuple(float(factor or 1) for factor in factors), None, seen)
    fixed = [_constant([result[axis] for _, result in rows]) for axis in range(rank)]
    listed = tuple(axis for axis in range(rank) if factors[axis] != 1)
    values = [fixed[axis] for axis in listed]
    if "axes" in site.operator.attributes and None not in values:
        return Fixed("sizes", tuple(value for value in values if value is not None), listed, seen)
    return None


def _reads_lengths_only(region: Region) -> bool:
    return all(node.op_type in ("Shape", "Size") for node in region.nodes if region.x in node.inputs)


def _pairs(region: Region, shape: list[int | None], element: str) -> list[tuple[tuple[int, ...], list[int]]] | None:
    """(shape of x, sizes) for many lengths; arrays of no memory stand for x. None where a shape cannot be computed."""
    run = region.runner("int64")
    unknown = [axis for axis, length in enumerate(shape) if length is None]
    pairs = []
    for number, _ in enumerate(_LENGTHS):
        filled = list(shape)
        for at, axis in enumerate(unknown):
            filled[axis] = _LENGTHS[(number * (3 * at + 1) + at) % len(_LENGTHS)]
        whole = tuple(n for n in filled if n is not None)
        result = run(np.broadcast_to(np.zeros((), _dtype(element)), whole))
        if result is None or result.ndim != 1:
            return None
        pairs.append((whole, [int(n) for n in result]))
    return pairs


def _dtype(element: str) -> Any:
    from halfpixel.plan.elements import dtype_of

    return dtype_of(element)


def _factor(pairs: list[tuple[int, int]]) -> int | None:
    """k if every output length is k times the input's, for one whole k."""
    factors = {out // n if n and out % n == 0 else None for n, out in pairs}
    return factors.pop() if len(factors) == 1 and 0 not in factors else None


def _constant(values: list[int]) -> int | None:
    return values[0] if len(set(values)) == 1 else None
