"""The exact result of one node, and where ties and borders lie in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpixel.models.readings.reading import Reading, reading_of
from halfpixel.models.readings.rounding import is_integer
from halfpixel.models.readings.slack import FRACTION_BITS, around, noise, unit
from halfpixel.models.readings.taps import coordinates_of
from halfpixel.ops.node import run_node
from halfpixel.plan.elements import Array, element_of
from halfpixel.plan.plan import plan_from_spec
from halfpixel.spec.axes import AxisSpec, ResizeSpec

_NEAR = 1e-5
_NEAR_TIE = 1e-2
_REACH = {"nearest": 0.5, "linear": 1.0, "cubic": 2.0}


@dataclass(frozen=True, eq=False)
class Expected:
    """What a node should give.

    Attributes:
        ours: our result, of the element type.
        exact: averages before the last rounding (float64, complex128); what is copied, as it is.
        unit: at each sample the unit of differences: a unit in the last place (ULP) at the magnitude of the samples
            around it; 1 (LSB) for integers, bool and strings.
        ties: samples that lie where a rounding turns over, or so near that float32 coordinates cannot tell: bool.
        border: samples whose taps reach beyond the input: bool.
        noise: how far an average of integers may be off before it is rounded, where it is computed in float32.
        reading: the standard's reading; None for DepthToSpace and SpaceToDepth.
        spec: likewise.
    """

    ours: Array
    exact: Array
    unit: Array
    ties: Array
    border: Array
    noise: Array
    reading: Reading | None
    spec: ResizeSpec | None

    @property
    def element(self) -> str:
        """ONNX element type."""
        return element_of(self.ours.dtype)

    @property
    def averages(self) -> bool:
        """Whether samples were multiplied by weights."""
        return self.spec is not None and self.spec.mode != "nearest"


def expected_of(op_type: str, inputs: Sequence[Any], attributes: Mapping[str, Any], opset: int) -> Expected:
    """Run a node exactly.

    Raises:
        HalfpixelError: the node breaks a rule of its operator.
    """
    ours = np.asarray(run_node(op_type, list(inputs), attributes, opset=opset, strict=False))
    plain, none = np.zeros(ours.shape, bool), np.zeros(ours.shape)
    if op_type not in ("Resize", "Upsample"):
        return Expected(ours, ours, _units(ours, ours), plain, plain, none, None, None)
    x = np.asarray(inputs[0])
    reading, spec = reading_of(op_type, inputs, attributes, opset)
    if not ours.size:
        return Expected(ours, ours, _units(ours, ours), plain, plain, none, reading, spec)
    if spec.mode == "nearest" or not spec.axes:
        ties = _any_axis(spec, ours.shape, _tied)
        border = _any_axis(spec, ours.shape, _reaches_out)
        return Expected(ours, ours, _units(ours, ours), ties, border, none, reading, spec)
    wide = "complex128" if x.dtype.kind == "c" else "float64"
    with np.errstate(all="ignore"):
        exact = np.asarray(plan_from_spec(spec, wide)(x.astype(wide)))
        near_x = around(_finite(x), [axis.axis for axis in spec.axes], spec.mode)
        magnitude = np.asarray(plan_from_spec(spec._replace(mode="linear"), "float64")(near_x))
    ties, near = _any_axis(spec, ours.shape, _at_an_end), noise(x.shape, magnitude)
    if is_integer(reading.element) or reading.element == "bool":
        ties = ties | (np.abs(exact - np.floor(exact) - 0.5) < np.minimum(near, _NEAR_TIE))
    border = _any_axis(spec, ours.shape, _reaches_out)
    units = _units(ours, np.fmax(magnitude, np.abs(_finite(exact))))
    return Expected(ours, exact, units, ties, border, near, reading, spec)


def _finite(values: Array) -> Array:
    return np.where(np.isfinite(values), values, 0)


def _units(ours: Array, magnitude: Array) -> Array:
    element = element_of(ours.dtype)
    if element not in FRACTION_BITS:
        return np.ones(ours.shape)
    with np.errstate(all="ignore"):
        return unit(element, np.abs(_finite(magnitude.astype(np.complex128))).real)


def _any_axis(spec: ResizeSpec, shape: tuple[int, ...], rule: Any) -> Array:
    """Where a rule holds on any resampled axis."""
    found = np.zeros(shape, bool)
    for axis in spec.axes:
        along = [1] * len(shape)
        along[axis.axis] = shape[axis.axis]
        found |= rule(spec, axis).reshape(along)
    return found


def _tied(spec: ResizeSpec, axis: AxisSpec) -> Array:
    """Outputs whose coordinate lies where nearest_mode turns over, or within what float32 makes of it."""
    x = coordinates_of(axis, np.arange(axis.out_size))
    turn = x - (0.5 if axis.nearest_mode.startswith("round") else 0.0)
    near = np.abs(turn - np.rint(turn)) < _NEAR * np.maximum(1.0, np.abs(x))
    return np.asarray(near | _at_an_end(spec, axis))


def _at_an_end(spec: ResizeSpec, axis: AxisSpec) -> Array:
    """Outputs of a crop whose coordinate lies on an end of the input, where extrapolation begins."""
    x = coordinates_of(axis, np.arange(axis.out_size))
    if not axis.extrapolate:
        return np.zeros(len(x), bool)
    near = _NEAR * max(1, axis.in_size)
    return np.asarray((np.abs(x) < near) | (np.abs(x - (axis.in_size - 1)) < near))


def _reaches_out(spec: ResizeSpec, axis: AxisSpec) -> Array:
    """Outputs that have a tap outside the input."""
    x = coordinates_of(axis, np.arange(axis.out_size))
    widened = max(1.0, axis.scale[1] / axis.scale[0]) if spec.antialias and axis.scale[0] else 1.0
    reach = _REACH[spec.mode] * widened
    return np.asarray((x - reach <= -1) | (x + reach >= axis.in_size))
