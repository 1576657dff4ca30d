"""The gradient for the roi of tf_crop_and_resize: how the result moves with the box."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from halfpixel._errors import ElementTypeError, SpecError
from halfpixel._typing import Integers, KeepAspectRatioPolicy, Mode, RealNumbers
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import Array, element_of
from halfpixel.plan.memory import guarded
from halfpixel.plan.resampling import Resampling
from halfpixel.plan.tables import tables_of
from halfpixel.plan.threads import thread_count
from halfpixel.plan.wide import widened
from halfpixel.spec.arguments import axes_of, elements
from halfpixel.spec.axes import AxisSpec, ResizeSpec
from halfpixel.spec.coordinates import line_of
from halfpixel.spec.element_types import ELEMENT_TYPES
from halfpixel.spec.resize import resize_spec

Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Kernel: TypeAlias = Callable[[Floats], tuple[Floats, Floats]]
"""Distance -> weight and its derivative; at a kink the derivative to the right."""


def crop_grad(
    dy: Any,
    x: Any,
    roi: RealNumbers,
    scales: RealNumbers | None = None,
    sizes: Integers | None = None,
    *,
    axes: Integers | None = None,
    mode: Mode = "linear",
    cubic_coeff_a: float = -0.75,
    antialias: bool = False,
    exclude_outside: bool = False,
    keep_aspect_ratio_policy: KeepAspectRatioPolicy = "stretch",
    version: int = 19,
    threads: int | None = None,
) -> Floats:
    """Return the gradient for roi of a resize with coordinate_transformation_mode="tf_crop_and_resize".

    droi[k] = sum over output samples of dy * sum over taps of w'(position) * dposition/droi[k] * x, where position(i) =
    (start * (out - 1 - i) + end * i) * (in - 1) / (out - 1), or (start + end) / 2 * (in - 1) where out is 1.

    In linear the result has a kink where a position falls on a sample: there it is the derivative to the right, on the
    last sample the one to the left. Lengths that scales make from roi count as constant, and so does which output
    samples are extrapolated: those give nothing.

    Example:
        >>> x = numpy.array([0.0, 1.0, 4.0, 9.0])  # the middle of the roi lies at 1.5, where the slope is 3 a sample
        >>> hp.crop_grad(numpy.ones(1), x, [0.25, 0.75], sizes=[1])
        array([4.5, 4.5])

    Args:
        dy: the gradient for the output: its shape, floating point.
        x: the input, floating point.
        roi, scales, sizes and the other keywords: as resize had them; mode is "linear" or "cubic".
        threads: as in resize.

    Returns:
        float64 of the shape of roi: the starts along all axes, then the ends.

    Raises:
        SpecError: as resize; HP160 dy has another shape than the output, HP185 mode "nearest", whose result does not
            move with the box.
        ElementTypeError: HP225 x or dy is not floating point.
        ResourceError: HP3xx.
    """
    array, gradient = _real(x, "x"), _real(dy, "dy")
    spec = resize_spec(
        array.shape,
        scales,
        sizes,
        roi=(corners := elements("roi", roi)),  # type: ignore[arg-type]  # checked there
        axes=(listed := list(range(array.ndim)) if axes is None else axes_of(axes, array.ndim)),
        mode=mode,
        coordinate_transformation_mode="tf_crop_and_resize",
        cubic_coeff_a=cubic_coeff_a,
        antialias=antialias,
        exclude_outside=exclude_outside,
        keep_aspect_ratio_policy=keep_aspect_ratio_policy,
        version=version,
    )
    _check(spec, gradient)
    result = np.zeros(len(corners))
    if gradient.size == 0 or array.size == 0:
        return result
    resampled = {axis.axis: axis for axis in spec.axes}
    every = [resampled.get(axis) or _copied(axis, spec) for axis in listed]
    count = thread_count(threads)
    with guarded("the gradient of a box"):
        for place, axis in enumerate(every):
            others = [other for other in every if other is not axis]
            result[[place, place + len(every)]] = _axis_gradient(gradient, array, spec, axis, others, count)
    return result


def _axis_gradient(
    dy: Array, x: Array, spec: ResizeSpec, axis: AxisSpec, others: list[AxisSpec], threads: int
) -> tuple[float, float]:
    """Return the gradients for start and end along one axis: the other axes are resized, this one is differentiated."""
    tables = tables_of(spec._replace(axes=tuple(others)))
    own = tables_of(spec._replace(axes=(axis,)))[axis.axis].inside
    inside = [slice(0, length) for length in spec.out_shape]
    for other, table in tables.items():
        inside[other] = slice(*table.inside)
        tables[other] = table.slice(*table.inside, 0, table.in_size)
    shape = [part.stop - part.start for part in inside]
    shape[axis.axis] = axis.in_size
    inside[axis.axis] = slice(*own)
    dy = dy[tuple(inside)]
    if dy.size == 0:
        return 0.0, 0.0
    resized = np.empty(shape)
    Resampling(x.shape, tuple(shape), tables, "float64", False, None).run(x, resized, threads)
    rest = [other for other in range(x.ndim) if other != axis.axis]
    products = np.tensordot(dy, resized, axes=(rest, rest))
    by_position = (products * _derivatives(axis, spec, *own)).sum(axis=1)
    samples = np.arange(*own)
    if axis.out_size == 1:
        return float(by_position.sum()) * (axis.in_size - 1) / 2, float(by_position.sum()) * (axis.in_size - 1) / 2
    step = (axis.in_size - 1) / (axis.out_size - 1)
    return float(by_position @ (axis.out_size - 1 - samples)) * step, float(by_position @ samples) * step


def _derivatives(axis: AxisSpec, spec: ResizeSpec, begin: int, end: int) -> Floats:
    """Return the derivative of each weight by its output sample's position: shape (end - begin, in_size).

    W = w / sum(w), W' = (w' * sum(w) - w * sum(w')) / sum(w)**2, with the taps outside left out (exclude_outside) or
    given to the edge sample.
    """
    line = axis.line
    positions = np.array([(line.step * i + line.start) / line.divisor for i in range(begin, end)])
    stretch = max(1.0, axis.scale[1] / axis.scale[0]) if spec.antialias else 1.0
    kernel, radius = (_tent, 1) if spec.mode == "linear" else (_keys(spec.cubic_coeff_a), 2)
    reach = math.ceil(radius * stretch)
    below = np.floor(positions).astype(np.int64)
    if spec.mode == "linear" and not spec.antialias:
        below = np.minimum(below, max(axis.in_size - 2, 0))
    taps = below[:, np.newaxis] + np.arange(1 - reach, reach + 1)
    weights, slopes = kernel((positions[:, np.newaxis] - taps) / stretch)
    if spec.mode == "linear" and not spec.antialias:  # on the last sample the formula would look beyond it
        slopes = np.broadcast_to([-1.0, 1.0], taps.shape)
    slopes = slopes / stretch
    if spec.exclude_outside:
        outside = (taps < 0) | (taps >= axis.in_size)
        weights, slopes = np.where(outside, 0.0, weights), np.where(outside, 0.0, slopes)
    total, change = weights.sum(axis=1, keepdims=True), slopes.sum(axis=1, keepdims=True)
    changes = (slopes * total - weights * change) / total**2
    matrix = np.zeros((len(positions), axis.in_size))
    rows = np.broadcast_to(np.arange(len(positions))[:, np.newaxis], taps.shape)
    np.add.at(matrix, (rows, np.clip(taps, 0, axis.in_size - 1)), changes)
    return matrix


def _tent(distance: Floats) -> tuple[Floats, Floats]:
    inside = (distance >= -1) & (distance < 1)
    return np.maximum(0.0, 1 - np.abs(distance)), np.where(inside, np.where(distance < 0, 1.0, -1.0), 0.0)


def _keys(a: float) -> Kernel:
    """Keys' filter: (a + 2) d^3 - (a + 3) d^2 + 1 up to 1, a (d^3 - 5 d^2 + 8 d - 4) up to 2."""

    def kernel(distance: Floats) -> tuple[Floats, Floats]:
        d, sign = np.abs(distance), np.sign(distance)
        near = ((a + 2) * d - (a + 3)) * d * d + 1, (3 * (a + 2) * d - 2 * (a + 3)) * d
        far = a * (((d - 5) * d + 8) * d - 4), a * ((3 * d - 10) * d + 8)
        weights, slopes = (
            np.where(d <= 1, inner, np.where(d < 2, outer, 0.0)) for inner, outer in zip(near, far, strict=True)
        )
        return weights, slopes * sign

    return kernel


def _copied(axis: int, spec: ResizeSpec) -> AxisSpec:
    """The line of an axis that the forward map copies, because its roi is whole and its length stays."""
    in_size, out_size = spec.in_shape[axis], spec.out_shape[axis]
    line = line_of("tf_crop_and_resize", in_size, out_size, (1, 1))
    return AxisSpec(axis, in_size, out_size, (1, 1), line, "floor", True)


def _real(x: Any, name: str) -> Array:
    """Return an array of floating point as float64.

    Raises:
        ElementTypeError: HP225.
    """
    array, _ = import_array(x, name)
    element = element_of(array.dtype)
    if ELEMENT_TYPES[element].kind != "float":
        raise ElementTypeError(
            "HP225",
            f"a box in an array of {element} has no gradient",
            given=f"{name} of element type {element}",
            allowed="float16, bfloat16, float32, float64",
            do="convert to a floating-point type; take real and imaginary parts by themselves",
        )
    return widened(array)[0].astype(np.float64)


def _check(spec: ResizeSpec, dy: Array) -> None:
    if spec.mode == "nearest":
        raise SpecError(
            "HP185",
            "in mode 'nearest' the result does not move with the box",
            given="mode='nearest'",
            allowed="linear, cubic",
            do="train the box with mode='linear'",
        )
    if dy.shape != spec.out_shape:
        raise SpecError(
            "HP160",
            "dy has another shape than the output",
            given=f"dy of shape {dy.shape}",
            allowed=f"shape {spec.out_shape}",
            do="pass the gradient for the output of resize with the same arguments",
        )
