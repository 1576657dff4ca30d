"""The page of a comparison: one HTML file with everything in it, without scripts."""

from __future__ import annotations

import importlib.resources
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpixel import __version__
from halfpixel.media.extra import require
from halfpixel.models.compare import drawings
from halfpixel.models.compare.call_text import attributes_text, number_text, shape_text
from halfpixel.models.compare.difference import Difference
from halfpixel.models.compare.findings import whole_sentence
from halfpixel.models.compare.planes import Plane, plane_of
from halfpixel.models.compare.result import Comparison, NodeResult, RuntimeResult


@dataclass(frozen=True, slots=True)
class Pictures:
    """What is drawn of one difference."""

    plane: Plane
    ours: drawings.Image
    theirs: drawings.Image
    heat: drawings.Image
    low: str
    high: str
    profiles: list[drawings.Profile]


def page(comparison: Comparison) -> str:
    """Fill in the page.

    Raises:
        MissingExtraError: HP900 jinja2 or Pillow is not installed.
    """
    jinja2 = require("jinja2")
    files = importlib.resources.files("halfpixel.models.compare")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    environment.filters |= {"number": number_text, "shape": shape_text}
    template = environment.from_string(files.joinpath("page.html.j2").read_text("utf-8"))
    return str(template.render(**_values(comparison, files.joinpath("page.css").read_text("utf-8"))))


def _values(comparison: Comparison, css: str) -> dict[str, Any]:
    return {
        "title": "a model" if comparison.path is None else comparison.path.name,
        "css": require("markupsafe").Markup(css),
        "comparison": comparison,
        "nodes": [_node(number, node) for number, node in enumerate(comparison.nodes)],
        "wholes": [(one, whole_sentence(one)) for one in comparison.whole],
        "counts": _counts(comparison),
        "version": __version__,
    }


def _counts(comparison: Comparison) -> dict[str, int]:
    results = [result for node in comparison.nodes for result in node.results]
    return {
        "above": sum(result.above for result in results),
        "named": sum(result.above and result.cause is not None for result in results),
        "not_run": sum(result.difference is None for result in results),
        "all": len(results),
    }


def _node(number: int, node: NodeResult) -> dict[str, Any]:
    x = None if node.call is None else np.asarray(node.call.inputs[0])
    return {
        "id": f"node-{number}",
        "node": node,
        "place": " / ".join((*node.scope, node.name)),
        "attributes": "" if node.call is None else attributes_text(node.call.attributes),
        "in_shape": "" if x is None else shape_text(x.shape),
        "out_shape": "" if node.expected is None else shape_text(node.expected.ours.shape),
        "element": "" if node.expected is None else node.expected.element,
        "results": [_result(f"node-{number}-{result.runtime}", node, result) for result in node.results],
    }


def _result(anchor: str, node: NodeResult, result: RuntimeResult) -> dict[str, Any]:
    pictures = bars = None
    difference = result.difference
    if result.above and difference is not None and difference.in_units is not None:
        assert node.expected is not None
        assert result.output is not None
        bars = drawings.histogram(difference)
        pictures = _pictures(plane_of(node.expected, result.output, difference))
    return {
        "id": anchor,
        "result": result,
        "pictures": pictures,
        "bars": bars,
        "others": [one.words for one in result.found.causes[1:6]] if result.found is not None else [],
        "at": _values_at(node, result, difference),
    }


def _pictures(plane: Plane | None) -> Pictures | None:
    if plane is None:
        return None
    low, high = drawings.limits(plane.ours)
    return Pictures(
        plane,
        drawings.grey(plane.ours, plane, low, high),
        drawings.grey(plane.theirs, plane, low, high),
        drawings.heat(plane),
        f"{low:.4g}",
        f"{high:.4g}",
        drawings.profiles(plane),
    )


def _values_at(node: NodeResult, result: RuntimeResult, difference: Difference | None) -> str:
    """The two numbers at the largest difference, in words."""
    if difference is None or difference.position is None or node.expected is None or result.output is None:
        return ""
    ours, theirs = node.expected.ours[difference.position], result.output[difference.position]
    return f"at {list(difference.position)}: exactly {_shown(ours)}, {result.runtime} {_shown(theirs)}"


def _shown(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float | np.floating) else str(value)
