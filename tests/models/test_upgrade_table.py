"""The table of conversions against the oracles: what an old node gives is what its conversion gives, exactly."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from halfpixel.models.refusals import ChoiceError, NoEqualError
from halfpixel.models.upgrade.forms import Bounded, Fixed, Given, OldNode, Operand, Spread, Step, Taken
from halfpixel.models.upgrade.reading import as_today
from halfpixel.models.upgrade.writing import as_version
from tests.oracles.lengths import RefusedError
from tests.oracles.nodes import run_node
from tests.oracles.rounding import element_of
from tests.parity.random_nodes import Node, random_asymmetric, random_resize

RESIZE_INPUTS = ("X", "roi", "scales", "sizes")


def old_of(node: Node, known_shape: bool = True) -> tuple[OldNode, dict[str, Any]]:
    """The node for the table, and its inputs by name."""
    names = ("X", "scales") if node.op_type == "Upsample" or node.version == 10 else RESIZE_INPUTS
    given = {
        name: np.ascontiguousarray(value)
        for name, value in zip(names, node.inputs, strict=False)
        if value is not None and (name == "X" or value.size)
    }
    x = given["X"]
    inputs = {name: tuple(value.tolist()) for name, value in given.items() if name != "X"}
    shape = x.shape if known_shape else None
    return OldNode(node.op_type, node.version, node.attributes, inputs, shape, element_of(x)), given


def value_of(operand: Operand | None, given: dict[str, Any], name: str, x: Any) -> Any:
    """What an operand is when the model runs."""
    if operand is None:
        return None
    if isinstance(operand, Given):
        return given[operand.name]
    if isinstance(operand, Fixed):
        return np.array(operand.values, {"sizes": np.int64, "scales": np.float32}.get(name, given.get(name, x).dtype))
    value = given[operand.name]
    if isinstance(operand, Bounded):
        return np.maximum(value, 1) if operand.bound == "Max" else np.minimum(value, 1)
    unlisted: list[Any] = {"sizes": list(x.shape), "scales": [1.0] * operand.rank}.get(name, [0.0] * operand.rank)
    if name == "roi":
        unlisted = unlisted + [1.0] * operand.rank
    halves = len(unlisted) // operand.rank
    for half in range(halves):
        for place, axis in enumerate(operand.axes):
            unlisted[half * operand.rank + axis] = value[half * len(operand.axes) + place]
    return np.array(unlisted, value.dtype)


def run_steps(steps: list[Step | Taken], version: int, given: dict[str, Any]) -> Any:
    """The oracles' result of converted steps, one after the other."""
    x = given["X"]
    result = None
    for step in steps:
        if isinstance(step, Taken):
            x = x.take(step.indices, step.axis)
            continue
        operands = {"roi": step.roi, "scales": step.scales, "sizes": step.sizes}
        values = {name: value_of(operand, given, name, x) for name, operand in operands.items()}
        names = ("scales",) if version < 11 else ("roi", "scales", "sizes")
        inputs = [x, *(values[name] for name in names if "scales" not in step.attributes)]
        result = run_node(step.op_type, inputs, dict(step.attributes), opset=version)
        x = result.rounded()
    return x


@pytest.mark.parametrize("index", range(240))
def test_conversions_give_what_the_old_node_gives(index: int) -> None:
    """All versions to all others, up and down; averages of one step are compared after one rounding."""
    random = Random(f"conversion {index}")
    kind = random.choice(["Resize", "Resize", "Upsample"])
    node = (
        random_asymmetric(random, "Upsample", random.choice([1, 7, 9]))
        if kind == "Upsample"
        else random_asymmetric(random, "Resize", 10)
        if random.random() < 0.4
        else random_resize(random, random.choice([11, 13, 18, 19]))
    )
    target = random.choice([10, 11, 13, 18, 19])
    old, given = old_of(node)
    try:
        expected = run_node(
            node.op_type,
            [*given.values()] if node.version < 11 else [given.get(name) for name in RESIZE_INPUTS],
            node.attributes,
            opset=node.opset,
        ).rounded()
        steps = [step if isinstance(step, Taken) else as_version(step, "Resize", target, old) for step in as_today(old)]
        got = run_steps(steps, target, given)
    except (NoEqualError, RefusedError):
        assert target <= node.version or _ended_with_13(node) or _refused_before(node, given)
        return
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    if expected.dtype.kind == "O":
        assert (got == expected).all()
    else:
        assert got.tobytes() == expected.tobytes()


def _ended_with_13(node: Node) -> bool:
    return node.attributes.get("coordinate_transformation_mode") == "tf_half_pixel_for_nn"


def _refused_before(node: Node, given: dict[str, Any]) -> bool:
    """True if the old node itself is refused (a roi of negative length, say)."""
    names = ("X", "scales") if node.version < 11 else RESIZE_INPUTS
    try:
        run_node(node.op_type, [given.get(name) for name in names], node.attributes, opset=node.opset)
    except RefusedError:
        return True
    return False


def asymmetric(nearest_mode: str, **operands: Any) -> Step:
    """A nearest step in the coordinates of version 10."""
    attributes = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": nearest_mode}
    return Step(attributes, **operands)


def test_upsample_of_each_version() -> None:
    linear = {"mode": "linear", "coordinate_transformation_mode": "asymmetric"}
    one = OldNode("Upsample", 1, {"mode": "bilinear", "height_scale": 2.0, "width_scale": 3.0})
    assert as_today(one) == [Step(linear, scales=Fixed((1.0, 1.0, 2.0, 3.0)))]
    assert as_today(OldNode("Upsample", 7, {"scales": [1.0, 2.5]})) == [asymmetric("floor", scales=Fixed((1.0, 2.5)))]
    nine = OldNode("Upsample", 9, {"mode": "linear"}, {"scales": None})
    assert as_today(nine) == [Step(linear, scales=Given("scales"))]
    # The scales of an Upsample are 1 or more, also those that only the run knows.
    assert as_today(OldNode("Upsample", 9, {}, {"scales": None})) == [asymmetric("floor", scales=Given("scales"))]


def test_nearest_of_version_10_takes_a_step_for_each_direction() -> None:
    def converted(scales: tuple[float, ...], shape: tuple[int | None, ...] | None = None) -> list[Any]:
        return as_today(OldNode("Resize", 10, {}, {"scales": scales}, shape))

    assert converted((1.0, 2.0)) == [asymmetric("floor", scales=Given("scales"))]
    assert converted((1.0, 0.5)) == [asymmetric("ceil", scales=Given("scales"))]
    both = [asymmetric("ceil", scales=Fixed((0.4, 1.0))), asymmetric("floor", scales=Fixed((1.0, 2.0)))]
    assert converted((0.4, 2.0)) == both
    assert converted((0.4, 2.0), (5, 2)) == both
    # One sample is all that an axis of length 1 has, rounded up or down.
    assert converted((0.4, 2.0), (5, 1)) == [asymmetric("ceil", scales=Given("scales"))]
    # 4 x 0.5: samples 0 and 2 either way; one node serves.
    assert converted((0.5, 2.0), (4, 2)) == [asymmetric("floor", scales=Given("scales"))]


def test_a_step_that_keeps_every_length_is_a_gather() -> None:
    """3 x 1.2 stays 3 with the samples 0, 0, 1; onnxruntime takes a Resize that keeps all lengths for a copy."""
    steps = as_today(OldNode("Resize", 10, {}, {"scales": (0.4, 1.2)}, (5, 3)))
    assert steps == [asymmetric("ceil", scales=Fixed((0.4, 1.0))), Taken(1, (0, 0, 1))]


@pytest.mark.parametrize(
    ("assume", "expected"),
    [
        ("grow", [asymmetric("floor", scales=Given("scales"))]),
        ("shrink", [asymmetric("ceil", scales=Given("scales"))]),
        (
            "either",
            [
                asymmetric("ceil", scales=Bounded("scales", "Min")),
                asymmetric("floor", scales=Bounded("scales", "Max")),
            ],
        ),
    ],
)
def test_scales_of_the_run_need_a_choice(assume: str, expected: list[Step]) -> None:
    old = OldNode("Resize", 10, {}, {"scales": None})
    with pytest.raises(ChoiceError, match="known only when the model runs"):
        as_today(old)
    assert as_today(old, assume) == expected
    assert as_today(OldNode("Resize", 10, {"mode": "linear"}, {"scales": None}))[0] == Step(
        {"mode": "linear", "coordinate_transformation_mode": "asymmetric"}, scales=Given("scales")
    )


@pytest.mark.parametrize(
    ("nearest_mode", "expected"), [("floor", "round_prefer_ceil"), ("round_prefer_floor", "ceil"), (None, "ceil")]
)
def test_tf_half_pixel_for_nn_is_half_pixel_with_another_rounding(nearest_mode: str | None, expected: str) -> None:
    attributes = {"coordinate_transformation_mode": "tf_half_pixel_for_nn"}
    if nearest_mode is not None:
        attributes["nearest_mode"] = nearest_mode
    old = OldNode("Resize", 13, attributes, {"scales": (2.0,)}, (4,))
    assert written(old, 18).attributes == {"coordinate_transformation_mode": "half_pixel", "nearest_mode": expected}


def written(old: OldNode, version: int) -> Step:
    """The one step of a node in the words of a version."""
    (step,) = as_today(old)
    assert isinstance(step, Step)
    return as_version(step, "Resize", version, old)


REFUSED: list[tuple[int, dict[str, Any], dict[str, Any], Any, str]] = [
    (
        18,
        {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "mode": "linear"},
        {"scales": (2.0,)},
        (4,),
        "tf_h",
    ),
    (
        18,
        {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "ceil"},
        {"scales": (2.0,)},
        (4,),
        "none of its nearest modes",
    ),
    (18, {"coordinate_transformation_mode": "half_pixel_symmetric"}, {"scales": (0.6,)}, (4,), "whole number"),
    (13, {"antialias": 1, "mode": "linear"}, {"scales": (0.5,)}, (4,), "no antialias"),
    (13, {"keep_aspect_ratio_policy": "not_larger"}, {"sizes": (3, 5)}, (4, 5), "no quotient of lengths"),
    (13, {"keep_aspect_ratio_policy": "not_larger"}, {"sizes": None}, (4, 4), "known only at run time"),
    (13, {"axes": [-1]}, {"scales": (2.0,)}, None, "rank of the input"),
    (10, {"coordinate_transformation_mode": "half_pixel"}, {"scales": (2.0,)}, (4,), "'asymmetric'"),
    (10, {"coordinate_transformation_mode": "asymmetric"}, {"scales": (2.0,)}, (4,), "'round_prefer_floor'"),
    (10, {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, {"sizes": (5,)}, (3,), "float32"),
    (10, {"coordinate_transformation_mode": "asymmetric", "mode": "cubic"}, {"scales": (2.0,)}, (4,), "mode 'cubic'"),
    (
        10,
        {"coordinate_transformation_mode": "asymmetric", "mode": "cubic", "exclude_outside": 1},
        {"scales": (2.0,)},
        (4,),
        "exclude_outside",
    ),
]


@pytest.mark.parametrize(("version", "attributes", "inputs", "shape", "reason"), REFUSED)
def test_what_a_version_cannot_say_is_refused(
    version: int, attributes: dict[str, Any], inputs: dict[str, Any], shape: Any, reason: str
) -> None:
    old = OldNode("Resize", 19, attributes, inputs, shape, "float32")
    with pytest.raises(NoEqualError, match=reason):
        written(old, version)


def test_an_element_type_that_a_version_lacks_is_refused() -> None:
    old = OldNode("Resize", 13, {}, {"scales": (2.0,)}, (4,), "bfloat16")
    with pytest.raises(NoEqualError, match="Resize-11 does not take bfloat16"):
        as_version(Step({}, scales=Given("scales")), "Resize", 11, old)


def test_neither_or_both_of_scales_and_sizes_is_refused() -> None:
    for inputs, words in (({}, "neither"), ({"scales": (2.0,), "sizes": (4,)}, "both")):
        with pytest.raises(NoEqualError, match=words):
            as_today(OldNode("Resize", 13, {}, inputs, (2,)))


def test_axes_are_spread_over_the_rank() -> None:
    old = OldNode("Resize", 18, {"axes": [-1, 0]}, {"scales": (2.0, 3.0)}, (4, None, 5))
    assert written(old, 13) == Step({}, scales=Fixed((3.0, 1.0, 2.0)))
    sizes = OldNode("Resize", 18, {"axes": [-1]}, {"sizes": (7,)}, (4, None, 5))
    assert written(sizes, 13).sizes == Spread("sizes", (2,), 3)
    crop = {"axes": [-1], "coordinate_transformation_mode": "tf_crop_and_resize"}
    old = OldNode("Resize", 18, crop, {"scales": (2.0,), "roi": (0.25, 0.5)}, (4, 5))
    assert written(old, 13).roi == Fixed((0.0, 0.25, 1.0, 0.5))


def test_a_policy_that_changes_nothing_is_dropped() -> None:
    old = OldNode("Resize", 19, {"keep_aspect_ratio_policy": "not_larger"}, {"sizes": (8, 9)}, (4, 4))
    assert written(old, 13) == Step({}, sizes=Fixed((8, 8)))
    scales = OldNode("Resize", 18, {"keep_aspect_ratio_policy": "not_larger"}, {"scales": (2.0, 1.0)}, (4, 4))
    assert as_today(scales) == [Step({}, scales=Given("scales"))]


def test_upsample_takes_back_what_it_can_say() -> None:
    attributes = {"mode": "linear", "coordinate_transformation_mode": "asymmetric"}
    old = OldNode("Resize", 13, attributes, {"sizes": (1, 6)}, (1, 3), "float32")
    (step,) = as_today(old)
    assert isinstance(step, Step)
    nine = as_version(step, "Upsample", 9, old)
    assert nine == Step({"mode": "linear"}, scales=Fixed((1.0, 2.0)), op_type="Upsample")
    seven = as_version(step, "Upsample", 7, old)
    assert seven == Step({"mode": "linear", "scales": [1.0, 2.0]}, op_type="Upsample")
    shrinking = OldNode("Resize", 13, attributes, {"scales": (0.5,)}, (4,))
    with pytest.raises(NoEqualError, match="1 or more"):
        as_version(Step(attributes, scales=Given("scales")), "Upsample", 9, shrinking)


def test_only_the_words_of_version_10_are_read_there() -> None:
    with pytest.raises(NoEqualError, match="Resize-10 has no attribute 'nearest_mode'"):
        as_today(OldNode("Resize", 10, {"nearest_mode": "floor"}, {"scales": (2.0,)}))
    for missing in ({"height_scale": 2.0}, {}):
        with pytest.raises(NoEqualError, match="has no meaning"):
            as_today(OldNode("Upsample", 1, missing))
