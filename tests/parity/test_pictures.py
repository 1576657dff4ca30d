"""Arrays large enough for every pass, strip, tail and thread, against exact weights applied in float64.

The weights are the oracle's fractions rounded to float64, so the reference is good to about 1e-14: as exact as the
tolerances of the narrower element types need.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.oracles import Attributes, Axis, axis_rows, plan_axes
from tests.oracles.rounding import INTEGERS, dtype_of

from .random_arrays import Array
from .tolerance import EPS, NEXT_TO_A_TIE

REFERENCE_ERROR = 2.0**-47
CROP = {"coordinate_transformation_mode": "tf_crop_and_resize"}


def pseudo_random(shape: tuple[int, ...], element: str) -> Array:
    """The same values in every run, over the whole range of 8 and 16 bits and around 0 for floats."""
    generator = np.random.default_rng(7)
    if element == "bool":
        return generator.random(shape) < 0.5
    if element in INTEGERS:
        low, high = (max(INTEGERS[element][0], -(2**20)), min(INTEGERS[element][1], 2**20))
        return generator.integers(low, high, shape, dtype=element, endpoint=True)
    return generator.normal(0, 10, shape).astype(dtype_of(element))


@cache
def dense(axis: Axis, attributes: Attributes) -> Array:
    """The exact matrix of an axis, each weight rounded once to float64."""
    matrix = np.zeros((axis.out_size, axis.in_size))
    for i, row in enumerate(axis_rows(axis, attributes)):
        for index, weight in row or []:
            matrix[i, index] = float(weight)
    return matrix


def reference(x: Array, request: dict[str, Any]) -> tuple[Array, Array, int]:
    """The result in float64, sum |w||x|, and the sum over the axes of the largest number of taps."""
    attributes = {name: value for name, value in request.items() if name not in ("scales", "sizes", "roi")}
    exact = Attributes(**attributes)
    y = x.astype(np.float64)
    magnitude, taps = np.abs(y), 0
    for axis in plan_axes(x.shape, request.get("scales"), request.get("sizes"), exact, request.get("roi")):
        if axis.copied:
            continue
        matrix = dense(axis, exact)
        y = np.moveaxis(np.tensordot(matrix, y, (1, axis.axis)), 0, axis.axis)
        magnitude = np.moveaxis(np.tensordot(np.abs(matrix), magnitude, (1, axis.axis)), 0, axis.axis)
        taps += int(np.count_nonzero(matrix, axis=1).max())
    return y, magnitude, taps


def worst(y: Array, x: Array, request: dict[str, Any]) -> float:
    """The largest error in units of the tolerance: above 1 is wrong."""
    exact, magnitude, taps = reference(x, request)
    assert y.shape == exact.shape
    assert y.dtype == x.dtype
    if x.dtype == bool:
        return float(np.max(np.abs(exact[y != (exact >= 0.5)] - 0.5), initial=0.0) / NEXT_TO_A_TIE)
    if x.dtype.kind in "iu":
        low, high = INTEGERS[x.dtype.name]
        distance = np.abs(y.astype(np.float64) - np.clip(exact, low, high))
        return float(np.max((distance - 0.5) / NEXT_TO_A_TIE, initial=0.0))
    bound = ((4 + taps / 8) * EPS.get(x.dtype.name, 2.0**-52) + REFERENCE_ERROR) * magnitude
    rounding = {"float16": 2.0**-11, "bfloat16": 2.0**-8}.get(x.dtype.name, 0.0) * np.abs(exact)
    return float(np.max(np.abs(y.astype(np.float64) - exact) / (bound + rounding + 1e-30)))


PICTURES: list[tuple[tuple[int, ...], str, dict[str, Any]]] = [
    ((1, 3, 135, 240), "float32", {"mode": "linear", "scales": [1, 1, 2, 2]}),
    ((1, 3, 135, 240), "float32", {"mode": "cubic", "scales": [1, 1, 2, 2]}),
    ((1, 3, 135, 240), "float32", {"mode": "linear", "antialias": True, "scales": [1, 1, 0.5, 0.5]}),
    ((2, 3, 301, 403), "float32", {"mode": "cubic", "antialias": True, "sizes": [2, 3, 56, 61]}),
    ((2, 3, 301, 403), "float32", {"mode": "linear", "sizes": [2, 3, 56, 61]}),
    ((1, 70, 31, 33), "float32", {"mode": "linear", "scales": [1, 1, 2, 2]}),
    ((1, 31, 33, 70), "float32", {"mode": "cubic", "sizes": [1, 64, 41, 70]}),
    ((2, 24, 20, 28), "float32", {"mode": "linear", "scales": [1, 2, 2, 2]}),
    ((17, 24, 20, 28), "float32", {"mode": "cubic", "sizes": [9, 31, 25, 11]}),
    ((271, 480, 3), "uint8", {"mode": "linear", "antialias": True, "axes": (0, 1), "sizes": [56, 57]}),
    ((271, 480, 3), "uint8", {"mode": "cubic", "antialias": True, "exclude_outside": True, "sizes": [93, 131, 3]}),
    ((135, 141, 3), "uint8", {"mode": "linear", "scales": [2, 2, 1]}),
    ((135, 141, 3), "uint8", {"mode": "cubic", "sizes": [200, 300, 3]}),
    ((135, 240, 4), "uint8", {"mode": "linear", "antialias": True, "sizes": [67, 56, 4]}),
    ((135, 240, 4), "uint8", {"mode": "cubic", "scales": [1.5, 0.3, 1]}),
    ((3, 135, 240), "uint8", {"mode": "linear", "sizes": [3, 67, 120]}),
    ((600, 500), "uint8", {"mode": "linear", "antialias": True, "sizes": [9, 11]}),
    ((301, 403), "uint16", {"mode": "cubic", "antialias": True, "sizes": [97, 123]}),
    ((301, 203), "uint16", {"mode": "linear", "sizes": [450, 333]}),
    ((3, 101, 103), "int16", {"mode": "cubic", "sizes": [3, 150, 77]}),
    ((3, 101, 103), "int8", {"mode": "linear", "antialias": True, "sizes": [3, 31, 177]}),
    ((101, 103), "int32", {"mode": "cubic", "sizes": [64, 200]}),
    ((101, 103), "uint32", {"mode": "linear", "antialias": True, "sizes": [64, 20]}),
    ((101, 103), "int64", {"mode": "linear", "sizes": [64, 200]}),
    ((101, 103, 2), "bool", {"mode": "cubic", "sizes": [64, 200, 2]}),
    ((4, 101, 103), "float16", {"mode": "cubic", "antialias": True, "sizes": [4, 64, 20]}),
    ((4, 101, 103), "float16", {"mode": "linear", "scales": [1, 2, 3]}),
    ((4, 101, 103), "bfloat16", {"mode": "linear", "antialias": True, "sizes": [4, 50, 200]}),
    ((101, 103, 5), "float64", {"mode": "linear", "antialias": True, "sizes": [50, 200, 5]}),
    ((200, 200), "float32", {"mode": "linear", "sizes": [90, 300], "roi": [-0.2, 0.3, 1.1, 0.9], **CROP}),
]


@pytest.mark.parametrize(("shape", "element", "request_"), PICTURES, ids=str)
def test_picture(shape: tuple[int, ...], element: str, request_: dict[str, Any]) -> None:
    """One array of each kind that a pass treats in its own way."""
    x = pseudo_random(shape, element)
    request = dict(request_)
    assert (
        worst(np.asarray(hp.resize(x, request.pop("scales", None), request.pop("sizes", None), **request)), x, request_)
        <= 1
    )


@pytest.mark.parametrize("element", ["float32", "uint8", "float16", "float64", "uint16"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5, 8])
def test_every_width(channels: int, element: str) -> None:
    """Widths 1 to 40 on the middle axis of three, so that vectors end everywhere: growing, shrinking, antialias."""
    for width in range(1, 41):
        x = pseudo_random((3, width, channels), element)
        for request in (
            {"mode": "linear", "sizes": [3, 2 * width + 1, channels]},
            {"mode": "cubic", "sizes": [5, width + 1, channels]},
            {"mode": "linear", "antialias": True, "sizes": [3, width // 3 + 1, channels]},
            {"mode": "cubic", "antialias": True, "sizes": [2, (width + 1) // 2, channels]},
        ):
            arguments: dict[str, Any] = dict(request)
            y = np.asarray(hp.resize(x, None, arguments.pop("sizes"), **arguments))
            assert worst(y, x, request) <= 1, (width, request)
