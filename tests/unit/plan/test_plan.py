"""The plan: what it tells, how it runs, what it promises about sharing."""

import copy
import functools
import pickle
import threading
from fractions import Fraction

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.ops.request import planned, remembered
from halfpixel.plan import Plan, plan_from_spec
from halfpixel.plan.cache import MOST_ENTRIES, Cache
from halfpixel.spec.resize import resize_spec

DOUBLE = {"scales": [1, 2], "mode": "linear"}
CROP = {
    "sizes": [5],
    "mode": "linear",
    "coordinate_transformation_mode": "tf_crop_and_resize",
    "roi": [0, 2],
    "extrapolation_value": 9,
}


def test_shapes_type_and_spec() -> None:
    plan = hp.plan_resize((1, 4), "float32", **DOUBLE)
    assert plan.in_shape == (1, 4)
    assert plan.output_shape == (1, 8)
    assert plan.dtype == np.float32
    assert plan.element_type == "float32"
    assert plan.spec == resize_spec((1, 4), [1, 2], mode="linear")
    assert repr(plan) == "<Plan Resize-19 linear float32 (1, 4) -> (1, 8)>"


def test_axes_hold_the_table_of_resampled_axes_only() -> None:
    axes = hp.plan_resize((1, 2), "float32", **DOUBLE).axes
    assert list(axes) == [1]
    table = axes[1]
    assert (table.axis, table.in_size, table.out_size, table.max_taps, table.inside) == (1, 2, 4, 2, (0, 4))
    assert table.first.tolist() == [0, 0, 0, 1]
    assert table.count.tolist() == [1, 2, 2, 1]
    assert [table.weights[o : o + n].tolist() for o, n in zip(table.offset, table.count, strict=True)] == [
        [1],
        [0.75, 0.25],
        [0.25, 0.75],
        [1],
    ]
    assert table.matrix().tolist() == [[1, 0], [0.75, 0.25], [0.25, 0.75], [0, 1]]
    assert table.coordinates.tolist() == [-0.25, 0.25, 0.75, 1.25]


def test_arrays_of_a_table_are_read_only() -> None:
    table = hp.plan_resize((1, 2), "float32", **DOUBLE).axes[1]
    for array in (table.first, table.count, table.offset, table.weights, table.coordinates):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_coordinates_are_exact_fractions_rounded_once() -> None:
    request = CROP | {"sizes": [1001], "roi": [0.1, 0.7]}  # 55 bits behind the point: numerators beyond 64 bits
    table = hp.plan_resize((1000,), "uint8", **request).axes[0]
    start, end = Fraction(0.1), Fraction(0.7)
    for i in (0, 1, 500, 777, 1000):
        place = (start + (end - start) * Fraction(i, 1000)) * 999
        assert table.coordinates[i] == place.numerator / place.denominator


def test_affine_maps_output_index_to_input_coordinate() -> None:
    assert hp.plan_resize((1, 4), "float32", **DOUBLE).affine() == ((1.0, 0.0), (0.5, -0.25))
    corners = hp.plan_resize((5,), "float32", sizes=[3], coordinate_transformation_mode="align_corners")
    assert corners.affine() == ((2.0, 0.0),)


def test_call_writes_out_and_returns_it() -> None:
    plan = hp.plan_resize((2,), "float32", scales=[2], mode="linear")
    x, out = np.array([1, 5], np.float32), np.full(4, -1, np.float32)
    assert plan(x, out=out) is out
    assert out.tolist() == [1, 2, 4, 5]
    assert plan(x, threads=1).tolist() == [1, 2, 4, 5]


def test_call_takes_other_byte_order_and_strides_of_its_type() -> None:
    plan = hp.plan_resize((2,), "float32", scales=[2], mode="linear")
    swapped = plan(np.array([1, 5], ">f4"))
    assert swapped.dtype == np.dtype(">f4")
    assert swapped.tolist() == [1, 2, 4, 5]
    assert plan(np.array([1, 0, 5], np.float32)[::2]).tolist() == [1, 2, 4, 5]


def test_grad_is_the_transpose() -> None:
    plan = hp.plan_resize((2,), "float32", scales=[2], mode="linear")
    assert plan.grad(np.array([1, 10, 100, 1000], np.float32)).tolist() == [1 + 7.5 + 25, 2.5 + 75 + 1000]
    out = np.full(2, -1, np.float32)
    assert plan.grad(np.ones(4, np.float32), out=out, threads=1) is out
    assert out.tolist() == [2, 2]


def test_source_is_the_smallest_box() -> None:
    plan = hp.plan_resize((3, 8), "float32", scales=[1, 2], mode="linear")
    assert plan.source((slice(1, 2), slice(4, 8))) == (slice(1, 2), slice(1, 5))
    # Samples 5 and 6 lie at 2.25 and 2.75: inputs 2 and 3, and no halo beyond.
    assert plan.source((slice(None), slice(5, 7))) == (slice(0, 3), slice(2, 4))
    assert plan.source((slice(0, 0), slice(7, 7))) == (slice(0, 0), slice(0, 0))


def test_source_of_extrapolated_samples_is_empty() -> None:
    plan = hp.plan_resize((3,), "float32", **CROP)  # samples at 0, 1, 2, 3, 4: the last two outside
    assert plan.source((slice(3, 5),)) == (slice(0, 0),)
    assert plan.source((slice(2, 4),)) == (slice(2, 3),)
    assert plan.run(np.empty(0, np.float32), at=(slice(0, 0),), box=(slice(3, 5),)).tolist() == [9, 9]


def test_run_gives_the_box_of_the_whole() -> None:
    plan = hp.plan_resize((2, 8), "float32", scales=[1, 2], mode="linear")
    x = np.array([range(8), range(10, 18)], np.float32)
    box = (slice(1, 2), slice(5, 8))  # at 2.25, 2.75, 3.25
    at = plan.source(box)
    assert at == (slice(1, 2), slice(2, 5))
    assert plan.run(x[at], at=at, box=box).tolist() == [[12.25, 12.75, 13.25]]


def test_run_takes_a_larger_slab_and_out() -> None:
    plan = hp.plan_resize((2, 8), "float32", scales=[1, 2], mode="linear")
    x = np.array([range(8), range(10, 18)], np.float32)
    box, at = (slice(0, 1), slice(5, 7)), (slice(0, 2), slice(1, 8))
    out = np.full((1, 2), -1, np.float32)
    assert plan.run(x[at], at=at, box=box, out=out, threads=1) is out
    assert out.tolist() == [[2.25, 2.75]]


def test_run_fills_what_lies_outside() -> None:
    plan = hp.plan_resize((3,), "float32", **CROP)
    x = np.array([5, 6, 7], np.float32)
    assert plan(x).tolist() == [5, 6, 7, 9, 9]
    box = (slice(1, 4),)
    assert plan.run(x[1:], at=(slice(1, 3),), box=box).tolist() == [6, 7, 9]


def test_tiles_have_the_bits_of_the_whole() -> None:
    rng = np.random.default_rng(7)
    x = rng.standard_normal((3, 40, 50)).astype(np.float32)
    plan = hp.plan_resize(x.shape, x.dtype, sizes=[3, 61, 23], mode="cubic", antialias=True)
    whole = plan(x)
    assert not np.array_equal(whole, np.rint(whole))
    for rows in ((0, 1), (7, 30), (30, 61)):
        for columns in ((0, 23), (5, 6), (11, 23)):
            box = (slice(0, 3), slice(*rows), slice(*columns))
            at = plan.source(box)
            assert plan.run(np.ascontiguousarray(x[at]), at=at, box=box).tobytes() == whole[box].tobytes()


def test_axes_of_equal_lengths_have_tables_of_their_own() -> None:
    request = CROP | {"sizes": [3, 3], "roi": [0.5, 0, 1, 0.5]}
    plan = hp.plan_resize((3, 3), "float32", **request)
    assert plan.axes[0].coordinates.tolist() == [1, 1.5, 2]
    assert plan.axes[1].coordinates.tolist() == [0, 0.5, 1]
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    assert plan(x).tolist() == [[3, 3.5, 4], [4.5, 5, 5.5], [6, 6.5, 7]]


def test_antialias_widens_the_filter() -> None:
    # At 1.5 of 4 samples, a triangle of width 4 on each side: 1, 3, 5, 7, 7, 5, 3, 1 of 32 from sample -2 on, and what
    # lies outside takes the edge sample.
    table = hp.plan_resize((4,), "float32", sizes=[1], mode="linear", antialias=True).axes[0]
    assert table.coordinates.tolist() == [1.5]
    assert (table.matrix() * 32).tolist() == [[9, 7, 7, 9]]
    assert hp.plan_resize((4,), "float32", sizes=[1], mode="linear").axes[0].matrix().tolist() == [[0, 0.5, 0.5, 0]]


def test_source_that_needs_nothing_of_a_slab() -> None:
    plan = hp.plan_resize((3,), "float32", **CROP)
    slab = np.zeros(1, np.float32)
    assert plan.run(slab, at=(slice(1, 2),), box=(slice(4, 5),)).tolist() == [9]


def test_samples_before_the_input_are_filled() -> None:
    plan = hp.plan_resize((3,), "float32", **(CROP | {"roi": [-1, 1]}))  # at -2, -1, 0, 1, 2
    assert plan(np.array([5, 6, 7], np.float32)).tolist() == [9, 9, 5, 6, 7]


def test_windows_that_are_kept_are_bounded() -> None:
    plan = hp.plan_resize((40,), "float32", sizes=[80], mode="linear")
    x = np.arange(40, dtype=np.float32)
    for begin in range(60):
        for end in range(begin + 1, begin + 11):
            at = plan.source((slice(begin, end),))
            plan.run(x[at], at=at, box=(slice(begin, end),))
    assert 100 < len(plan._lazy) <= 256


def test_plan_is_immutable() -> None:
    plan = hp.plan_resize((2,), "float32", scales=[2])
    with pytest.raises(AttributeError, match="immutable"):
        plan.output_shape = (9,)  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del plan.spec
    with pytest.raises(TypeError):
        plan.axes[0] = plan.axes[0]  # type: ignore[index]
    assert plan.output_shape == (4,)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "string", ">i2", "complex64"])
def test_plan_is_picklable_and_copies(dtype: str) -> None:
    plan = hp.plan_resize((2, 3), dtype, scales=[1, 2])
    for other in (pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan), copy.copy(plan)):
        assert isinstance(other, Plan)
        assert other == plan
        assert hash(other) == hash(plan)
        assert other.dtype == plan.dtype
        assert other.output_shape == (2, 6)


def test_plans_of_one_request_are_one_object() -> None:
    first = hp.plan_resize((2, 5), "float32", scales=[1, 2])
    assert hp.plan_resize((2, 5), np.dtype(np.float32), scales=(1.0, 2.0)) is first
    assert plan_from_spec(resize_spec((2, 5), [1, 2]), np.float32) is first
    assert hp.plan_resize((2, 5), "float64", scales=[1, 2]) is not first
    assert hp.plan_resize((2, 5), "float64", scales=[1, 2]) != first
    assert first != "plan"


def test_zero_and_negative_zero_are_two_fill_values() -> None:
    request = CROP | {"extrapolation_value": 0.0}
    plus = hp.plan_resize((3,), "float32", **request)
    minus = hp.plan_resize((3,), "float32", **(request | {"extrapolation_value": -0.0}))
    assert plus is not minus
    assert plus != minus
    x = np.ones(3, np.float32)
    assert not np.signbit(plus(x)).any()
    assert np.signbit(minus(x)).tolist() == [False, False, False, True, True]


def test_cache_is_bounded_in_number() -> None:
    cache: Cache[Plan] = Cache()
    plan = hp.plan_resize((2,), "float32", scales=[2])
    for key in range(MOST_ENTRIES + 50):
        assert cache.put(key, plan) is plan
    assert len(cache) == MOST_ENTRIES
    assert cache.get(49) is None
    assert cache.get(50) is plan


def test_cache_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = hp.plan_resize((2,), "float32", scales=[2], mode="linear")
    monkeypatch.setattr("halfpixel.plan.cache.MOST_BYTES", 3 * plan.nbytes)
    cache: Cache[Plan] = Cache()
    for key in range(5):
        cache.put(key, plan)
    assert [cache.get(key) is plan for key in range(5)] == [False, False, True, True, True]
    large = hp.plan_resize((200,), "float32", scales=[2], mode="linear")
    assert large.nbytes > 3 * plan.nbytes
    assert cache.put("large", large) is large
    assert cache.get("large") is None
    assert len(cache) == 3


def test_cache_forgets_what_it_no_longer_counts() -> None:
    plan = hp.plan_resize((2,), "float32", scales=[2], mode="linear")
    cache: Cache[Plan] = Cache(most_bytes=plan.nbytes)
    for key in (1, 2, 1, 1, 3):
        assert cache.put(key, plan) is plan
        assert [key for key in (1, 2, 3) if cache.get(key)] == [key]
    assert len(cache) == 1


def test_plans_of_two_shapes_share_the_tables_of_equal_lengths() -> None:
    wide = hp.plan_resize((30, 41), "float32", sizes=[7, 9], mode="linear")
    high = hp.plan_resize((41, 30), "uint8", sizes=[9, 7], mode="linear")
    other = hp.plan_resize((41, 30), "uint8", sizes=[9, 7], mode="linear", exclude_outside=True)
    tables = [plan._forward.tables for plan in (wide, high, other)]
    assert tables[0][0] is tables[1][1]
    assert tables[0][1] is tables[1][0]
    assert tables[2][0] is not tables[1][0]


def test_cache_returns_the_plan_that_was_first() -> None:
    cache: Cache[Plan] = Cache()
    first, second = (hp.plan_resize((2,), name, scales=[2]) for name in ("float32", "float64"))
    assert cache.put("key", first) is first
    assert cache.put("key", second) is first


def test_plans_are_built_without_holding_a_lock() -> None:
    # Both threads wait for each other inside build(): under a lock only one would get there.
    barrier, got = threading.Barrier(2, timeout=10), []
    dtype = np.dtype(np.float32)

    def build(key: object, *_: object) -> Plan:
        barrier.wait()
        return remembered(key, Plan(resize_spec((7,), [3]), dtype))

    ask = functools.partial(planned, build, dtype, (7,), "two threads")
    workers = [threading.Thread(target=lambda: got.append(ask())) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(got) == 2
    assert got[0] is got[1]
    assert ask() is got[0]


def test_an_empty_result_has_no_tables_and_its_gradient_is_zero() -> None:
    plan = hp.plan_resize((4, 3), "float32", sizes=[0, 6], mode="linear", antialias=True)
    assert plan(np.ones((4, 3), np.float32)).shape == (0, 6)
    assert plan.grad(np.empty((0, 6), np.float32)).tolist() == [[0, 0, 0]] * 4
    assert plan.source((slice(0, 0), slice(0, 6))) == (slice(0, 0), slice(0, 3))
