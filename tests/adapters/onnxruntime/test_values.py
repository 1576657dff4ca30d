"""Every version, mode and element type in a session: our bits, with the host's lengths."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.adapters.onnxruntime.sessions import model_of, resize_model, run, session_of

pytestmark = pytest.mark.needs("module:onnxruntime", "module:onnx")

NUMBERS = ["float32", "float64", "float16", "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64"]
NUMBERS += ["int64"]
SCALES = [1, 1, 1.7, 0.6]


def samples(element: str, shape: tuple[int, ...] = (1, 2, 5, 7)) -> Any:
    """Numbers over the whole range, or strings of different lengths, zero bytes and the empty one among them."""
    rng = np.random.default_rng(5)
    if element == "string":
        texts = ["", "a", "zero\0byte", "ä" * 40]
        return np.array([texts[i % 4] + str(i // 4) * (i > 3) for i in range(np.prod(shape))], object).reshape(shape)
    if element == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if element.startswith("float"):
        return rng.standard_normal(shape).astype(element)
    limits = np.iinfo(element)
    return rng.integers(limits.min, limits.max, shape, element, endpoint=True)


def test_literals() -> None:
    """Numbers that a person can check: linear with half-pixel centres, nearest, both rearrangements."""
    x = np.array([[[[1, 2], [3, 4]]]], np.float32)
    doubled = run(resize_model(x, [1, 1, 2, 2], mode="linear"), x)[0, 0]
    assert doubled.tolist() == [[1, 1.25, 1.75, 2], [1.5, 1.75, 2.25, 2.5], [2.5, 2.75, 3.25, 3.5], [3, 3.25, 3.75, 4]]
    assert run(resize_model(x, [1, 1, 1, 2]), x)[0, 0].tolist() == [[1, 1, 2, 2], [3, 3, 4, 4]]
    deep = run(model_of("SpaceToDepth", x, {"blocksize": 2}), x)
    assert deep.tolist() == [[[[1]], [[2]], [[3]], [[4]]]]
    assert run(model_of("DepthToSpace", deep, {"blocksize": 2}), deep).tolist() == x.tolist()


def test_integers_round_to_even() -> None:
    """0, 1, 2 doubled is 0, 1/4, 3/4, 5/4, 7/4, 2; ties of 1 and 2 at 3/2 go to 2. onnxruntime truncates."""
    x = np.array([0, 1, 2], np.int32)
    assert run(resize_model(x, [2], mode="linear"), x).tolist() == [0, 0, 1, 1, 2, 2]
    tie = np.array([1, 2], np.int16)
    assert run(resize_model(tie, [0.5], mode="linear"), tie).tolist() == [2]


@pytest.mark.parametrize("element", [*NUMBERS, "string"])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("opset", [11, 13, 18, 19, 28])
def test_resize(element: str, mode: str, opset: int) -> None:
    if element == "string" and mode != "nearest":
        return  # tested in test_errors.py
    x = samples(element)
    plan = hp.plan_resize(x.shape, x.dtype, scales=SCALES, mode=mode, length_rule="float32_floor")
    y = run(resize_model(x, SCALES, opset, mode=mode), x)
    assert y.dtype == x.dtype
    assert y.tobytes() == plan(x).tobytes() or (element == "string" and y.tolist() == plan(x).tolist())


@pytest.mark.parametrize("element", [*NUMBERS, "string"])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_old_resamplers(element: str, mode: str) -> None:
    """Resize-10, Upsample-9, -7 and -1."""
    if element == "string" and mode != "nearest":
        return
    x = samples(element)
    up = np.array([1, 1, 1.7, 2.6], np.float32)
    scales = np.array(SCALES, np.float32)
    expected = hp.run_node("Resize", [x, scales], {"mode": mode}, opset=10)
    assert run(resize_model(x, SCALES, 10, mode=mode), x).tolist() == expected.tolist()
    for opset in (7, 8, 9):
        attributes: dict[str, Any] = {"mode": mode} | ({"scales": up.tolist()} if opset < 9 else {})
        constants = {} if opset < 9 else {"scales": up}
        model = model_of("Upsample", x, attributes, opset, constants, ("X", *constants))
        expected = hp.run_node("Upsample", [x, *constants.values()], attributes, opset=opset)
        assert run(model, x).tolist() == expected.tolist()
    if element in ("bool", "int32", "int64", "float16", "float32", "float64"):
        attributes = {"mode": mode.replace("linear", "bilinear"), "height_scale": 2.0, "width_scale": 1.5}
        expected = hp.run_node("Upsample", [x], attributes, opset=1)
        assert run(model_of("Upsample", x, attributes, 6), x).tolist() == expected.tolist()


@pytest.mark.parametrize("element", [*NUMBERS, "string"])
@pytest.mark.parametrize("op_type", ["DepthToSpace", "SpaceToDepth"])
@pytest.mark.parametrize(("opset", "mode"), [(1, ""), (11, "CRD"), (13, "DCR"), (13, ""), (28, "CRD"), (28, "DCR")])
def test_rearrangements(element: str, op_type: str, opset: int, mode: str) -> None:
    if op_type == "SpaceToDepth" and mode and opset < 28:
        return  # it has no mode
    x = samples(element, (2, 8, 6, 4))
    attributes = {"blocksize": 2} | ({"mode": mode} if mode else {})
    expected = hp.run_node(op_type, [x], attributes, opset=opset)
    assert run(model_of(op_type, x, attributes, opset), x).tolist() == expected.tolist()


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_bfloat16(mode: str) -> None:
    import ml_dtypes
    import onnxruntime

    x = samples("float32").astype(ml_dtypes.bfloat16)
    session = session_of(resize_model(x, SCALES, mode=mode))
    number = 16
    given = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(x.view(np.uint16), number)
    y = session.run_with_ort_values(None, {"X": given})[0]
    expected = hp.plan_resize(x.shape, x.dtype, scales=SCALES, mode=mode, length_rule="float32_floor")(x)
    assert tuple(y.shape()) == expected.shape
    bits = np.frombuffer((ctypes.c_uint16 * expected.size).from_address(y.data_ptr()), np.uint16)
    assert bits.tolist() == expected.view(np.uint16).ravel().tolist()


def test_nan_payloads_pass_nearest() -> None:
    x = np.array([0x7FC01234, 0xFF812345], np.uint32).view(np.float32)
    y = run(resize_model(x, [2]), x)
    assert y.view(np.uint32).tolist() == [0x7FC01234, 0x7FC01234, 0xFF812345, 0xFF812345]


@pytest.mark.parametrize(("length", "scale", "exact", "host"), [(86, 256 / 86, 255, 256), (10, 0.7, 6, 7)])
def test_lengths_are_those_of_the_host(length: int, scale: float, exact: int, host: int) -> None:
    """The rest of the graph was built for floor(float32(in * scale)); the coordinates keep the given scale."""
    x = np.arange(length, dtype=np.float32)
    assert hp.resize(x, [scale]).shape == (exact,)
    y = run(resize_model(x, [scale], mode="linear"), x)
    assert y.shape == (host,)
    assert y[:exact].tolist() == hp.resize(x, [scale], mode="linear").tolist()


def test_lengths_of_upsample_are_those_of_the_host() -> None:
    x = np.arange(86, dtype=np.float32)
    model = model_of("Upsample", x, {}, 9, {"scales": np.array([256 / 86], np.float32)}, ("X", "scales"))
    assert run(model, x).shape == (256,)


def test_roi_does_not_count_in_lengths() -> None:
    """Half the input, doubled: the standard's text makes 4 of it, a session 8."""
    x = np.arange(4, dtype=np.float32)
    constants = {"roi": np.array([0, 0.5], np.float32), "scales": np.array([2], np.float32)}
    crop = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
    y = run(model_of("Resize", x, crop, 19, constants, ("X", *constants)), x)
    assert hp.resize(x, [2], roi=[0, 0.5], **crop).shape == (4,)
    np.testing.assert_allclose(y, np.arange(8) * 1.5 / 7, rtol=1e-6)


@pytest.mark.parametrize(
    "attributes",
    [
        {"mode": "linear", "antialias": 1},
        {"mode": "cubic", "antialias": 1, "exclude_outside": 1, "cubic_coeff_a": -0.5},
        {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
        {"mode": "nearest", "coordinate_transformation_mode": "half_pixel_symmetric", "nearest_mode": "ceil"},
        {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 7.5},
    ],
)
@pytest.mark.parametrize("dynamic", [False, True])
def test_attributes(attributes: dict[str, Any], dynamic: bool) -> None:
    x = samples("float32")
    constants = {"roi": np.array([0, 0, -0.2, 0.1, 1, 1, 0.9, 1.3], np.float32), "scales": np.array(SCALES, np.float32)}
    model = model_of("Resize", x, attributes, 19, constants, ("X", *constants), dynamic)
    keywords: dict[str, Any] = attributes | {"roi": constants["roi"]}
    plan = hp.plan_resize(x.shape, x.dtype, scales=SCALES, length_rule="float32_floor", **keywords)
    assert run(model, x).tobytes() == plan(x).tobytes()


def test_axes_and_policy() -> None:
    x = samples("float32")
    attributes = {"mode": "linear", "axes": [-1, 2], "keep_aspect_ratio_policy": "not_larger"}
    constants = {"sizes": np.array([21, 10], np.int64)}
    y = run(model_of("Resize", x, attributes, 18, constants, ("X", "", "", "sizes")), x)
    assert y.shape == (1, 2, 10, 14)
    assert y.tolist() == hp.resize(x, sizes=[10, 14], axes=[2, 3], mode="linear").tolist()


def test_no_axes_is_a_copy() -> None:
    """An explicit empty list. The host's shape inference takes an empty constant for an absent one."""
    from onnx import AttributeProto, helper, load_model_from_string

    x, nothing = samples("float32"), np.array([], np.float32)
    model = load_model_from_string(model_of("Resize", x, {}, 19, None, ("X", "", "S"), True, {"S": nothing}))
    model.graph.node[0].attribute.append(helper.make_attribute("axes", [], attr_type=AttributeProto.INTS))
    assert run(model.SerializeToString(), x, S=nothing).tolist() == x.tolist()


def test_attributes_of_a_later_version() -> None:
    """Models in the wild carry half_pixel_symmetric at 18: the value's meaning is plain."""
    x = np.arange(5, dtype=np.float32)
    model = resize_model(x, [0.5], 18, mode="linear", coordinate_transformation_mode="half_pixel_symmetric")
    expected = hp.resize(x, [0.5], mode="linear", coordinate_transformation_mode="half_pixel_symmetric")
    assert run(model, x).tolist() == expected.tolist()


def test_values_that_come_with_the_run() -> None:
    """Scales, sizes and roi as inputs of the model, and another shape in every run."""
    x = samples("float32")
    scales = np.array(SCALES, np.float32)
    session = session_of(model_of("Resize", x, {"mode": "linear"}, 19, None, ("X", "", "S"), True, {"S": scales}))
    for rows in (5, 3, 5, 1):
        for factor in (1.0, 2.0):
            fed = {"X": x[:, :, :rows], "S": scales * np.array([1, 1, factor, 1], np.float32)}
            plan = hp.plan_resize(fed["X"].shape, x.dtype, fed["S"], mode="linear", length_rule="float32_floor")
            assert session.run(None, fed)[0].tobytes() == plan(fed["X"]).tobytes()

    sizes = np.array([1, 2, 9, 4], np.int64)
    session = session_of(model_of("Resize", x, {"mode": "cubic"}, 19, None, ("X", "", "", "S"), True, {"S": sizes}))
    for wanted in ([1, 2, 9, 4], [1, 2, 4, 9], [1, 2, 0, 3]):
        y = session.run(None, {"X": x, "S": np.array(wanted)})[0]
        assert y.tobytes() == hp.resize(x, sizes=wanted, mode="cubic").tobytes()

    roi = np.array([0, 1], np.float64)
    crop = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
    line = np.arange(5, dtype=np.float32)
    constants = {"sizes": np.array([3], np.int64)}
    session = session_of(model_of("Resize", line, crop, 19, constants, ("X", "R", "", "sizes"), True, {"R": roi}))
    for given, expected in (([0, 1], [0, 2, 4]), ([0.25, 0.75], [1, 2, 3]), ([1, 0], [4, 2, 0])):
        assert session.run(None, {"X": line, "R": np.array(given, np.float64)})[0].tolist() == expected


@pytest.mark.parametrize("element", ["float32", "string"])
def test_empty_results(element: str) -> None:
    x = samples(element)
    session = session_of(resize_model(x, [1, 1, 0.1, 1], dynamic=True))
    assert session.run(None, {"X": x})[0].shape == (1, 2, 0, 7)
    assert session.run(None, {"X": x[:0]})[0].shape == (0, 2, 0, 7)
    deep = samples(element, (0, 8, 6, 4))
    model = model_of("DepthToSpace", deep, {"blocksize": 2}, dynamic=True)
    assert run(model, deep).shape == (0, 2, 12, 8)


def test_rank_0_and_rank_9() -> None:
    point, nothing = np.array(3.5, np.float32), np.array([], np.float32)
    assert run(model_of("Resize", point, {}, 19, None, ("X", "", "S"), False, {"S": nothing}), point, S=nothing) == 3.5
    deep = np.arange(2**9, dtype=np.int16).reshape([2] * 9)
    y = run(resize_model(deep, [1] * 4 + [2] + [1] * 4, mode="linear"), deep)
    assert y.tolist() == hp.resize(deep, [2], axes=[4], mode="linear").tolist()


def test_many_shapes_push_old_plans_out() -> None:
    """More shapes than a node keeps plans for, twice over."""
    session = session_of(resize_model(np.zeros(1, np.float32), [2], dynamic=True))
    for _ in range(2):
        for length in range(1, 150):
            x = np.arange(length, dtype=np.float32)
            assert session.run(None, {"X": x})[0].tolist() == np.repeat(x, 2).tolist()
