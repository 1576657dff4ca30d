"""`halfpixel.models.check`: every rule finds its trap, and says nothing of the twin."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halfpixel import ModelError
from halfpixel.models import check, load
from halfpixel.models.check import RULES, Finding, check_model

from .builders import Node, in_function, in_if, model_of, rearrange, resize, upsample
from .check_models import CLEAN, FLOOR, HALF_PIXEL, PAIRS, TORCH, line

pytestmark = [pytest.mark.needs("module:onnx"), pytest.mark.needs("module:onnx_ir")]


def found(model: Any, **options: Any) -> list[tuple[str, str]]:
    """Rule and severity of each finding."""
    return [(finding.rule, finding.severity) for finding in check(model, **options)]


@pytest.mark.parametrize("name", PAIRS)
def test_the_trap_is_found(name: str) -> None:
    pair = PAIRS[name]
    assert (pair.rule, pair.severity) in found(pair.trap())


@pytest.mark.parametrize("name", PAIRS)
def test_the_twin_is_silent(name: str) -> None:
    pair = PAIRS[name]
    assert pair.rule not in [rule for rule, _ in found(pair.twin())]


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_model_is_silent(name: str) -> None:
    assert found(CLEAN[name]()) == []


def test_every_rule_has_a_pair() -> None:
    """Those about targets have their own tests below."""
    assert {pair.rule for pair in PAIRS.values()} == set(RULES) - {"HPM021", "HPM022"}


def only(model: Any, rule: str, **options: Any) -> Finding:
    """The one finding of a rule."""
    (finding,) = [one for one in check(model, **options) if one.rule == rule]
    return finding


def test_lengths_in_numbers() -> None:
    finding = only(line(10, scales=0.7), "HPM001")
    assert finding.sentence == "the output length of axis 3 is 6 by the exact product, 7 by that in float32"
    assert finding.given == "10 * 0.7 = 6.99999988, in float32 7"
    assert finding.page == "docs/rules/HPM001.md"


def test_lengths_of_an_open_axis_name_the_first_length() -> None:
    assert only(line("W", scales=0.7), "HPM001").sentence.startswith("for 10 samples, and others, the output length")


def test_roi_lengths_in_numbers() -> None:
    finding = only(PAIRS["roi and scales"].trap(), "HPM002")
    assert "output shape [1, 1, 1, 6] by the text, [1, 1, 1, 12] in other runtimes" in finding.given


def test_align_corners_in_numbers() -> None:
    # 1 * 3 / 1.4 = 2.142857: the last of the outputs of the standard's example, 1 and 3.142857, counted from 1.
    finding = only(PAIRS["align_corners of 2.4"].trap(), "HPM003")
    assert "has the fractional length 2.4: the last output sample lies at 2.142857, not at 3" in finding.sentence


def test_ties_in_numbers() -> None:
    finding = only(PAIRS["14 to 2 by floor"].trap(), "HPM004")
    assert finding.given == "14 to 2 samples: output 1 lies at 7 and takes input 7, in float32 input 6"
    assert "1 of 2 output samples" in finding.sentence


def test_shift_in_numbers() -> None:
    assert "scale 2: 0.25 input samples apart" in only(PAIRS["asymmetric alone"].trap(), "HPM013").given


def test_join_in_numbers() -> None:
    finding = only(PAIRS["Add of another length"].trap(), "HPM019")
    assert finding.sentence == "Add join joins the result with a tensor of another length on axis 2"
    assert finding.given == "result [1, 2, 8, 8], other [1, 2, 7, 7]"


def test_join_of_a_named_length() -> None:
    finding = only(PAIRS["Add of an open length"].trap(), "HPM019")
    assert finding.given == "result [1, 2, 2 * H, 8], other [1, 2, H, 8]"


def test_a_broken_rule_has_the_words_of_the_operator() -> None:
    finding = only(PAIRS["channels that do not divide"].trap(), "HPM020")
    assert finding.sentence.endswith("[HP125]")
    assert "(1, 6, 2, 3)" in finding.given


def test_a_broken_rule_with_open_lengths_names_them() -> None:
    finding = only(PAIRS["scales of another rank and open lengths"].trap(), "HPM020")
    assert finding.given == "scales=[2.0, 2.0], X of shape (1, 2, H, W)"


def test_nodes_in_subgraphs_and_functions() -> None:
    built: Node = resize(name="up", antialias=1)
    (inside,) = check(in_if(built))
    assert (inside.rule, inside.node, inside.scope) == ("HPM005", "up", ("If_3.then_branch",))
    (called,) = check(in_function(resize(name="up", antialias=1)))
    assert (called.rule, called.scope) == ("HPM005", ("function pkg::Grow",))


def test_findings_stand_in_the_order_of_nodes_and_rules() -> None:
    model = line(7, scales=0.6, antialias=1, exclude_outside=1, **FLOOR)
    assert [rule for rule, _ in found(model)] == ["HPM004", "HPM005", "HPM008"]


def test_ignore_leaves_a_rule_out() -> None:
    model = line(8, sizes=4, antialias=1)
    assert found(model) == [("HPM005", "warning")]
    assert found(model, ignore=["HPM005"]) == []


def refused(targets: Sequence[str], model: Any) -> list[tuple[str | None, str, str]]:
    return [(one.target, one.rule, one.severity) for one in check(model, targets=targets) if one.target]


def test_a_target_ignores_antialias() -> None:
    model = line(9, sizes=4, antialias=1, exclude_outside=1, mode="linear")
    assert refused(["openvino"], model) == [("openvino", "HPM022", "warning")]
    assert refused(["onnxruntime", "onnx-reference", "pytorch"], model) == []
    finding = only(model, "HPM022", targets=["openvino"])
    assert finding.sentence.startswith("OpenVINO ignores antialias")
    assert finding.allowed == "nodes without that (measured with OpenVINO 2026.4.1)"


def test_a_target_ignores_exclude_outside() -> None:
    model = line(8, scales=2, mode="cubic", exclude_outside=1, cubic_coeff_a=-0.5)
    assert refused(["openvino"], model) == [("openvino", "HPM022", "warning")]
    assert refused(["pytorch"], model) == [("pytorch", "HPM021", "error")] * 2


def test_a_target_that_refuses_has_no_numbers() -> None:
    model = line(4, scales=0.6, mode="nearest", antialias=1, **FLOOR)
    assert {rule for _, rule, _ in refused(["onnxruntime"], model)} == {"HPM021"}


@pytest.mark.parametrize(
    ("target", "model"),
    [
        ("tract", lambda: model_of(resize(scales="passed", x_shape=(1, 2, 4, 6)))),
        ("tensorrt", lambda: line(8, scales=2, mode="cubic")),
        ("tflite", lambda: model_of(rearrange("DepthToSpace", mode="CRD"))),
        ("onnx-reference", lambda: model_of(upsample(9, mode="linear"))),
        ("onnxruntime", lambda: model_of(resize(x_type=11))),
    ],
)
def test_what_targets_refuse(target: str, model: Any) -> None:
    assert (target, "HPM021", "error") in refused([target], model())


@pytest.mark.parametrize(
    "target", ["onnxruntime", "openvino", "onnx-reference", "pytorch", "tract", "tensorrt", "tflite"]
)
def test_what_a_target_runs_is_silent(target: str) -> None:
    assert found(line(8, scales=2, opset=19, **HALF_PIXEL, **TORCH), targets=[target]) == []


def test_a_target_that_falls_back_gives_a_warning() -> None:
    model = model_of(resize(scales=(1, 1, 2, 2), x_shape=("N", 2, "H", "W"), mode="linear"))
    assert refused(["coreml"], model) == [("coreml", "HPM021", "warning")]


def test_an_unknown_target_is_an_error() -> None:
    with pytest.raises(ModelError, match=r"\[HP420\] there is no target 'onnxruntine'") as raised:
        check(line(8, scales=2), targets=["onnxruntine"])
    assert "did you mean 'onnxruntime'?" in str(raised.value)


def test_an_unknown_rule_is_an_error() -> None:
    with pytest.raises(ModelError, match=r"\[HP421\] there is no rule 'HPM999'"):
        check(line(8, scales=2), ignore=["HPM999"])


def test_paths_bytes_and_messages(tmp_path: Path) -> None:
    message = line(8, sizes=4, antialias=1)
    path = tmp_path / "model.onnx"
    path.write_bytes(message.SerializeToString())
    for source in (path, str(path), path.read_bytes(), message, load(path)):
        assert found(source) == [("HPM005", "warning")]


def test_the_detector_is_silent() -> None:
    """Six Resize nodes by 2 and more, nearest, asymmetric, floor, at opset 12, with open lengths."""
    place = import_module("importlib.metadata").files("rapidocr-onnxruntime")
    (path,) = [one.locate() for one in place if one.name == "ch_PP-OCRv4_det_infer.onnx"]
    checked = check_model(load(path), targets=["onnxruntime", "openvino", "onnx-reference", "pytorch"])
    assert len(checked.nodes) == 6
    assert checked.findings == ()


def test_roi_given_at_run_time_counts_as_given() -> None:
    built = resize(13, mode="linear")
    built.node.input[1] = "roi"
    built.inputs["roi"] = (1, (8,))
    assert only(model_of(built), "HPM007").given == "roi computed at run time"


def test_a_roi_that_is_not_read_may_come_at_run_time() -> None:
    built = resize(13, sizes=(1, 1, 1, 2), x_shape=(1, 1, 1, 14), **FLOOR)
    built.node.input[1] = "roi"
    built.inputs["roi"] = (1, (8,))
    assert found(model_of(built)) == [("HPM004", "warning"), ("HPM007", "warning")]


def test_open_axes_of_one_scale_are_told_once() -> None:
    model = model_of(resize(scales=(1, 1, 0.6, 0.6), x_shape=(1, 1, "H", "W"), **FLOOR))
    assert found(model) == [("HPM004", "note")]


def test_scales_are_read_as_float32() -> None:
    """0.1 + 0.2 as float32 is 0.3: 10 samples give 3 by both products."""
    assert found(line(10, scales=np.float32(0.1) + np.float32(0.2), mode="linear")) == [("HPM012", "warning")]
