"""Maps for other hosts: found by an address, run without Python, kept alive by their plan."""

import ctypes
import gc
import pickle
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp
from halfpixel.plan import plan_from_spec
from halfpixel.plan.host import forward_map, gradient_map, rearrange_map
from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec
from halfpixel.spec.resize import resize_spec
from halfpixel.spec.upsample import upsample_spec

from .host_calls import PARALLEL, host_interface, run_map

CROP = {
    "sizes": [1, 5],
    "coordinate_transformation_mode": "tf_crop_and_resize",
    "roi": [0, 0, 1, 2],
    "extrapolation_value": 9,
}


def test_the_interface_has_a_version() -> None:
    assert host_interface().version == 1


def test_resize() -> None:
    plan = hp.plan_resize((2, 2), "float32", scales=[1, 2], mode="linear")
    x = np.array([[1, 2], [3, 4]], np.float32)
    assert run_map(forward_map(plan), x, (2, 4)).tolist() == [[1, 1.25, 1.75, 2], [3, 3.25, 3.75, 4]]


def test_gradient() -> None:
    plan = hp.plan_resize((1, 2), "float64", scales=[1, 2], mode="linear")
    assert run_map(gradient_map(plan), np.array([[1.0, 2, 3, 4]]), (1, 2)).tolist() == [[3.25, 6.75]]


def test_upsample_of_version_1() -> None:
    spec = upsample_spec((1, 1, 1, 2), height_scale=2.0, width_scale=1.0, version=1)
    plan = plan_from_spec(spec, np.float32)
    x = np.array([[[[5, 6]]]], np.float32)
    assert run_map(forward_map(plan), x, (1, 1, 2, 2)).tolist() == [[[[5, 6], [5, 6]]]]


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float16, ml_dtypes.bfloat16, np.float64, np.complex64])
def test_samples_beside_the_input(mode: str, dtype: type) -> None:
    plan = hp.plan_resize((1, 3), np.dtype(dtype), mode=mode, **CROP)
    y = run_map(forward_map(plan), np.array([[1, 2, 3]], dtype), (1, 5))
    assert y.tolist() == [[1, 2, 3, 9, 9]]


def test_the_gradient_of_samples_beside_the_input_is_zero() -> None:
    plan = hp.plan_resize((1, 3), "float64", mode="linear", **CROP)
    assert run_map(gradient_map(plan), np.array([[1.0, 2, 3, 4, 5]]), (1, 3)).tolist() == [[1, 2, 3]]


def test_a_box_that_is_the_whole_input() -> None:
    keywords = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 0.6}
    plan = hp.plan_resize((2, 2), bool, sizes=[2, 4], roi=[0, -1, 1, 2], **keywords)
    y = run_map(forward_map(plan), np.array([[1, 0], [0, 1]], bool), (2, 4))
    assert y.tolist() == [[True, True, False, True], [True, False, True, True]]


def test_pairs() -> None:
    plan = hp.plan_resize((2,), "complex128", scales=[2], mode="linear")
    y = run_map(forward_map(plan), np.array([1 + 8j, 2 + 4j]), (4,))
    assert y.tolist() == [1 + 8j, 1.25 + 7j, 1.75 + 5j, 2 + 4j]


def test_nothing_to_resample_is_a_copy() -> None:
    plan = hp.plan_resize((3,), "int16", scales=[1], mode="cubic")
    assert run_map(forward_map(plan), np.array([5, 6, 7], np.int16), (3,)).tolist() == [5, 6, 7]


def test_empty_arrays() -> None:
    empty = hp.plan_resize((2, 3), "float32", sizes=[0, 3], mode="linear")
    assert run_map(forward_map(empty), np.ones((2, 3), np.float32), (0, 3)).shape == (0, 3)
    assert run_map(gradient_map(empty), np.ones((0, 3), np.float32), (2, 3)).tolist() == [[0, 0, 0], [0, 0, 0]]
    both = hp.plan_resize((0, 3), "float32", scales=[1, 2], mode="nearest")
    assert run_map(forward_map(both), np.ones((0, 3), np.float32), (0, 6)).shape == (0, 6)


def test_rearrangements() -> None:
    x = np.arange(8, dtype=np.uint16).reshape(1, 8, 1, 1)
    deep, space = depth_to_space_spec((1, 8, 1, 1), 2), space_to_depth_spec((1, 2, 2, 2), 2)
    y = run_map(rearrange_map(deep, x.dtype), x, (1, 2, 2, 2))
    assert y.reshape(-1).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert run_map(rearrange_map(space, x.dtype), y, (1, 8, 1, 1)).reshape(-1).tolist() == list(range(8))
    blocks = depth_to_space_spec((1, 8, 1, 1), 2, mode="CRD")
    assert run_map(rearrange_map(blocks, x.dtype), x, (1, 2, 2, 2)).reshape(-1).tolist() == list(range(8))


def test_strings_have_no_map() -> None:
    with pytest.raises(hp.ElementTypeError) as caught:
        forward_map(hp.plan_resize((2,), "string", scales=[2]))
    assert caught.value.code == "HP226"
    with pytest.raises(hp.ElementTypeError) as caught:
        rearrange_map(depth_to_space_spec((1, 4, 1, 1), 2), np.dtype(object))
    assert caught.value.code == "HP226"


def test_integers_have_no_gradient() -> None:
    with pytest.raises(hp.ElementTypeError) as caught:
        gradient_map(hp.plan_resize((2,), "uint8", scales=[2]))
    assert caught.value.code == "HP225"


def test_a_version_without_the_type_has_no_map() -> None:
    with pytest.raises(hp.ElementTypeError) as caught:
        rearrange_map(depth_to_space_spec((1, 4, 1, 1), 2, version=1), np.dtype(ml_dtypes.bfloat16))
    assert caught.value.code == "HP201"


def test_a_plan_keeps_its_map() -> None:
    plan = plan_from_spec(resize_spec((3,), [4 / 3], mode="linear"), "float32")
    first = forward_map(plan)
    assert forward_map(plan) is first
    assert forward_map(pickle.loads(pickle.dumps(plan))).out_bytes == first.out_bytes
    assert gradient_map(plan) is not first


def test_a_map_needs_no_plan_to_live() -> None:
    """Who holds the map holds the tables, whatever becomes of plans and caches."""
    plan = type(hp.plan_resize((2,), "float32", scales=[2]))(
        resize_spec((2,), [2], mode="linear"), np.dtype(np.float32)
    )
    kept, tables = forward_map(plan), weakref.finalize(plan.axes[0], lambda: None)
    del plan
    gc.collect()
    assert not tables.alive
    assert run_map(kept, np.array([1, 2], np.float32), (4,)).tolist() == [1, 1.25, 1.75, 2]


def test_threads_that_ask_at_once_get_one_map() -> None:
    plan = plan_from_spec(resize_spec((3,), [5 / 3], mode="linear"), "float32")
    start, found = threading.Barrier(4), []

    def ask() -> None:
        start.wait()
        found.append(forward_map(plan).address)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1


@pytest.mark.needs("two cores")
def test_a_host_brings_its_threads() -> None:
    plan = hp.plan_resize((64, 5000), "float32", scales=[1, 2], mode="linear")
    x = np.arange(320000, dtype=np.float32).reshape(64, 5000)
    y, calls = np.empty((64, 10000), np.float32), []

    @PARALLEL
    def parallel(host: int, tasks: int, task: object, context: int) -> None:
        calls.append((host, tasks))
        for i in reversed(range(tasks)):
            task(context, i)  # type: ignore[operator]

    host = ctypes.c_int(0)
    arguments = (forward_map(plan).address, x.ctypes.data, y.ctypes.data)
    assert host_interface().run_on(*arguments, parallel, ctypes.addressof(host)) == 0
    ((given, tasks),) = calls
    assert given == ctypes.addressof(host)
    assert tasks > 1
    assert y[0, :4].tolist() == [0, 0.25, 0.75, 1.25]
    assert y[63, -2:].tolist() == [319998.75, 319999]
    assert (np.diff(y, axis=1)[:, 1:-1] == 0.5).all()
