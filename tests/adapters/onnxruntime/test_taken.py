"""Which nodes of a graph are ours: all of the four operators that we know, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.adapters.onnxruntime.sessions import (
    CPU,
    OURS,
    model_of,
    resize_model,
    run,
    serialised,
    session_of,
    who_ran,
)

pytestmark = pytest.mark.needs("module:onnxruntime", "module:onnx")

PICTURE = np.arange(24, dtype=np.float32).reshape(1, 4, 2, 3)


def test_every_version_that_onnxruntime_knows_is_registered() -> None:
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

    from halfpixel.onnxruntime.planner import Planner

    names = ("Resize", "Upsample", "DepthToSpace", "SpaceToDepth")
    schemas = [schema for schema in get_all_operator_schema() if schema.domain == "" and schema.name in names]
    known = {(schema.name, schema.since_version) for schema in schemas}
    entries = {(entry.operator.op_type, entry.operator.version): entry for entry in Planner().entries}
    assert len(known) == 16
    assert known <= set(entries)
    assert entries["Resize", 13].last_version == 17
    assert entries["Resize", 19].last_version == 19  # a later one is not ours


@pytest.mark.parametrize(
    ("op_type", "opset", "attributes"),
    [("Resize", opset, {}) for opset in (10, 11, 12, 13, 18, 19, 28)]
    + [("DepthToSpace", opset, {"blocksize": 2}) for opset in (1, 11, 13, 28)]
    + [("SpaceToDepth", opset, {"blocksize": 1}) for opset in (1, 13, 28)]
    + [("Upsample", 7, {"scales": [1.0, 1.0, 2.0, 2.0]})],
)
def test_we_run_it(op_type: str, opset: int, attributes: dict[str, Any], tmp_path: Path) -> None:
    model = model_of(op_type, PICTURE, attributes, opset)
    if op_type == "Resize":
        model = resize_model(PICTURE, [1, 1, 2, 2], opset)
    assert who_ran(model, tmp_path, {"X": PICTURE}) == {op_type: OURS}


def test_other_nodes_stay_where_they_were(tmp_path: Path) -> None:
    from onnx import TensorProto, helper, numpy_helper

    nodes = [
        helper.make_node("Relu", ["X"], ["a"]),
        helper.make_node("Resize", ["a", "", "s"], ["b"], mode="linear"),
        helper.make_node("DepthToSpace", ["b"], ["c"], blocksize=2),
        helper.make_node("Neg", ["c"], ["Y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, [1, 4, None, None])],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "s")],
    )
    ran = who_ran(serialised(graph, 19), tmp_path, {"X": PICTURE})
    assert ran == {"Relu": CPU, "Resize": OURS, "DepthToSpace": OURS, "Neg": CPU}


def test_a_node_in_a_branch_and_in_a_function() -> None:
    from onnx import TensorProto, helper, numpy_helper

    x = np.array([1, 2], np.float64)  # which onnxruntime's own kernel does not take

    def branch(name: str, mode: str) -> Any:
        body = helper.make_node("Twice", ["X"], [name], domain="local", mode=mode)
        return helper.make_graph([body], name, [], [helper.make_tensor_value_info(name, TensorProto.DOUBLE, None)])

    node = helper.make_node("Resize", ["x", "", "s"], ["y"])
    node.attribute.add(name="mode", ref_attr_name="mode", type=3)
    scales = helper.make_node("Constant", [], ["s"], value=numpy_helper.from_array(np.array([2], np.float32)))
    opsets = [helper.make_opsetid("", 19)]
    twice = helper.make_function("local", "Twice", ["x"], ["y"], [scales, node], opsets, ["mode"])
    choice = helper.make_node("If", ["C"], ["Y"], then_branch=branch("a", "linear"), else_branch=branch("b", "nearest"))
    graph = helper.make_graph(
        [choice],
        "graph",
        [
            helper.make_tensor_value_info("X", TensorProto.DOUBLE, [None]),
            helper.make_tensor_value_info("C", TensorProto.BOOL, []),
        ],
        [helper.make_tensor_value_info("Y", TensorProto.DOUBLE, None)],
    )
    session = session_of(serialised(graph, 19, [twice], ["local"]))
    assert session.run(None, {"X": x, "C": np.array(True)})[0].tolist() == [1, 1.25, 1.75, 2]
    assert session.run(None, {"X": x, "C": np.array(False)})[0].tolist() == [1, 1, 2, 2]


def test_without_us_onnxruntime_refuses_the_types_that_we_add() -> None:
    """The proof that test_values.py does not look at onnxruntime's own kernels."""
    from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NoKernel

    model = resize_model(np.zeros(2, np.float64), [2])
    with pytest.raises(NoKernel):
        session_of(model, [CPU])


def test_a_plan_is_made_once_for_a_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known lengths and constants: before the first run. Else at the first run of a shape."""
    from halfpixel.onnxruntime.planner import Planner

    shapes = []
    make = Planner.make_plan

    def watched(self: Planner, node: int, element: str, shape: tuple[int, ...], inputs: Any) -> Any:
        shapes.append(shape)
        return make(self, node, element, shape, inputs)

    monkeypatch.setattr(Planner, "make_plan", watched)
    session = session_of(resize_model(PICTURE, [1, 1, 2, 2]))
    assert shapes == [(1, 4, 2, 3)]
    for _ in range(3):
        session.run(None, {"X": PICTURE})
    assert shapes == [(1, 4, 2, 3)]
    dynamic = session_of(resize_model(PICTURE, [1, 1, 2, 2], dynamic=True))
    assert len(shapes) == 1
    for rows in (1, 2, 1, 2):
        dynamic.run(None, {"X": PICTURE[:, :, :rows]})
    assert shapes[1:] == [(1, 4, 1, 3), (1, 4, 2, 3)]
    scales = np.array([1, 1, 2, 2], np.float32)
    fed = session_of(model_of("Resize", PICTURE, {}, 19, None, ("X", "", "S"), False, {"S": scales}))
    assert len(shapes) == 3  # the values come with the run
    fed.run(None, {"X": PICTURE, "S": scales})
    assert len(shapes) == 4


def test_the_last_64_shapes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from halfpixel.onnxruntime.planner import Planner

    shapes = []
    make = Planner.make_plan

    def watched(self: Planner, node: int, element: str, shape: tuple[int, ...], inputs: Any) -> Any:
        shapes.append(shape[0])
        return make(self, node, element, shape, inputs)

    monkeypatch.setattr(Planner, "make_plan", watched)
    session = session_of(resize_model(np.zeros(1, np.float32), [2], dynamic=True))
    for length in (*range(1, 71), *range(7, 71), 6):
        session.run(None, {"X": np.zeros(length, np.float32)})
    assert shapes == [*range(1, 71), 6]


def test_a_session_lets_go_of_what_it_held(monkeypatch: pytest.MonkeyPatch) -> None:
    from halfpixel.onnxruntime.planner import Planner

    held: list[dict[int, Any]] = []
    hold = Planner._hold

    def watched(self: Planner, value: object) -> int:
        held.append(self._held)
        return hold(self, value)

    monkeypatch.setattr(Planner, "_hold", watched)
    session = session_of(resize_model(PICTURE, [1, 1, 2, 2], dynamic=True))
    before = len(held[0]) - 1
    for rows in (1, 2):
        session.run(None, {"X": PICTURE[:, :, :rows]})
    assert len(held[0]) == before + 3
    del session
    assert len(held[0]) == before


def test_the_results_do_not_depend_on_threads() -> None:
    x = np.random.default_rng(1).standard_normal((1, 3, 300, 400)).astype(np.float32)
    model = resize_model(x, [1, 1, 1.3, 0.7], mode="cubic")
    results = [session_of(model, threads=threads).run(None, {"X": x})[0].tobytes() for threads in (1, 2, 5)]
    assert len(set(results)) == 1
    assert run(model, x).tobytes() == results[0]
