"""ONNX's reference evaluator and onnxruntime on one-node models."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import halfpixel as hp

from .onnx_cases import CASES, Array, Case
from .outcome import check, unused

pytestmark = [pytest.mark.needs("module:onnx"), pytest.mark.needs("module:onnxruntime")]

IR_VERSION = 10


def model(case: Case) -> tuple[Any, dict[str, Array]]:
    """The case as a model of one node whose inputs are graph inputs."""
    from onnx import helper

    names = ["X", "roi", "scales", "sizes"] if len(case.inputs) == 4 else ["X", "scales"]
    feeds = [(name, value) for name, value in zip(names, case.inputs, strict=False) if value is not None]
    given = dict(feeds)
    node = helper.make_node(
        case.op_type, [name if name in given else "" for name in names[: len(case.inputs)]], ["Y"], **case.attributes
    )
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


PEERS: dict[str, Callable[[Case], Array]] = {"onnx_reference": run_reference, "onnxruntime": run_onnxruntime}


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", CASES)
def test_case(peer: str, name: str) -> None:
    """The peer agrees, differs or refuses as listed."""
    case = CASES[name]

    def ours() -> Any:
        return hp.run_node(case.op_type, case.inputs, case.attributes, opset=case.opset)

    check(peer, name, ours, lambda: PEERS[peer](case))


@pytest.mark.parametrize("peer", PEERS)
def test_no_deviation_is_stale(peer: str) -> None:
    """Every listed case exists."""
    assert unused(peer, list(CASES)) == []
