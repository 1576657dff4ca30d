"""resize_grad and upsample_grad against the exact transpose applied to a random dY."""

import os
from random import Random
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.oracles import Attributes, Result, plan_axes, resize_grad
from tests.oracles.nodes import element_types

from .random_arrays import Array, random_array
from .random_nodes import Node, random_node
from .tolerance import difference

COUNT = int(os.environ.get("HALFPIXEL_PARITY_NODES", "400")) // 4
FLOATS = {"float16", "bfloat16", "float32", "float64", "complex64", "complex128"}


def differentiable_node(index: int) -> Node:
    """The first node from number 1000 * index on that has a gradient of its own."""
    number = 1_000_000 + 1000 * index
    while True:
        node = random_node(number)
        if node.op_type in ("Resize", "Upsample"):
            return node
        number += 1


def request(node: Node) -> tuple[list[float] | None, list[int] | None, list[float] | None, Attributes]:
    """scales, sizes, roi and attributes for the oracle, whatever the version."""
    _, *others = node.inputs
    attributes = dict(node.attributes)
    if node.op_type == "Upsample" or node.version == 10:
        scales = attributes.pop("scales", None) or (others[0].tolist() if others and others[0] is not None else None)
        if "height_scale" in attributes:
            scales = [1.0, 1.0, attributes["height_scale"], attributes["width_scale"]]
        mode = attributes.get("mode", "nearest").replace("bilinear", "linear")
        old = Attributes(mode=mode, coordinate_transformation_mode="asymmetric", nearest_mode="by_scale")
        return scales, None, None, old
    if "axes" in attributes:
        attributes["axes"] = tuple(attributes["axes"])
    values = [None if other is None else other.astype(np.float64).tolist() for other in [*others, None, None][:3]]
    sizes = None if values[2] is None else [int(size) for size in values[2]]
    return values[1], sizes, values[0], Attributes(**attributes)


def call_gradient(node: Node, dy: Array, x_shape: tuple[int, ...]) -> Array:
    """The same gradient through hp.resize_grad or hp.upsample_grad."""
    _, *others = node.inputs
    keywords: dict[str, Any] = {**node.attributes, "version": node.version}
    if node.op_type == "Upsample":
        scales = others[0] if others else keywords.pop("scales", None)
        return np.asarray(hp.upsample_grad(dy, x_shape, scales, **keywords))
    if node.version == 10:
        return np.asarray(hp.resize_grad(dy, x_shape, others[0], **keywords))
    roi, scales, sizes = [*others, None, None][:3]
    return np.asarray(hp.resize_grad(dy, x_shape, scales, sizes, roi=roi, **keywords))


@pytest.mark.parametrize("index", range(COUNT))
def test_gradient(index: int) -> None:
    """Gradient number index, in one of the six element types that have one."""
    node = differentiable_node(index)
    x = node.inputs[0]
    assert x is not None
    random = Random(f"gradient {index}")
    scales, sizes, roi, attributes = request(node)
    out_shape = tuple(axis.out_size for axis in plan_axes(x.shape, scales, sizes, attributes, roi))
    element = random.choice(sorted(FLOATS & element_types(node.op_type, node.version)))
    dy = random_array(random, out_shape, element)
    exact: Result = resize_grad(dy, x.shape, scales, sizes, attributes, roi)
    dx = call_gradient(node, dy, x.shape)
    if wrong := difference(dx, dy, exact):
        pytest.fail(f"{wrong}\ndY: {dy.dtype} {dy.shape} strides {dy.strides}\n{node}", pytrace=False)
