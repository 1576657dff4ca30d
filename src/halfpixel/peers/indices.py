"""Samples that nearest takes: by exact numbers, and as runtimes compute them, in float32 or float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from halfpixel.spec.axes import AxisSpec, ResizeSpec

Floats = np.ndarray[Any, Any]

_LARGEST = 1 << 16
"""Samples of an axis that are looked at; what float32 does beyond repeats what it does before."""
_NEAR_HALF = 1e-6


def outputs_of(axis: AxisSpec) -> int:
    """How many output samples of an axis are looked at."""
    return min(axis.out_size, _LARGEST)


def exact_indices(axis: AxisSpec) -> Floats:
    """Return the samples that nearest takes, by integers alone, clamped into the input."""
    indices = _EXACT_ROUNDINGS[axis.nearest_mode](_numerators(axis), axis.line.divisor)
    return _clamped(indices, axis)


def _clamped(indices: Floats, axis: AxisSpec) -> Floats:
    inside: Floats = np.clip(indices, 0, axis.in_size - 1).astype(np.int64)
    return inside


def _numerators(axis: AxisSpec) -> Floats:
    """step * i + start of the output samples: int64, or Python's integers where those would overflow."""
    line = axis.line
    largest = abs(line.step) * outputs_of(axis) + abs(line.start) + line.divisor
    i = np.arange(outputs_of(axis), dtype=np.int64 if largest < 2**61 else object)
    numerators: Floats = line.step * i + line.start
    return numerators


_EXACT_ROUNDINGS: dict[str, Callable[[Any, int], Any]] = {
    "floor": lambda n, divisor: n // divisor,
    "ceil": lambda n, divisor: -(-n // divisor),
    "round_prefer_floor": lambda n, divisor: -((divisor - 2 * n) // (2 * divisor)),
    "round_prefer_ceil": lambda n, divisor: (2 * n + divisor) // (2 * divisor),
}
"""nearest_mode -> the integer of the fraction n / divisor."""


def float_coordinates(axis: AxisSpec, coordinates: str, precision: Any = np.float32) -> Floats:
    """Return the coordinates of an axis by the plain formulas, each operation rounded to a precision.

    The scale is rounded first, as runtimes keep it. tf_crop_and_resize has no scale: its coordinates are exact here.
    """
    number = precision
    i: Floats = np.arange(outputs_of(axis), dtype=precision)
    x: Floats
    scale = number(axis.scale[0]) / number(axis.scale[1])
    half, one, in_size, out_size = number(0.5), number(1), number(axis.in_size), number(axis.out_size)
    if coordinates in ("half_pixel", "pytorch_half_pixel"):
        x = (i + half) / scale - half
    elif coordinates == "half_pixel_symmetric":
        offset = in_size / number(2) * (one - out_size / (scale * in_size))
        x = offset + (i + half) / scale - half
    elif coordinates == "tf_half_pixel_for_nn":
        x = (i + half) / scale
    elif coordinates == "align_corners":
        x = i * (in_size - one) / (out_size - one) if axis.out_size > 1 else i
    elif coordinates == "asymmetric":
        x = i / scale
    else:
        x = np.asarray(_numerators(axis) / axis.line.divisor, dtype=np.float64)
    return x


_ROUNDINGS: dict[str, Callable[[Floats], Floats]] = {
    "round_prefer_floor": lambda x: np.ceil(x - x.dtype.type(0.5)),
    "round_prefer_ceil": lambda x: np.floor(x + x.dtype.type(0.5)),
    "floor": np.floor,
    "ceil": np.ceil,
}


def float_indices(axis: AxisSpec, coordinates: str, near_halves: bool = False) -> Floats:
    """Return the samples that nearest takes with float32 coordinates, clamped into the input.

    Args:
        near_halves: what lies within 1e-6 of a half is taken for a half, as onnxruntime does it when it rounds.
    """
    x = float_coordinates(axis, coordinates)
    if near_halves and axis.nearest_mode.startswith("round"):
        middle = np.floor(x) + np.float32(0.5)
        x = np.where(np.abs(x - middle) < _NEAR_HALF, middle, x)
    return _clamped(_ROUNDINGS[axis.nearest_mode](x), axis)


def misses_whole_coordinates(spec: ResizeSpec, coordinates: str) -> bool:
    """A coordinate that is whole comes out above itself once padding is added to it in float64.

    onnx's reference evaluator finds neighbours that way and is one sample off there.
    """
    if coordinates in ("tf_crop_and_resize", "align_corners"):
        return False
    for axis in spec.axes:
        numerators = _numerators(axis)
        whole = (numerators % axis.line.divisor == 0).astype(bool)
        values = (numerators // axis.line.divisor).astype(np.float64)
        x = float_coordinates(axis, coordinates, np.float64)
        if bool((whole & (x > values) & (values > 0) & (values < axis.in_size - 1)).any()):
            return True
    return False


def overshoots_the_end(roi: Any, spec: ResizeSpec) -> bool:
    """The last coordinate of a crop is the last sample exactly, and beyond it where end - start is rounded to float32.

    onnx's reference evaluator computes it so: x = i * (end - start) * (in - 1) / (out - 1) + start * (in - 1).
    """
    half = len(roi) // 2
    for axis in spec.axes:
        if axis.axis >= half or axis.out_size < 2:
            continue
        start, end = np.float32(roi[axis.axis]), np.float32(roi[half + axis.axis])
        last = axis.in_size - 1
        x = float(end - start) * last + float(start * np.float32(last))
        if end == 1 and x > last:
            return True
    return False
