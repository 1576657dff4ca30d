"""For each rule of check: models with its trap, and for each a near twin without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from .builders import Node, chain, finished, graph_inputs, model_of, output, rearrange, resize, tensor, upsample

Model = onnx.ModelProto

HALF_PIXEL = {"mode": "linear"}
TF_1 = {"mode": "linear", "coordinate_transformation_mode": "asymmetric"}
FLOOR = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
CROP = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
ALIGNED = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
WHOLE = (0, 0, 0, 0, 1, 1, 1, 1)
MIDDLE = (0, 0, 0, 0.25, 1, 1, 1, 0.75)
TORCH = {
    "antialias": 0,
    "cubic_coeff_a": -0.75,
    "exclude_outside": 0,
    "extrapolation_value": 0.0,
    "keep_aspect_ratio_policy": "stretch",
    "nearest_mode": "floor",
}
"""What PyTorch's exporter writes into every Resize."""


@dataclass(frozen=True)
class Pair:
    """A trap and its twin.

    Attributes:
        rule, severity: of the finding that the trap must give.
        trap, twin: make the models; the twin gives no finding of the rule.
    """

    rule: str
    severity: str
    trap: Callable[[], Model]
    twin: Callable[[], Model]


def line(length: int | str, **settings: Any) -> Model:
    """A Resize along the last axis of X (1, 1, 1, length)."""
    for name in ("scales", "sizes"):
        if name in settings:
            settings[name] = (1, 1, 1, settings[name])
    return model_of(resize(x_shape=(1, 1, 1, length), **settings))


def produced_by(model: Model, producer: str) -> Model:
    """The model with an exporter's name in it."""
    model.producer_name = producer
    return model


def beside(built: Node, other: Node) -> Model:
    """Two nodes that read the same X, as two outputs of one model."""
    for name in [*other.node.input[1:]]:
        for constant in other.initializers:
            if constant.name == name:
                constant.name += "_other"
    other.node.input[:] = [name + "_other" if name and i else name for i, name in enumerate(other.node.input)]
    other.node.output[:] = ["Z"]
    z = helper.make_tensor_value_info("Z", other.x_type, [None] * len(other.x_shape))
    graph = helper.make_graph(
        [built.node, other.node],
        "main",
        graph_inputs(built),
        [output(built), z],
        [*built.initializers, *other.initializers],
    )
    return finished(graph, built.opset)


def joined(built: Node, op_type: str, other: tuple[int | str, ...], through: str = "") -> Model:
    """A node whose result is joined with a graph input of another shape, behind an operator that keeps shapes."""
    built.node.output[:] = ["result"]
    nodes = [built.node]
    if through:
        nodes.append(helper.make_node(through, ["result"], ["kept"]))
    attributes = {"axis": 1} if op_type == "Concat" else {}
    nodes.append(helper.make_node(op_type, [nodes[-1].output[0], "other"], ["Y"], name="join", **attributes))
    inputs = [*graph_inputs(built), helper.make_tensor_value_info("other", TensorProto.FLOAT, other)]
    graph = helper.make_graph(nodes, "main", inputs, [output(built)], built.initializers)
    return finished(graph, built.opset)


def with_input(built: Node, position: int, name: str, values: Any, dtype: Any) -> Model:
    """A node with another constant in the place of one of its inputs; "" leaves it out."""
    while len(built.node.input) <= position:
        built.node.input.append("")
    built.node.input[position] = name
    if name:
        built.initializers = [one for one in built.initializers if one.name != name]
        built.initializers.append(tensor(name, values, dtype))
    else:
        used = set(built.node.input)
        built.initializers = [one for one in built.initializers if one.name in used]
    return model_of(built)


def behind_a_relu(built: Node) -> Model:
    """A node whose X is computed from the graph input."""
    built.node.input[0] = "features"
    relu = helper.make_node("Relu", ["X"], ["features"], name="relu")
    graph = helper.make_graph([relu, built.node], "main", graph_inputs(built), [output(built)], built.initializers)
    return finished(graph, built.opset)


PAIRS: dict[str, Pair] = {
    "length of 0.7": Pair("HPM001", "warning", lambda: line(10, scales=0.7), lambda: line(11, scales=0.7)),
    "length of 256/86": Pair(
        "HPM001", "warning", lambda: line(86, scales=256 / 86, **HALF_PIXEL), lambda: line(86, sizes=256, **HALF_PIXEL)
    ),
    "length of 0.7 of an open length": Pair(
        "HPM001", "note", lambda: line("W", scales=0.7), lambda: line("W", scales=0.75)
    ),
    "half under a policy": Pair(
        "HPM001",
        "warning",
        lambda: model_of(resize(sizes=(25, 10000), x_shape=(6, 15), keep_aspect_ratio_policy="not_larger")),
        lambda: model_of(resize(sizes=(24, 10000), x_shape=(6, 15), keep_aspect_ratio_policy="not_larger")),
    ),
    "roi and scales": Pair(
        "HPM002",
        "warning",
        lambda: line(8, scales=1.5, roi=MIDDLE, **CROP),
        lambda: line(8, sizes=6, roi=MIDDLE, **CROP),
    ),
    "align_corners of 2.4": Pair(
        "HPM003", "warning", lambda: line(4, scales=0.6, **ALIGNED), lambda: line(5, scales=0.6, **ALIGNED)
    ),
    "align_corners of an open length": Pair(
        "HPM003", "note", lambda: line("W", scales=0.5, **ALIGNED), lambda: line("W", scales=2, **ALIGNED)
    ),
    "14 to 2 by floor": Pair(
        "HPM004", "warning", lambda: line(14, sizes=2, **FLOOR), lambda: line(12, sizes=2, **FLOOR)
    ),
    "3 / 0.6 by floor": Pair(
        "HPM004", "warning", lambda: line(7, scales=0.6, **FLOOR), lambda: line(7, scales=0.5, **FLOOR)
    ),
    "ties of 20 to 6": Pair(
        "HPM004",
        "warning",
        lambda: line(20, sizes=6, nearest_mode="round_prefer_ceil"),
        lambda: line(21, sizes=6, nearest_mode="round_prefer_ceil"),
    ),
    "0.6 of an open length": Pair(
        "HPM004", "note", lambda: line("W", scales=0.6, **FLOOR), lambda: line("W", scales=2, **FLOOR)
    ),
    "1.7 in Upsample": Pair(
        "HPM004",
        "note",
        lambda: model_of(upsample(scales=(1, 1, 1, 1.7), x_shape=(1, 1, 1, "W"))),
        lambda: model_of(upsample(scales=(1, 1, 1, 4), x_shape=(1, 1, 1, "W"))),
    ),
    "antialias on nearest": Pair(
        "HPM005", "warning", lambda: line(8, sizes=4, antialias=1), lambda: line(8, sizes=4, antialias=1, mode="linear")
    ),
    "policy with scales": Pair(
        "HPM006",
        "warning",
        lambda: line(8, scales=2, keep_aspect_ratio_policy="not_larger"),
        lambda: line(8, scales=2, keep_aspect_ratio_policy="stretch"),
    ),
    "policy with passed scales": Pair(
        "HPM006",
        "warning",
        lambda: model_of(resize(scales="passed", keep_aspect_ratio_policy="not_smaller")),
        lambda: model_of(resize(sizes="passed", keep_aspect_ratio_policy="not_smaller")),
    ),
    "roi without crop": Pair(
        "HPM007",
        "warning",
        lambda: line(8, sizes=4, roi=MIDDLE, **HALF_PIXEL),
        lambda: line(8, sizes=4, roi=MIDDLE, **CROP),
    ),
    "whole roi without crop": Pair(
        "HPM007",
        "note",
        lambda: line(8, sizes=4, roi=WHOLE, **HALF_PIXEL),
        lambda: line(8, sizes=4, opset=11, **HALF_PIXEL),
    ),
    "exclude_outside of linear": Pair(
        "HPM008",
        "warning",
        lambda: line(8, scales=2, exclude_outside=1, **HALF_PIXEL),
        lambda: line(8, sizes=4, exclude_outside=1, antialias=1, **HALF_PIXEL),
    ),
    "exclude_outside of nearest": Pair(
        "HPM008",
        "warning",
        lambda: line(8, scales=2, exclude_outside=1),
        lambda: line(8, scales=2, exclude_outside=1, mode="cubic"),
    ),
    "cubic_coeff_a of linear": Pair(
        "HPM009",
        "note",
        lambda: line(8, scales=2, cubic_coeff_a=-0.5, **HALF_PIXEL),
        lambda: line(8, scales=2, cubic_coeff_a=-0.75, **HALF_PIXEL),
    ),
    "nearest_mode of linear": Pair(
        "HPM009",
        "note",
        lambda: line(8, scales=2, nearest_mode="floor", **HALF_PIXEL),
        lambda: line(8, scales=2, **HALF_PIXEL, **TORCH),
    ),
    "fill value without crop": Pair(
        "HPM009",
        "note",
        lambda: line(8, scales=2, extrapolation_value=10.0),
        lambda: line(8, sizes=4, roi=MIDDLE, extrapolation_value=10.0, **CROP),
    ),
    "antialias at opset 13": Pair(
        "HPM010",
        "error",
        lambda: line(8, sizes=4, opset=13, antialias=1, **HALF_PIXEL),
        lambda: line(8, sizes=4, opset=18, antialias=1, **HALF_PIXEL),
    ),
    "half_pixel_symmetric at opset 18": Pair(
        "HPM010",
        "warning",
        lambda: line(8, sizes=4, opset=18, mode="linear", coordinate_transformation_mode="half_pixel_symmetric"),
        lambda: line(8, sizes=4, opset=19, mode="linear", coordinate_transformation_mode="half_pixel_symmetric"),
    ),
    "mode of SpaceToDepth at opset 13": Pair(
        "HPM010",
        "error",
        lambda: model_of(rearrange("SpaceToDepth", 13, mode="CRD")),
        lambda: model_of(rearrange("SpaceToDepth", 13)),
    ),
    "two cubics": Pair(
        "HPM011",
        "warning",
        lambda: chain(resize(mode="cubic"), resize(mode="cubic", cubic_coeff_a=-0.5)),
        lambda: chain(resize(mode="cubic"), resize(mode="cubic", cubic_coeff_a=-0.75)),
    ),
    "cubic antialias of -0.75": Pair(
        "HPM011",
        "warning",
        lambda: line(8, sizes=4, mode="cubic", antialias=1, exclude_outside=1),
        lambda: line(8, sizes=4, mode="cubic", antialias=1, exclude_outside=1, cubic_coeff_a=-0.5),
    ),
    "cubic of TensorFlow": Pair(
        "HPM011",
        "warning",
        lambda: produced_by(line(8, scales=2, mode="cubic"), "tf2onnx"),
        lambda: produced_by(line(8, scales=2, mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1), "tf2onnx"),
    ),
    "cubic of PyTorch": Pair(
        "HPM011",
        "warning",
        lambda: produced_by(line(8, scales=2, mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1), "pytorch"),
        lambda: produced_by(line(8, scales=2, mode="cubic"), "pytorch"),
    ),
    "cubic of nobody": Pair(
        "HPM011",
        "note",
        lambda: line(8, scales=2, mode="cubic", cubic_coeff_a=-0.5),
        lambda: line(8, scales=2, mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1),
    ),
    "shrinking by 4": Pair(
        "HPM012", "warning", lambda: line(64, sizes=16, **HALF_PIXEL), lambda: line(64, sizes=32, **HALF_PIXEL)
    ),
    "shrinking by 2.5": Pair(
        "HPM012",
        "warning",
        lambda: line(10, scales=0.4, **HALF_PIXEL),
        lambda: line(10, scales=0.4, antialias=1, **HALF_PIXEL),
    ),
    "shrinking 3 to 1": Pair(
        "HPM012", "warning", lambda: line(3, sizes=1, **HALF_PIXEL), lambda: line(65, sizes=32, **HALF_PIXEL)
    ),
    "asymmetric beside half_pixel": Pair(
        "HPM013",
        "warning",
        lambda: chain(resize(**HALF_PIXEL), resize(**TF_1)),
        lambda: chain(resize(**HALF_PIXEL), resize(**FLOOR)),
    ),
    "asymmetric from PyTorch": Pair(
        "HPM013",
        "warning",
        lambda: produced_by(model_of(upsample(mode="linear")), "pytorch"),
        lambda: produced_by(model_of(upsample(mode="nearest")), "pytorch"),
    ),
    "asymmetric alone": Pair("HPM013", "note", lambda: line(8, scales=2, **TF_1), lambda: line(8, scales=2, **FLOOR)),
    "scales left out at opset 11": Pair(
        "HPM014",
        "warning",
        lambda: with_input(resize(11, sizes=(1, 2, 8, 12)), 2, "", None, None),
        lambda: model_of(resize(11, sizes=(1, 2, 8, 12))),
    ),
    "empty scales at opset 13": Pair(
        "HPM014",
        "warning",
        lambda: with_input(resize(13, sizes=(1, 2, 8, 12)), 2, "scales", [], np.float32),
        lambda: model_of(resize(13, sizes=(1, 2, 8, 12))),
    ),
    "empty roi at opset 13": Pair(
        "HPM014",
        "note",
        lambda: with_input(resize(13), 1, "roi", [], np.float32),
        lambda: model_of(resize(12)),
    ),
    "baked-in sizes": Pair(
        "HPM015",
        "warning",
        lambda: behind_a_relu(resize(sizes=(1, 2, 8, 12), x_shape=(1, 2, "H", "W"))),
        lambda: behind_a_relu(resize(sizes=(1, 2, 8, 12), x_shape=(1, 2, 4, 6))),
    ),
    "baked-in batch": Pair(
        "HPM015",
        "warning",
        lambda: model_of(resize(sizes=(1, 2, 8, 12), x_shape=("N", 2, 4, 6))),
        lambda: model_of(resize(sizes=(8, 12), axes=(2, 3), x_shape=("N", 2, 4, 6))),
    ),
    "pictures to one size": Pair(
        "HPM015",
        "note",
        lambda: model_of(resize(sizes=(1, 2, 8, 12), x_shape=(1, 2, "H", "W"))),
        lambda: model_of(resize(sizes="computed", x_shape=(1, 2, "H", "W"))),
    ),
    "float16 scales": Pair(
        "HPM016",
        "error",
        lambda: with_input(resize(13), 2, "scales", [1, 1, 2, 2], np.float16),
        lambda: with_input(resize(13), 2, "scales", [1, 1, 2, 2], np.float32),
    ),
    "int32 sizes": Pair(
        "HPM016",
        "error",
        lambda: with_input(resize(13, sizes=(1, 2, 8, 12)), 3, "sizes", [1, 2, 8, 12], np.int32),
        lambda: with_input(resize(13, sizes=(1, 2, 8, 12)), 3, "sizes", [1, 2, 8, 12], np.int64),
    ),
    "Upsample-9": Pair("HPM017", "warning", lambda: model_of(upsample(9)), lambda: model_of(resize(10))),
    "Upsample-7": Pair("HPM017", "warning", lambda: model_of(upsample(7)), lambda: model_of(resize(11))),
    "Upsample at opset 13": Pair("HPM017", "error", lambda: model_of(upsample(13)), lambda: model_of(resize(13))),
    "DCR from PyTorch": Pair(
        "HPM018",
        "warning",
        lambda: produced_by(model_of(rearrange("DepthToSpace")), "pytorch"),
        lambda: produced_by(model_of(rearrange("DepthToSpace", mode="CRD")), "pytorch"),
    ),
    "CRD from TensorFlow": Pair(
        "HPM018",
        "warning",
        lambda: produced_by(model_of(rearrange("DepthToSpace", mode="CRD")), "tf2onnx"),
        lambda: produced_by(model_of(rearrange("DepthToSpace", mode="DCR")), "tf2onnx"),
    ),
    "two orders": Pair(
        "HPM018",
        "warning",
        lambda: chain(rearrange("SpaceToDepth"), rearrange("DepthToSpace", mode="CRD")),
        lambda: chain(rearrange("SpaceToDepth"), rearrange("DepthToSpace", mode="DCR")),
    ),
    "one channel has one order": Pair(
        "HPM018",
        "warning",
        lambda: produced_by(model_of(rearrange("DepthToSpace", x_shape=(1, 8, 2, 3))), "pytorch"),
        lambda: produced_by(model_of(rearrange("DepthToSpace", x_shape=(1, 4, 2, 3))), "pytorch"),
    ),
    "Add of another length": Pair(
        "HPM019",
        "error",
        lambda: joined(resize(x_shape=(1, 2, 4, 4)), "Add", (1, 2, 7, 7)),
        lambda: joined(resize(x_shape=(1, 2, 4, 4)), "Add", (1, 2, 8, 8)),
    ),
    "Concat behind Relu": Pair(
        "HPM019",
        "error",
        lambda: joined(resize(x_shape=(1, 2, 4, 4)), "Concat", (1, 3, 7, 8), "Relu"),
        lambda: joined(resize(x_shape=(1, 2, 4, 4)), "Concat", (1, 3, 8, 8), "Relu"),
    ),
    "Add of an open length": Pair(
        "HPM019",
        "error",
        lambda: joined(resize(x_shape=(1, 2, "H", 4)), "Add", (1, 2, "H", 8)),
        lambda: joined(resize(x_shape=(1, 2, "H", 4)), "Add", (1, 2, "G", 8)),
    ),
    "Mul that broadcasts": Pair(
        "HPM019",
        "error",
        lambda: joined(resize(x_shape=(1, 2, 4, 4)), "Mul", (2, 8, 7)),
        lambda: joined(resize(x_shape=(1, 2, 4, 4)), "Mul", (2, 1, 8)),
    ),
    "scale 0": Pair("HPM020", "error", lambda: line(8, scales=0), lambda: line(8, scales=1)),
    "both inputs": Pair(
        "HPM020",
        "error",
        lambda: model_of(resize(scales=(1, 1, 2, 2), sizes=(1, 2, 8, 12))),
        lambda: model_of(resize(sizes=(1, 2, 8, 12))),
    ),
    "channels that do not divide": Pair(
        "HPM020",
        "error",
        lambda: model_of(rearrange("DepthToSpace", x_shape=(1, 6, 2, 3))),
        lambda: model_of(rearrange("DepthToSpace", x_shape=(1, 8, 2, 3))),
    ),
    "a mode that no version has": Pair(
        "HPM020",
        "error",
        lambda: model_of(resize(mode="area", x_shape=(1, 2, "H", "W"))),
        lambda: model_of(resize(mode="linear", x_shape=(1, 2, "H", "W"))),
    ),
    "scales of another rank and open lengths": Pair(
        "HPM020",
        "error",
        lambda: model_of(resize(scales=(2, 2), x_shape=(1, 2, "H", "W"))),
        lambda: model_of(resize(scales=(2, 2), axes=(2, 3), x_shape=(1, 2, "H", "W"))),
    ),
    "neither scales nor sizes": Pair(
        "HPM020",
        "error",
        lambda: with_input(resize(x_shape=(1, 2, "H", "W")), 2, "", None, None),
        lambda: model_of(resize(scales="passed", x_shape=(1, 2, "H", "W"))),
    ),
    "crop without roi": Pair(
        "HPM020",
        "error",
        lambda: line(8, sizes=4, **CROP),
        lambda: line(8, sizes=4, roi=WHOLE, **CROP),
    ),
}
"""What each pair is about -> the pair."""

CLEAN: dict[str, Callable[[], Model]] = {
    "torch bilinear by scale": lambda: produced_by(
        line(8, scales=2, opset=20, coordinate_transformation_mode="half_pixel", **HALF_PIXEL, **TORCH), "pytorch"
    ),
    "torch bilinear by size, aligned": lambda: produced_by(line(8, sizes=13, opset=20, **ALIGNED, **TORCH), "pytorch"),
    "torch bicubic": lambda: produced_by(line(8, scales=2, opset=20, mode="cubic", **TORCH), "pytorch"),
    "torch nearest, open lengths": lambda: produced_by(
        model_of(
            resize(
                20,
                scales=(1, 1, 2, 2),
                x_shape=("N", 2, "H", "W"),
                mode="nearest",
                coordinate_transformation_mode="asymmetric",
                **TORCH,
            )
        ),
        "pytorch",
    ),
    "torch bicubic with antialias": lambda: produced_by(
        line(
            64,
            sizes=16,
            opset=20,
            mode="cubic",
            **(TORCH | {"antialias": 1, "exclude_outside": 1, "cubic_coeff_a": -0.5}),
        ),
        "pytorch",
    ),
    "torch bilinear with antialias": lambda: produced_by(
        line(64, sizes=16, opset=20, **HALF_PIXEL, **(TORCH | {"antialias": 1, "exclude_outside": 1})), "pytorch"
    ),
    "older torch, opset 11": lambda: produced_by(
        line(
            8,
            scales=2,
            opset=11,
            mode="linear",
            coordinate_transformation_mode="pytorch_half_pixel",
            cubic_coeff_a=-0.75,
            nearest_mode="floor",
        ),
        "pytorch",
    ),
    "torch pixel_shuffle": lambda: produced_by(model_of(rearrange("DepthToSpace", mode="CRD")), "pytorch"),
    "tf2onnx depth_to_space": lambda: produced_by(model_of(rearrange("DepthToSpace", mode="DCR")), "tf2onnx"),
    "Paddle, opset 12": lambda: model_of(
        resize(12, scales=(1, 1, 8, 8), x_shape=("N", 3, "H", "W"), mode="nearest", **FLOOR)
    ),
    "computed sizes": lambda: model_of(resize(sizes="computed", x_shape=("N", 2, "H", "W"), **HALF_PIXEL)),
    "sizes of two axes": lambda: model_of(resize(sizes=(8, 12), axes=(2, 3), x_shape=("N", 2, 4, 6), **HALF_PIXEL)),
    "crop by sizes": lambda: line(8, sizes=4, roi=MIDDLE, extrapolation_value=10.0, **CROP),
    "policy by sizes": lambda: model_of(
        resize(sizes=(8, 8), axes=(2, 3), keep_aspect_ratio_policy="not_larger", **HALF_PIXEL)
    ),
    "skip connection": lambda: joined(resize(x_shape=(1, 2, 4, 4), **HALF_PIXEL), "Add", (1, 2, 8, 8)),
    "SpaceToDepth": lambda: model_of(rearrange("SpaceToDepth")),
    "asymmetric averages that copy": lambda: model_of(resize(scales=(1, 1, 1, 1), **TF_1)),
    "all defaults": lambda: model_of(resize(13)),
}
"""Models without traps, as exporters and people write them."""
