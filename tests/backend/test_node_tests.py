"""onnx's own node tests whose names carry resize, upsample, depthtospace or spacetodepth: all of them, none skipped."""

import re
import unittest
import warnings

import pytest
from onnx.backend.test import BackendTest
from onnx.backend.test.case.test_case import TestCase
from onnx.backend.test.loader import load_model_tests

from halfpixel.onnx import backend, operators

OURS = re.compile("resize|upsample|depthtospace|spacetodepth")

with warnings.catch_warnings():
    # onnx computes the data of all its tests here, some with overflow or division by zero on purpose.
    warnings.simplefilter("ignore", RuntimeWarning)
    CASES: list[TestCase] = [case for case in load_model_tests(kind="node") if OURS.search(case.name)]
    _TESTS = vars(BackendTest(backend, __name__).test_cases["OnnxBackendNodeModelTest"])
SELECTED = {name: test for name, test in _TESTS.items() if OURS.search(name) and name.endswith("_cpu")}

# onnx marks the thousands of tests that a pattern leaves out as skipped; here they are not there.
TestOnnxNodes = type("TestOnnxNodes", (unittest.TestCase,), dict(SELECTED))


def test_all_fifty_two_are_here() -> None:
    """onnx 1.23 has 52 of them; none carries a skip mark."""
    assert len(CASES) == 52
    assert {f"{case.name}_cpu" for case in CASES} == set(SELECTED)
    assert not any(getattr(test, "__unittest_skip__", False) for test in SELECTED.values())


@pytest.mark.parametrize("case", [c for c in CASES if not c.name.endswith("_expanded")], ids=lambda case: case.name)
def test_halfpixel_runs_them(case: TestCase) -> None:
    """Of the 52, the 46 that are one node of ours each are run by our operator class; 6 are the schemas' expansions."""
    (node,) = backend.prepare(case.model)._evaluator.rt_nodes_
    assert type(node) is getattr(operators, node.op_type)
