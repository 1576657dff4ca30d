"""Runtimes on one-node models: each does with every case what peers/deviations.toml says, no more and no less."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.peers.deviations import targets
from halfpixel.peers.facts import FACTS, Request, facts_of
from halfpixel.spec.operators import since_version

from .onnx_cases import CASES, Array, Case
from .onnx_in_torch import run_torch
from .outcome import outcome

pytestmark = [
    pytest.mark.needs("module:onnx"),
    pytest.mark.needs("module:onnxruntime"),
    pytest.mark.needs("module:openvino"),
    pytest.mark.needs("module:torch"),
]

IR_VERSION = 10
OPENVINO_PRECISION = {"float16": "f16"}


def model(case: Case) -> tuple[Any, dict[str, Array]]:
    """The case as a model of one node whose inputs are graph inputs."""
    from onnx import helper

    names = ["X", "roi", "scales", "sizes"] if len(case.inputs) == 4 else ["X", "scales"]
    feeds = [(name, value) for name, value in zip(names, case.inputs, strict=False) if value is not None]
    given = dict(feeds)
    # An empty list has no type of its own.
    attributes = {name: value for name, value in case.attributes.items() if value != []}
    node = helper.make_node(
        case.op_type, [name if name in given else "" for name in names[: len(case.inputs)]], ["Y"], **attributes
    )
    for name in case.attributes.keys() - attributes.keys():
        node.attribute.append(helper.make_attribute(name, [], attr_type=7))
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in feeds
    ]
    y = helper.make_tensor_value_info("Y", helper.np_dtype_to_tensor_dtype(case.x.dtype), None)
    graph = helper.make_graph([node], "one_node", infos, [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", case.opset)], ir_version=IR_VERSION), given


def run_reference(case: Case) -> Array:
    """Y by onnx.reference."""
    from onnx.reference import ReferenceEvaluator

    proto, feeds = model(case)
    with np.errstate(all="ignore"):
        outputs: Any = ReferenceEvaluator(proto).run(None, feeds)
        return np.asarray(outputs[0])


def run_onnxruntime(case: Case) -> Array:
    """Y by onnxruntime's CPU provider."""
    import onnxruntime

    proto, feeds = model(case)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, feeds)[0])


def run_openvino(case: Case) -> Array:
    """Y by OpenVINO on the CPU, in the precision of X."""
    import openvino

    proto, feeds = model(case)
    core = openvino.Core()
    hint = {"INFERENCE_PRECISION_HINT": OPENVINO_PRECISION.get(case.element, "f32")}
    compiled = core.compile_model(core.read_model(proto.SerializeToString()), "CPU", hint)
    kept = {name for port in compiled.inputs for name in port.names}  # it drops inputs that it does not read
    return np.asarray(compiled({name: value for name, value in feeds.items() if name in kept})[0])


PEERS: dict[str, Callable[[Case], Array]] = {
    "onnx-reference": run_reference,
    "onnxruntime": run_onnxruntime,
    "openvino": run_openvino,
    "pytorch": run_torch,
}


def request_of(case: Case) -> Request:
    """The case as peers/facts.py looks at it."""
    attributes = dict(case.attributes)
    scales = attributes.get("scales") if case.scales is None else case.scales
    return Request(
        case.op_type,
        since_version(case.op_type, case.opset),
        attributes,
        case.shape,
        case.element,
        scales=None if scales is None else tuple(scales),
        sizes=None if case.sizes is None else tuple(case.sizes),
        roi=None if case.roi is None else tuple(case.roi),
        roi_type=None if case.roi is None else case.roi_element,
    )


FACTS_OF = {name: facts_of(request_of(case)) for name, case in CASES.items()}


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", CASES)
def test_case(peer: str, name: str) -> None:
    """The peer agrees, differs or refuses as listed: what is listed and does not happen fails as well."""
    case = CASES[name]
    met = targets()[peer].of(FACTS_OF[name])

    def ours() -> Any:
        return hp.run_node(case.op_type, case.inputs, case.attributes, opset=case.opset)

    happened = outcome(ours, lambda: PEERS[peer](case))
    assert happened == (met[0].outcome if met else "agrees"), [deviation.name for deviation in met]


@pytest.mark.parametrize("peer", PEERS)
def test_every_deviation_is_met_by_a_case(peer: str) -> None:
    """What is listed as measured is measured here; and each is missed by a case as well, so it says something."""
    for deviation in targets()[peer].deviations:
        held = [deviation.holds(facts) for facts in FACTS_OF.values()]
        assert any(held), deviation.name
        assert not all(held), deviation.name


@pytest.mark.parametrize("peer", PEERS)
def test_the_list_is_for_the_versions_that_are_installed(peer: str) -> None:
    from importlib.metadata import version

    target = targets()[peer]
    assert target.module is not None
    assert version(target.module).partition("+")[0] == target.version
    assert target.evidence == "measured"


def test_a_target_is_measured_or_says_by_which_document() -> None:
    known = {name: target.known_from for name, target in targets().items()}
    assert set(known) == {*PEERS, "tract", "tensorrt", "coreml", "tflite"}
    assert known["onnxruntime"] == "measured with onnxruntime 1.32.0"
    assert known["tract"] == "measured with tract 0.23.9"
    for name in ("tensorrt", "coreml", "tflite"):
        assert known[name].startswith("by its documentation for ")
        assert ", not measured: " in known[name]


def test_names_of_deviations_are_unique_and_facts_exist() -> None:
    """The reader refuses a word that is no fact; each of them is measured by some case."""
    for target in targets().values():
        names = [deviation.name for deviation in target.deviations]
        assert len(set(names)) == len(names), target.name
        assert {fact for one in target.deviations for condition in one.when for fact in condition} <= set(FACTS)
    assert {fact for facts in FACTS_OF.values() for fact in facts} | {"roi_type"} == set(FACTS)
