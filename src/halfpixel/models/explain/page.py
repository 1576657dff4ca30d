"""The page of an explanation: one HTML file with everything in it, in which one moves over output samples."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any, get_args

from halfpixel import __version__
from halfpixel._typing import CoordinateTransformationMode, LengthRule, Mode, NearestMode
from halfpixel.media.extra import require
from halfpixel.models.explain.conventions import CONVENTIONS, Convention
from halfpixel.models.explain.drawing import drawing, resource
from halfpixel.models.explain.explanation import AxisExplanation, Explanation, beside_of
from halfpixel.models.explain.formulas import FORMULAS, ONE_SAMPLE, SHORT_LENGTH
from halfpixel.models.explain.settings import BY_SCALE, Settings

_SCRIPTS = ("arithmetic.js", "words.js", "figure.js", "page.js")


def page(explanation: Explanation) -> str:
    """Fill in the page.

    Raises:
        ModelError: HP428 every axis is copied.
        MissingExtraError: HP900 jinja2 is not installed.
    """
    jinja2 = require("jinja2")
    markup = require("markupsafe").Markup
    drawn = explanation.drawn()
    request, plan = explanation.request, explanation.plan
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    label = f"{request.op_type}-{request.version}"
    values = {
        "title": f"{label}, {request.subject}" if request.subject else label,
        "subtitle": f"{request.element_type} {plan.in_shape} \u2192 {plan.output_shape}",
        "css": markup("\n".join(resource(name) for name in ("palette.css", "figure.css", "page.css"))),
        "svg": markup(drawing(explanation)),
        "text": explanation.text(),
        "modes": get_args(Mode),
        "coordinates": get_args(CoordinateTransformationMode),
        "nearest_modes": [
            *((mode, mode) for mode in get_args(NearestMode)),
            (BY_SCALE, "floor if it grows, else ceil"),
        ],
        "length_rules": get_args(LengthRule),
        "version": __version__,
        # Numbers and words of this package: no text of a model, which could end the script element.
        "data": markup(json.dumps(page_data(explanation, drawn))),
        "script": markup("\n".join(resource(name) for name in _SCRIPTS)),
    }
    return str(environment.from_string(resource("page.html.j2")).render(**values))


def page_data(explanation: Explanation, drawn: tuple[AxisExplanation, ...]) -> dict[str, Any]:
    """What the page starts from, as plain data."""
    return {
        "at": list(explanation.at),
        "formulas": dict(FORMULAS),
        "one_sample": dict(ONE_SAMPLE),
        "short_length": SHORT_LENGTH,
        "conventions": [_convention(one, explanation.settings) for one in CONVENTIONS],
        "state": {
            "settings": _plain(explanation.settings),
            "axis": len(drawn) - 1,
            "axes": [_axis(axis) for axis in drawn],
            "convention": _first(explanation).name,
        },
    }


def _first(explanation: Explanation) -> Convention:
    """The convention that the page begins with: the first that was asked for, else the first that differs."""
    if explanation.beside:
        return explanation.beside[0].convention
    own = [(axis.sample.first, axis.sample.weights) for axis in explanation.axes if axis.sample is not None]
    for convention in CONVENTIONS:
        other = beside_of(convention, explanation.request, explanation.settings, explanation.at)
        found = [(sample.first, sample.weights) for _, sample in other.samples if sample is not None]
        if other.settings is not None and found != own:
            return convention
    return CONVENTIONS[0]


def _axis(axis: AxisExplanation) -> dict[str, Any]:
    length, sample = axis.length, axis.sample
    assert sample is not None
    by = {"scales": "scale", "sizes": "size"}.get(length.source, "ratio")
    return {
        "axis": length.axis,
        "index": sample.index,
        "in_size": length.in_size,
        "by": by,
        "scale": length.given if by == "scale" else None,
        "size": length.out_size,
        "given_size": length.given if by == "ratio" else length.out_size,
        "ratio": [str(length.scale.numerator), str(length.scale.denominator)] if by == "ratio" else None,
        "start": float(length.roi[0]),
        "end": float(length.roi[1]),
    }


def _convention(convention: Convention, settings: Settings) -> dict[str, Any]:
    """A convention for the page: its settings in each mode, or its changes to those of the request."""
    data: dict[str, Any] = {"name": convention.name, "title": convention.title, "note": convention.note}
    if convention.like is None:
        return data | {"modes": list(convention.modes), "changes": dict(convention.changes)}
    found = {mode: convention.settings(replace(settings, mode=mode)) for mode in get_args(Mode)}
    return data | {"settings": {mode: None if one is None else _plain(one) for mode, one in found.items()}}


def _plain(settings: Settings) -> dict[str, Any]:
    """Settings as JSON has them: an infinite extrapolation value as text."""
    return asdict(settings) | {"extrapolation_value": f"{settings.extrapolation_value:g}"}
