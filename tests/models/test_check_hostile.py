"""check on nodes that nobody would write: it answers, or raises an error of the family, in bounded time."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from halfpixel import HalfpixelError
from halfpixel.models import check
from halfpixel.peers.deviations import targets

from .builders import finished, model_of, resize, tensor
from .check_models import line

pytestmark = [pytest.mark.needs("module:onnx"), pytest.mark.needs("module:onnx_ir")]

OPERATORS = ("Resize", "Resize", "Resize", "Upsample", "DepthToSpace", "SpaceToDepth")
OPSETS = (1, 7, 9, 10, 11, 12, 13, 18, 19, 22, 28)
SHAPES: tuple[tuple[int | str, ...] | None, ...] = (
    *((1, 4, 4, 6), (1, 4, "H", "W"), ("N", 3, 0, 4), (), (7,), (2, 3)),
    *((1, 1, 2**40, 4), (1, 2, 3, 4, 5), None, (1, 8, 100000, 3)),
)
LEGAL: dict[str, tuple[Any, ...]] = {
    "mode": ("nearest", "linear", "cubic"),
    "coordinate_transformation_mode": ("tf_crop_and_resize", "align_corners", "half_pixel", "asymmetric"),
    "nearest_mode": ("floor", "ceil", "round_prefer_ceil"),
    "antialias": (0, 1),
    "exclude_outside": (0, 1),
    "keep_aspect_ratio_policy": ("stretch", "not_larger", "not_smaller"),
    "axes": ([2, 3], [-1, -2], [0, 1, 2, 3]),
    "blocksize": (1, 2, 3),
    "cubic_coeff_a": (-0.5, -1.0),
    "extrapolation_value": (0.0, 10.0),
    "height_scale": (2.0,),
    "scales": ([1.0, 1.0, 2.0, 2.0],),
    "unheard_of": (1,),
}
ODD = (0, -1, 2**62, float("nan"), float("inf"), "", "area", [0], [-1], [0.5, 2.0], ["a"])
NUMBERS = (0.7, 0.6, 2, 1, 0.3, 1e-30, 1e30, float("nan"), -1, 0, 3, 2**40)


def odd_model(seed: int) -> onnx.ModelProto:
    """A model of one node with attributes and inputs drawn by chance, legal or not."""
    choose = random.Random(seed)
    node = helper.make_node(choose.choice(OPERATORS), ["X"], ["Y"])
    for name, legal in LEGAL.items():
        if choose.random() < 0.3:
            value = choose.choice(legal if choose.random() < 0.7 else ODD)
            node.attribute.append(helper.make_attribute(name, value))
    shape = choose.choice(SHAPES)
    constants = []
    for name, dtype in (("roi", np.float32), ("scales", np.float32), ("sizes", np.int64)):
        given = choose.random() > 0.35
        node.input.append(name if given else "")
        if given:
            rank = len(shape or (1, 2, 3, 4))
            values = np.array([choose.choice(NUMBERS) for _ in range(choose.choice((rank, rank, 0, 1, 2 * rank)))])
            kind = choose.choice((dtype, dtype, np.float16))
            with np.errstate(all="ignore"):
                values = np.nan_to_num(values, nan=5) if kind is np.int64 else values
                constants.append(tensor(name, values.reshape(choose.choice(((-1,), (1, -1)))), kind))
    x = helper.make_tensor_value_info("X", choose.choice((1, 1, 2, 7, 8, 9, 10, 11, 16)), shape)
    y = helper.make_tensor_value_info("Y", TensorProto.FLOAT, None)
    return finished(helper.make_graph([node], "odd", [x], [y], constants), choose.choice(OPSETS))


def test_odd_nodes_are_answered() -> None:
    answered = 0
    for seed in range(1200):
        try:
            answered += bool(check(odd_model(seed), targets=list(targets())))
        except HalfpixelError as error:
            assert error.code == "HP417"  # noqa: PT017  an opset from before the operator
    assert answered > 800


def test_a_node_without_inputs() -> None:
    built = resize(name="alone")
    del built.node.input[:]
    (finding,) = check(model_of(built))
    assert (finding.rule, finding.sentence) == ("HPM020", "the node has no data to work on")


def test_attributes_of_another_type_are_told_and_nothing_else() -> None:
    (finding,) = check(line(8, sizes=4, mode=3))
    assert (finding.rule, finding.severity) == ("HPM020", "error")
    assert "[HP181]" in finding.sentence


@pytest.mark.parametrize("length", [2**20, 2**40])
def test_long_axes_are_looked_at_in_part(length: int) -> None:
    model = line(length, scales=0.6, coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    assert "HPM004" in [one.rule for one in check(model)]


def test_thousands_of_nodes_that_feed_one_concat() -> None:
    count = 1500
    nodes = [helper.make_node("Resize", ["X", "", "scales"], [f"Y{i}"], mode="linear") for i in range(count)]
    nodes.append(helper.make_node("Concat", [f"Y{i}" for i in range(count)], ["Z"], axis=0))
    x = helper.make_tensor_value_info("X", TensorProto.FLOAT, (1, 1, 4, 4))
    z = helper.make_tensor_value_info("Z", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "many", [x], [z], [tensor("scales", [1, 1, 2, 2], np.float32)])
    assert check(finished(graph, 19)) == []
