"""An explanation as plain data: exact numbers as text such as "9/4" beside their decimals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from halfpixel.models.explain.exact_text import exact_text
from halfpixel.models.explain.explanation import AxisExplanation, Beside, Explanation
from halfpixel.models.explain.lengths import WHOLE, Length
from halfpixel.models.explain.samples import Rounding, Sample


def as_data(explanation: Explanation) -> dict[str, Any]:
    """Return strings, numbers, lists and dictionaries, fit for JSON."""
    request, plan = explanation.request, explanation.plan
    return {
        "op_type": request.op_type,
        "version": request.version,
        "subject": request.subject or None,
        "origins": dict(request.origins),
        "element_type": request.element_type,
        "input_shape": list(plan.in_shape),
        "output_shape": list(plan.output_shape),
        "at": list(explanation.at),
        "attributes": explanation.attributes(explanation.settings),
        "axes": [_axis(axis) for axis in explanation.axes],
        "beside": [_beside(explanation, other) for other in explanation.beside],
    }


def _axis(axis: AxisExplanation) -> dict[str, Any]:
    data: dict[str, Any] = {"axis": axis.length.axis, "length": _length(axis.length)}
    if axis.sample is None:
        return data | {"copied": True}
    return data | {"copied": False, "formula": axis.formula, "numbers": axis.numbers, "sample": _sample(axis.sample)}


def _length(length: Length) -> dict[str, Any]:
    data: dict[str, Any] = {
        "in_size": length.in_size,
        "out_size": length.out_size,
        "source": length.source,
        "given": length.given,
        "scale": _number(length.scale),
    }
    if length.product is not None:
        data |= {"product": _number(length.product), "rule": length.rule, "by_rule": dict(length.by_rule)}
    if length.roi != WHOLE:
        data["roi"] = [_number(value) for value in length.roi]
    return data


def _sample(sample: Sample) -> dict[str, Any]:
    return {
        "index": sample.index,
        "coordinate": _number(sample.coordinate),
        "extrapolated": sample.extrapolated,
        "widening": _number(sample.widening),
        "reach": _number(sample.reach),
        "rounding": None if sample.rounding is None else _rounding(sample.rounding),
        "taps_before_the_border": None
        if sample.taps is None
        else [
            {
                "index": tap.index,
                "distance": _number(tap.distance),
                "weight": tap.weight,
                "counts_for": tap.counts_for,
            }
            for tap in sample.taps
        ],
        "first": sample.first,
        "count": len(sample.weights),
        "weights": None if sample.taps is None else list(sample.weights),
    }


def _rounding(rounding: Rounding) -> dict[str, Any]:
    return {
        "rule": rounding.rule,
        "below": rounding.below,
        "above": rounding.above,
        "tie": rounding.tie,
        "chosen": rounding.chosen,
    }


def _beside(explanation: Explanation, other: Beside) -> dict[str, Any]:
    data: dict[str, Any] = {"name": other.convention.name, "title": other.convention.title}
    if other.settings is None:
        return data | {"attributes": None}
    return data | {
        "attributes": explanation.attributes(other.settings),
        "output_shape": list(other.out_shape),
        "axes": [
            {"axis": axis, "sample": None if sample is None else _sample(sample)} for axis, sample in other.samples
        ],
        "note": other.convention.note or None,
    }


def _number(value: Fraction) -> dict[str, Any]:
    """A number exactly, as a fraction and in all its decimals where they end, and as the nearest double."""
    return {"exact": str(value), "decimal": exact_text(value), "value": _double(value)}


def _double(value: Fraction) -> float | None:
    """None beyond the range of a double."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return None
