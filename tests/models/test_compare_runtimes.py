"""The installed runtimes: known deviations get their name, what they refuse or crash on is a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from halfpixel import MissingExtraError, ModelError
from halfpixel.models.compare.expected import expected_of
from halfpixel.models.compare.nodes import result_of
from halfpixel.models.compare.result import DIFFERS, EQUAL, ROUNDING, TIES, RuntimeResult
from halfpixel.peers.runtimes import NodeCall, RuntimeProcess, installed
from halfpixel.peers.runtimes import process as process_module
from halfpixel.peers.runtimes.outcome import CRASHED, RAN, REFUSED, TIMED_OUT
from halfpixel.peers.runtimes.registry import RUNTIMES, RuntimeEntry

pytestmark = pytest.mark.needs("module:onnx", "module:onnxruntime", "module:openvino", "module:torch")

Array = np.ndarray[Any, Any]
ASYMMETRIC_FLOOR = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}


@pytest.fixture(scope="module")
def runtimes() -> Iterator[dict[str, RuntimeProcess]]:
    """One process for each runtime, for all tests here."""
    found = {name: RuntimeProcess(name) for name in RUNTIMES}
    yield found
    for runtime in found.values():
        runtime.close()


def squares(shape: tuple[int, ...], element: str = "float32") -> Array:
    values = np.arange(int(np.prod(shape)), dtype=np.int64) ** 2 * 3 % 97
    return values.reshape(shape).astype(element)


def resize(
    x: Array, attributes: dict[str, Any], scales: Any = None, sizes: Any = None, roi: Any = None, opset: int = 19
) -> NodeCall:
    """A Resize node whose scales and sizes are constants."""
    arrays = [
        None if values is None else np.array(values, kind)
        for values, kind in ((roi, np.float32), (scales, np.float32), (sizes, np.int64))
    ]
    return NodeCall("Resize", (x, *arrays), attributes, opset, frozenset({1, 2, 3}))


def compared(runtime: RuntimeProcess, call: NodeCall) -> RuntimeResult:
    expected = expected_of(call.op_type, call.inputs, call.attributes, call.opset)
    return result_of(runtime.name, runtime.run_node(call), call, expected, None)


def picture(element: str = "float32") -> Array:
    return squares((1, 2, 9, 12), element)


DEVIATIONS: list[tuple[str, NodeCall, str]] = [
    ("openvino", resize(picture(), {"mode": "linear", "antialias": 1}, [1, 1, 0.5, 0.4]), "antialias_ignored"),
    (
        "openvino",
        resize(picture(), {"mode": "cubic", "exclude_outside": 1}, None, [1, 2, 15, 20]),
        "exclude_outside_ignored",
    ),
    (
        "openvino",
        resize(picture(), {"keep_aspect_ratio_policy": "not_larger", "axes": [2, 3], "mode": "linear"}, None, [5, 12]),
        "policy_ignored",
    ),
    ("openvino", NodeCall("SpaceToDepth", (squares((1, 2, 4, 6)),), {"blocksize": 2, "mode": "CRD"}, 28), "mode_DCR"),
    ("onnxruntime", resize(picture("uint8"), {"mode": "linear"}, [1, 1, 2, 2]), "integers_truncate"),
    (
        "onnxruntime",
        resize(picture(), {"mode": "linear", "coordinate_transformation_mode": "align_corners"}, [1, 1, 0.6, 2.3]),
        "align_corners_integer",
    ),
    ("onnxruntime", resize(squares((1, 1, 1, 86)), {"mode": "linear"}, [1, 1, 1, 256 / 86]), "length_float32_product"),
    ("onnxruntime", resize(squares((1, 1, 1, 4)), {"mode": "linear"}, [1, 1, 1, 1.2]), "same_length_copied"),
    (
        "onnx-reference",
        resize(
            squares((1, 1, 1, 8)),
            {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"},
            [1, 1, 1, 1.5],
            roi=[0, 0, 0, 0.25, 1, 1, 1, 0.75],
        ),
        "roi_not_in_length",
    ),
    ("onnx-reference", resize(squares((1, 1, 1, 7)), {"mode": "linear"}, None, [1, 1, 1, 17]), "float64_window"),
    ("onnx-reference", resize(squares((8,), "float64"), {"mode": "cubic"}, [1.7]), "float32"),
    ("pytorch", resize(picture(), {"mode": "linear", "antialias": 1}, None, [1, 2, 4, 5]), "antialias_renormalised"),
    ("pytorch", resize(picture("uint8"), {"mode": "linear"}, None, [1, 2, 18, 25]), "rounded_between_half_up"),
]


@pytest.mark.parametrize(("name", "call", "key"), DEVIATIONS, ids=[f"{name} {key}" for name, _, key in DEVIATIONS])
def test_a_known_deviation_is_named(runtimes: dict[str, RuntimeProcess], name: str, call: NodeCall, key: str) -> None:
    result = compared(runtimes[name], call)
    assert result.status == DIFFERS
    assert result.cause is not None
    assert [change.key for change in result.cause.changes] == [key]


@pytest.mark.parametrize("name", ["onnxruntime", "openvino", "pytorch"])
def test_float32_at_whole_coordinates_is_named(runtimes: dict[str, RuntimeProcess], name: str) -> None:
    """3 / float32(0.6) is 4.9999998, in float32 5."""
    result = compared(runtimes[name], resize(squares((1, 1, 1, 7)), ASYMMETRIC_FLOOR, [1, 1, 1, 0.6]))
    assert result.status == TIES
    assert result.cause is not None
    assert [change.key for change in result.cause.changes] == ["float32"]


@pytest.mark.parametrize("name", RUNTIMES)
def test_equal_nodes_are_equal(runtimes: dict[str, RuntimeProcess], name: str) -> None:
    result = compared(runtimes[name], resize(picture(), {"mode": "linear"}, None, [1, 2, 18, 25]))
    assert result.status in (EQUAL, ROUNDING)
    nearest = resize(picture(), ASYMMETRIC_FLOOR, [1, 1, 2, 3])
    assert compared(runtimes[name], nearest).status == EQUAL


def test_nan_that_spreads_is_named(runtimes: dict[str, RuntimeProcess]) -> None:
    x = np.array([1, np.nan, np.inf, 4, 5, 6, 7, 8], np.float32).reshape(1, 1, 1, 8)
    result = compared(runtimes["onnxruntime"], resize(x, {"mode": "linear"}, [1, 1, 1, 2]))
    assert result.cause is not None
    assert [change.key for change in result.cause.changes] == ["nan_spreads"]


def test_old_versions_run(runtimes: dict[str, RuntimeProcess]) -> None:
    x = squares((1, 1, 5, 7))
    scales = np.array([1, 1, 2, 2], np.float32)
    empty = np.empty(0, np.float32)
    for call in (
        NodeCall("Upsample", (x, scales), {"mode": "linear"}, 9, frozenset({1})),
        NodeCall("Upsample", (x,), {"mode": "linear", "scales": [1.0, 1.0, 2.0, 2.0]}, 7),
        NodeCall("Resize", (x, scales), {"mode": "linear"}, 10, frozenset({1})),
        NodeCall(
            "Resize", (x, empty, empty, np.array([1, 1, 9, 9], np.int64)), {"mode": "linear"}, 11, frozenset({1, 2})
        ),
    ):
        assert compared(runtimes["onnxruntime"], call).status in (EQUAL, ROUNDING)


@pytest.mark.parametrize("element", ["bool", "string", "bfloat16", "complex64", "int64"])
def test_what_a_runtime_refuses_is_a_result(runtimes: dict[str, RuntimeProcess], element: str) -> None:
    x = np.array([["a", "b"]], object) if element == "string" else np.ones((1, 2))
    if element == "bfloat16":
        import ml_dtypes

        x = x.astype(ml_dtypes.bfloat16)
    elif element != "string":
        x = x.astype(element)
    result = compared(runtimes["onnxruntime"], resize(x, {}, [1, 2]))
    assert result.status == REFUSED
    assert result.words
    assert "\n" not in result.words
    assert not result.above


def test_bfloat16_is_compared(runtimes: dict[str, RuntimeProcess]) -> None:
    import ml_dtypes

    x = picture().astype(ml_dtypes.bfloat16)
    for name in ("openvino", "pytorch"):
        assert compared(runtimes[name], resize(x, {"mode": "linear"}, None, [1, 2, 18, 25])).status in (EQUAL, ROUNDING)


def test_a_crash_is_a_result_and_the_next_node_runs(runtimes: dict[str, RuntimeProcess]) -> None:
    """Linear of rank 6 takes OpenVINO down."""
    outcome = runtimes["openvino"].run_node(resize(squares((1, 1, 2, 2, 3, 3)), {"mode": "linear"}, [1, 1, 1, 1, 2, 2]))
    assert outcome.kind == CRASHED
    assert "SIG" in outcome.words
    assert runtimes["openvino"].run_node(resize(picture(), {}, [1, 1, 2, 2])).kind == RAN


def test_a_node_that_does_not_end_is_a_result() -> None:
    with RuntimeProcess("onnx-reference", seconds=0.01) as runtime:
        outcome = runtime.run_node(resize(picture(), {}, [1, 1, 2, 2]))
    assert outcome.kind == TIMED_OUT
    assert outcome.words == "not done after 0.01 s"


def test_inputs_at_the_end_that_are_left_out_have_no_name() -> None:
    """As exporters write it; X, "", scales, "" would be legal too, and some readers stumble over it."""
    call = NodeCall("Resize", (picture(), None, np.array([1, 1, 2, 2], np.float32), None), {}, 19, frozenset({2}))
    (one,) = call.model().graph.node
    assert list(one.input) == ["X", "", "scales"]


def test_openvino_is_asked_for_float32(runtimes: dict[str, RuntimeProcess]) -> None:
    """In bfloat16, its default where the processor has it, averages would be off in the third digit."""
    x = np.random.default_rng(0).random((1, 8, 64, 64), np.float32)
    result = compared(runtimes["openvino"], resize(x, {"mode": "cubic"}, None, [1, 8, 97, 101]))
    assert result.status == ROUNDING


def test_pytorch_says_what_it_called(runtimes: dict[str, RuntimeProcess]) -> None:
    call = resize(picture(), {"mode": "cubic"}, None, [1, 2, 18, 25])
    outcome = runtimes["pytorch"].run_node(call)
    assert outcome.words == "interpolate(x, size=(18, 25), mode='bicubic', align_corners=False)"


@pytest.mark.parametrize(
    ("attributes", "where", "words"),
    [
        ({}, {"sizes": [1, 2, 18, 25]}, "no nearest with half_pixel and round_prefer_floor"),
        ({"mode": "linear", "coordinate_transformation_mode": "asymmetric"}, {"scales": [1, 1, 2, 2]}, "asymmetric"),
        ({"mode": "cubic", "cubic_coeff_a": -0.5}, {"scales": [1, 1, 2, 2]}, "cubic_coeff_a=-0.75"),
        ({"mode": "linear"}, {"scales": [1, 2, 2, 2]}, "leaves batch and channels"),
        ({"mode": "linear", "keep_aspect_ratio_policy": "not_larger"}, {"sizes": [1, 2, 18, 25]}, "aspect ratio"),
        ({"mode": "linear", "exclude_outside": 1}, {"sizes": [1, 2, 18, 25]}, "exclude_outside"),
    ],
)
def test_pytorch_refuses_what_it_cannot_say(
    runtimes: dict[str, RuntimeProcess], attributes: dict[str, Any], where: dict[str, Any], words: str
) -> None:
    outcome = runtimes["pytorch"].run_node(resize(picture(), attributes, **where))
    assert outcome.kind == REFUSED
    assert words in outcome.words


def test_the_installed_runtimes_are_known() -> None:
    assert installed() == ["onnxruntime", "openvino", "onnx-reference", "pytorch"]


def test_an_unknown_runtime_is_refused() -> None:
    with pytest.raises(ModelError) as caught:
        RuntimeProcess("tensorrt")
    assert caught.value.code == "HP430"
    assert "onnxruntime" in caught.value.allowed


def test_a_missing_runtime_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = RuntimeEntry("absent", "no_such_package_here", "absent", "no-such-package-here")
    monkeypatch.setitem(process_module.RUNTIMES, "absent", absent)
    with pytest.raises(MissingExtraError) as caught:
        RuntimeProcess("absent")
    assert caught.value.code == "HP900"
    assert "pip install no-such-package-here" in caught.value.do
