"""Whole models brought to another opset: onnx's checker and onnxruntime say that nothing changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx_ir
import onnxruntime
import pytest
from onnx import TensorProto, helper

from halfpixel._errors import ModelError
from halfpixel.models.upgrade import Upgraded, upgrade
from halfpixel.onnx import Evaluator
from tests.cli.commands import halfpixel
from tests.models.builders import (
    Node,
    in_function,
    in_if,
    in_loop,
    model_of,
    rearrange,
    resize,
    tensor,
    upsample,
)

TARGETS = (11, 13, 18, 19, 28)


def session(model: onnx.ModelProto | Path) -> onnxruntime.InferenceSession:
    """The model in onnxruntime's CPU provider."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    content = str(model) if isinstance(model, Path) else model.SerializeToString()
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def data(shape: Sequence[int], seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(0, 10, shape).astype(np.float32)


def operators(model: onnx.ModelProto) -> list[str]:
    """The operators of the main graph without constants."""
    return [node.op_type for node in model.graph.node if node.op_type != "Constant"]


def checked(result: Upgraded) -> onnx.ModelProto:
    """The new model after onnx's full check; no runtime has seen a difference."""
    proto = result.model.proto()
    onnx.checker.check_model(proto, full_check=True)
    assert [(entry.domain, entry.version) for entry in proto.opset_import if not entry.domain] == [("", result.opset)]
    assert proto.ir_version >= helper.find_min_ir_version_for([helper.make_opsetid("", result.opset)], True)
    assert result.equal
    assert all(change.proof.compared for change in result.changes)
    return proto


OLD: list[tuple[str, Callable[[], Node]]] = [
    ("Upsample-7 nearest", lambda: upsample(7, scales=(1, 1, 1.5, 3), mode="nearest")),
    ("Upsample-7 linear", lambda: upsample(7, scales=(1, 1, 2, 1.7), mode="linear")),
    ("Upsample-9 nearest", lambda: upsample(9, scales=(1, 1, 1.3, 2.6), mode="nearest")),
    ("Upsample-9 linear", lambda: upsample(9, scales=(1, 1, 2, 3), mode="linear")),
    ("Upsample-9 computed", lambda: upsample(9, scales="computed")),
    ("Upsample-9 passed", lambda: upsample(9, scales="passed")),
    ("Resize-10 grows", lambda: resize(10, scales=(1, 1, 2.3, 1.2), mode="nearest")),
    ("Resize-10 shrinks", lambda: resize(10, scales=(1, 1, 0.6, 0.7), mode="nearest")),
    ("Resize-10 both", lambda: resize(10, scales=(1, 1, 0.6, 1.7), mode="nearest")),
    ("Resize-10 keeps the length", lambda: resize(10, scales=(1, 1, 0.4, 1.1), mode="nearest", x_shape=(1, 2, 5, 6))),
    ("Resize-10 linear", lambda: resize(10, scales=(1, 1, 0.6, 1.7), mode="linear")),
    ("Resize-11 sizes", lambda: resize(11, sizes=(1, 2, 5, 9), mode="cubic")),
    ("Resize-11 crop", lambda: resize(11, sizes=(1, 2, 3, 3), roi=(0, 0, 0.2, 0.4, 1, 1, 0.8, 1.4), mode="linear",
                                      coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=7.0)),
    ("Resize-13 tf_half_pixel_for_nn", lambda: resize(13, scales=(1, 1, 2, 0.6), nearest_mode="floor",
                                                      coordinate_transformation_mode="tf_half_pixel_for_nn")),
    ("Resize-13 passed", lambda: resize(13, sizes="passed", mode="linear")),
    ("Resize-18 antialias", lambda: resize(18, scales=(0.5, 0.6), axes=[2, 3], antialias=1, mode="cubic")),
]  # fmt: skip


@pytest.mark.parametrize("opset", TARGETS)
@pytest.mark.parametrize("make", [make for _, make in OLD], ids=[name for name, _ in OLD])
def test_onnxruntime_gives_the_old_numbers(make: Callable[[], Node], opset: int) -> None:
    built = make()
    if built.opset > opset:
        return
    old = model_of(built)
    new = checked(upgrade(old, opset=opset))
    x = data([int(n or 0) for n in built.x_shape])
    feeds = {"X": x}
    if built.inputs:
        feeds |= {"scales": np.array([1, 1, 2, 1.5], np.float32)} if "scales" in built.inputs else {}
        feeds |= {"sizes": np.array([1, 2, 3, 11])} if "sizes" in built.inputs else {}
    expected, got = (session(model).run(None, feeds)[0] for model in (old, new))
    assert got.tobytes() == expected.tobytes()
    assert "Upsample" not in operators(new)


def test_the_numbers_of_upsample_are_those_that_a_person_can_check() -> None:
    """1 2 3 doubled is 1 1 2 2 3 3, linear 1 1.5 2 2.5 3 3: onnx's own converter would make 1 1.25 1.75 of it."""
    for mode, expected in (("nearest", [1, 1, 2, 2, 3, 3]), ("linear", [1, 1.5, 2, 2.5, 3, 3])):
        new = checked(upgrade(model_of(upsample(9, scales=(1, 1, 1, 2), x_shape=(1, 1, 1, 3), mode=mode)), opset=19))
        x = np.array([[[[1, 2, 3]]]], np.float32)
        assert session(new).run(None, {"X": x})[0].ravel().tolist() == expected


def test_upsample_1_which_no_runtime_has() -> None:
    result = upgrade(model_of(upsample(1, scales=(1, 1, 2, 3), mode="bilinear", x_shape=(1, 1, 1, 2))), opset=19)
    new = checked(result)
    (outcome, theirs) = result.changes[0].proof.outcomes
    assert (outcome.runtime, outcome.equal, theirs.inputs) == ("halfpixel", True, 0)
    y = session(new).run(None, {"X": np.array([[[[0, 3]]]], np.float32)})[0]
    assert y.tolist() == [[[[0, 1, 2, 3, 3, 3]] * 2]] or np.allclose(y[0, 0, 0], [0, 1, 2, 3, 3, 3], atol=1e-6)


def test_nearest_that_grows_and_shrinks_becomes_two_nodes() -> None:
    result = upgrade(model_of(resize(10, scales=(1, 1, 0.6, 1.7))), opset=13)
    assert result.changes[0].after == ("Resize-13", "Resize-13")
    nodes = [node for node in checked(result).graph.node if node.op_type == "Resize"]
    modes = [[attribute.s for attribute in node.attribute if attribute.name == "nearest_mode"] for node in nodes]
    assert modes == [[b"ceil"], [b"floor"]]


def test_scales_of_the_run_need_a_choice() -> None:
    model = model_of(resize(10, scales="passed"))
    with pytest.raises(ModelError, match="needs a choice that only you can make") as caught:
        upgrade(model, opset=19)
    assert caught.value.code == "HP436"
    assert "--assume grow" in caught.value.do
    assert "Resize#1" in caught.value.given
    x = data((1, 2, 4, 6))
    for assume, scales in (("grow", (1, 1, 2, 1.5)), ("shrink", (1, 1, 0.5, 0.7)), ("either", (1, 1, 0.6, 1.7))):
        new = checked(upgrade(model, opset=19, assume=assume))
        feeds = {"X": x, "scales": np.array(scales, np.float32)}
        expected, got = (session(one).run(None, feeds)[0] for one in (model, new))
        assert got.tobytes() == expected.tobytes()
        assert operators(new).count("Resize") == (2 if assume == "either" else 1)


def test_words_and_opsets_that_are_none() -> None:
    model = model_of(upsample(9))
    with pytest.raises(ModelError, match="not a word for what scales do") as word:
        upgrade(model, assume="both")
    assert word.value.code == "HP442"
    for opset in (6, 1000, True, "19"):
        with pytest.raises(ModelError, match="are not brought to opset") as number:
            upgrade(model, opset=opset)  # type: ignore[arg-type]
        assert number.value.code == "HP438"


def test_rearrangements_in_every_direction() -> None:
    x = data((1, 8, 2, 3))
    for mode in ("DCR", "CRD"):
        old = model_of(rearrange("DepthToSpace", 13, mode=mode))
        expected = session(old).run(None, {"X": x})[0]
        for opset in (11, 19, 28):
            new = checked(upgrade(old, opset=opset))
            assert operators(new) == ["DepthToSpace"]
            got = np.asarray(Evaluator(new).run(None, {"X": x})[0])
            assert got.tobytes() == expected.tobytes()
    # Before 28 SpaceToDepth has no CRD: a Reshape, a Transpose and a Reshape say it.
    crd = model_of(rearrange("SpaceToDepth", 28, mode="CRD"))
    result = upgrade(crd, opset=19)
    assert result.changes[0].after == ("Reshape", "Transpose", "Reshape")
    y = session(checked(result)).run(None, {"X": np.arange(48, dtype=np.float32).reshape(1, 2, 4, 6)})[0]
    assert y[0, :, 0, 0].tolist() == [0, 1, 6, 7, 24, 25, 30, 31]


@pytest.mark.parametrize("wrap", [in_if, in_loop, in_function])
def test_subgraphs_and_functions(wrap: Callable[[Node], onnx.ModelProto]) -> None:
    # If-1 wants both branches to have the same lengths, so that none are told.
    old = wrap(upsample(9, scales=(1, 1, 2, 1.5), mode="linear", x_shape=(1, 2, None, None)))
    if wrap is not in_function:
        old.ir_version = 8
    result = upgrade(old, opset=19)
    assert [(change.before, change.after) for change in result.changes] == [("Upsample-9", ("Resize-19",))]
    assert result.changes[0].scope != ()
    new = checked(result)
    feeds = {"X": data((1, 2, 4, 6))} | ({"condition": np.array(True)} if wrap is in_if else {})
    expected, got = (session(model).run(None, feeds)[0] for model in (old, new))
    assert got.tobytes() == expected.tobytes()
    assert all(entry.version == 19 for one in new.functions for entry in one.opset_import if not entry.domain)


def test_an_attribute_of_the_function_stays_one() -> None:
    built = resize(11, scales=(1, 1, 2, 2), mode="linear")
    del built.node.attribute[:]
    old = in_function(built, references={"mode": None})
    new = checked(upgrade(old, opset=19))
    (node,) = [node for node in new.functions[0].node if node.op_type == "Resize"]
    assert [(one.name, one.ref_attr_name) for one in node.attribute] == [("mode", "mode")]
    x = data((1, 2, 4, 6))
    expected, got = (session(model).run(None, {"X": x})[0] for model in (old, new))
    assert got.tobytes() == expected.tobytes()


def test_an_attribute_of_the_function_that_decides_is_refused() -> None:
    built = upsample(9)
    del built.node.attribute[:]
    with pytest.raises(ModelError, match="inline the function first") as caught:
        upgrade(in_function(built, references={"mode": "nearest"}), opset=19)
    assert caught.value.code == "HP435"


def test_external_data_stays_outside(tmp_path: Path) -> None:
    weights = tensor("w", data((1, 2, 32, 16), 1), np.float32)
    model = with_others(9, [
        helper.make_node("Upsample", ["x", "s"], ["grown"], mode="linear"),
        helper.make_node("Add", ["grown", "w"], ["y"]),
    ], [tensor("s", (1, 1, 8, 8 / 3), np.float32), weights])  # fmt: skip
    path, out = tmp_path / "old.onnx", tmp_path / "new" / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="weights.bin")
    out.parent.mkdir()
    assert upgrade(path, out, opset=19).equal
    stored = onnx.load(out, load_external_data=False).graph.initializer
    assert [one.data_location for one in stored if one.name == "w"] == [TensorProto.EXTERNAL]
    onnx.checker.check_model(str(out), full_check=True)
    x = data((1, 2, 4, 6))
    expected, got = (session(one).run(None, {"x": x})[0] for one in (path, out))
    assert got.tobytes() == expected.tobytes()


def with_others(
    opset: int, nodes: Sequence[onnx.NodeProto], initializers: Sequence[TensorProto] = ()
) -> onnx.ModelProto:
    """A model from x (1, 2, 4, 6) to y of rank 4."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2, 4, 6])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * 4)
    graph = helper.make_graph(nodes, "main", [x], [y], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def test_other_nodes_go_through_onnx_s_converter() -> None:
    old = with_others(9, [
        helper.make_node("Pad", ["x"], ["padded"], pads=[0, 0, 1, 1, 0, 0, 1, 1], mode="reflect"),
        helper.make_node("Upsample", ["padded", "s"], ["grown"], mode="linear"),
        helper.make_node("Clip", ["grown"], ["clipped"], min=-5.0, max=5.0),
        helper.make_node("Unsqueeze", ["clipped"], ["five"], axes=[0]),
        helper.make_node("Squeeze", ["five"], ["four"], axes=[0]),
        helper.make_node("Softmax", ["four"], ["y"], axis=1),
    ], [tensor("s", (1, 1, 2, 2), np.float32)])  # fmt: skip
    result = upgrade(old, opset=19)
    new = checked(result)
    assert result.others == 5
    x = data((1, 2, 4, 6))
    expected, got = (session(one).run(None, {"x": x})[0] for one in (old, new))
    assert np.abs(expected - got).max() <= 1e-6


def test_a_node_that_onnx_cannot_convert_is_named() -> None:
    old = with_others(19, [
        helper.make_node("Mish", ["x"], ["m"], name="mish"),
        helper.make_node("Identity", ["m"], ["y"]),
    ])  # fmt: skip
    with pytest.raises(ModelError, match="cannot bring every node there") as caught:
        upgrade(old, opset=13)
    assert caught.value.code == "HP437"
    assert "mish" in caught.value.given


def test_a_downgrade_that_cannot_be_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out.onnx"
    with pytest.raises(ModelError, match="opset 13 cannot say what the model says") as caught:
        upgrade(model_of(resize(18, scales=(1, 1, 0.5, 0.5), mode="linear", antialias=1)), out, opset=13)
    assert caught.value.code == "HP435"
    assert "antialias" in caught.value.given
    assert not out.exists()


def test_axes_of_a_known_rank_are_spread_downwards() -> None:
    x = data((1, 2, 4, 6))
    for built in (
        resize(18, scales=(2, 1.5), axes=[-1, 2], mode="linear"),
        resize(18, sizes=(5, 9), axes=[2, 3], mode="linear", x_shape=(None, 2, None, None)),
    ):
        old = model_of(built)
        new = checked(upgrade(old, opset=13))
        expected, got = (session(one).run(None, {"X": x})[0] for one in (old, new))
        assert got.tobytes() == expected.tobytes()
        assert not any(
            one.name == "axes" for node in new.graph.node if node.op_type == "Resize" for one in node.attribute
        )


def test_a_roi_of_the_run_is_spread_over_the_rank() -> None:
    crop = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize", "axes": [3, 2]}
    node = helper.make_node("Resize", ["x", "roi", "", "sizes"], ["y"], **crop)
    old = with_others(18, [node], [tensor("sizes", [5, 3], np.int64)])
    old.graph.input.append(helper.make_tensor_value_info("roi", TensorProto.FLOAT, [4]))
    new = checked(upgrade(old, opset=13))
    feeds = {"x": data((1, 2, 4, 6)), "roi": np.array([0.25, 0, 0.75, 0.5], np.float32)}
    expected, got = (np.asarray(Evaluator(one).run(None, feeds)[0]) for one in (old, new))
    assert got.shape == (1, 2, 3, 5)
    assert got.tobytes() == expected.tobytes()


def test_the_source_is_left_as_it_is() -> None:
    model = model_of(upsample(9))
    before = model.SerializeToString()
    upgrade(model, opset=19)
    assert model.SerializeToString() == before
    held = onnx_ir.from_proto(model)
    upgrade(held, opset=19)
    assert [node.op_type for node in held.graph] == ["Upsample"]
    assert held.opset_imports == {"": 9}


def test_a_result_that_the_checker_refuses_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: Any) -> Any:
        raise onnx.checker.ValidationError("planted")

    out = tmp_path / "out.onnx"
    model = model_of(upsample(9))
    calls: list[int] = []

    def check(proto: Any, full_check: bool = False) -> None:
        calls.append(1)
        if len(calls) == 1:
            damaged()

    monkeypatch.setattr(onnx.checker, "check_model", check)
    with pytest.raises(ModelError, match="refuses the rewritten model") as caught:
        upgrade(model, out)
    assert caught.value.code == "HP441"
    assert not out.exists()


def test_a_wrong_conversion_is_found_and_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Convert as onnx's converter does, leaving half_pixel: the proof must see it."""
    from halfpixel.models.upgrade import sites
    from halfpixel.models.upgrade.forms import Given, Step

    monkeypatch.setattr(sites, "as_today", lambda old, assume: [Step({"mode": "linear"}, scales=Given("scales"))])
    out = tmp_path / "out.onnx"
    with pytest.raises(ModelError, match="other numbers than the old one") as caught:
        upgrade(model_of(upsample(9, mode="linear")), out)
    assert caught.value.code == "HP440"
    assert not out.exists()


def test_the_command(tmp_path: Path) -> None:
    source, out = tmp_path / "old.onnx", tmp_path / "new.onnx"
    onnx.save(model_of(upsample(9, scales=(1, 1, 2, 1.5), name="grow")), source)
    ran = halfpixel("upgrade", source, out, "--opset", "18")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"{source}: opset 9 -> {out}: opset 18" in ran.stdout
    assert "grow   Upsample-9   Resize-18   equal" in ran.stdout
    assert "the whole model: halfpixel: equal" in ran.stdout
    as_json = json.loads(halfpixel("upgrade", source, out, "--opset", "19", "--json").stdout)
    assert as_json["changes"][0]["after"] == ["Resize-19"]
    assert as_json["equal"] is True
    assert [one["runtime"] for one in as_json["changes"][0]["proof"]["runtimes"]] == ["halfpixel", "onnxruntime"]


def test_the_command_refuses(tmp_path: Path) -> None:
    source, out = tmp_path / "old.onnx", tmp_path / "new.onnx"
    onnx.save(model_of(resize(10, scales="passed")), source)
    ran = halfpixel("upgrade", source, out)
    assert ran.returncode == 3
    assert "[HP436]" in ran.stderr
    assert not out.exists()
    assert halfpixel("upgrade", source, out, "--assume", "grow").returncode == 0
    assert out.exists()


def test_a_node_that_breaks_its_own_rules_is_refused() -> None:
    for built, words in (
        (upsample(9, scales=(1, 1, 0.5, 0.5)), "only grows"),
        (resize(10, scales=(2, 2)), "'scales' has 2 values for 4 axes"),
    ):
        with pytest.raises(ModelError, match="cannot say what the model says") as caught:
            upgrade(model_of(built), opset=19)
        assert words in caught.value.given


def test_data_that_is_too_large_is_proved_with_shorter_lengths() -> None:
    result = upgrade(model_of(resize(10, scales=(1, 1, 2, 2), x_shape=(1, 1, 100_000, 100_000))), opset=19)
    (change,) = result.changes
    assert change.proof.compared
    assert change.proof.equal
    assert result.proof.outcomes[1].words() == "onnxruntime: not compared (its inputs are too large, or not known)"


def test_models_without_our_operators() -> None:
    old = with_others(9, [helper.make_node("Relu", ["x"], ["y"])])
    result = upgrade(old, opset=19)
    assert (result.changes, operators(checked(result))) == ((), ["Relu"])


def test_the_default_domain_by_its_other_name() -> None:
    old = model_of(upsample(9, scales=(1, 1, 2, 2)))
    old.opset_import[0].domain = old.graph.node[0].domain = "ai.onnx"
    assert operators(checked(upgrade(old, opset=19))) == ["Resize"]
