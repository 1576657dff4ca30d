"""explain: lengths, coordinates, taps, weights and ties, as literals that a person can check."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import halfpixel as hp
from halfpixel.models import explain
from halfpixel.models.explain import Explanation
from halfpixel.models.explain.conventions import CONVENTIONS
from halfpixel.models.explain.exact_text import both_texts, exact_text, fraction_of, number_text
from halfpixel.models.explain.formulas import FORMULAS
from halfpixel.models.explain.rearrangement import RearrangeExplanation
from tests.cli.commands import halfpixel
from tests.models import builders


def explained(**keywords: Any) -> Explanation:
    found = explain(**keywords)
    assert isinstance(found, Explanation)
    return found


def one_axis(in_size: int, at: int, **keywords: Any) -> Any:
    """The sample of a request with one axis."""
    return explained(x_shape=[in_size], at=[at], **keywords).axes[0].sample


# ---- lengths


def test_a_scale_is_the_float32_that_it_is() -> None:
    length = explained(x_shape=[10], scales=[0.7]).axes[0].length
    assert length.scale == Fraction(11744051, 2**24)
    assert exact_text(length.scale) == "0.699999988079071044921875"
    assert length.product == Fraction(58720255, 2**23)  # 6.99999988...
    assert dict(length.by_rule) == {"floor": 6, "round": 7, "ceil": 7, "float32_floor": 7}
    assert length.out_size == 6


def test_the_float32_product_of_its_rule() -> None:
    length = explained(x_shape=[86], scales=[256 / 86], length_rule="float32_floor").axes[0].length
    assert (length.out_size, length.product) == (256, 256)
    exact = explained(x_shape=[86], scales=[256 / 86]).axes[0].length
    assert exact.out_size == 255
    assert 255 < exact.product < 256


def test_sizes_are_quotients() -> None:
    length = explained(x_shape=[20], sizes=[6]).axes[0].length
    assert (length.source, length.scale, length.product, length.by_rule) == ("sizes", Fraction(3, 10), None, ())


def test_a_policy_takes_one_scale_for_all() -> None:
    # 7 / 5 and 9 / 4: the smaller one is 7 / 5, and 4 * 7 / 5 = 5.6 is rounded to 6.
    found = explained(x_shape=[5, 4], sizes=[7, 9], keep_aspect_ratio_policy="not_larger")
    first, second = (axis.length for axis in found.axes)
    assert (first.scale, second.scale, second.product) == (Fraction(7, 5), Fraction(7, 5), Fraction(28, 5))
    assert found.plan.output_shape == (7, 6)
    assert "the smallest of size / length" in found.text()


def test_a_roi_counts_for_the_length() -> None:
    length = explained(
        x_shape=[8], scales=[2], roi=[0.25, 0.75], coordinate_transformation_mode="tf_crop_and_resize", mode="linear"
    ).axes[0].length  # fmt: skip
    assert (length.product, length.out_size) == (8, 8)  # 8 * (0.75 - 0.25) * 2
    assert dict(length.by_rule)["float32_floor"] == 16


def test_an_output_without_samples() -> None:
    found = explained(x_shape=[5, 3], scales=[0.1, 2], beside=["opencv"])
    assert found.at == ()
    text = found.text()
    assert "floor(5 * 0.100000001...) = floor(0.500000007...) = 0" in text
    assert "the output has no samples" in text
    assert "output (1, 6)" in text  # OpenCV rounds: one half and a little is one
    assert code_of(x_shape=[5], scales=[0.1], at=[0]) == "HP173"
    assert explained(x_shape=[0], scales=[2]).data()["at"] == []


def test_copied_axes() -> None:
    found = explained(x_shape=[2, 3], scales=[2], axes=[1])
    assert found.axes[0].sample is None
    assert "axis 0: 2 -> 2, copied (it is not one of axes)" in found.text()
    assert "axis 0: 2 -> 2, copied (scale 1)" in explained(x_shape=[2, 3], scales=[1, 2]).text()


# ---- coordinates and weights


@pytest.mark.parametrize(
    ("mode", "coordinate", "numbers"),
    [
        ("half_pixel", Fraction(11, 10), "(1 + 1/2) / 0.9375 - 1/2"),
        ("asymmetric", Fraction(16, 15), "1 / 0.9375"),
        ("align_corners", Fraction(15, 14), "1 * (16 - 1) / (16 * 0.9375 - 1)"),
        ("pytorch_half_pixel", Fraction(11, 10), "(1 + 1/2) / 0.9375 - 1/2"),
        ("tf_half_pixel_for_nn", Fraction(8, 5), "(1 + 1/2) / 0.9375"),
    ],
)
def test_formulas_with_numbers(mode: str, coordinate: Fraction, numbers: str) -> None:
    version = 13 if mode == "tf_half_pixel_for_nn" else 19
    found = explained(x_shape=[16], sizes=[15], coordinate_transformation_mode=mode, at=[1], version=version).axes[0]
    assert (found.formula, found.numbers) == (FORMULAS[mode], numbers)
    assert found.sample is not None
    assert found.sample.coordinate == coordinate


def test_half_pixel_symmetric() -> None:
    # 5 * 0.5 = 2.5 samples, floored to 2: half a sample of the output is missing, a quarter at each end.
    found = explained(
        x_shape=[5], scales=[0.5], coordinate_transformation_mode="half_pixel_symmetric", mode="linear", at=[0]
    ).axes[0]  # fmt: skip
    assert found.numbers == "5/2 * (1 - 2 / (5 * 0.5)) + (0 + 1/2) / 0.5 - 1/2"
    assert found.sample.coordinate == 1  # 5/2 * (1 - 4/5) + 1 - 1/2


def test_crop_and_resize() -> None:
    found = explained(
        x_shape=[5], sizes=[3], roi=[0.25, 1.25], coordinate_transformation_mode="tf_crop_and_resize", mode="linear",
        at=[1], extrapolation_value=7,
    ).axes[0]  # fmt: skip
    assert found.numbers == "(0.25 * (3 - 1 - 1) + 1.25 * 1) * (5 - 1) / (3 - 1)"
    assert (found.sample.coordinate, found.sample.weights) == (3, (1.0,))
    outside = explained(
        x_shape=[5], sizes=[3], roi=[0.25, 1.25], coordinate_transformation_mode="tf_crop_and_resize", mode="linear",
        at=[2], extrapolation_value=7,
    )  # fmt: skip
    assert outside.axes[0].sample.extrapolated  # type: ignore[union-attr]
    assert "x lies outside [0, 4]: the result is extrapolation_value = 7" in outside.text()
    assert outside.text().endswith("Y[2] = 7, the extrapolation_value")


def test_one_output_sample() -> None:
    found = explained(x_shape=[4], sizes=[1], coordinate_transformation_mode="pytorch_half_pixel", mode="cubic")
    assert "x = 0, as there is one output sample" in found.text()
    short = explained(x_shape=[4], scales=[0.25], coordinate_transformation_mode="align_corners", mode="linear")
    assert "x = 0, as in * scale is not above 1" in short.text()


def test_linear_weights() -> None:
    sample = one_axis(5, 5, scales=[2], mode="linear")
    assert (sample.coordinate, sample.first, sample.weights) == (Fraction(9, 4), 2, (0.75, 0.25))
    assert [(tap.index, tap.distance, tap.weight) for tap in sample.taps] == [
        (2, Fraction(-1, 4), 0.75),
        (3, Fraction(3, 4), 0.25),
    ]


def test_the_border_takes_the_edge_sample() -> None:
    sample = one_axis(5, 0, scales=[2], mode="linear")
    assert sample.coordinate == Fraction(-1, 4)
    assert [(tap.index, tap.weight, tap.counts_for) for tap in sample.taps] == [(-1, 0.25, 0), (0, 0.75, 0)]
    assert (sample.first, sample.weights) == (0, (1.0,))
    text = explained(x_shape=[5], at=[0], scales=[2], mode="linear").text()
    assert "outside: -1; the weight counts for the edge sample 0" in text
    assert "so: 0: 1" in text


def test_exclude_outside() -> None:
    # Keys' cubic with a = -0.5 at 3/4: -3/128, 29/128, 111/128, -9/128; the first two are outside.
    sample = one_axis(5, 0, scales=[2], mode="cubic", cubic_coeff_a=-0.5, exclude_outside=True)
    assert [fraction_of(tap.weight) for tap in sample.taps] == [
        Fraction(-3, 128),
        Fraction(29, 128),
        Fraction(111, 128),
        Fraction(-9, 128),
    ]
    assert [tap.counts_for for tap in sample.taps] == [None, None, 0, 1]
    assert sample.weights == pytest.approx((111 / 102, -9 / 102), abs=1e-15)


def test_nothing_left_inside() -> None:
    sample = one_axis(2, 3, scales=[4], mode="linear", coordinate_transformation_mode="asymmetric")
    assert (sample.first, sample.weights) == (0, (0.25, 0.75))
    found = explained(
        x_shape=[1], sizes=[4], mode="linear", coordinate_transformation_mode="tf_half_pixel_for_nn", version=13,
        exclude_outside=True, at=[3],
    )  # fmt: skip
    assert found.axes[0].sample.weights == (1.0,)  # type: ignore[union-attr]


def test_antialias_widens() -> None:
    # 6 to 2: the tent is three times as wide, 1/9 2/9 3/9 2/9 1/9 about x = 1.
    sample = one_axis(6, 0, sizes=[2], mode="linear", antialias=True)
    assert (sample.coordinate, sample.widening, sample.reach) == (1, 3, 3)
    assert [tap.index for tap in sample.taps] == [-1, 0, 1, 2, 3]
    assert [tap.weight for tap in sample.taps] == pytest.approx([1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9], abs=1e-16)
    assert sample.weights == pytest.approx([3 / 9, 3 / 9, 2 / 9, 1 / 9], abs=1e-16)


def test_a_filter_too_wide_to_list() -> None:
    found = explained(x_shape=[20000], sizes=[2], mode="linear", antialias=True, at=[0])
    assert found.axes[0].sample.taps is None  # type: ignore[union-attr]
    assert "15000 samples, 0 to 14999: too many to list" in found.text()
    sample = found.data()["axes"][0]["sample"]
    assert (sample["count"], sample["weights"]) == (15000, None)
    assert found.svg().startswith("<svg")


# ---- nearest


@pytest.mark.parametrize(
    ("nearest_mode", "chosen"), [("round_prefer_floor", 4), ("round_prefer_ceil", 5), ("floor", 4), ("ceil", 5)]
)
def test_a_tie(nearest_mode: str, chosen: int) -> None:
    sample = one_axis(20, 1, sizes=[6], nearest_mode=nearest_mode)
    assert sample.coordinate == Fraction(9, 2)
    assert (sample.rounding.tie, sample.rounding.below, sample.rounding.above) == (True, 4, 5)
    assert (sample.rounding.chosen, sample.first) == (chosen, chosen)


def test_a_float32_scale_is_no_tie() -> None:
    text = explained(x_shape=[20], scales=[0.3], at=[1]).text()
    assert "a tie" not in text
    assert "x is 0.499999801... from sample 4, 0.500000199... from 5" in text
    assert "a tie: x is half-way between samples 4 and 5" in explained(x_shape=[20], sizes=[6], at=[1]).text()


def test_nearest_is_clamped() -> None:
    sample = one_axis(4, 7, scales=[2], nearest_mode="ceil")
    assert (sample.coordinate, sample.rounding.chosen, sample.first) == (Fraction(13, 4), 4, 3)
    assert sample.taps[0].counts_for == 3
    text = explained(x_shape=[4], at=[7], scales=[2], nearest_mode="ceil").text()
    assert "ceil takes sample 4, which is outside: clamped to 3" in text


def test_upsample_and_resize_10_round_by_the_scale() -> None:
    grown = one_axis(4, 3, op_type="Upsample", scales=[2])
    assert (grown.coordinate, grown.rounding.rule, grown.first) == (Fraction(3, 2), "floor", 1)
    shrunk = one_axis(4, 1, version=10, scales=[0.5])
    assert (shrunk.coordinate, shrunk.rounding.rule, shrunk.first) == (2, "ceil", 2)


def test_the_taps_are_those_of_the_table() -> None:
    """Folded by hand at the border, the taps before the border rule are the weights of the plan."""
    for mode in ("linear", "cubic"):
        for antialias in (False, True):
            plan = hp.plan_resize((13,), "float32", sizes=[7], mode=mode, antialias=antialias)
            for at in range(7):
                sample = one_axis(13, at, sizes=[7], mode=mode, antialias=antialias)
                row = np.zeros(13)
                for tap in sample.taps:
                    row[min(max(tap.index, 0), 12)] += tap.weight
                assert row == pytest.approx(plan.axes[0].matrix()[at], abs=1e-15)


# ---- the whole sample


def test_the_result_is_a_sum_over_samples() -> None:
    found = explained(x_shape=[1, 5, 7], scales=[1, 2, 2], mode="linear", at=[0, 5, 7])
    assert found.text().endswith(
        "Y[0, 5, 7] = 0.5625 X[0, 2, 3] + 0.1875 X[0, 2, 4] + 0.1875 X[0, 3, 3]\n    + 0.0625 X[0, 3, 4]"
    )


def test_the_default_sample_is_in_the_middle() -> None:
    assert explained(x_shape=[5, 4], scales=[2, 1]).at == (4, 1)


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_lines_fit_the_terminal(width: int) -> None:
    found = explained(
        x_shape=[1, 3, 100, 448], sizes=[1, 3, 37, 168], mode="cubic", antialias=True, exclude_outside=True,
        beside=["all"],
    )  # fmt: skip
    assert max(len(line) for line in found.text(width).splitlines()) <= width


def test_data_is_json_with_exact_numbers() -> None:
    data = json.loads(json.dumps(explained(x_shape=[10], scales=[0.7], at=[5], mode="linear").data()))
    (axis,) = data["axes"]
    assert axis["length"]["scale"] == {
        "exact": "11744051/16777216",
        "decimal": "0.699999988079071044921875",
        "value": 0.699999988079071,
    }
    assert axis["length"]["by_rule"] == {"floor": 6, "round": 7, "ceil": 7, "float32_floor": 7}
    assert axis["sample"]["first"] == 7
    assert sum(axis["sample"]["weights"]) == 1.0


def test_numbers_as_text() -> None:
    assert [number_text(Fraction(n)) for n in ("9/4", "1/3", "2", "-1/8")] == ["2.25", "1/3", "2", "-0.125"]
    assert both_texts(Fraction(1, 3)) == "1/3 = 0.333333333..."
    assert exact_text(Fraction(1, 2**149)) == "1 / 2^149"
    assert number_text(Fraction(123456789, 1000003)) == "123.456419..."
    assert fraction_of(1 / 3) == Fraction(1, 3)
    assert fraction_of(0.1234567890123) is None


# ---- beside


def test_the_same_sample_elsewhere() -> None:
    found = explained(x_shape=[10], scales=[0.7], at=[5], beside=["pytorch", "opencv", "onnxruntime", "upsample"])
    by_name = {other.convention.name: other for other in found.beside}
    lengths = {name: other.out_shape for name, other in by_name.items()}
    assert lengths == {"pytorch": (6,), "opencv": (7,), "onnxruntime": (7,), "upsample": (6,)}
    first = {name: other.samples[0][1].first for name, other in by_name.items()}  # type: ignore[union-attr]
    # i / scale = 7.14 is floored by the first two; half_pixel gives 7.36; Resize-10 takes ceil of 7.14.
    assert first == {"pytorch": 7, "opencv": 7, "onnxruntime": 7, "upsample": 8}


def test_a_sample_that_is_not_there() -> None:
    found = explained(x_shape=[10], scales=[0.75], length_rule="ceil", at=[7], beside=["pytorch"])
    assert found.beside[0].samples == ((0, None),)
    assert "axis 0: no such sample" in found.text()


def test_a_mode_that_a_library_has_not() -> None:
    found = explained(x_shape=[4], scales=[2], mode="cubic", beside=["scikit-image"])
    assert found.beside[0].settings is None
    assert "has no mode cubic of this kind" in found.text()
    assert found.data()["beside"][0]["attributes"] is None


@pytest.mark.parametrize("x_type", [onnx.TensorProto.BFLOAT16, onnx.TensorProto.STRING])
def test_every_element_type_beside_all(x_type: int) -> None:
    """Resize-10, which is one of them, has no bfloat16."""
    found = explained(model=builders.model_of(builders.resize(19, x_type=x_type)), beside=["all"])
    assert len(found.beside) == len(CONVENTIONS)
    assert "<!doctype html>" in found.html()


def test_every_preset_is_a_convention() -> None:
    from halfpixel.ops.presets import PRESETS

    assert set(PRESETS) <= {convention.name for convention in CONVENTIONS}
    assert explained(x_shape=[4], scales=[2], beside="all").beside[0].convention.name == "pytorch"


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_conventions_are_what_like_gives(mode: str) -> None:
    """A plain preset gives what plan_resize(like=) gives."""
    for convention in CONVENTIONS:
        if convention.name != convention.like or mode not in convention.modes:
            continue
        other = explained(x_shape=[9], sizes=[4], mode=mode, at=[1], beside=[convention.name]).beside[0]
        plan = hp.plan_resize((9,), "float32", sizes=[4], mode=mode, like=convention.like)
        (sample,) = (sample for _, sample in other.samples)
        assert sample is not None
        row = np.zeros(9)
        row[sample.first : sample.first + len(sample.weights)] = sample.weights
        assert row.tolist() == plan.axes[0].matrix()[1].tolist()


# ---- nodes of models


def two_nodes() -> onnx.ModelProto:
    up = builders.resize(19, scales=(1, 1, 2, 2), mode="linear", name="up", x_shape=(1, 2, 4, 6))
    down = builders.resize(19, sizes=(1, 2, 3, 5), name="down", x_shape=(1, 2, 8, 12))
    return builders.chain(up, down)


def test_a_node_of_a_model() -> None:
    found = explained(model=two_nodes(), node="up", at=[0, 1, 3, 0])
    assert found.plan.in_shape == (1, 2, 4, 6)
    assert found.axes[2].sample.coordinate == Fraction(5, 4)  # type: ignore[union-attr]
    text = found.text()
    assert text.startswith("node 'up': Resize-19, float32 (1, 2, 4, 6) -> (1, 2, 8, 12)")
    assert "scales: initializer" in text


def test_a_second_node_takes_the_inferred_shape() -> None:
    found = explained(model=two_nodes(), node="down")
    assert (found.plan.in_shape, found.plan.output_shape) == ((1, 2, 8, 12), (1, 2, 3, 5))


def test_the_only_node_needs_no_name() -> None:
    found = explained(model=builders.model_of(builders.upsample(9)))
    assert (found.request.op_type, found.settings.nearest_mode) == ("Upsample", "by_scale")


@pytest.mark.parametrize("opset", [1, 7, 9])
def test_upsample_of_every_version(opset: int) -> None:
    mode = "bilinear" if opset == 1 else "linear"
    found = explained(model=builders.model_of(builders.upsample(opset, mode=mode)), at=[0, 0, 3, 0])
    assert found.axes[2].sample.coordinate == Fraction(3, 2)  # type: ignore[union-attr]
    assert found.axes[2].sample.weights == (0.5, 0.5)  # type: ignore[union-attr]


def test_scales_in_the_place_of_an_attribute() -> None:
    found = explained(model=builders.model_of(builders.upsample(7)), scales=[1, 1, 3, 3])
    assert found.plan.output_shape == (1, 2, 12, 18)
    assert code_of(model=builders.model_of(builders.upsample(1)), scales=[1, 1, 3, 3]) == "HP113"


def test_nodes_in_subgraphs_and_functions() -> None:
    built = builders.resize(19, mode="linear", name="up")
    assert "node 'up' in If_3.then_branch" in explain(builders.in_if(built)).text(200)
    assert "node 'up' in function pkg::Grow" in explain(builders.in_function(built), x_shape=[1, 2, 4, 6]).text(200)


def test_attributes_in_the_place_of_the_nodes() -> None:
    found = explained(model=two_nodes(), node="up", mode="cubic", scales=[1, 1, 3, 3])
    assert (found.settings.mode, found.plan.output_shape) == ("cubic", (1, 2, 12, 18))
    assert "mode: passed, not the node's" in found.text()


def test_a_lenient_node() -> None:
    """half_pixel_symmetric came with version 19; models in the wild have it at 18."""
    built = builders.resize(18, mode="linear", coordinate_transformation_mode="half_pixel_symmetric")
    assert explained(model=builders.model_of(built)).request.version == 18


def test_rearrangements_say_which_sample_they_copy() -> None:
    for mode in ("DCR", "CRD"):
        found = explain(x_shape=[2, 12, 3, 2], op_type="DepthToSpace", blocksize=2, mode=mode, at=[1, 2, 3, 2])
        assert isinstance(found, RearrangeExplanation)
        x = np.arange(144).reshape(2, 12, 3, 2)
        assert hp.depth_to_space(x, 2, mode=mode)[1, 2, 3, 2] == x[found.source]
        back = explain(x_shape=[2, 3, 6, 4], op_type="SpaceToDepth", blocksize=2, mode=mode, at=[1, 7, 2, 1])
        assert isinstance(back, RearrangeExplanation)
        z = np.arange(144).reshape(2, 3, 6, 4)
        assert hp.space_to_depth(z, 2, mode=mode)[1, 7, 2, 1] == z[back.source]
    dcr = explain(x_shape=[1, 8, 2, 3], op_type="DepthToSpace", blocksize=2, at=[0, 1, 2, 3])
    assert "channel (0 * 2 + 1) * 2 + 1 = 3" in dcr.text()
    assert dcr.text().endswith("Y[0, 1, 2, 3] = X[0, 3, 1, 1]")
    assert dcr.data()["source"] == [0, 3, 1, 1]
    assert explain(builders.model_of(builders.rearrange("SpaceToDepth"))).data()["op_type"] == "SpaceToDepth"


# ---- mistakes


def code_of(**keywords: Any) -> str:
    with pytest.raises(hp.HalfpixelError) as caught:
        explain(**keywords)
    return caught.value.code


def test_mistakes() -> None:
    assert code_of() == "HP122"
    assert code_of(x_shape=[4], scales=[2], at=[8]) == "HP173"
    assert code_of(x_shape=[4], scales=[2], at=[0, 0]) == "HP173"
    assert code_of(x_shape=[4], scales=[2], beside=["pytroch"]) == "HP174"
    assert code_of(x_shape=[4]) == "HP103"
    assert code_of(x_shape=[4], scales=[2], mod="linear") == "HP180"
    assert code_of(x_shape=[4], scales=[2], antialias=1, version=11) == "HP113"
    assert code_of(x_shape=[1, 4, 2, 2], op_type="DepthToSpace", blocksize=2, at=[0, 4, 0, 0]) == "HP173"


def test_an_unknown_node_lists_the_names() -> None:
    with pytest.raises(hp.ModelError, match="HP414") as caught:
        explain(two_nodes(), "upp")
    assert "up, down" in str(caught.value)


def test_no_node_is_chosen() -> None:
    with pytest.raises(hp.ModelError, match="HP427") as caught:
        explain(two_nodes())
    assert caught.value.allowed == "up, down"
    empty = onnx.helper.make_graph([], "g", [], [])
    with pytest.raises(hp.ModelError, match="HP427") as caught:
        explain(onnx.helper.make_model(empty))
    assert caught.value.allowed == "none: it has none"


def test_an_unknown_shape() -> None:
    built = builders.resize(19, name="up", x_shape=(1, "c", None, 6))
    with pytest.raises(hp.ModelError, match="HP425") as caught:
        explain(builders.model_of(built))
    assert caught.value.given == "X of shape (1, c, ?, 6)"
    assert explained(model=builders.model_of(built), x_shape=[1, 2, 3, 6]).plan.output_shape == (1, 2, 6, 12)


def test_values_of_the_run_time() -> None:
    model = builders.model_of(builders.resize(19, name="up", scales="passed"))
    with pytest.raises(hp.ModelError, match="HP426") as caught:
        explain(model)
    assert "scales" in caught.value.sentence
    assert explained(model=model, sizes=[1, 2, 8, 9]).plan.output_shape == (1, 2, 8, 9)


def test_nothing_to_draw() -> None:
    for found in (
        explain(x_shape=[4], scales=[1]),
        explain(x_shape=[1, 4, 2, 2], op_type="DepthToSpace", blocksize=2),
    ):
        for draw in (found.svg, found.html):
            with pytest.raises(hp.ModelError, match="HP428"):
                draw()
        assert found.text() == str(found)


# ---- the command


def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    onnx.save(two_nodes(), tmp_path / "two.onnx")
    words = ["two.onnx", "--node", "up", "--at", "0,0,5,7", "--svg", "up.svg", "--html", "out/up.html"]
    done = halfpixel("explain", *words, cwd=tmp_path, env={"COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "= 9/4 = 2.25" in done.stdout
    assert (tmp_path / "up.svg").read_text().startswith("<svg")
    assert (tmp_path / "out" / "up.html").read_text().startswith("<!doctype html>")


def test_the_command_takes_attributes_and_prints_json() -> None:
    words = "--shape 20 --sizes 6 --nearest-mode ceil --at 1 --beside pytorch,opencv --json"
    done = halfpixel("explain", *words.split())
    data = json.loads(done.stdout)
    assert data["axes"][0]["sample"]["rounding"] == {
        "rule": "ceil", "below": 4, "above": 5, "tie": True, "chosen": 5,
    }  # fmt: skip
    assert [other["name"] for other in data["beside"]] == ["pytorch", "opencv"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("", 2, "HP122"),
        ("--shape 4 --scales 2 --at 8", 2, "HP173"),
        ("--shape four --scales 2", 2, "HP603"),
        ("--shape 4 --scales 1 --svg x.svg", 3, "HP428"),
        ("missing.onnx", 3, "HP4"),
        ("--shape 4 --scales 2 --mode quadratic", 2, "HP600"),
    ],
)
def test_the_command_refuses(words: str, status: int, said: str, tmp_path: Path) -> None:
    done = halfpixel("explain", *words.split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    assert f"[{said}" in done.stderr
    assert list(tmp_path.iterdir()) == []
