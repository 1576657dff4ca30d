"""Constants, linearity, flips, repeats, identities, separability."""

from typing import Any

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from .requests import (
    COORDINATES,
    INTEGERS,
    NUMBERS,
    SYMMETRIC,
    Array,
    Request,
    assert_same_bits,
    law,
    random_array,
    requests,
)

FLIPPED = {
    "floor": "ceil",
    "ceil": "floor",
    "round_prefer_floor": "round_prefer_ceil",
    "round_prefer_ceil": "round_prefer_floor",
}


@law
@given(requests(crop=False), st.sampled_from([np.dtype(bool), *INTEGERS]), st.integers(0, 127))
def test_constant_integers_stay_constant(request: Request, dtype: Any, value: int) -> None:
    """Exactly, in every mode: the weights sum to 1 and the rounding removes their error."""
    y = request.resize(np.full(request.shape, value, dtype))
    assert_same_bits(y, np.full(y.shape, value, dtype))


@law
@given(requests(crop=False), st.floats(-1e6, 1e6, width=32))
def test_constant_floats_stay_constant(request: Request, value: float) -> None:
    """To a few units in the last place of float64."""
    y = request.resize(np.full(request.shape, value))
    np.testing.assert_allclose(y, value, rtol=1e-14)


@law
@given(requests(crop=False), st.integers(-4, 4))
def test_powers_of_two_scale_exactly(request: Request, exponent: int) -> None:
    """Doubling the input doubles the output, bit for bit."""
    x = random_array(request.shape, np.float32)
    factor = np.float32(2.0**exponent)
    assert_same_bits(request.resize(x * factor), request.resize(x) * factor)


@law
@given(requests(crop=False))
def test_sums_are_resized_to_sums(request: Request) -> None:
    """A (x + y) == A x + A y in float64."""
    x, y = random_array(request.shape, np.float64, 1), random_array(request.shape, np.float64, 2)
    np.testing.assert_allclose(request.resize(x + y), request.resize(x) + request.resize(y), rtol=0, atol=1e-12)


@law
@given(requests(coordinates=SYMMETRIC, crop=False))
def test_flips_commute(request: Request) -> None:
    """Coordinates that are symmetric about the middle: the flipped input gives the flipped output.

    Not where the length is rounded down, except for half_pixel_symmetric, which is made for it, and not for
    align_corners to one sample, the first. Nearest: with the roundings up and down exchanged, bit for bit.
    """
    keywords = dict(request.keywords)
    if "scales" in keywords and keywords["coordinate_transformation_mode"] != "half_pixel_symmetric":
        keywords["sizes"] = [max(1, round(n * s)) for n, s in zip(request.shape, keywords.pop("scales"), strict=True)]
    if keywords["coordinate_transformation_mode"] == "align_corners":
        keywords["sizes"] = [max(2, size) for size in keywords["sizes"]]
    x = random_array(request.shape, np.float64)
    y = Request(request.shape, keywords).resize(x)
    if keywords["mode"] == "nearest":
        mirrored = Request(request.shape, keywords | {"nearest_mode": FLIPPED[keywords["nearest_mode"]]})
        assert_same_bits(mirrored.resize(np.flip(x)), np.ascontiguousarray(np.flip(y)))
    else:
        np.testing.assert_allclose(Request(request.shape, keywords).resize(np.flip(x)), np.flip(y), rtol=0, atol=1e-12)


@law
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.data(), st.sampled_from(NUMBERS))
def test_nearest_by_whole_factors_repeats(shape: list[int], data: st.DataObject, dtype: Any) -> None:
    """half_pixel nearest by whole scales is np.repeat, bit for bit."""
    x = random_array(tuple(shape), dtype)
    factors = [data.draw(st.integers(1, 4)) for _ in shape]
    expected = x
    for axis, factor in enumerate(factors):
        expected = np.repeat(expected, factor, axis)
    assert_same_bits(Request(x.shape, {"scales": factors}).resize(x), expected)


@law
@given(requests(crop=False), st.sampled_from(NUMBERS))
def test_own_sizes_are_the_identity(request: Request, dtype: Any) -> None:
    """Whatever the mode: sizes equal to the shape copy every bit."""
    keywords = {name: value for name, value in request.keywords.items() if name != "scales"}
    x = random_array(request.shape, dtype)
    assert_same_bits(Request(request.shape, keywords | {"sizes": list(request.shape)}).resize(x), x)


@law
@given(requests(modes=("linear", "cubic")))
def test_axes_one_after_the_other(request: Request) -> None:
    """Resizing all axes at once is resizing one after the other (float64); extrapolation marks the same samples."""
    keywords = dict(request.keywords)
    roi, rank = keywords.pop("roi", None), len(request.shape)
    kind = "sizes" if "sizes" in keywords else "scales"
    values = keywords.pop(kind)
    keywords["extrapolation_value"] = 0.0
    x = random_array(request.shape, np.float64)
    y: Array = x
    for axis in range(rank):
        one = keywords | {kind: [values[axis]], "axes": [axis]}
        if roi is not None:
            one["roi"] = [roi[axis], roi[rank + axis]]
        y = Request(y.shape, one).resize(y)
    whole = request.resize(x, extrapolation_value=0.0)
    np.testing.assert_allclose(whole, y, rtol=0, atol=1e-11)


@law
@given(requests(), st.data())
def test_axes_in_any_order(request: Request, data: st.DataObject) -> None:
    """Listing the axes in another order, from either end, or leaving out those of scale 1 changes no bit."""
    keywords, rank = dict(request.keywords), len(request.shape)
    kind = "sizes" if "sizes" in keywords else "scales"
    values, roi = keywords.pop(kind), keywords.pop("roi", None)
    unchanged = [
        roi is None and (v == 1 if kind == "scales" else v == n) for v, n in zip(values, request.shape, strict=True)
    ]
    listed = [
        axis for axis in data.draw(st.permutations(range(rank))) if not unchanged[axis] or data.draw(st.booleans())
    ]
    keywords["axes"] = [axis - rank if data.draw(st.booleans()) else axis for axis in listed]
    keywords[kind] = [values[axis] for axis in listed]
    if roi is not None:
        keywords["roi"] = [roi[axis] for axis in listed] + [roi[rank + axis] for axis in listed]
    x = random_array(request.shape, np.float32)
    assert_same_bits(Request(request.shape, keywords).resize(x), request.resize(x))


@law
@given(requests(coordinates=COORDINATES), st.sampled_from(NUMBERS))
def test_batches_commute(request: Request, dtype: Any) -> None:
    """Three arrays stacked on a new first axis give the three results stacked, bit for bit."""
    x = random_array((3, *request.shape), dtype)
    axes = range(1, x.ndim)
    stacked = Request(x.shape, {**request.keywords, "axes": axes}).resize(x)
    assert_same_bits(stacked, np.stack([request.resize(each) for each in x]))
