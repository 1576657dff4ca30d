"""Where the samples lie in memory changes nothing: strides, byte order, channels-last, tiles, out, threads."""

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import halfpixel as hp

from .requests import BFLOAT16, NUMBERS, STRINGS, Array, Request, assert_same_bits, law, random_array, requests


@st.composite
def layouts(draw: st.DrawFn, rank: int) -> Any:
    """A function that returns an array of the same values in another memory layout."""
    order = draw(st.permutations(range(rank)))
    steps = [draw(st.sampled_from([1, 1, 2, 3, -1, -2])) for _ in range(rank)]
    swapped = draw(st.booleans())

    def lay_out(x: Array) -> Array:
        inverse = np.argsort(order)
        moved = x.transpose(order)
        room = np.zeros([n * abs(steps[axis]) for n, axis in zip(moved.shape, order, strict=True)], x.dtype)
        view = room[tuple(slice(None, None, steps[axis]) for axis in order)].transpose(inverse)
        view[...] = x
        return (
            view.astype(x.dtype.newbyteorder(), order="K") if swapped and x.dtype not in (STRINGS, BFLOAT16) else view
        )

    return lay_out


@law
@given(requests(), st.sampled_from([*NUMBERS, STRINGS]), st.data())
def test_any_strides(request: Request, dtype: Any, data: st.DataObject) -> None:
    """Permuted, gapped, reversed, byte-swapped and read-only input gives the contiguous input's result."""
    if dtype == STRINGS:
        request = Request(
            request.shape, request.keywords | {"mode": "nearest", "coordinate_transformation_mode": "asymmetric"}
        )
    x = random_array(request.shape, dtype)
    view = data.draw(layouts(x.ndim))(x)
    view.flags.writeable = False
    y = request.resize(view)
    assert y.dtype.newbyteorder("=") == x.dtype
    assert_same_bits(np.ascontiguousarray(y.astype(x.dtype)), np.ascontiguousarray(request.resize(x)))


@law
@given(requests(ranks=(4, 4), longest=8), st.sampled_from(NUMBERS))
def test_channels_last(request: Request, dtype: Any) -> None:
    """N, C, H, W in channels-last memory gives the contiguous input's bits."""
    x = random_array(request.shape, dtype)
    view = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    assert_same_bits(np.ascontiguousarray(request.resize(view)), np.ascontiguousarray(request.resize(x)))


@law
@given(requests(), st.sampled_from(NUMBERS), st.data())
def test_out_of_any_layout(request: Request, dtype: Any, data: st.DataObject) -> None:
    """out= receives the same bits whatever its strides, and nothing beside them is written."""
    x = random_array(request.shape, dtype)
    y = np.ascontiguousarray(request.resize(x))
    room = np.full([n + 2 for n in y.shape], 7, dtype)
    inner = room[(slice(1, -1),) * y.ndim]
    out = inner[tuple(slice(None, None, data.draw(st.sampled_from([1, -1]))) for _ in y.shape)]
    assert request.resize(x, out=out) is out
    assert_same_bits(np.ascontiguousarray(out), y)
    inner[...] = 7
    assert (room == np.full_like(room, 7)).all()


@st.composite
def boxes(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """A box inside a shape, at least one sample on each axis."""
    ends = [sorted((draw(st.integers(0, n - 1)), draw(st.integers(1, n)))) for n in shape]
    return tuple(slice(start, end if end > start else start + 1) for start, end in ends)


@law
@given(requests(longest=20), st.sampled_from(NUMBERS), st.data())
def test_tile_is_the_whole(request: Request, dtype: Any, data: st.DataObject) -> None:
    """A box of the output computed from the smallest slab, or from a larger one, has the bits of the whole result."""
    plan = request.plan(dtype)
    x = random_array(request.shape, dtype)
    whole = np.asarray(plan(x))
    box = data.draw(boxes(plan.output_shape))
    source = plan.source(box)
    larger = tuple(
        slice(data.draw(st.integers(0, s.start)), data.draw(st.integers(s.stop, n)))
        for s, n in zip(source, request.shape, strict=True)
    )
    for at in (source, larger):
        assert_same_bits(np.ascontiguousarray(plan.run(x[at].copy(), at=at, box=box)), whole[box].copy())


@law
@given(requests(longest=9, ranks=(1, 3)), st.data())
def test_source_is_the_smallest_box(request: Request, data: st.DataObject) -> None:
    """Samples outside source(box) do not matter, and each of its faces does."""
    plan = request.plan()
    x = random_array(request.shape, np.float64)
    box = data.draw(boxes(plan.output_shape))
    source = plan.source(box)
    y = plan(x)[box]
    changed = np.full(request.shape, np.nan)
    changed[source] = x[source]
    np.testing.assert_array_equal(plan(changed)[box], y)
    if x[source].size == 0:
        return
    for axis, part in enumerate(source):
        for face in (part.start, part.stop - 1):
            poisoned = x.copy()
            poisoned[(slice(None),) * axis + (face,)] = np.nan
            assert np.isnan(plan(poisoned)[box]).any()


@law
@given(requests(longest=40, ranks=(2, 3)), st.sampled_from(NUMBERS))
def test_thread_counts(request: Request, dtype: Any) -> None:
    """One, two and three threads give the same bits."""
    x = random_array(request.shape, dtype)
    one = request.resize(x, threads=1)
    for threads in (2, 3):
        assert_same_bits(request.resize(x, threads=threads), one)


LARGER_THAN_CACHES = 50_000_000
"""Bytes of a result that goes past every cache that results may stay in (decision 0006)."""


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    ("shape", "scales"),
    [
        ((3, 28, 30), [1, 2, 2]),  # a result's row is one strip of pass FP
        ((2, 19, 29), [1, 2, 2]),  # rows that start between pieces of 16 bytes
        ((100, 150, 3), [2, 2, 1]),
        ((1, 60, 700), [1, 2, 2]),
        ((2, 301, 40), [1, 0.5, 3]),
        ((9, 10, 11), [2, 2, 2]),
    ],
)
def test_larger_than_the_caches(shape: tuple[int, ...], scales: list[float], dtype: Any, mode: Any) -> None:
    """A result that is written past the caches has the bits of its parts, which are not; out= may start anywhere."""
    part = random_array(shape, dtype)
    y = hp.resize(part, scales=scales, mode=mode)
    count = LARGER_THAN_CACHES // y.nbytes + 1
    room = np.empty(y.size * count + 1, dtype)
    out = room[1:].reshape(count, *y.shape)
    hp.resize(np.broadcast_to(part, (count, *shape)).copy(), scales=[1, *scales], mode=mode, out=out)
    assert (out.view(np.uint8) == y.view(np.uint8)).all()
