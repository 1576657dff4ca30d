"""An explanation as text for a terminal, narrow ones too."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from halfpixel.models.explain.exact_text import both_texts, decimal_text, exact_text, fraction_of, number_text
from halfpixel.models.explain.explanation import AxisExplanation, Beside, Explanation
from halfpixel.models.explain.lengths import WHOLE, Length
from halfpixel.models.explain.samples import Sample, Tap

_LABEL = 13
"""Columns of the words at the left; a terminal below _NARROW columns has them on lines of their own."""

_NARROW = 60
_MOST_ROWS = 16
_MOST_PRODUCTS = 16
_BAR = 16

Part = tuple[str, list[str]]
"""A label and its lines."""


def as_text(explanation: Explanation, width: int = 80) -> str:
    """The explanation in lines of at most `width` characters where words allow."""
    lines = _head(explanation, width)
    told = [axis for axis in explanation.axes if axis.sample is not None or not explanation.at]
    for axis in told:
        lines += ["", f"axis {axis.length.axis}: {axis.length.in_size} -> {axis.length.out_size}"]
        lines += _laid_out(_axis_parts(explanation, axis, width), width)
    copied = [axis for axis in explanation.axes if axis not in told]
    if copied:
        lines += ["", *(line for axis in copied for line in _wrapped(_copied(axis.length), width))]
    if explanation.at or not explanation.axes:
        lines += ["", *_whole(explanation, width)]
    if explanation.beside:
        lines += ["", *_beside(explanation, width)]
    return "\n".join(line.rstrip() for line in lines)


def _head(explanation: Explanation, width: int) -> list[str]:
    request, plan = explanation.request, explanation.plan
    subject = f"{request.subject}: " if request.subject else ""
    shapes = f"{request.element_type} {plan.in_shape} -> {plan.output_shape}"
    lines = _wrapped(f"{subject}{request.op_type}-{request.version}, {shapes}", width)
    words = [f"{name}={_value(value)}" for name, value in explanation.attributes(explanation.settings).items()]
    lines += _wrapped(", ".join(words), width)
    lines += [line for name, words in request.origins.items() for line in _wrapped(f"{name}: {words}", width)]
    empty = 0 in plan.output_shape
    return [*lines, "the output has no samples" if empty else f"output sample {explanation.at}"]


def _value(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _axis_parts(explanation: Explanation, axis: AxisExplanation, width: int) -> list[Part]:
    sample = axis.sample
    parts = [("length", _length(axis.length))]
    if sample is None:
        return parts
    parts.append(("coordinate", _coordinate(axis, sample)))
    if sample.extrapolated:
        value = f"{explanation.settings.extrapolation_value:g}"
        outside = f"x lies outside [0, {axis.length.in_size - 1}]: the result is extrapolation_value = {value}"
        return [*parts, ("extrapolated", [outside])]
    if sample.rounding is not None:
        return [*parts, ("nearest", _nearest(axis.length, sample))]
    parts.append(("filter", [_filter(explanation, sample)]))
    if sample.taps is None:
        return [*parts, ("taps", [_range(sample)])]
    parts.append(("taps", _taps(axis.length, sample.taps, width)))
    if any(tap.counts_for != tap.index for tap in sample.taps):
        parts.append(("at the border", _border(sample)))
    return parts


def _length(length: Length) -> list[str]:
    n = length.in_size
    if length.source == "not listed":
        return ["not one of axes: copied"]
    if length.product is None:
        return [f"{length.out_size}, the size that was given", f"scale {length.out_size} / {n}{_equals(length.scale)}"]
    scale = exact_text(length.scale)
    if length.source != "scales":
        smallest = "smallest" if length.source == "not_larger" else "largest"
        return [
            f"round({n} * {number_text(length.scale)}) = round({number_text(length.product)}) = {length.out_size}",
            f"size {length.given} was given; {length.source} takes the {smallest} of size / length for all axes:",
            f"scale {both_texts(length.scale)}, halves are rounded up",
        ]
    kept = Fraction(float(length.given or 0)) == length.scale
    words = f"scale {scale}" if kept else f"scale {length.given!r} is {scale} in float32"
    cut = length.roi != WHOLE and length.rule != "float32_floor"
    roi = f" * ({number_text(length.roi[1])} - {number_text(length.roi[0])})" if cut else ""
    value = decimal_text(length.product)
    by_rule = dict(length.by_rule)
    others = ", ".join(f"{rule} {count}" for rule, count in by_rule.items())
    differs = by_rule["floor"] != by_rule["float32_floor"]
    rule = length.rule.removeprefix("float32_")
    left = f"{length.rule}({n}{roi} * {number_text(length.scale)})"
    return [
        f"{left} = {rule}({value}) = {length.out_size}",
        words,
        f"by every rule: {others}",
        *(["float32_floor, which onnxruntime and OpenVINO take, gives another length"] if differs else []),
    ]


def _equals(value: Fraction) -> str:
    """ " = 0.6"; nothing where the quotient says it all."""
    return f" = {number_text(value)}"


def _coordinate(axis: AxisExplanation, sample: Sample) -> list[str]:
    lines = [f"x = {axis.formula}"]
    if axis.numbers != axis.formula:
        lines.append(f"  = {axis.numbers}")
    result = f"  = {both_texts(sample.coordinate)}"
    return lines if axis.formula.startswith("0, ") else [*lines, result]


def _nearest(length: Length, sample: Sample) -> list[str]:
    rounding = sample.rounding
    assert rounding is not None
    if rounding.below == rounding.above:
        lines = [f"x is sample {rounding.below} exactly"]
    elif rounding.tie:
        lines = [f"a tie: x is half-way between samples {rounding.below} and {rounding.above}"]
    else:
        left, right = sample.coordinate - rounding.below, rounding.above - sample.coordinate
        lines = [f"x is {number_text(left)} from sample {rounding.below}, {number_text(right)} from {rounding.above}"]
    last = f"{rounding.rule} takes sample {rounding.chosen}"
    if rounding.chosen != sample.first:
        last += f", which is outside: clamped to {sample.first}"
    elif length.in_size == 1:
        last += ", the only one"
    return [*lines, last]


def _filter(explanation: Explanation, sample: Sample) -> str:
    settings = explanation.settings
    a = f" with a = {settings.cubic_coeff_a:g}" if settings.mode == "cubic" else ""
    wide = f", {number_text(sample.widening)} times as wide (antialias)" if sample.widening != 1 else ""
    return f"{settings.mode}{a}{wide}: reaches {number_text(sample.reach)} to each side of x"


def _range(sample: Sample) -> str:
    last = sample.first + len(sample.weights) - 1
    return f"{len(sample.weights)} samples, {sample.first} to {last}: too many to list"


def _taps(length: Length, taps: Sequence[Tap], width: int) -> list[str]:
    """A table of taps before the border rule; the middle of a long one is left out."""
    largest = max((abs(tap.weight) for tap in taps), default=1.0) or 1.0
    rows = [("sample", "distance", "weight", "", "")]
    for tap in taps:
        fraction = fraction_of(tap.weight)
        exact = "" if fraction is None or len(str(fraction)) > 11 or fraction.denominator == 1 else str(fraction)
        rows.append(
            (str(tap.index), _signed(tap.distance), f"{tap.weight:.9g}", exact, _bar(tap.weight, largest))
        )  # fmt: skip
    bars = width >= _NARROW + _LABEL
    if len(rows) > _MOST_ROWS + 1:
        half = _MOST_ROWS // 2
        left_out = len(rows) - 1 - 2 * half
        rows = [*rows[: half + 1], ("...", f"{left_out} more", "", "", ""), *rows[-half:]]
    return _columns([row if bars else row[:4] for row in rows])


def _signed(distance: Fraction) -> str:
    text = f"{float(distance):+.4f}".rstrip("0").rstrip(".")
    return "0" if distance == 0 else text


def _bar(weight: float, largest: float) -> str:
    count = max(1, round(abs(weight) / largest * _BAR))
    return ("#" if weight > 0 else "-") * count


def _border(sample: Sample) -> list[str]:
    """What the border rule does with the taps outside, and the weights that result."""
    taps = sample.taps or ()
    outside = [str(tap.index) for tap in taps if tap.counts_for != tap.index]
    listed = _some(outside)
    excluded = any(tap.counts_for is None for tap in taps)
    if not excluded:
        edge = sorted({str(tap.counts_for) for tap in taps if tap.counts_for != tap.index}, key=int)
        first = f"outside: {listed}; the weight counts for the edge sample {' or '.join(edge)}"
    elif all(tap.counts_for is None for tap in taps):
        first = f"outside: {listed}; nothing is left inside, so the edge sample counts alone"
    else:
        first = f"outside: {listed}; left out by exclude_outside, the rest is divided by its sum"
    return [first, f"so: {weights_text(sample)}"]


def weights_text(sample: Sample) -> str:
    """The weights after the border rule: "0: 0.75, 1: 0.25"."""
    pairs = [f"{index}: {weight_text(weight)}" for index, weight in enumerate(sample.weights, sample.first)]
    return _some(pairs)


def weight_text(weight: float) -> str:
    """A weight short: six digits."""
    return f"{weight:.6g}"


def _some(words: Sequence[str]) -> str:
    return ", ".join(words if len(words) <= 8 else [*words[:4], f"... {len(words) - 8} more ...", *words[-4:]])


def _copied(length: Length) -> str:
    if length.source == "not listed":
        why = "it is not one of axes"
    else:
        why = f"scale {number_text(length.scale)}"
    return f"axis {length.axis}: {length.in_size} -> {length.out_size}, copied ({why})"


def _whole(explanation: Explanation, width: int) -> list[str]:
    """The output sample as a sum over input samples."""
    left = f"Y{list(explanation.at)} ="
    samples = {axis.length.axis: axis.sample for axis in explanation.axes if axis.sample is not None}
    if any(sample.extrapolated for sample in samples.values()):
        return [f"{left} {explanation.settings.extrapolation_value:g}, the extrapolation_value"]
    count = prod(len(sample.weights) for sample in samples.values())
    if count > _MOST_PRODUCTS:
        counts = " * ".join(str(len(sample.weights)) for sample in samples.values())
        return _wrapped(f"{left} the sum of {counts}{f' = {count}' if len(samples) > 1 else ''} samples of X", width)
    terms = []
    for place in product(*(enumerate(sample.weights, sample.first) for sample in samples.values())):
        index = list(explanation.at)
        for axis, (tap, _) in zip(samples, place, strict=True):
            index[axis] = tap
        terms.append((prod((weight for _, weight in place), start=1.0), f"X{index}"))
    return _hanging(left, _sum_of(terms), width)


def _sum_of(terms: Sequence[tuple[float, str]]) -> list[str]:
    words: list[str] = []
    for weight, sample in terms:
        sign = "- " if weight < 0 else "+ " if words else ""
        words.append(f"{sign}{sample}" if abs(weight) == 1 else f"{sign}{weight_text(abs(weight))} {sample}")
    return words


def _beside(explanation: Explanation, width: int) -> list[str]:
    lines = ["the same output sample elsewhere"]
    for other in explanation.beside:
        lines += [f"  {other.convention.title}"]
        lines += [line for words in _beside_words(explanation, other) for line in _wrapped(words, width, 4)]
    return lines


def _beside_words(explanation: Explanation, other: Beside) -> list[str]:
    if other.settings is None:
        return [f"has no mode {explanation.settings.mode} of this kind"]
    own = explanation.attributes(explanation.settings)
    changed = {name: value for name, value in explanation.attributes(other.settings).items() if own.get(name) != value}
    words = [", ".join(f"{name}={_value(value)}" for name, value in changed.items()) or "the same attributes"]
    if other.out_shape != explanation.plan.output_shape:
        words.append(f"output {other.out_shape}")
    mine = {axis.length.axis: axis.sample for axis in explanation.axes if axis.sample is not None}
    for axis, sample in other.samples:
        words.append(f"axis {axis}: {_elsewhere(sample, mine.get(axis))}")
    return words + ([f"not in the numbers: {other.convention.note}"] if other.convention.note else [])


def _elsewhere(sample: Sample | None, own: Sample | None) -> str:
    if sample is None:
        return "no such sample"
    if own is not None and (sample.first, sample.weights, sample.extrapolated) == (
        own.first, own.weights, own.extrapolated,
    ):  # fmt: skip
        return f"the same, x = {number_text(sample.coordinate)}"
    x = f"x = {number_text(sample.coordinate)}"
    if sample.extrapolated:
        return f"{x}, outside: extrapolated"
    return f"{x}, sample {sample.first}" if sample.rounding is not None else f"{x}, weights {weights_text(sample)}"


def _laid_out(parts: Iterable[Part], width: int) -> list[str]:
    """Labels at the left with their lines beside them, or above them where the terminal is narrow."""
    lines = []
    for label, found in parts:
        if width < _NARROW:
            lines += [f"  {label}", *(part for line in found for part in _wrapped(line, width, 4))]
            continue
        wrapped = [part for line in found for part in _wrapped(line, width - _LABEL - 3)]
        heads = [label, *[""] * (len(wrapped) - 1)]
        lines += [f"  {head:<{_LABEL}} {line}" for head, line in zip(heads, wrapped, strict=True)]
    return lines


def _wrapped(text: str, width: int, indent: int = 0) -> list[str]:
    """Lines of a text; a line that fits keeps its blanks, as tables need."""
    if len(text) + indent <= width:
        return [" " * indent + text]
    inner = " " * (indent + len(text) - len(text.lstrip()) + 2)
    return textwrap.wrap(
        text.lstrip(), max(width, indent + 20), initial_indent=inner[:-2], subsequent_indent=inner,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _hanging(left: str, words: Sequence[str], width: int) -> list[str]:
    """Words after a left side, as many on a line as fit; a word is never broken."""
    lines = [left]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > width and lines[-1].strip():
            lines.append(" " * 4 + word)
        else:
            lines[-1] += f" {word}"
    return lines


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns: numbers to the right, the exact fraction and the bar to the left."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    right = (True, True, True, False, False)
    return [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=False)
            if width
        ).rstrip()
        for row in rows
    ]
