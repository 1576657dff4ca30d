"""Rules about output lengths."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from halfpixel.models.check.finding import Trap
from halfpixel.models.check.subject import Subject, Surroundings
from halfpixel.models.check.words import listing, number
from halfpixel.models.reports import NOTE
from halfpixel.spec.sizes import length_of, output_sizes

_PROBED = 512
"""Where a length is not known, lengths from 1 on are tried up to this one."""
_EXACT_BELOW = 2**24
"""Integers below this one are exact in float32, and so is such a product with a scale of that numerator."""
_VISIBLE = 1e-5
"""Part of an axis from which on a shift counts."""
_SIZES = "give sizes instead of scales, or a scale that is a sum of few powers of two, such as 0.5 or 1.25"


def length_of_scales(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM001: floor(in * scale) of the exact product is not the floor of the product in float32, or of a policy."""
    if subject.site.op_type != "Resize" or subject.facts.get("crops"):
        return
    shape = subject.shape or ()
    for axis, scale in subject.of_axes("scales").items():
        in_size = shape[axis]
        lengths = (in_size,) if in_size is not None else range(1, _PROBED + 1)
        found = next((both for n in lengths if (both := _two_lengths(n, scale))), None)
        if found is None:
            continue
        n, exact, rounded = found
        known = "" if in_size is not None else f"for {n} samples, and others, "
        yield Trap(
            f"{known}the output length of axis {axis} is {exact} by the exact product, {rounded} by that in float32",
            given=f"{n} * {number(scale)} = {n * scale:.9g}, in float32 {rounded}",
            allowed="a product that rounding to float32 does not lift to a whole number",
            do=_SIZES,
            severity=None if in_size is not None else NOTE,
        )
    yield from _policy(subject)


def _two_lengths(in_size: int, scale: float) -> tuple[int, int, int] | None:
    """(in, exact length, float32 length) where the two differ; None for a scale that is no number above 0."""
    if not 0 < scale < 2**31 or float(scale).as_integer_ratio()[0] * in_size < _EXACT_BELOW:
        return None
    (exact,) = output_sizes((in_size,), [scale])
    (rounded,) = output_sizes((in_size,), [scale], rule="float32_floor")
    return None if exact == rounded else (in_size, exact, rounded)


def _policy(subject: Subject) -> Iterator[Trap]:
    if not (subject.facts.get("float32_policy") or subject.facts.get("float64_policy")) or subject.spec is None:
        return
    precisions = [word for word in ("float32", "float64") if subject.facts.get(f"{word}_policy")]
    policy = subject.request.value("keep_aspect_ratio_policy")
    yield Trap(
        f"a length under {policy} is a whole number and a half, which comes out smaller in {' and '.join(precisions)}",
        given=f"sizes {listing(subject.request.sizes or ())}, output {list(subject.spec.out_shape)} by exact fractions",
        allowed="lengths that are no halves",
        do="give the sizes that you want, and the policy stretch",
    )


def roi_in_the_length(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM002: scales beside a roi that is not the whole: the text multiplies the length by the roi, nobody does."""
    if subject.facts.get("crops") is not True or subject.facts["by"] != "scales" or subject.spec is None:
        return
    scales, shape = subject.of_axes("scales"), subject.spec.in_shape
    theirs = [
        length_of(n, float(scales[axis]).as_integer_ratio(), "floor") if axis in scales else n
        for axis, n in enumerate(shape)
    ]
    if tuple(theirs) == subject.spec.out_shape:
        return
    yield Trap(
        "the output length counts the roi by the standard's text, and does not in other runtimes",
        given=f"scales {listing(scales.values())}, roi {listing(subject.request.roi or ())}: "
        f"output shape {list(subject.spec.out_shape)} by the text, {theirs} in other runtimes",
        allowed="sizes beside a roi, or a roi of the whole beside scales",
        do="give sizes instead of scales",
    )


def _last(in_size: int, scale: float) -> float:
    """Where align_corners puts the last output sample: (floor(in * scale) - 1) * (in - 1) / (in * scale - 1)."""
    return (int(in_size * scale) - 1) * (in_size - 1) / (in_size * scale - 1)


def _misses_the_end(in_size: int, scale: float) -> bool:
    """The last output sample is not the last input, by more than a scale such as 0.6 in float32 explains."""
    return in_size - 1 - _last(in_size, scale) > _VISIBLE * in_size


def fractional_align_corners(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM003: align_corners with in * scale that is not whole: the last output is not the last input."""
    if subject.site.op_type != "Resize" or subject.coordinates != "align_corners":
        return
    shape = subject.shape or ()
    for axis, scale in subject.of_axes("scales").items():
        in_size = shape[axis]
        lengths = (in_size,) if in_size is not None else range(2, _PROBED + 1)
        n = next((n for n in lengths if 1 < n * scale < inf and _misses_the_end(n, scale)), None)
        if n is None:
            continue
        last = _last(n, scale)
        known = "" if in_size is not None else f"for {n} samples, and others, "
        yield Trap(
            f"{known}align_corners on axis {axis} has the fractional length {number(n * scale)}: "
            f"the last output sample lies at {number(last)}, not at {n - 1}",
            given=f"{n} * {number(scale)} = {number(n * scale)}",
            allowed="a whole length: onnxruntime, OpenVINO and PyTorch round it, the standard's examples do not",
            do="give sizes instead of scales",
            severity=None if in_size is not None else NOTE,
        )
