"""letterbox: fit a picture into a shape with its proportions kept, and map coordinates there and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from halfpixel._errors import SpecError
from halfpixel._typing import Integers, Mode, NearestMode
from halfpixel.ops.resizing import plan_resize
from halfpixel.plan.arrays import import_array
from halfpixel.plan.order import memory_order
from halfpixel.plan.out import allocate, import_out
from halfpixel.plan.plan import Plan
from halfpixel.plan.resampling import fill_outside, fill_value
from halfpixel.spec.arguments import axes_of, elements, show
from halfpixel.spec.attributes import attribute_number

Points: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Box:
    """Where the picture lies in a letterboxed array, and how coordinates go from one to the other.

    Coordinates are arrays of shape (..., len(axes)): one number an axis, in the order of axes. There are two ways to
    count, half a sample apart: by centres (0 is the centre of the first sample, as in a list of indices) and by edges
    (0 is the outer edge of the first sample, as the boxes of most detectors are written).

    Attributes:
        axes: the axes that were resized, in the caller's order, none negative.
        begin, end: along each of them, output samples [begin, end) are the picture; the others are fill.
        scale: out / in, the same along each of them.
        slices: the picture's part of the output, one slice an axis of the array: y[box.slices].

    Example:
        >>> y, box = hp.letterbox(numpy.zeros((100, 200)), [64, 64])
        >>> box.begin, box.end, box.scale
        ((16, 0), (48, 64), 0.32)
        >>> box.edges_to_input([[16, 0], [48, 64]]).round(6).tolist()
        [[0.0, 0.0], [100.0, 200.0]]
    """

    axes: tuple[int, ...]
    begin: tuple[int, ...]
    end: tuple[int, ...]
    scale: float
    slices: tuple[slice, ...]

    def to_input(self, points: Any) -> Points:
        """Map centres of the output to the input: x_in = (x_out - begin + 1/2) / scale - 1/2.

        Raises:
            SpecError: HP175 not one number an axis.
        """
        return (self._points(points) - self.begin + 0.5) / self.scale - 0.5

    def to_output(self, points: Any) -> Points:
        """Map centres of the input to the output: x_out = (x_in + 1/2) * scale - 1/2 + begin.

        Raises:
            SpecError: HP175 not one number an axis.
        """
        return (self._points(points) + 0.5) * self.scale - 0.5 + self.begin

    def edges_to_input(self, points: Any) -> Points:
        """Map coordinates counted from the edge, output to input: x_in = (x_out - begin) / scale.

        Raises:
            SpecError: HP175 not one number an axis.
        """
        return (self._points(points) - self.begin) / self.scale

    def edges_to_output(self, points: Any) -> Points:
        """Map coordinates counted from the edge, input to output: x_out = x_in * scale + begin.

        Raises:
            SpecError: HP175 not one number an axis.
        """
        return self._points(points) * self.scale + self.begin

    def _points(self, points: Any) -> Points:
        try:
            array = np.asarray(points, np.float64)
        except (TypeError, ValueError):
            array = np.empty(0)
        if array.ndim == 0 or array.shape[-1] != len(self.axes):
            raise SpecError(
                "HP175",
                f"a point of this box has {len(self.axes)} coordinates",
                given=f"points={show(points)}",
                allowed=f"an array of shape (..., {len(self.axes)}): a number for each of the axes {self.axes}",
                do="pass the coordinates in the order of box.axes, the last axis of the array running over them",
            )
        return array


def letterbox(
    x: Any,
    sizes: Integers,
    *,
    axes: Integers | None = None,
    fill: float = 0.0,
    mode: Mode = "linear",
    antialias: bool = True,
    nearest_mode: NearestMode = "round_prefer_floor",
    cubic_coeff_a: float = -0.75,
    exclude_outside: bool = False,
    out: Any = None,
    threads: int | None = None,
) -> tuple[Any, Box]:
    """Resize an array to be nowhere larger than sizes, with its proportions kept, in the middle of an array of sizes.

    scale = the smallest of sizes / in; the picture has round(in * scale) samples (half up), of what is left over the
    smaller half lies before it.

    Example:
        >>> picture = numpy.full((480, 640, 3), 200, numpy.uint8)
        >>> y, box = hp.letterbox(picture, [416, 416], axes=[0, 1], fill=114)
        >>> y.shape, box.begin, box.end
        ((416, 416, 3), (52, 0), (364, 416))

    Args:
        x: any array that resize takes; not strings, which have no value for the border.
        sizes: output lengths, one an axis, or an entry of axes.
        axes: the axes that sizes are for; negative ones count from the back. None: all.
        fill: the value beside the picture, rounded to x's element type like a result.
        mode, antialias, nearest_mode, cubic_coeff_a, exclude_outside: as in resize.
        out, threads: as in resize.

    Returns:
        the array, of the kind that x is, and the Box that maps its coordinates.

    Raises:
        SpecError: as resize; HP114 fill is no number, HP171 strings, HP176 nothing of the picture would be left.
        ElementTypeError, ResourceError: as resize.
    """
    array, export = import_array(x)
    number = attribute_number("fill", fill, finite=False)
    lengths = elements("sizes", sizes)
    listed = list(range(array.ndim)) if axes is None else axes_of(axes, array.ndim)
    plan = plan_resize(
        array.shape,
        array.dtype,
        sizes=lengths,  # type: ignore[arg-type]  # plan_resize checks them
        axes=listed,
        mode=mode,
        antialias=antialias,
        nearest_mode=nearest_mode,
        cubic_coeff_a=cubic_coeff_a,
        exclude_outside=exclude_outside,
        keep_aspect_ratio_policy="not_larger",
    )
    box, shape = _box(plan, listed, [int(length) for length in lengths])  # type: ignore[call-overload]
    value = None if shape == plan.output_shape else fill_value(number, plan.element_type, "the border of a letterbox")
    y = allocate(shape, array.dtype, memory_order(array)) if out is None else import_out(out, shape, array)
    plan(array, y[box.slices], threads)
    if value is not None:
        fill_outside(y, box.slices, value)
    return (export(y) if out is None else out), box


def _box(plan: Plan, listed: list[int], lengths: list[int]) -> tuple[Box, tuple[int, ...]]:
    """Return where the plan's output lies in an array that has these lengths along the listed axes, and its shape."""
    inner = [plan.output_shape[axis] for axis in listed]
    if 0 in inner:
        raise SpecError(
            "HP176",
            "nothing of the picture would be left",
            given=f"sizes={lengths} for axes of lengths {[plan.in_shape[axis] for axis in listed]}",
            allowed="sizes into which every axis fits with one sample or more, its proportions kept",
            do="pass larger sizes, or crop the picture first",
        )
    begin = [(length - part) // 2 for length, part in zip(lengths, inner, strict=True)]
    slices = [slice(0, length) for length in plan.output_shape]
    shape = list(plan.output_shape)
    for axis, length, first, part in zip(listed, lengths, begin, inner, strict=True):
        slices[axis] = slice(first, first + part)
        shape[axis] = length
    ratio = plan.spec.axes[0].scale if plan.spec.axes else (1, 1)
    end = [first + part for first, part in zip(begin, inner, strict=True)]
    return Box(tuple(listed), tuple(begin), tuple(end), ratio[0] / ratio[1], tuple(slices)), tuple(shape)
