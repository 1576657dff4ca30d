"""upsample on arrays, and build_info."""

from typing import Any

import numpy as np
import pytest

import halfpixel as hp


def test_nearest_takes_the_sample_before() -> None:
    x = np.array([[1, 2]], np.uint8)
    assert hp.upsample(x, [2, 3]).tolist() == [[1, 1, 1, 2, 2, 2]] * 2
    assert hp.upsample(x, [1, 1.5]).tolist() == [[1, 1, 2]]


def test_linear_lies_at_i_over_scale() -> None:
    x = np.array([1, 5], np.float32)
    assert hp.upsample(x, [4], mode="linear").tolist() == [1, 2, 3, 4, 5, 5, 5, 5]


def test_version_1_has_height_and_width() -> None:
    x = np.array([1, 5], np.float32).reshape(1, 1, 1, 2)
    y = hp.upsample(x, height_scale=2, width_scale=2, mode="bilinear", version=1)
    assert y.tolist() == [[[[1, 3, 5, 5]] * 2]]
    y = hp.upsample(x, height_scale=3, width_scale=1, version=1)
    assert y.tolist() == [[[[1, 5]] * 3]]


def test_strides_out_and_threads() -> None:
    x = np.array([[1, 9], [5, 9]], np.float32)[:, 0]
    out = np.zeros(8, np.float32)[::2]
    assert hp.upsample(x, (2,), mode="linear", out=out, threads=1) is out
    assert out.tolist() == [1, 3, 5, 5]


@pytest.mark.parametrize(
    ("legal", "wrong"),
    [
        ({"scales": [1]}, {"scales": [True]}),
        ({"scales": [1], "version": 9}, {"scales": [1], "version": 9.0}),
    ],
)
def test_what_equals_a_legal_request_is_not_let_through(legal: Any, wrong: Any) -> None:
    x = np.zeros(3, np.float32)
    hp.upsample(x, **legal)
    with pytest.raises(hp.SpecError):
        hp.upsample(x, **wrong)


def test_build_info() -> None:
    info = hp.build_info()
    assert list(info) == ["version", "compiler", "isa", "available_isas", "threads", "extras"]
    assert info["version"] == hp.__version__
    assert info["isa"] in info["available_isas"]
    assert info["threads"] >= 1
    assert info["extras"]["onnx"] is True
    assert set(info["extras"]) == {"cli", "onnx", "onnxruntime", "torch", "jax", "dask", "ml_dtypes"}
