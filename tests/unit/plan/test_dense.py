"""Calls on addresses: the same bits as calls on arrays, and what has no such call."""

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.plan.dense import MOST_BYTES, dense_call, dense_rearrangement
from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec

CROP = {"coordinate_transformation_mode": "tf_crop_and_resize", "roi": [-0.5, 0.1, 1.5, 0.9], "extrapolation_value": 7}


@pytest.mark.parametrize("element", ["bool", "uint8", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("extra", [{}, CROP])
def test_the_bits_of_a_call_on_arrays(element: str, mode: str, extra: dict[str, object]) -> None:
    x = (np.random.default_rng(5).random((6, 7)) * 200).astype(element)
    plan = hp.plan_resize(x.shape, element, sizes=[9, 4], mode=mode, **extra)
    call = dense_call(plan)
    assert call is not None
    assert dense_call(plan) is call
    assert (call.out_shape, call.alignment) == ((9, 4), x.itemsize)
    y = np.full((9, 4), 99, element)
    call.run(x.ctypes.data, y.ctypes.data, 1)
    assert y.tobytes() == plan(x).tobytes()


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("element", ["bool", "int16", "float64"])
def test_rearrangements(element: str, mode: str) -> None:
    """DepthToSpace and back, as the functions on arrays do it."""
    x = (np.arange(2 * 8 * 3 * 2).reshape(2, 8, 3, 2) % 251).astype(element)
    deep = dense_rearrangement(depth_to_space_spec(x.shape, 2, mode=mode, version=28), element)
    assert deep is not None
    assert deep.out_shape == (2, 2, 6, 4)
    y = np.empty(deep.out_shape, element)
    deep.run(x.ctypes.data, y.ctypes.data, 1)
    assert y[0, 0, 0, :2].tolist() == x[0, [0, 2 if mode == "DCR" else 1], 0, 0].tolist()
    back = dense_rearrangement(space_to_depth_spec(y.shape, 2, mode=mode, version=28), element)
    assert back is not None
    z = np.empty_like(x)
    back.run(y.ctypes.data, z.ctypes.data, 1)
    assert z.tobytes() == x.tobytes()
    assert dense_rearrangement(depth_to_space_spec(x.shape, 2, mode=mode, version=28), "string") is None


def test_what_has_no_such_call() -> None:
    """Scalars, strings, complex numbers, empty results, and those beside which an array costs nothing."""
    assert dense_call(hp.plan_resize((), "float32", [])) is None
    assert dense_call(hp.plan_resize((2,), "string", [2])) is None
    assert dense_call(hp.plan_resize((2,), "complex64", [2])) is None
    assert dense_call(hp.plan_resize((2,), "float32", [0.3])) is None
    longest = MOST_BYTES // 4
    assert dense_call(hp.plan_resize((2,), "float32", sizes=[longest])) is not None
    assert dense_call(hp.plan_resize((2,), "float32", sizes=[longest + 1])) is None


def test_threads_are_checked() -> None:
    call = dense_call(hp.plan_resize((2,), "float32", [2]))
    assert call is not None
    x, y = np.array([1, 2], np.float32), np.empty(4, np.float32)
    with pytest.raises(hp.SpecError, match="HP166"):
        call.run(x.ctypes.data, y.ctypes.data, 0)
    call.run(x.ctypes.data, y.ctypes.data, 2)
    assert y.tolist() == [1, 1, 2, 2]
