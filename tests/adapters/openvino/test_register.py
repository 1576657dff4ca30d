"""The operators in OpenVINO's graphs: our numbers, its lengths, what it loses before we see it."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.adapters.onnxruntime.sessions import model_of, resize_model

pytestmark = pytest.mark.needs("module:openvino", "module:onnx")

SCALES = [1, 1, 1.7, 0.6]
CARRIED = ["float32", "float16", "bfloat16", "bool", "uint8", "int8", "uint16", "int16", "int32", "string"]


@pytest.fixture(scope="module")
def core() -> Any:
    import openvino

    import halfpixel.openvino

    core = openvino.Core()
    halfpixel.openvino.register(core)
    return core


def run(core: Any, model: bytes, x: Any, *more: Any) -> Any:
    """The result as NumPy has it; bfloat16 as its bits."""
    import openvino

    request = core.compile_model(core.read_model(model), "CPU").create_infer_request()
    if x.dtype.name == "bfloat16":
        x = openvino.Tensor(x.view(np.uint16), list(x.shape), openvino.Type.bf16)
        request.infer([x, *more])
        return np.array(request.get_output_tensor().data).view(np.uint16)
    return next(iter(request.infer([openvino.Tensor(x.astype(str)) if x.dtype == object else x, *more]).values()))


def samples(element: str) -> Any:
    rng = np.random.default_rng(3)
    shape = (1, 2, 5, 7)
    if element == "string":
        return np.array([["", "a", "äö"][i % 3] * (i % 5) for i in range(70)], object).reshape(shape)
    if element == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if element == "bfloat16":
        import ml_dtypes

        return rng.standard_normal(shape).astype(ml_dtypes.bfloat16)
    if element.startswith("float"):
        return rng.standard_normal(shape).astype(element)
    limits = np.iinfo(element)
    return rng.integers(limits.min, limits.max, shape, element, endpoint=True)


@pytest.mark.parametrize("element", CARRIED)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_element_types(core: Any, element: str, mode: str, dynamic: bool) -> None:
    """Exact, though OpenVINO's CPU hands 16-bit integers over as int32 and 16-bit floats as float32."""
    if element == "string" and mode != "nearest":
        return
    x = samples(element)
    y = run(core, resize_model(x, SCALES, mode=mode, dynamic=dynamic), x)
    expected = hp.plan_resize(x.shape, x.dtype, scales=SCALES, mode=mode, length_rule="float32_floor")(x)
    if element == "bfloat16":
        expected = expected.view(np.uint16)
    assert y.shape == expected.shape
    assert y.tolist() == expected.tolist()


@pytest.mark.parametrize("element", ["float64", "int64", "uint64"])
def test_what_openvino_narrows(core: Any, element: str) -> None:
    """Its CPU has no 64-bit types: what float32 or int32 holds is right, the rest is lost before we see it."""
    exact = np.array([1, 2, 2**30], element)
    assert run(core, resize_model(exact, [2]), exact).tolist() == [1, 1, 2, 2, 2**30, 2**30]
    fine = np.array([2**40 + 1], element)
    assert run(core, resize_model(fine, [1]), fine).tolist() != fine.tolist()


def test_it_is_ours_that_runs(core: Any) -> None:
    """OpenVINO's own Resize drops antialias without a word: 0, 6, 0, 0, 6, 0 halved is not what it gives."""
    import openvino

    x = np.array([0, 6, 0, 0, 6, 0], np.float32).reshape(1, 1, 1, 6)
    model = resize_model(x, [1, 1, 1, 0.5], mode="linear", antialias=1)
    plain = openvino.Core()
    theirs = next(iter(plain.compile_model(plain.read_model(model), "CPU")(x).values()))
    assert theirs.ravel().tolist() == [3, 0, 3]
    assert run(core, model, x).ravel().tolist() == [2.25, 1.5, 2.25]


def test_lengths_are_those_of_the_host(core: Any) -> None:
    x = np.zeros(86, np.float32)
    assert run(core, resize_model(x, [256 / 86]), x).shape == (256,)
    assert core.read_model(resize_model(x, [256 / 86])).output().shape == [256]


@pytest.mark.parametrize("opset", [10, 11, 13, 18, 19])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_versions_of_resize(core: Any, opset: int, mode: str) -> None:
    x = samples("float32")
    scales = np.array(SCALES, np.float32)
    inputs = [x, scales] if opset == 10 else [x, np.array([], np.float32), scales]
    expected = hp.run_node("Resize", inputs, {"mode": mode}, opset=opset)
    assert run(core, resize_model(x, SCALES, opset, mode=mode), x).tolist() == expected.tolist()


@pytest.mark.parametrize("opset", [6, 7, 9, 10])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_versions_of_upsample(core: Any, opset: int, mode: str) -> None:
    """1, 7, 9, and the deprecated 10."""
    x = samples("float32")
    attributes: dict[str, Any] = {"mode": mode}
    constants = {"scales": np.array([1, 1, 1.7, 2.6], np.float32)} if opset > 8 else {}
    if opset == 6:
        attributes = {"mode": mode.replace("linear", "bilinear"), "height_scale": 1.7, "width_scale": 2.6}
    elif opset == 7:
        attributes["scales"] = [1, 1, 1.7, 2.6]
    expected = hp.run_node("Upsample", [x, *constants.values()], attributes, opset=opset)
    model = model_of("Upsample", x, attributes, opset, constants, ("X", *constants))
    assert run(core, model, x).tolist() == expected.tolist()


def test_version_from_what_a_node_has() -> None:
    from halfpixel.openvino.conversion import version_of

    assert [version_of("Resize", count, {}) for count in (2, 3, 4)] == [10, 19, 19]
    assert version_of("Upsample", 2, {}) == 9
    assert version_of("Upsample", 1, {"scales": [1.0]}) == 7
    assert version_of("Upsample", 1, {"height_scale": 1.0}) == 1
    assert version_of("SpaceToDepth", 1, {}) == 28


@pytest.mark.parametrize(("op_type", "opset", "mode"), [("DepthToSpace", 11, "CRD"), ("DepthToSpace", 1, "")])
def test_depth_to_space(core: Any, op_type: str, opset: int, mode: str) -> None:
    x = np.arange(2 * 8 * 3 * 2, dtype=np.int16).reshape(2, 8, 3, 2)
    attributes = {"blocksize": 2} | ({"mode": mode} if mode else {})
    expected = hp.depth_to_space(x, 2, mode="CRD" if mode else "DCR")
    assert run(core, model_of(op_type, x, attributes, opset), x).tolist() == expected.tolist()


def test_space_to_depth(core: Any) -> None:
    x = np.arange(2 * 2 * 6 * 4, dtype=np.float32).reshape(2, 2, 6, 4)
    model = model_of("SpaceToDepth", x, {"blocksize": 2}, 13, dynamic=True)
    assert run(core, model, x).tolist() == hp.space_to_depth(x, 2).tolist()


def test_random_models(core: Any) -> None:
    """Every attribute, scales or sizes, constant or with the run, known lengths or not."""
    for seed in range(150):
        attributes, given, x, fed = random_node(random.Random(seed))
        fixed = {name: value for name, value in given.items() if name not in fed}
        inputs = [name if name in given else "" for name in ("roi", "scales", "sizes")]
        running = {name: given[name] for name in fed}
        model = model_of("Resize", x, attributes, 19, fixed, ("X", *inputs), seed % 2 == 0, running)
        keywords = {name: value for name, value in attributes.items() if name not in ("antialias", "exclude_outside")}
        flags = {name: bool(attributes.get(name)) for name in ("antialias", "exclude_outside")}
        plan = hp.plan_resize(x.shape, x.dtype, **given, **keywords, **flags, length_rule="float32_floor")
        y = run(core, model, x, *running.values())
        assert y.shape == plan.output_shape, seed
        assert y.tobytes() == plan(x).tobytes(), seed


def random_node(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any], Any, list[str]]:
    """Attributes, inputs behind X by name, X, and which of those inputs come with the run."""
    rank = rng.randint(1, 5)
    shape = [rng.randint(1, 9) for _ in range(rank)]
    x = np.random.default_rng(rng.randint(0, 99)).integers(-99, 99, shape).astype(rng.choice(["float32", "int32"]))
    mode = rng.choice(["nearest", "linear", "cubic"])
    conventions = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric"]
    attributes: dict[str, Any] = {
        "mode": mode,
        "coordinate_transformation_mode": rng.choice([*conventions, "tf_crop_and_resize"]),
        "nearest_mode": rng.choice(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]),
        "antialias": rng.randint(0, 1),
        "exclude_outside": rng.randint(0, 1),
        "extrapolation_value": float(rng.randint(-3, 3)),
        "cubic_coeff_a": rng.choice([-0.75, -0.5]),
    }
    axes = rng.sample(range(rank), rng.randint(1, rank))
    attributes["axes"] = axes
    given: dict[str, Any] = {}
    if attributes["coordinate_transformation_mode"] == "tf_crop_and_resize":
        starts, ends = [[rng.choice([low, low + 0.25]) for _ in axes] for low in (-0.25, 0.75)]
        given["roi"] = np.array([*starts, *ends], np.float32)
    if rng.random() < 0.5:
        given["scales"] = np.array([rng.choice([0.5, 1, 1.3, 0.7, 2, 3]) for _ in axes], np.float32)
    else:
        given["sizes"] = np.array([rng.randint(1, 12) for _ in axes], np.int64)
        attributes["keep_aspect_ratio_policy"] = rng.choice(["stretch", "not_larger", "not_smaller"])
    fed = [name for name in given if rng.random() < 0.5]
    return attributes, given, x, fed


def test_a_graph_around_it(core: Any) -> None:
    """Lengths flow on: what follows is made for them. Sizes that a graph computes are values of the run."""
    from onnx import TensorProto, helper, numpy_helper

    from tests.adapters.onnxruntime.sessions import serialised

    nodes = [
        helper.make_node("Shape", ["B"], ["size"]),
        helper.make_node("Resize", ["A", "", "", "size"], ["a"], mode="linear"),
        helper.make_node("Add", ["a", "B"], ["sum"]),
        helper.make_node("Resize", ["sum", "", "s"], ["Y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None]) for name in "AB"],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array([2], np.float32), "s")],
    )
    a, b = np.array([1, 2], np.float32), np.array([10, 20, 30, 40], np.float32)
    compiled = core.compile_model(core.read_model(serialised(graph, 19)), "CPU")
    doubled = next(iter(compiled([a, b]).values()))
    assert doubled.tolist() == [11, 11, 21.25, 21.25, 31.75, 31.75, 42, 42]


def test_a_saved_model(core: Any, tmp_path: Path) -> None:
    """OpenVINO's own format keeps the operator; a registered core reads it again."""
    import openvino

    x = samples("uint8")
    model = core.read_model(resize_model(x, SCALES, mode="cubic", antialias=1))
    openvino.save_model(model, str(tmp_path / "model.xml"), compress_to_fp16=False)
    again = core.read_model(str(tmp_path / "model.xml"))
    y = next(iter(core.compile_model(again, "CPU")(x).values()))
    assert y.tolist() == hp.resize(x, SCALES, mode="cubic", antialias=True).tolist()


def test_empty_results(core: Any) -> None:
    x = samples("float32")
    assert run(core, resize_model(x, [1, 1, 0.1, 1], dynamic=True), x).shape == (1, 2, 0, 7)


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_refusal_has_our_text(core: Any, dynamic: bool) -> None:
    x = np.zeros((1, 2, 5, 7), np.float32)
    with pytest.raises(RuntimeError, match=r"\[HP125\] DepthToSpace-28 needs C = 2 to be a multiple") as caught:
        run(core, model_of("DepthToSpace", x, {"blocksize": 3}, 13, dynamic=dynamic), x)
    assert "do:      pad or crop X" in str(caught.value)
    with pytest.raises(RuntimeError, match=r"\[HP112\] 'lanczos' is not a value of 'mode'"):
        core.read_model(resize_model(x, [1, 1, 2, 2], mode="lanczos", dynamic=dynamic))


def test_an_element_type_that_no_operator_has(core: Any) -> None:
    from onnx import load_model_from_string

    model = load_model_from_string(resize_model(np.zeros(2, np.uint8), [2]))
    uint4 = 21
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = uint4
    with pytest.raises(RuntimeError, match="HP447") as caught:
        core.read_model(model.SerializeToString())
    assert "element type u4" in str(caught.value)


def test_many_threads(core: Any) -> None:
    compiled = core.compile_model(core.read_model(resize_model(np.zeros(1, np.float32), [2], dynamic=True)), "CPU")
    wrong: list[int] = []

    def work(number: int) -> None:
        request = compiled.create_infer_request()
        for length in range(1, 60):
            x = np.arange(length, dtype=np.float32) + number
            y = next(iter(request.infer([x]).values()))
            if y.tolist() != np.repeat(x, 2).tolist():
                wrong.append(length)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_no_openvino() -> None:
    code = (
        "import sys; sys.modules['openvino'] = None\ntry: import halfpixel.openvino\nexcept ImportError as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[HP900] halfpixel.openvino needs the package 'openvino'" in done.stdout
    assert "pip install 'halfpixel[openvino]'" in done.stdout
