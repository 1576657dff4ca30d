"""like= against the installed libraries on random shapes: to 1e-5, or to one step of an integer.

Only what docs/presets.md says a preset matches is compared. Samples of nearest whose coordinate is exactly whole, or
exactly between two samples, are left out: in float32 it falls to either side.
"""

from typing import Any

import numpy as np
import pytest

import halfpixel as hp

RANDOM = np.random.default_rng(20260801)
SHAPES = [tuple(int(n) for n in RANDOM.integers(2, 40, 4)) for _ in range(8)]
BOUND = 1e-5


def picture(height: int, width: int, dtype: Any = np.float32) -> np.ndarray:
    values = np.random.default_rng(height * 100 + width).random((height, width))
    return (values * 128 + 64).astype(dtype) if np.dtype(dtype).kind == "u" else values.astype(dtype)


def assert_close(ours: np.ndarray, theirs: Any) -> None:
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    bound = 1 if ours.dtype.kind == "u" else BOUND
    assert np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).max() <= bound


def decided(in_size: int, out_size: int, shift: float) -> np.ndarray:
    """The output samples whose (i + shift) * in / out is not whole; whole ratios are exact in float32 too."""
    twice = (2 * np.arange(out_size) + round(2 * shift)) * in_size
    return (twice % (2 * out_size) != 0) | (in_size % out_size == 0) | (out_size % in_size == 0)


def assert_same_samples(ours: np.ndarray, theirs: Any, shape: tuple[int, int], shift: float) -> None:
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    rows, columns = (decided(n, out, shift) for n, out in zip(shape, ours.shape, strict=True))
    assert rows.any()
    assert columns.any()
    assert np.array_equal(ours[rows][:, columns], theirs[rows][:, columns])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.needs("module:torch")
def test_pytorch(shape: tuple[int, int, int, int]) -> None:
    import torch

    x, sizes = picture(*shape[:2]), shape[2:]

    def theirs(**request: Any) -> Any:
        return torch.nn.functional.interpolate(torch.from_numpy(x)[None, None], size=sizes, **request)[0, 0].numpy()

    assert_same_samples(hp.resize(x, sizes=sizes, like="pytorch"), theirs(), x.shape, 0)
    for mode, name in (("linear", "bilinear"), ("cubic", "bicubic")):
        for antialias in (False, True):
            ours = hp.resize(x, sizes=sizes, like="pytorch", mode=mode, antialias=antialias)
            assert_close(ours, theirs(mode=name, antialias=antialias))
        aligned = hp.resize(x, sizes=sizes, like="pytorch", mode=mode, coordinate_transformation_mode="align_corners")
        assert_close(aligned, theirs(mode=name, align_corners=True))
    exact = hp.resize(
        x,
        sizes=sizes,
        like="pytorch",
        coordinate_transformation_mode="half_pixel",
        nearest_mode="round_prefer_ceil",
    )
    assert_same_samples(exact, theirs(mode="nearest-exact"), x.shape, 0.5)


@pytest.mark.needs("module:torch")
def test_pytorch_with_scale_factors_and_bytes() -> None:
    import torch

    x = picture(23, 31, np.uint8)
    given = torch.from_numpy(x)[None, None]
    for mode, name in (("linear", "bilinear"), ("cubic", "bicubic")):
        ours = hp.resize(x, sizes=(9, 40), like="pytorch", mode=mode)
        assert_close(ours, torch.nn.functional.interpolate(given, size=(9, 40), mode=name)[0, 0])
    y = x.astype(np.float32) / 255
    theirs = torch.nn.functional.interpolate(torch.from_numpy(y)[None, None], scale_factor=(1.75, 0.6), mode="bilinear")
    assert_close(hp.resize(y, scales=(1.75, 0.6), like="pytorch", mode="linear"), theirs[0, 0])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.needs("module:cv2")
def test_opencv(shape: tuple[int, int, int, int]) -> None:
    import cv2

    sizes = shape[2:]
    for dtype in (np.float32, np.uint8):
        x = picture(*shape[:2], dtype)
        assert_close(hp.resize(x, sizes=sizes, like="opencv"), cv2.resize(x, sizes[::-1]))
        cubic = cv2.resize(x, sizes[::-1], interpolation=cv2.INTER_CUBIC)
        assert_close(hp.resize(x, sizes=sizes, like="opencv", mode="cubic"), cubic)
        nearest = cv2.resize(x, sizes[::-1], interpolation=cv2.INTER_NEAREST)
        assert_same_samples(hp.resize(x, sizes=sizes, like="opencv", mode="nearest"), nearest, x.shape, 0)


@pytest.mark.needs("module:cv2")
def test_opencv_with_factors() -> None:
    import cv2

    x = picture(11, 15)
    assert_close(hp.resize(x, scales=(1.7, 0.55), like="opencv"), cv2.resize(x, None, fx=0.55, fy=1.7))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.needs("module:PIL")
def test_pillow(shape: tuple[int, int, int, int]) -> None:
    from PIL import Image

    sizes = shape[2:]
    filters = {"nearest": Image.Resampling.NEAREST, "linear": Image.Resampling.BILINEAR, "cubic": None}
    for dtype in (np.float32, np.uint8):
        x = picture(*shape[:2], dtype)
        for mode, resample in filters.items():
            theirs = Image.fromarray(x).resize(sizes[::-1], resample)
            request: Any = {} if mode == "cubic" else {"mode": mode}
            ours = hp.resize(x, sizes=sizes, like="pillow", **request)
            if mode == "nearest":
                assert_same_samples(ours, theirs, x.shape, 0.5)
            else:
                assert_close(ours, theirs)


@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
@pytest.mark.needs("module:jax")
def test_jax(shape: tuple[int, int, int, int]) -> None:
    import jax

    x, sizes = picture(*shape[:2]), shape[2:]
    assert_close(hp.resize(x, sizes=sizes, like="jax"), jax.image.resize(x, sizes, "linear"))
    assert_close(hp.resize(x, sizes=sizes, like="jax", mode="cubic"), jax.image.resize(x, sizes, "cubic"))
    plain = hp.resize(x, sizes=sizes, like="jax", mode="cubic", antialias=False)
    assert_close(plain, jax.image.resize(x, sizes, "cubic", antialias=False))
    nearest = hp.resize(x, sizes=sizes, like="jax", mode="nearest")
    assert_same_samples(nearest, jax.image.resize(x, sizes, "nearest"), x.shape, 0.5)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.needs("module:skimage")
def test_scikit_image(shape: tuple[int, int, int, int]) -> None:
    from scipy import ndimage
    from skimage.transform import resize

    x, sizes = picture(*shape[:2]), shape[2:]
    # Its smoothing is a Gaussian, which is no attribute of Resize: it comes before.
    sigma = [max(0.0, (n / out - 1) / 2) for n, out in zip(x.shape, sizes, strict=True)]
    smooth = ndimage.gaussian_filter(x, sigma, mode="nearest")
    assert_close(hp.resize(smooth, sizes=sizes, like="scikit-image"), resize(x, sizes, mode="edge"))
    # With its default border, mirrored, samples outside the outermost ones differ; those between do not.
    smooth = ndimage.gaussian_filter(x, sigma, mode="mirror")
    inside = tuple(slice(-(-out // (2 * n)), out - -(-out // (2 * n))) for n, out in zip(x.shape, sizes, strict=True))
    ours, theirs = hp.resize(smooth, sizes=sizes, like="scikit-image"), resize(x, sizes)
    if ours[inside].size:
        assert_close(ours[inside], theirs[inside])
    labels = np.arange(x.size, dtype=np.uint16).reshape(x.shape)
    nearest = hp.resize(labels, sizes=sizes, like="scikit-image", mode="nearest")
    assert_same_samples(nearest, resize(labels, sizes, order=0, mode="edge"), x.shape, 0.5)


def node_model(mode: str, shape: tuple[int, int], scales: list[float] | None, sizes: tuple[int, ...] | None) -> bytes:
    from onnx import TensorProto, helper

    name, numbers = ("scales", scales) if sizes is None else ("sizes", list(sizes))
    kind = TensorProto.FLOAT if sizes is None else TensorProto.INT64
    inputs = ["X", "", name] if sizes is None else ["X", "", "", name]
    node = helper.make_node("Resize", inputs, ["Y"], mode=mode)
    graph = helper.make_graph(
        [node],
        "resize",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, (1, 1, *shape))],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, (1, 1, None, None))],
        [helper.make_tensor(name, kind, (4,), [1, 1, *(numbers or ())])],
    )
    model: bytes = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9
    ).SerializeToString()
    return model


REQUESTS: list[tuple[list[float] | None, tuple[int, ...] | None]] = [(None, (13, 5)), ([0.7, 1.5], None)]
# With 0.7 the samples at 4.5 fall to either side: the float32 scale is not 0.7, and both libraries compute in float32.
NEAREST = [(None, (13, 5)), ([0.65, 1.5], None)]
BY_MODE = [(mode, *request) for mode in ("linear", "cubic") for request in REQUESTS]
BY_MODE += [("nearest", *request) for request in NEAREST]


@pytest.mark.parametrize(("mode", "scales", "sizes"), BY_MODE)
@pytest.mark.needs("module:onnxruntime")
def test_onnxruntime(mode: Any, scales: Any, sizes: Any) -> None:
    import onnxruntime

    x = picture(10, 14)
    session = onnxruntime.InferenceSession(
        node_model(mode, (10, 14), scales, sizes), providers=["CPUExecutionProvider"]
    )
    theirs = session.run(None, {"X": x[None, None]})[0][0, 0]
    assert_close(hp.resize(x, scales, sizes, mode=mode, like="onnxruntime"), theirs)


@pytest.mark.parametrize(("mode", "scales", "sizes"), BY_MODE)
@pytest.mark.needs("module:openvino")
def test_openvino(mode: Any, scales: Any, sizes: Any) -> None:
    import io

    import openvino

    x = picture(10, 14)
    core = openvino.Core()
    model = core.read_model(io.BytesIO(node_model(mode, (10, 14), scales, sizes)))
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    theirs = compiled(x[None, None])[0][0, 0]
    assert_close(hp.resize(x, scales, sizes, mode=mode, like="openvino"), theirs)
