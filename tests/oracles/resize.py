"""Resize: axes, coordinates, weights, sums, one rounding. And the gradient: the transposed matrices."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from .coordinates import FORMULAS, coordinates
from .exact import ExactArray, apply_rows, exact_array, transposed
from .lengths import Axis, RefusedError, as_float32, request_axes
from .rounding import PARTS, dtype_of, element_of, round_value
from .weights import ROUNDINGS, Row, cubic_kernel, filter_row, linear_kernel, nearest_row

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Attributes:
    """The attributes of Resize-19 with their defaults; nearest_mode "by_scale" is Resize-10's and Upsample's rule."""

    mode: str = "nearest"
    coordinate_transformation_mode: str = "half_pixel"
    nearest_mode: str = "round_prefer_floor"
    cubic_coeff_a: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    extrapolation_value: float = 0.0
    keep_aspect_ratio_policy: str = "stretch"
    axes: tuple[int, ...] | None = None
    length_rule: str = "floor"


@dataclass(frozen=True)
class Result:
    """An exact result: array for what was copied, parts (one, or real and imaginary) for what was averaged.

    rows holds, for each averaged axis, the row of every output sample; an empty one is extrapolated.
    """

    element: str
    array: Array | None
    parts: tuple[ExactArray, ...] = ()
    rows: Mapping[int, list[Row]] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return self.parts[0].shape if self.array is None else self.array.shape

    def rounded(self) -> Array:
        """The result in its element type, each value rounded once."""
        if self.array is not None:
            return self.array
        real = PARTS.get(self.element, self.element)
        dtype = dtype_of(self.element)
        columns = [np.array(part.round(real), "float64" if real == "bfloat16" else real) for part in self.parts]
        if self.element not in PARTS:
            return columns[0].astype(dtype).reshape(self.shape)
        joined = np.empty(columns[0].shape, dtype)
        joined.real, joined.imag = columns
        return joined.reshape(self.shape)


def plan_axes(
    in_shape: Sequence[int],
    scales: Iterable[float] | None,
    sizes: Iterable[float] | None,
    attributes: Attributes,
    roi: Iterable[float] | None = None,
) -> list[Axis]:
    """Every axis of the request, its attribute values checked."""
    for value, allowed in (
        (attributes.mode, ("nearest", "linear", "cubic")),
        (attributes.coordinate_transformation_mode, FORMULAS),
        (attributes.nearest_mode, (*ROUNDINGS, "by_scale")),
    ):
        if value not in allowed:
            raise RefusedError(f"no value {value!r} among {list(allowed)}")
    return request_axes(
        in_shape,
        scales,
        sizes,
        roi=roi,
        axes=attributes.axes,
        crop=attributes.coordinate_transformation_mode == "tf_crop_and_resize",
        policy=attributes.keep_aspect_ratio_policy,
        rule=attributes.length_rule,
    )


def outside(axis: Axis, attributes: Attributes, x: Fraction) -> bool:
    """Whether the sample takes the extrapolation value."""
    crop = attributes.coordinate_transformation_mode == "tf_crop_and_resize"
    return crop and not 0 <= x <= axis.in_size - 1


def axis_rows(axis: Axis, attributes: Attributes) -> list[Row | None]:
    """The row of every output sample of a resampled axis; None where the sample takes the extrapolation value."""
    nearest_mode = attributes.nearest_mode
    if nearest_mode == "by_scale":
        nearest_mode = "floor" if axis.scale >= 1 else "ceil"
    cubic = attributes.mode == "cubic"
    kernel = cubic_kernel(as_float32(attributes.cubic_coeff_a)) if cubic else linear_kernel
    rows: list[Row | None] = []
    for x in coordinates(axis, attributes.coordinate_transformation_mode):
        if outside(axis, attributes, x):
            rows.append(None)
        elif attributes.mode == "nearest":
            rows.append(nearest_row(x, axis.in_size, nearest_mode))
        else:
            widen = max(Fraction(1), 1 / axis.scale) if attributes.antialias else Fraction(1)
            rows.append(filter_row(x, axis.in_size, kernel, 2 if cubic else 1, widen, attributes.exclude_outside))
    return rows


def all_rows(axes: Sequence[Axis], attributes: Attributes) -> dict[int, list[Row | None]]:
    """The rows of every resampled axis; a length that an axis of length 0 keeps needs none."""
    return {axis.axis: axis_rows(axis, attributes) for axis in axes if not axis.copied and axis.in_size}


def fill_value(element: str, attributes: Attributes) -> Any:
    """extrapolation_value in the element type, rounded once as a result is."""
    if element == "string":
        raise RefusedError("a string has no extrapolation value")
    return round_value(Fraction(attributes.extrapolation_value), PARTS.get(element, element))


def copy_samples(x: Array, rows: dict[int, list[Row | None]], attributes: Attributes) -> Array:
    """Nearest: every sample copied bit for bit, extrapolated samples filled."""
    result = x
    for axis, axis_table in rows.items():
        indices = [row[0][0] if row else 0 for row in axis_table]
        result = np.take(result, np.array(indices, np.intp), axis=axis)
    result = np.array(result, copy=True)
    for axis, positions in extrapolated(rows).items():
        if positions and result.size:
            result[(slice(None),) * axis + (positions,)] = fill_value(element_of(x), attributes)
    return result


def extrapolated(rows: dict[int, list[Row | None]]) -> dict[int, list[int]]:
    """The output positions of each axis that take the extrapolation value."""
    return {axis: [i for i, row in enumerate(table) if row is None] for axis, table in rows.items()}


def fill_part(part: ExactArray, rows: dict[int, list[Row | None]], value: Fraction) -> ExactArray:
    """Write the extrapolation value where any axis is outside: samples without taps, so without flags too."""
    mask = np.zeros(part.shape, bool)
    for axis, positions in extrapolated(rows).items():
        mask[(slice(None),) * axis + (positions,)] = True
    if not mask.any():
        return part
    factor = value.denominator
    numerators = [numerator * factor for numerator in part.numerators]
    for index in np.flatnonzero(mask).tolist():
        numerators[index] = value.numerator * part.denominator
    return ExactArray(part.shape, numerators, part.denominator * factor, part.flags)


def apply_all(x: Array, rows: dict[int, list[Row]]) -> tuple[ExactArray, ...]:
    """The averaged parts of an array, axis after axis; the order does not matter, nothing is rounded."""
    arrays = [x.real, x.imag] if x.dtype.kind == "c" else [x]
    return tuple(reduce(lambda part, item: apply_rows(part, *item), rows.items(), exact_array(a)) for a in arrays)


def resize(
    x: Array,
    scales: Iterable[float] | None,
    sizes: Iterable[float] | None,
    attributes: Attributes,
    roi: Iterable[float] | None = None,
) -> Result:
    """The exact result of one Resize (of any version whose attributes these are)."""
    element = element_of(x)
    if element == "string" and attributes.mode != "nearest":
        raise RefusedError(f"strings have no {attributes.mode}")
    axes = plan_axes(x.shape, scales, sizes, attributes, roi)
    rows = all_rows(axes, attributes)
    if attributes.mode == "nearest" or not rows:
        return Result(element, copy_samples(x, rows, attributes))
    filled_rows = {axis: [row or [] for row in table] for axis, table in rows.items()}
    parts = apply_all(x, filled_rows)
    values = (Fraction(attributes.extrapolation_value), Fraction(0))
    filled = tuple(fill_part(part, rows, value) for part, value in zip(parts, values, strict=False))
    return Result(element, None, filled, filled_rows)


def resize_grad(
    dy: Array,
    x_shape: Sequence[int],
    scales: Iterable[float] | None,
    sizes: Iterable[float] | None,
    attributes: Attributes,
    roi: Iterable[float] | None = None,
) -> Result:
    """The exact transpose of the forward map applied to dy; extrapolated samples give nothing."""
    axes = plan_axes(x_shape, scales, sizes, attributes, roi)
    rows = all_rows(axes, attributes)
    columns = {n: transposed([row or [] for row in table], x_shape[n]) for n, table in rows.items()}
    if not columns:
        return Result(element_of(dy), dy.copy())
    return Result(element_of(dy), None, apply_all(dy, columns), columns)
