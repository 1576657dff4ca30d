"""crop_and_resize: many boxes of a batch, each resized to the same shape, and the gradient for the batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from halfpixel._errors import SpecError
from halfpixel._typing import Integers, Mode, NearestMode
from halfpixel.ops.boxes import box_indices_of, boxes_of, cropped_axes
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import check_strings, element_of
from halfpixel.plan.memory import guarded
from halfpixel.plan.order import memory_order
from halfpixel.plan.out import allocate, import_out
from halfpixel.plan.resampling import Resampling, fill_outside, fill_value
from halfpixel.plan.tables import Tables, tables_of, transposed
from halfpixel.plan.threads import thread_count
from halfpixel.plan.wide import check_differentiable, narrowed, widened
from halfpixel.plan.window import Box, lengths
from halfpixel.spec.arguments import elements, shape_of, show
from halfpixel.spec.attributes import attribute_number
from halfpixel.spec.axes import AxisSpec, ResizeSpec
from halfpixel.spec.coordinates import Line, Roi, line_of
from halfpixel.spec.element_types import check_element_type
from halfpixel.spec.resize import resize_spec
from halfpixel.spec.sizes import check_addressable

Sampling: TypeAlias = Literal["half_pixel", "align_corners"]


@dataclass(frozen=True, slots=True)
class _Crop:
    """One box: output samples [inside] of output number are the tables' map of input samples [source] of input index.

    Output samples beside inside lie outside the input. The slices have no entry for the batch.
    """

    number: int
    index: int
    inside: Box
    source: Box
    tables: Tables


def crop_and_resize(
    x: Any,
    boxes: Any,
    box_indices: Any,
    sizes: Integers,
    *,
    axes: Integers | None = None,
    sampling: Sampling = "half_pixel",
    mode: Mode = "linear",
    nearest_mode: NearestMode = "round_prefer_floor",
    cubic_coeff_a: float = -0.75,
    exclude_outside: bool = False,
    extrapolation_value: float = 0.0,
    out: Any = None,
    threads: int | None = None,
) -> Any:
    """Cut boxes out of a batch and resize each to the same lengths.

    y[n] = the box boxes[n] of x[box_indices[n]]; start and end of a box are fractions of an axis, start > end mirrors.

    sampling "half_pixel": 0 and 1 are the outer edges of an axis, x(i) = (start + (i + 1/2) * (end - start) / out) * in
    - 1/2; samples with x in [-1/2, in - 1/2] lie in the input, those before the first centre take the edge sample.
    sampling "align_corners": 0 and 1 are the end samples of an axis, as in tf_crop_and_resize of Resize (and as in
    TensorFlow's crop_and_resize); samples with x in [0, in - 1] lie in the input.

    Example:
        >>> x = numpy.arange(16.0).reshape(1, 1, 4, 4)
        >>> hp.crop_and_resize(x, [[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]], [0, 0], [2, 2]).tolist()
        [[[[0.0, 1.0], [4.0, 5.0]]], [[[10.0, 11.0], [14.0, 15.0]]]]

    Args:
        x: array of rank 2 or more; axis 0 is the batch.
        boxes: array of shape (n, 2 * axes): the starts along all axes, then the ends. Finite numbers.
        box_indices: n integers: which entry of the batch each box is cut from.
        sizes: output lengths, one an entry of axes.
        axes: the axes that are cropped, not the batch; None: the last len(sizes) ones.
        extrapolation_value: the result where a box leaves the input.
        mode, nearest_mode, cubic_coeff_a, exclude_outside, out, threads: as in resize. out has the shape (n, ...).

    Returns:
        array of shape (n, ...): the rest as x has it, axes replaced by sizes. The kind of array that x is.

    Raises:
        SpecError: as resize; HP112 sampling, HP177 boxes, HP178 box_indices, HP179 axes.
        ElementTypeError, ResourceError: as resize.
    """
    array, export = import_array(x)
    request = _request(
        array.shape, sizes, axes, sampling, mode, nearest_mode, cubic_coeff_a, exclude_outside, extrapolation_value
    )
    element = element_of(array.dtype)
    check_element_type("Resize", 19, element, request.spec.mode)
    check_strings(array)
    corners = boxes_of(boxes, len(request.axes))
    indices = box_indices_of(box_indices, len(corners), array.shape[0])
    shape = check_addressable((len(corners), *request.spec.out_shape), "sizes", sizes)
    count = thread_count(threads)
    y = allocate(shape, array.dtype, memory_order(array)) if out is None else import_out(out, shape, array)
    moves = request.spec.mode == "nearest"
    with guarded("the crops"):
        for crop in _crops(request, corners, indices):
            target = y[crop.number]
            if lengths(crop.inside) != target.shape:
                value = fill_value(request.spec.extrapolation_value, element, "what lies outside the input")
                fill_outside(target, crop.inside, value)
            part = Resampling(lengths(crop.source), lengths(crop.inside), crop.tables, element, moves, None)
            part.run(array[crop.index][crop.source], target[crop.inside], count)
    return export(y) if out is None else out


def crop_and_resize_grad(
    dy: Any,
    x_shape: Sequence[int],
    boxes: Any,
    box_indices: Any,
    *,
    axes: Integers | None = None,
    sampling: Sampling = "half_pixel",
    mode: Mode = "linear",
    nearest_mode: NearestMode = "round_prefer_floor",
    cubic_coeff_a: float = -0.75,
    exclude_outside: bool = False,
    out: Any = None,
    threads: int | None = None,
) -> Any:
    """Return the gradient for the input of crop_and_resize from the gradient for its output: the exact transpose.

    Boxes are added in their order, float16 and bfloat16 in float32: the same bits for every thread count.

    Example:
        >>> hp.crop_and_resize_grad(numpy.ones((2, 1)), (1, 2), [[0, 1], [0, 0.5]], [0, 0]).tolist()
        [[1.5, 0.5]]

    Args:
        dy: the gradient for the output: shape (n, ...), floating point or complex.
        x_shape: shape of the input.
        axes: as crop_and_resize had them; None: the last boxes.shape[1] / 2 ones.
        boxes, box_indices and the other keywords: as crop_and_resize had them.

    Returns:
        array of shape x_shape, the kind of array that dy is.

    Raises:
        SpecError: as crop_and_resize; HP160 dy has another shape than the output.
        ElementTypeError: HP2xx; HP225 dy is neither floating point nor complex.
        ResourceError: HP3xx.
    """
    array, export = import_array(dy, "dy")
    shape = shape_of(x_shape)
    check_differentiable(array, "dy")
    corners = boxes_of(boxes, None)
    listed = cropped_axes(axes, len(corners[0]) if corners else max(array.ndim - 1, 0), len(shape))
    sizes = [array.shape[axis] for axis in listed] if array.ndim == len(shape) else [1] * len(listed)
    request = _request(shape, sizes, listed, sampling, mode, nearest_mode, cubic_coeff_a, exclude_outside, 0.0)
    indices = box_indices_of(box_indices, len(corners), shape[0])
    expected = (len(corners), *request.spec.out_shape)
    if array.shape != expected:
        raise SpecError(
            "HP160",
            "dy has another shape than the output of crop_and_resize",
            given=f"dy of shape {array.shape}, {len(corners)} boxes, x_shape {shape}",
            allowed=f"shape {expected}",
            do="pass the gradient for the whole output",
        )
    count = thread_count(threads)
    dx = allocate(shape, array.dtype, memory_order(array)) if out is None else import_out(out, shape, array)
    with guarded("the gradient of the crops"):
        wide, element = widened(array)
        total = np.zeros(shape, wide.dtype)
        for crop in _crops(request, corners, indices):
            tables = transposed(crop.tables)
            part = Resampling(lengths(crop.inside), lengths(crop.source), tables, element, False, None)
            step = part.allocate(wide[crop.number][crop.inside])
            part.run(wide[crop.number][crop.inside], step, count)
            total[crop.index][crop.source] += step
        narrowed(total, dx)
    return export(dx) if out is None else out


@dataclass(frozen=True, slots=True)
class _Request:
    """What all boxes share: a spec of one entry of the batch, without lines, and the cropped axes of that entry."""

    spec: ResizeSpec
    axes: tuple[int, ...]
    nearest_mode: str
    sampling: str


def _request(
    shape: tuple[int, ...],
    sizes: Integers,
    axes: Integers | None,
    sampling: object,
    mode: Mode,
    nearest_mode: NearestMode,
    cubic_coeff_a: float,
    exclude_outside: bool,
    extrapolation_value: float,
) -> _Request:
    if not isinstance(sampling, str) or sampling not in get_args(Sampling):
        raise SpecError(
            "HP112",
            f"{show(sampling)} is not a value of 'sampling'",
            given=f"sampling={show(sampling)}",
            allowed=", ".join(get_args(Sampling)),
            do="pass one of these words, spelled exactly so",
        )
    numbers = elements("sizes", sizes)
    listed = tuple(axis - 1 for axis in cropped_axes(axes, len(numbers), len(shape)))
    # Checks the attributes and the sizes of one entry; its lines are those of a box that is the whole entry.
    spec = resize_spec(
        shape[1:],
        sizes=numbers,  # type: ignore[arg-type]  # checked there
        axes=listed,
        mode=mode,
        nearest_mode=nearest_mode,
        cubic_coeff_a=cubic_coeff_a,
        exclude_outside=exclude_outside,
        extrapolation_value=attribute_number("extrapolation_value", extrapolation_value, finite=False),
    )
    return _Request(spec, listed, str(nearest_mode), sampling)


def _crops(request: _Request, corners: Sequence[Sequence[Roi]], indices: Sequence[int]) -> Iterator[_Crop]:
    """Yield the boxes that have an output sample."""
    spec = request.spec
    if 0 in spec.out_shape:
        return
    for number, (rois, index) in enumerate(zip(corners, indices, strict=True)):
        axes, ranges = [], {}
        for axis, roi in zip(request.axes, rois, strict=True):
            in_size, out_size = spec.in_shape[axis], spec.out_shape[axis]
            line = _line(request.sampling, in_size, out_size, roi)
            axes.append(AxisSpec(axis, in_size, out_size, (1, 1), line, request.nearest_mode, False))
            ranges[axis] = _inside(line, in_size, out_size, 0 if request.sampling == "align_corners" else 1)
        box = ResizeSpec(
            spec.op_type, spec.version, spec.in_shape, spec.out_shape, tuple(sorted(axes, key=lambda a: a.axis)),
            spec.mode, spec.cubic_coeff_a, False, spec.exclude_outside, spec.extrapolation_value,
        )  # fmt: skip
        yield _crop(number, index, box, ranges)


def _crop(number: int, index: int, spec: ResizeSpec, ranges: dict[int, tuple[int, int]]) -> _Crop:
    if any(begin == end for begin, end in ranges.values()):
        nothing = tuple(slice(0, 0) for _ in spec.in_shape)
        return _Crop(number, index, nothing, nothing, {})
    tables = tables_of(spec)
    inside = [slice(0, length) for length in spec.out_shape]
    source = [slice(0, length) for length in spec.in_shape]
    for axis, (begin, end) in ranges.items():
        first, last = tables[axis].source_range(begin, end)
        inside[axis], source[axis] = slice(begin, end), slice(first, last)
        tables[axis] = tables[axis].slice(begin, end, first, last)
    return _Crop(number, index, tuple(inside), tuple(source), tables)


def _line(sampling: str, in_size: int, out_size: int, roi: Roi) -> Line:
    """Return the coordinates of the output samples of a box along one axis, exactly."""
    if sampling == "align_corners":
        return line_of("tf_crop_and_resize", in_size, out_size, (1, 1), roi)
    start, end, divisor = roi
    length = (end - start) * in_size
    terms = 2 * length, 2 * start * out_size * in_size + length - divisor * out_size, 2 * divisor * out_size
    common = gcd(*terms)
    return Line(*(term // common for term in terms))


def _inside(line: Line, in_size: int, out_size: int, margin: int) -> tuple[int, int]:
    """Return the output samples [begin, end) with -margin / 2 <= x <= in_size - 1 + margin / 2."""
    low = -margin * line.divisor - 2 * line.start
    high = (2 * (in_size - 1) + margin) * line.divisor - 2 * line.start
    step = 2 * line.step
    if step == 0:
        return (0, out_size) if low <= 0 <= high else (0, 0)
    if step < 0:
        low, high, step = -high, -low, -step
    begin, end = max(0, -(-low // step)), min(out_size, high // step + 1)
    return (begin, end) if begin < end else (0, 0)
