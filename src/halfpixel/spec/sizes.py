"""scales, sizes, roi and keep_aspect_ratio_policy -> output lengths and exact scales, axis by axis.

Lengths come from exact products. Source: ONNX Resize-19, ``scales``, ``sizes`` and ``keep_aspect_ratio_policy``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import gcd, inf, isfinite, prod

from halfpixel._errors import ResourceError, SpecError
from halfpixel._typing import RealNumbers
from halfpixel.spec.arguments import elements, real, shape_of, show, whole
from halfpixel.spec.coordinates import WHOLE, Fraction, Roi

LARGEST_COUNT = 2**63 - 1
"""How many elements can be counted: NumPy, ONNX and the core hold lengths in signed 64-bit integers."""

LENGTH_RULES = ("floor", "round", "ceil", "float32_floor")


def output_sizes(x_shape: Sequence[int], scales: RealNumbers, *, rule: str = "floor") -> tuple[int, ...]:
    """Return the output lengths that scales give.

    length = floor(in * scale) with the scale rounded to float32 and an exact product, as the standard has it.

    Args:
        x_shape: lengths of X.
        scales: one an axis, > 0; each is rounded to float32 first.
        rule: "floor"; "round" (half up) or "ceil" of the same product; "float32_floor" for the product rounded to
            float32 before the floor, as onnxruntime and OpenVINO compute it.

    Raises:
        SpecError: HP105, HP107, HP116, HP121, HP126.
        ResourceError: HP300.

    Example:
        >>> output_sizes((10,), [0.7])
        (6,)
        >>> output_sizes((10,), [0.7], rule="float32_floor")
        (7,)
    """
    shape = shape_of(x_shape)
    check_length_rule(rule)
    ratios = ratios_of_scales(elements("scales", scales), len(shape), shape)
    lengths = tuple(length_of(in_size, ratio, rule) for in_size, ratio in zip(shape, ratios, strict=True))
    return check_addressable(lengths, "scales", scales)


def check_length_rule(rule: object) -> None:
    """Raise HP126 unless the rule is one of LENGTH_RULES."""
    if not isinstance(rule, str) or rule not in LENGTH_RULES:
        raise SpecError(
            "HP126",
            f"{show(rule)} is not a rule for lengths",
            given=f"length rule {show(rule)}",
            allowed=", ".join(LENGTH_RULES),
            do="pass one of these words; 'floor' is the standard's",
        )


def float32(value: float) -> float:
    """Round to the nearest float32, beyond its range to infinity."""
    try:
        (rounded,) = struct.unpack("f", struct.pack("f", value))
    except OverflowError:
        return inf if value > 0 else -inf
    return float(rounded)


def ratios_of_scales(scales: list[object], count: int, shape: tuple[int, ...]) -> list[Fraction]:
    """Return scales as exact fractions after rounding each to float32.

    Args:
        scales: what the caller passed, as a list.
        count: how many there must be: the rank, or the length of axes.
        shape: of X, for the message.

    Raises:
        SpecError: HP105 wrong number, HP107 not finite or not above 0, HP116 not a number.
    """
    if len(scales) != count:
        raise _wrong_count("HP105", "scales", scales, count, shape)
    ratios = []
    for scale in scales:
        number = float32(real("scales", scale))
        if not 0.0 < number < inf:
            raise SpecError(
                "HP107",
                "a scale is not a finite number above 0",
                given=f"scales={show(scales)}",
                allowed="numbers above 0 that float32 can hold: 1.4e-45 to 3.4e38",
                do="pass out / in for each axis; 1 leaves an axis as it is",
            )
        ratios.append(number.as_integer_ratio())
    return ratios


def length_of(in_size: int, ratio: Fraction, rule: str, roi: Roi = WHOLE) -> int:
    """Return the output length of an axis: in * (roi_end - roi_start) * scale, made an integer by the rule.

    "float32_floor" leaves the roi out, as the runtimes do whose lengths it gives.
    """
    if rule == "float32_floor":
        # A product of two float32 is exact in float64, so that packing rounds it once.
        product = float32(float32(float(in_size)) * (ratio[0] / ratio[1]))
        return int(product) if isfinite(product) else LARGEST_COUNT + 1
    numerator = in_size * (roi[1] - roi[0]) * ratio[0]
    denominator = roi[2] * ratio[1]
    if rule == "floor":
        return numerator // denominator
    if rule == "round":
        return (2 * numerator + denominator) // (2 * denominator)
    return -(-numerator // denominator)


def sizes_of(sizes: list[object], count: int, shape: tuple[int, ...]) -> list[int]:
    """Return sizes as integers from 0 on.

    Args:
        sizes: what the caller passed, as a list.
        count: how many there must be.
        shape: of X, for the message.

    Raises:
        SpecError: HP106 wrong number, HP109 negative, HP116 no whole number.
    """
    if len(sizes) != count:
        raise _wrong_count("HP106", "sizes", sizes, count, shape)
    lengths = [size if type(size) is int else whole("sizes", size) for size in sizes]
    if min(lengths, default=0) < 0:
        raise SpecError(
            "HP109",
            "a size is negative",
            given=f"sizes={show(lengths)}",
            allowed="integers from 0 on",
            do="pass the output length of each axis",
        )
    return lengths


def check_growth(sizes: list[int], in_sizes: Sequence[int], shape: tuple[int, ...]) -> None:
    """Raise HP119 if an axis of length 0 should grow.

    Args:
        sizes: output lengths.
        in_sizes: lengths of the axes that they are for.
        shape: of X, for the message.
    """
    if any(in_size == 0 and size > 0 for in_size, size in zip(in_sizes, sizes, strict=True)):
        raise SpecError(
            "HP119",
            "an axis of length 0 cannot grow: there is no sample to take",
            given=f"sizes={show(sizes)}, X of shape {show(shape)}",
            allowed="0 for an axis of length 0",
            do="pass 0 there, or an X that has samples",
        )


def ratio_of_sizes(in_size: int, out_size: int) -> Fraction:
    """Return out / in in lowest terms; 1 for an axis of length 0, which stays as it is."""
    if in_size == 0:
        return 1, 1
    common = gcd(in_size, out_size)
    return out_size // common, in_size // common


def common_scale(in_sizes: Sequence[int], sizes: Sequence[int], policy: str) -> Fraction:
    """Return the one scale of all listed axes under a policy, as an exact fraction.

    not_larger: the smallest of sizes / in, so that no axis is longer than asked; not_smaller: the largest.
    Axes of length 0 have no ratio and are left out; with nothing left the scale is 1.
    """
    ratios = [ratio_of_sizes(i, o) for i, o in zip(in_sizes, sizes, strict=True) if i > 0]
    if not ratios:
        return 1, 1
    best = ratios[0]
    for ratio in ratios[1:]:
        difference = ratio[0] * best[1] - best[0] * ratio[1]
        if difference < 0 if policy == "not_larger" else difference > 0:
            best = ratio
    return best


def check_addressable(shape: tuple[int, ...], name: str, value: object) -> tuple[int, ...]:
    """Return an output shape whose elements can be counted; lengths of 0 do not excuse the others.

    Args:
        shape: of the output.
        name, value: the argument that asks for it, for the message.

    Raises:
        ResourceError: HP300 the product of the lengths that are not 0 is above 2**63 - 1.
    """
    if prod(filter(None, shape)) > LARGEST_COUNT:
        raise ResourceError(
            "HP300",
            "the output has more elements than 63 bits can count",
            given=f"{name}={show(value)}, which is an output of shape {show(shape)}",
            allowed="at most 2**63 - 1 elements",
            do="check the scales, sizes or blocksize; resize a smaller part",
        )
    return shape


def _wrong_count(code: str, name: str, values: list[object], count: int, shape: tuple[int, ...]) -> SpecError:
    return SpecError(
        code,
        f"{name!r} has {len(values)} values for {count} axes",
        given=f"{name}={show(values)}, X of shape {show(shape)}",
        allowed=f"{count} values: one an axis of X, or one an entry of 'axes' if it is given",
        do=f"pass {count} values, or name the axes that they are for with axes=",
    )
