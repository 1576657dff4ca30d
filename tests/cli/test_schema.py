"""`halfpixel schema`: texts, differences and examples."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import onnx
import pytest

from halfpixel.cli import run
from halfpixel.cli.schema_diff import compare, compare_texts
from tests.cli.commands import halfpixel

FLOAT = onnx.TensorProto.FLOAT


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(["schema", *words]) == code
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, *words, "--json", code=code))
    return found


def test_resize_18_to_19_as_the_document_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "Resize", "--diff", "18", "19")
    assert text.startswith(
        "**SchemaDiff**: `Resize` (domain `'ai.onnx'`)\n\n* old version: 18\n* new version: 19\n* breaking: no\n"
    )
    assert "* attribute coordinate_transformation_mode: value half_pixel_symmetric added\n" in text
    assert (
        "**Documentation:**\n\n* line similarity: 0.50 (+4/-2 lines)\n\n````diff\n--- Resize v18\n+++ Resize v19\n"
        in text
    )
    assert "\n+output_dimension = floor(input_dimension * (roi_end - roi_start) * scale)\n" in text


def test_changed_descriptions_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "Resize", "--diff", "10", "11", code=1)
    assert (
        "\n**Description of attribute mode:**\n\n* line similarity: 0.00 (+1/-1 lines)\n\n```diff\n"
        "--- attribute mode v10\n+++ v11\n@@ -1 +1 @@\n"
        "-Two interpolation modes: nearest (default), and linear (including bilinear, trilinear, etc)\n+Three "
    ) in text
    descriptions = data(capsys, "Resize", "--diff", "10", "11", code=1)["descriptions"]
    assert [(one["part"], one["added"], one["removed"]) for one in descriptions] == [
        ("attribute mode", 1, 1),
        ("input scales", 1, 1),
    ]


def test_depth_to_space_13_to_28_does_not_differ(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "DepthToSpace", "--diff", "13", "28")
    assert "* breaking: no\n" in text
    assert text.endswith("Nothing differs.\n")


@pytest.mark.parametrize(
    ("operator", "old", "new", "breaking"),
    [
        ("Resize", 10, 11, ["input scales: moved from position 1 to 2", "input roi: added (required)"]),
        ("Resize", 11, 13, []),
        ("Resize", 13, 18, ["attribute coordinate_transformation_mode: value tf_half_pixel_for_nn removed"]),
        (
            "Upsample",
            1,
            7,
            [
                "attribute height_scale: removed",
                "attribute scales: added (FLOATS, required)",
                "attribute width_scale: removed",
                "attribute mode: value bilinear removed",
            ],
        ),
        ("Upsample", 7, 9, ["attribute scales: removed", "input scales: added (required)"]),
        ("Upsample", 9, 10, ["operator: deprecated"]),
        ("SpaceToDepth", 13, 28, []),
        ("SpaceToDepth", 1, 13, []),
        # Axes became an input; a change outside our four operators.
        ("ReduceSum", 11, 13, ["attribute axes: removed"]),
        # The default of alpha changed.
        ("Elu", 1, 6, ["attribute consumed_inputs: removed"]),
    ],
)
def test_what_breaks(
    capsys: pytest.CaptureFixture[str], operator: str, old: int, new: int, breaking: list[str]
) -> None:
    found = data(capsys, operator, "--diff", str(old), str(new), code=1 if breaking else 0)
    assert found["breaking"] == breaking
    assert found["is_breaking"] is bool(breaking)
    assert (found["old"], found["new"]) == (old, new)


def test_types_that_came(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "Resize", "--diff", "11", "13")
    assert found["types"] == [
        {"part": "input X", "added": ["tensor(bfloat16)"], "removed": []},
        {"part": "output Y", "added": ["tensor(bfloat16)"], "removed": []},
    ]
    assert {"part": "input roi", "change": "required became optional"} in found["changes"]


def schema_with(*attributes: Any, inputs: str = "X", types: str = "tensor(float)") -> Any:
    """A schema of one's own, for changes that no operator of onnx has."""
    defs = onnx.defs
    return defs.OpSchema(
        "Made",
        "test",
        1,
        "text",
        inputs=[defs.OpSchema.FormalParameter(name, types) for name in inputs],
        outputs=[defs.OpSchema.FormalParameter("Y", "tensor(float)")],
        attributes=list(attributes),
    )


def test_changes_that_no_operator_has() -> None:
    attribute = onnx.defs.OpSchema.Attribute
    integer = onnx.defs.OpSchema.AttrType.INT
    default = {value: onnx.helper.make_attribute("a", value) for value in (1, 2)}
    one, two = (schema_with(attribute("a", default[value])) for value in (1, 2))
    required = schema_with(attribute("a", integer, required=True))
    optional = schema_with(attribute("a", integer, required=False))
    assert compare(one, two).breaking == ("attribute a: INT, default 1 became INT, default 2",)
    assert compare(optional, required).breaking == ("attribute a: INT became INT, required",)
    assert compare(required, optional).changes == (("attribute a", "INT, required became INT"),)
    assert compare(required, optional).breaking == ()
    assert compare(schema_with(inputs="XY"), schema_with(inputs="X")).breaking == ("input Y: removed",)
    assert compare(schema_with(), schema_with(types="tensor(double)")).types == (
        ("input X", ("tensor(double)",), ("tensor(float)",)),
    )
    assert compare(schema_with(), schema_with(types="tensor(double)")).breaking == ("input X: types removed",)
    assert not compare(one, one).is_different


def test_similarity_counts_equal_lines() -> None:
    diff = compare_texts("a\nb\nc \nd", "a\nc\nx\nd", "old", "new")
    # Three of four lines are equal in both: 2 * 3 / 8.
    assert (diff.similarity, diff.added, diff.removed) == (0.75, 1, 1)
    assert diff.lines[:3] == ("--- old", "+++ new", "@@ -1,4 +1,4 @@")
    assert compare_texts("same", "same", "old", "new").lines == ()


def test_page_of_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "Resize", "12")
    assert text.startswith("# Resize\n\n- **Domain**: `ai.onnx`\n- **Since version**: 11\n\n")
    assert "\n- **cubic_coeff_a** (FLOAT, default -0.75): The coefficient 'a'" in text
    assert "\n- **sizes** (*tensor(int64)*, optional): " in text
    assert "\n- **T2**: Constrain roi type to float or double. Allowed types: tensor(double), " in text
    assert "\n## Differences with the previous version (10)\n\n**SchemaDiff**" in text
    assert text.endswith("\n## Versions\n\n10, 11, 13, 18, 19\n")
    assert "## Examples" not in text


def test_newest_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert data(capsys, "SpaceToDepth")["since_version"] == 28
    assert "**Deprecated** since version 10." in printed(capsys, "Upsample")
    assert data(capsys, "ArrayFeatureExtractor", "--domain", "ai.onnx.ml")["domain"] == "ai.onnx.ml"


def test_data_of_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "DepthToSpace", "13")
    assert found["versions"] == [1, 11, 13, 28]
    assert [(one["name"], one["type"], one["required"], one["default"]) for one in found["attributes"]] == [
        ("blocksize", "INT", True, None),
        ("mode", "STRING", False, "DCR"),
    ]
    assert [(one["name"], one["type"], one["option"]) for one in found["inputs"]] == [("input", "T", "single")]
    assert found["differences_with_previous"]["old"] == 11
    assert data(capsys, "Resize", "10")["differences_with_previous"] is None


def test_an_example_as_the_document_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "Resize", "19", "--examples")
    assert (
        "**test_resize_downsample_scales_linear**\n\n"
        "```text\n"
        "Node:\n"
        '  Resize(X, "", scales) -> (Y)\n'
        "Attributes:\n"
        '  mode = "linear"\n'
        "```\n\n"
        "```text\n"
        "Inputs:\n"
        "X: shape=(1, 1, 2, 4), dtype=float32\n"
        "  [[[[1., 2., 3., 4.],\n"
        "     [5., 6., 7., 8.]]]]\n"
        "scales: shape=(4,), dtype=float32\n"
        "  [1. , 1. , 0.6, 0.6]\n"
        "\n"
        "Outputs:\n"
        "Y: shape=(1, 1, 1, 2), dtype=float32\n"
        "  [[[[2.6666665, 4.333333 ]]]]\n"
        "```\n"
    ) in text


def test_long_values_are_cut_in_the_middle(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "Resize", "19", "--examples")
    assert "Y: shape=(1, 1, 9, 10), dtype=float32\n  [[[[ 0.4550792" in text
    assert text.count("     ...,\n") == 1
    assert "Y: shape=(1, 1, 8, 8), dtype=float32\n  [[[[ 1.,  1.,  1.,  2.,  2.,  3.,  3.,  4.],\n" in text


def test_other_domains_have_opsets_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert data(capsys, "ArrayFeatureExtractor", "3", "--domain", "ai.onnx.ml")["since_version"] == 1
    assert run(["schema", "ArrayFeatureExtractor", "20", "--domain", "ai.onnx.ml"]) == 2


def official() -> dict[str, Any]:
    """The node tests of onnx for our operators by name: (node, inputs, expected output)."""
    from onnx.backend.test.case.node import collect_testcases

    with np.errstate(all="ignore"):
        cases = collect_testcases(None)
    found = {}
    for case in cases:
        nodes = case.model.graph.node if case.model is not None else []
        if len(nodes) == 1 and nodes[0].op_type in ("Resize", "Upsample"):
            inputs, outputs = case.data_sets[0]
            found[case.name] = (nodes[0], inputs, outputs[0])
    return found


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_official_examples_are_onnxs_own(capsys: pytest.CaptureFixture[str]) -> None:
    expected = official()
    for operator, version in (("Resize", "19"), ("Upsample", "9")):
        shown = {one["name"]: one for one in data(capsys, operator, version, "--examples")["examples"]}
        shown = {name: one for name, one in shown.items() if name.startswith("test_")}
        assert set(shown) == {name for name, (node, *_) in expected.items() if node.op_type == operator}
        for name, example in shown.items():
            node, inputs, output = expected[name]
            names = [one for one in node.input if one]
            assert list(example["inputs"]) == names
            for one, value in zip(names, inputs, strict=True):
                assert np.array_equal(np.array(example["inputs"][one]["values"], value.dtype), value)
            attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
            plain = {key: one.decode() if isinstance(one, bytes) else one for key, one in attributes.items()}
            assert example["attributes"] == plain
            assert np.allclose(example["outputs"]["Y"]["values"], output, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("operator", "version", "names"),
    [
        ("Upsample", "1", ["test_upsample_nearest", "upsample_linear"]),
        ("Upsample", "7", ["test_upsample_nearest", "upsample_linear"]),
        ("DepthToSpace", "1", ["depthtospace_dcr"]),
        ("DepthToSpace", "28", ["depthtospace_dcr", "depthtospace_crd"]),
        ("SpaceToDepth", "13", ["spacetodepth_dcr"]),
        ("SpaceToDepth", "28", ["spacetodepth_dcr", "spacetodepth_crd"]),
    ],
)
def test_examples_that_a_version_can_express(
    capsys: pytest.CaptureFixture[str], operator: str, version: str, names: list[str]
) -> None:
    assert [one["name"] for one in data(capsys, operator, version, "--examples")["examples"]] == names


def test_upsample_1_takes_its_scales_as_attributes(capsys: pytest.CaptureFixture[str]) -> None:
    linear = data(capsys, "Upsample", "1", "--examples")["examples"][1]
    assert linear["attributes"] == {"mode": "bilinear", "height_scale": 2.0, "width_scale": 3.0}
    assert list(linear["inputs"]) == ["X"]
    assert linear["outputs"]["Y"]["values"][0][0][1][:4] == [2.0, pytest.approx(7 / 3), pytest.approx(8 / 3), 3.0]


def test_rearrangements_agree_with_the_formula_of_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    dcr, crd = data(capsys, "DepthToSpace", "28", "--examples")["examples"]
    x = np.array(dcr["inputs"]["input"]["values"])
    assert x.shape == (1, 8, 2, 3)
    by_depth = x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 6)
    assert dcr["outputs"]["output"]["values"] == by_depth.tolist()
    by_column = x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6)
    assert crd["outputs"]["output"]["values"] == by_column.tolist()


@pytest.mark.parametrize(
    ("words", "sentence", "do"),
    [
        (["Resiz"], "[HP100] there is no operator 'Resiz'", "did you mean Resize or Size?"),
        (["Xyzzyx"], "[HP100] there is no operator 'Xyzzyx'", "check the name and --domain"),
        (["Resize", "9"], "[HP102] there is no Resize in opset 9", "take one of its versions: 10, 11, 13, 18, 19"),
        (["Resize", "--diff", "11", "999"], "[HP102] there is no Resize in opset 999", "take one of its versions"),
        (["Relu", "--examples"], "[HP100] halfpixel computes no examples of Relu", "leave --examples out"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str, do: str) -> None:
    assert run(["schema", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"SpecError: {sentence}\n")
    assert f"  do:      {do}" in error


def test_in_a_pipe_and_on_a_terminal() -> None:
    plain = halfpixel("schema", "Resize", "--diff", "18", "19").stdout
    assert "\x1b[" not in plain
    assert "````diff" in plain
    coloured = halfpixel("schema", "Resize", "--diff", "18", "19", env={"FORCE_COLOR": "1", "NO_COLOR": ""}).stdout
    assert "\x1b[92m+output_dimension = floor" in coloured
    assert "````" not in coloured
