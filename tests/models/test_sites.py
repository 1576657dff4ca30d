"""Resize-like nodes are found wherever they stand, and say what they are."""

from __future__ import annotations

import numpy as np
import onnx
import onnx_ir
import pytest
from onnx import TensorProto, helper

from halfpixel import ModelError, SpecError, models
from halfpixel.plan.plan import Plan
from halfpixel.spec.rearrange import RearrangeSpec
from tests.models import builders


def only(model: onnx.ModelProto) -> models.Site:
    (site,) = models.find_sites(models.load(model))
    return site


VERSIONS = {10: 10, 11: 11, 12: 11, 13: 13, 17: 13, 18: 18, 19: 19, 24: 19}


@pytest.mark.parametrize("opset", VERSIONS)
@pytest.mark.parametrize("place", [builders.model_of, builders.in_if, builders.in_loop, builders.in_function])
def test_resize_of_each_version_in_each_place(opset: int, place: object) -> None:
    model = place(builders.resize(opset, name="r"))  # type: ignore[operator]
    onnx.checker.check_model(model)
    site = only(model)
    assert (site.name, site.op_type, site.opset, site.version) == ("r", "Resize", opset, VERSIONS[opset])
    assert site.constant("scales").tolist() == [1, 1, 2, 2]  # type: ignore[union-attr]
    assert site.node.op_type == "Resize"
    scopes = {"in_if": ("If_3.then_branch",), "in_loop": ("Loop_0.body",), "in_function": ("function pkg::Grow",)}
    assert site.scope == scopes.get(place.__name__, ())  # type: ignore[attr-defined]
    assert site.element_type == (None if place is builders.in_function else "float32")
    assert site.in_shape == (None if place is builders.in_function else (1, 2, 4, 6))


@pytest.mark.parametrize(("opset", "version"), [(1, 1), (6, 1), (7, 7), (8, 7), (9, 9), (10, 10), (19, 10)])
def test_upsample(opset: int, version: int) -> None:
    site = only(builders.model_of(builders.upsample(opset, scales=(1, 1, 2, 3))))
    assert (site.op_type, site.version) == ("Upsample", version)
    assert site.constant("scales").tolist() == [1, 1, 2, 3]  # type: ignore[union-attr]
    assert site.given("scales")
    assert site.source("scales") == ("attribute" if version < 9 else "initializer")
    assert not site.given("sizes")
    assert site.out_shape == (1, 2, 8, 18)
    plan = site.plan()
    assert isinstance(plan, Plan)
    assert plan.output_shape == (1, 2, 8, 18)


@pytest.mark.parametrize(("op_type", "shape"), [("DepthToSpace", (1, 2, 4, 6)), ("SpaceToDepth", (1, 8, 2, 3))])
@pytest.mark.parametrize("opset", [1, 11, 13, 28])
def test_rearrangements(op_type: str, shape: tuple[int, ...], opset: int) -> None:
    site = only(builders.model_of(builders.rearrange(op_type, opset)))
    assert site.attributes == {"blocksize": 2}
    assert site.out_shape == shape
    plan = site.plan()
    assert isinstance(plan, RearrangeSpec)
    assert plan.mode == "DCR"
    assert site.value("X") is site.node.inputs[0]


def test_what_is_given_and_from_where() -> None:
    both = {"scales": None, "sizes": (1, 2, 8, 12)}
    for opset in (11, 13):
        site = only(builders.model_of(builders.resize(opset, **both)))  # type: ignore[arg-type]
        assert [site.given(name) for name in ("X", "roi", "scales", "sizes", "axes")] == [
            True,
            False,
            False,
            True,
            False,
        ]
        assert site.constant("sizes").tolist() == [1, 2, 8, 12]  # type: ignore[union-attr]
    site = only(builders.model_of(builders.resize(11, sizes=(1, 2, 8, 12))))
    assert site.source("scales") == "initializer"  # an empty one, as version 11 wants it
    assert only(builders.model_of(builders.resize(13))).source("roi") == "absent"
    assert only(builders.model_of(builders.resize(13, scales="passed"))).source("scales") == "graph input"
    assert only(builders.in_function(builders.resize(13))).source("scales") == "constant"
    computed = only(builders.model_of(builders.resize(13, scales="computed", x_shape=(1, 2, "h", "w"))))
    assert computed.source("scales") == "computed: Div of Shape(X)"
    assert computed.given("scales")
    assert computed.constant("scales") is None
    known = only(builders.model_of(builders.resize(13, scales="computed")))
    assert known.constant("scales").tolist() == [1, 1, 2, 2]  # type: ignore[union-attr]


def test_attributes_are_plain_values() -> None:
    attributes = {"mode": "cubic", "cubic_coeff_a": -0.5, "axes": [2, 3], "antialias": 1}
    site = only(builders.model_of(builders.resize(18, scales=[2, 2], **attributes)))
    assert site.attributes == attributes
    assert type(site.attributes["axes"]) is list


def test_references_to_attributes_of_the_function() -> None:
    references = {"mode": "linear", "nearest_mode": "ceil"}
    site = only(builders.in_function(builders.resize(19), references=references))
    assert site.attributes == references
    assert site.references == ("mode", "nearest_mode")
    site = only(builders.in_function(builders.resize(19), references={"mode": None}))
    assert site.attributes == {}
    assert site.references == ("mode",)


def test_a_function_has_its_own_opset() -> None:
    model = builders.in_function(builders.resize(11))
    model.opset_import[0].version = 19
    assert only(model).version == 11
    model.functions[0].opset_import[0].version = 9
    with pytest.raises(ModelError, match="HP417") as caught:
        only(model)
    assert caught.value.given == "opset 9"


def test_the_default_domain_by_its_other_name() -> None:
    model = builders.model_of(builders.resize(13))
    model.opset_import[0].domain = "ai.onnx"
    model.graph.node[0].domain = "ai.onnx"
    assert only(model).version == 13
    model.graph.node[0].domain = "com.example"
    assert models.find_sites(models.load(model)) == []


def test_names_and_order() -> None:
    model = builders.chain(
        builders.resize(13), builders.resize(13, name="b"), builders.resize(13), builders.resize(13, name="b")
    )
    assert [site.name for site in models.find_sites(models.load(model))] == ["Resize#1", "b", "Resize#3", "b#2"]
    taken = builders.chain(builders.resize(13), builders.resize(13, name="Resize#1"))
    assert [site.name for site in models.find_sites(models.load(taken))] == ["Resize#1", "Resize#1#2"]


def test_holders_without_a_name_are_known_by_their_output() -> None:
    model = builders.in_if(builders.resize(13), name="")
    assert only(model).scope == ("If(Y).then_branch",)


def test_subgraphs_in_subgraphs() -> None:
    inner = builders.in_if(builders.resize(13), name="inner")
    inner.graph.node[0].input[0] = "yes"
    inner.graph.initializer.append(builders.tensor("yes", True, np.bool_))
    branch = helper.make_graph(inner.graph.node, "branch", [], [inner.graph.output[0]])
    outer = helper.make_node("If", ["condition"], ["Z"], name="outer", then_branch=branch, else_branch=branch)
    del inner.graph.node[:]
    inner.graph.node.append(outer)
    inner.graph.output[0].name = "Z"
    sites = models.find_sites(models.load(inner))
    assert [site.scope for site in sites] == [(f"outer.{one}_branch", "inner.then_branch") for one in ("else", "then")]
    assert [site.name for site in sites] == ["Resize#1", "Resize#2"]


def test_find_site() -> None:
    model = models.load(builders.chain(builders.resize(13, name="first"), builders.resize(13, name="second")))
    assert models.find_site(model, "second").name == "second"
    with pytest.raises(ModelError, match="HP414") as caught:
        models.find_site(model, "sekond")
    assert caught.value.allowed == "first, second"
    assert caught.value.do == "did you mean 'second'?"
    empty = models.load(onnx_ir.Model(onnx_ir.Graph([], [], nodes=[], opset_imports={"": 13}), ir_version=8))
    with pytest.raises(ModelError) as caught:
        models.find_site(empty, "x")
    assert caught.value.allowed == "none: it has none"


def test_lengths_go_from_node_to_node() -> None:
    """The second one's input is known only if the first one's output is: onnx does not look through Identity."""
    model = builders.chain(builders.resize(13, sizes="computed"), builders.resize(13, mode="linear"))
    sites = models.find_sites(models.load(model))
    assert [site.in_shape for site in sites] == [(1, 2, 4, 6), (1, 2, 8, 12)]
    assert [site.out_shape for site in sites] == [(1, 2, 8, 12), (1, 2, 16, 24)]


def test_what_was_inferred_is_not_written() -> None:
    model = models.load(builders.chain(builders.resize(13), builders.resize(13)))
    before = model.proto().SerializeToString()
    assert models.find_sites(model)[1].in_shape == (1, 2, 8, 12)
    assert model.proto().SerializeToString() == before


def test_a_negative_length_is_an_unknown_one() -> None:
    assert only(builders.model_of(builders.resize(13, x_shape=(-1, 3, 4, 8)))).in_shape == (None, 3, 4, 8)


def test_symbolic_lengths() -> None:
    site = only(builders.model_of(builders.resize(13, x_shape=("N", 3, None, 8)), y_shape=("N", 3, "H", 16)))
    assert site.in_shape == ("N", 3, None, 8)
    assert site.out_shape == ("N", 3, "H", 16)


@pytest.mark.parametrize(
    ("x_type", "name"),
    [
        (TensorProto.FLOAT16, "float16"),
        (TensorProto.BFLOAT16, "bfloat16"),
        (TensorProto.DOUBLE, "float64"),
        (TensorProto.UINT8, "uint8"),
        (TensorProto.STRING, "string"),
        (TensorProto.BOOL, "bool"),
    ],
)
def test_element_types(x_type: int, name: str) -> None:
    site = only(builders.model_of(builders.resize(13, x_type=x_type)))
    assert site.element_type == name
    plan = site.plan()
    assert isinstance(plan, Plan)
    assert plan.element_type == name


def test_plan_takes_what_is_passed() -> None:
    site = only(builders.model_of(builders.resize(13, scales="passed", mode="linear", x_shape=(1, 2, "h", "w"))))
    plan = site.plan((1, 2, 5, 5), np.float64, scales=[1, 1, 2, 2])
    assert isinstance(plan, Plan)
    assert (plan.output_shape, plan.element_type, plan.spec.mode) == ((1, 2, 10, 10), "float64", "linear")
    by_sizes = site.plan((1, 2, 5, 5), sizes=[1, 2, 7, 7])
    assert isinstance(by_sizes, Plan)
    assert by_sizes.output_shape == (1, 2, 7, 7)


def test_plan_replaces_scales_by_sizes() -> None:
    plan = only(builders.model_of(builders.resize(13))).plan(sizes=[1, 2, 5, 5])
    assert isinstance(plan, Plan)
    assert plan.output_shape == (1, 2, 5, 5)


def test_plan_passes_a_rule_for_lengths_on() -> None:
    site = only(builders.model_of(builders.resize(13, x_shape=(86,), scales=[256 / 86])))
    exact, rounded = site.plan(), site.plan(length_rule="float32_floor")
    assert isinstance(exact, Plan)
    assert isinstance(rounded, Plan)
    assert (exact.output_shape, rounded.output_shape) == ((255,), (256,))


def test_roi_is_asked_for_only_where_it_is_read() -> None:
    built = builders.resize(13)
    built.inputs["roi"] = (TensorProto.FLOAT, (8,))
    built.node.input[1] = "roi"
    assert isinstance(only(builders.model_of(built)).plan(), Plan)
    built.node.attribute.append(helper.make_attribute("coordinate_transformation_mode", "tf_crop_and_resize"))
    with pytest.raises(ModelError, match="HP415") as caught:
        only(builders.model_of(built)).plan()
    assert caught.value.do == "pass roi"
    assert isinstance(only(builders.model_of(built)).plan(roi=[0, 0, 0, 0, 1, 1, 1, 1]), Plan)


@pytest.mark.parametrize(
    ("built", "do"),
    [
        (builders.resize(13, x_shape=(1, 2, "h", 6)), "pass in_shape"),
        (builders.resize(13, scales="passed"), "pass scales"),
        (builders.resize(13, sizes="passed"), "pass sizes"),
    ],
)
def test_plan_says_what_is_unknown(built: builders.Node, do: str) -> None:
    with pytest.raises(ModelError, match="HP415") as caught:
        only(builders.model_of(built)).plan()
    assert caught.value.do == do


def test_plan_needs_an_element_type() -> None:
    site = only(builders.in_function(builders.resize(13)))
    with pytest.raises(ModelError, match="HP415") as caught:
        site.plan((1, 2, 4, 6))
    assert caught.value.do == "pass dtype"
    assert isinstance(site.plan((1, 2, 4, 6), "uint8"), Plan)


def test_plan_of_a_node_that_breaks_a_rule() -> None:
    with pytest.raises(SpecError, match="HP105"):
        only(builders.model_of(builders.resize(13, scales=[2, 2]))).plan()


def test_two_thousand_nodes_are_found_quickly() -> None:
    import time

    model = models.load(builders.chain(*[builders.resize(13) for _ in range(2000)]))
    started = time.process_time()
    assert len(models.find_sites(model)) == 2000
    assert time.process_time() - started < 10
