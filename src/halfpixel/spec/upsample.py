"""Upsample of every version -> ResizeSpec.

Source: ONNX Upsample 1, 7, 9, 10. The texts give no coordinates; their node tests have x = i / scale.
"""

from __future__ import annotations

from collections.abc import Sequence

from halfpixel._errors import SpecError
from halfpixel._typing import RealNumbers
from halfpixel.spec.arguments import elements, shape_of, show
from halfpixel.spec.attributes import choice, require_attribute
from halfpixel.spec.axes import ResizeSpec, axis_specs
from halfpixel.spec.coordinates import WHOLE
from halfpixel.spec.operators import Operator, operator_of
from halfpixel.spec.sizes import check_addressable, check_length_rule, length_of, ratios_of_scales


def upsample_spec(
    x_shape: Sequence[int],
    scales: RealNumbers | None = None,
    *,
    height_scale: float | None = None,
    width_scale: float | None = None,
    mode: str = "nearest",
    version: int = 9,
    length_rule: str = "floor",
    strict: bool = True,
) -> ResizeSpec:
    """Return what an Upsample does to an X of a shape: x = i / scale, nearest by floor, linear as such.

    Args:
        scales: out / in >= 1, one an axis (versions 7, 9, 10).
        height_scale, width_scale: the same for the last two axes of an X of rank 4 (version 1).
        mode: "nearest", "linear" (from 7 on) or "bilinear" (in 1, the same as linear).
        version: since-version 1, 7, 9 or 10; 10 is deprecated and read as 9.
        length_rule: how scales become lengths, see spec.sizes.output_sizes.
        strict: false lets the mode of another version pass.

    Raises:
        SpecError: the request breaks a rule, among them HP108, a scale below 1.
        ResourceError: HP300.
    """
    operator = operator_of("Upsample", version)
    mode = choice(operator, "mode", mode, strict)
    check_length_rule(length_rule)
    shape = shape_of(x_shape)
    if operator.version == 1:
        given = _scales_of_height_and_width(operator, shape, scales, height_scale, width_scale)
    else:
        for name, value in (("height_scale", height_scale), ("width_scale", width_scale)):
            if value is not None:
                require_attribute(operator, name, value, strict=True)
        given = [] if scales is None else elements("scales", scales)
        if scales is None or (not given and shape):
            raise _missing(operator, "scales", "one scale an axis, each 1 or more")
    ratios = ratios_of_scales(given, len(shape), shape)
    if any(numerator < denominator for numerator, denominator in ratios):
        raise SpecError(
            "HP108",
            f"{operator.label} only grows: a scale is below 1",
            given=f"scales={show(given)}",
            allowed="scales of 1 or more",
            do="use Resize to shrink",
        )
    listed = list(range(len(shape)))
    lengths = [length_of(n, ratio, length_rule) for n, ratio in zip(shape, ratios, strict=True)]
    out_shape = check_addressable(tuple(lengths), "scales", given)
    axes = axis_specs(listed, shape, lengths, ratios, [WHOLE] * len(shape), "asymmetric", None)
    mode = "linear" if mode == "bilinear" else mode
    return ResizeSpec("Upsample", operator.version, shape, out_shape, axes, mode, -0.75, False, False, 0.0)


def _scales_of_height_and_width(
    operator: Operator, shape: tuple[int, ...], scales: object, height_scale: object, width_scale: object
) -> list[object]:
    """Return the four scales of Upsample-1."""
    if scales is not None:
        require_attribute(operator, "scales", scales, strict=True)
    for name, value in (("height_scale", height_scale), ("width_scale", width_scale)):
        if value is None:
            raise _missing(operator, name, "a number, 1 or more")
    if len(shape) != 4:
        raise SpecError(
            "HP123",
            f"{operator.label} takes rank 4, not {len(shape)}",
            given=f"X of shape {show(shape)}",
            allowed="[N, C, H, W]",
            do="reshape X to rank 4, or use version=7 or later with one scale an axis",
        )
    return [1.0, 1.0, height_scale, width_scale]


def _missing(operator: Operator, name: str, allowed: str) -> SpecError:
    return SpecError(
        "HP122",
        f"{operator.label} needs {name!r}",
        given=f"{name} is missing or empty",
        allowed=allowed,
        do=f"pass {name}=",
    )
