"""How the output length of each axis came about."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from halfpixel.models.explain.request import Request
from halfpixel.spec.arguments import axes_of
from halfpixel.spec.sizes import LENGTH_RULES, common_scale, float32, length_of, ratio_of_sizes

WHOLE = (Fraction(0), Fraction(1))
"""The roi of an axis that is not cropped."""


@dataclass(frozen=True, slots=True)
class Length:
    """The output length of one axis.

    Attributes:
        axis: counted from the front.
        in_size, out_size: lengths in samples.
        source: "scales", "sizes", "not_larger", "not_smaller", or "not listed" for an axis that `axes` leaves out.
        given: the scale or the size as it was passed; None for an axis that is not listed.
        scale: out / in as coordinates use it: the float32 scale as the exact number it is, out / in of sizes, or the
            common scale of a policy.
        roi: (start, end) in tf_crop_and_resize, else (0, 1).
        product: what the rule makes an integer: in * (end - start) * scale exactly, or in * scale rounded to float32
            for "float32_floor"; None for sizes as given.
        rule: the length rule; "round" under a policy.
        by_rule: the length that each rule would give; empty where there is no product.
    """

    axis: int
    in_size: int
    out_size: int
    source: str
    given: float | int | None
    scale: Fraction
    roi: tuple[Fraction, Fraction] = WHOLE
    product: Fraction | None = None
    rule: str = ""
    by_rule: tuple[tuple[str, int], ...] = ()


def lengths_of(request: Request, out_shape: tuple[int, ...]) -> tuple[Length, ...]:
    """Return the length of every axis.

    Args:
        request: one whose spec has been made, so that its numbers are good.
        out_shape: of its spec.
    """
    shape = request.in_shape
    axes = request.attributes.get("axes")
    listed = list(range(len(shape))) if axes is None else axes_of(axes, len(shape))
    rest = [axis for axis in range(len(shape)) if axis not in listed]
    found = [Length(axis, shape[axis], out_shape[axis], "not listed", None, Fraction(1)) for axis in rest]
    scales, rois = request.given_scales(), _rois(request, len(listed))
    if scales is not None:
        found += [
            _of_scale(axis, shape[axis], out_shape[axis], scale, roi, request.length_rule)
            for axis, scale, roi in zip(listed, scales, rois, strict=True)
        ]
    else:
        found += _of_sizes(request, listed, out_shape, rois)
    return tuple(sorted(found, key=lambda length: length.axis))


def _of_scale(
    axis: int, in_size: int, out_size: int, given: float, roi: tuple[Fraction, Fraction], rule: str
) -> Length:
    ratio = float32(float(given)).as_integer_ratio()
    scale = Fraction(*ratio)
    divisor = max(roi[0].denominator, roi[1].denominator)
    terms = (int(roi[0] * divisor), int(roi[1] * divisor), divisor)
    if rule == "float32_floor":
        product = Fraction(float32(float32(float(in_size)) * float(scale)))
    else:
        product = in_size * (roi[1] - roi[0]) * scale
    by_rule = tuple((one, length_of(in_size, ratio, one, terms)) for one in LENGTH_RULES)
    return Length(axis, in_size, out_size, "scales", given, scale, roi, product, rule, by_rule)


def _of_sizes(
    request: Request, listed: list[int], out_shape: tuple[int, ...], rois: list[tuple[Fraction, Fraction]]
) -> list[Length]:
    shape, sizes = request.in_shape, [int(size) for size in request.sizes or ()]
    policy = str(request.attributes.get("keep_aspect_ratio_policy", "stretch"))
    in_sizes = [shape[axis] for axis in listed]
    if policy == "stretch":
        return [
            Length(axis, n, out_shape[axis], "sizes", size, Fraction(*ratio_of_sizes(n, size)), roi)
            for axis, n, size, roi in zip(listed, in_sizes, sizes, rois, strict=True)
        ]
    scale = Fraction(*common_scale(in_sizes, sizes, policy))
    return [
        Length(axis, n, out_shape[axis], policy, size, scale, roi, n * scale, "round")
        for axis, n, size, roi in zip(listed, in_sizes, sizes, rois, strict=True)
    ]


def _rois(request: Request, count: int) -> list[tuple[Fraction, Fraction]]:
    """The roi of each listed axis; it counts in tf_crop_and_resize only."""
    if request.settings().coordinate_transformation_mode != "tf_crop_and_resize" or request.roi is None:
        return [WHOLE] * count
    values = [Fraction(float(value)) for value in request.roi]
    return list(zip(values[:count], values[count:], strict=True))
