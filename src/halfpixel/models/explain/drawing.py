"""The drawing of an explanation: SVG with a panel for each resampled axis.

A panel has, from top to bottom: the filter about x with the weights that it gives to input samples, the input samples,
and the output samples, each where it lies in the input, so that the offset between both grids shows.
"""

from __future__ import annotations

import importlib.resources
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from halfpixel.models.explain.exact_text import number_text
from halfpixel.models.explain.explanation import AxisExplanation, Explanation
from halfpixel.models.explain.samples import Sample, Tap
from halfpixel.spec.axes import AxisSpec

WIDTH = 760
_TITLE, _BARS, _CELLS, _GAP, _OUTS, _FOOT = 34, 130, 34, 44, 34, 34
_PANEL = _TITLE + _BARS + 8 + _CELLS + _GAP + _OUTS + _FOOT
_FEWEST_CELLS, _MOST_CELLS = 5, 24
_CLOSEST = 4
"""Pixels between two outputs below which not all are drawn."""

_NARROWEST_BOX = 12
"""Pixels between two outputs below which they are dots."""

_NARROWEST_LABEL = 24
"""Pixels between two samples below which not all have their number written."""


def resource(name: str) -> str:
    """A file that lies beside this one."""
    return importlib.resources.files("halfpixel.models.explain").joinpath(name).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class _View:
    """Which input samples a panel shows, and how input coordinates become pixels.

    Attributes:
        left, count: the first of them (it may lie outside), and how many.
        top: of the panel.
        high, low: the largest and the smallest weight that has room.
    """

    left: int
    count: int
    top: float
    high: float
    low: float

    @property
    def cell(self) -> float:
        return WIDTH / self.count

    @property
    def row(self) -> float:
        """The upper edge of the input samples."""
        return self.top + _TITLE + _BARS + 8

    @property
    def outs(self) -> float:
        """The upper edge of the output samples."""
        return self.row + _CELLS + _GAP

    def x(self, coordinate: float) -> float:
        return (coordinate - self.left + 0.5) * self.cell

    def y(self, weight: float) -> float:
        return self.top + _TITLE + (self.high - weight) * _BARS / (self.high - self.low)

    def shows(self, coordinate: float, half: float = 0.5) -> bool:
        return self.left - 0.5 < coordinate + half and coordinate - half < self.left + self.count - 0.5


def drawing(explanation: Explanation) -> str:
    """Return the SVG.

    Raises:
        ModelError: HP428 every axis is copied.
    """
    specs = {axis.axis: axis for axis in explanation.plan.spec.axes}
    parts, top = [], 0.0
    for axis in explanation.drawn():
        parts += _panel(explanation, axis, specs[axis.length.axis], top)
        top += _PANEL
    request = explanation.request
    label = f"{request.op_type}-{request.version}, output sample {explanation.at}"
    style = resource("palette.css") + resource("figure.css")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top:g}" width="{WIDTH}" height="{top:g}"'
    lines = [
        f'{head} role="img" aria-label="{escape(label)}">',
        f"<title>{escape(label)}</title>",
        f"<style>{style}</style>",
        _element("rect", style="fill: var(--paper)", x=0, y=0, width=WIDTH, height=top),
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _panel(explanation: Explanation, axis: AxisExplanation, spec: AxisSpec, top: float) -> list[str]:
    sample = axis.sample
    assert sample is not None
    view = _view(explanation, sample, spec.in_size, top)
    length = axis.length
    title = f"axis {length.axis}: {length.in_size} -> {length.out_size}, output sample {sample.index}"
    return [
        _text(8, top + 22, title, "start"),
        _element("line", "base", x1=0, x2=WIDTH, y1=view.y(0), y2=view.y(0)),
        *_inputs(view, sample, spec.in_size),
        *_outputs(view, spec, sample.index),
        *_filter(view, explanation, sample),
        *_position(view, sample),
        _text(8, view.outs + _OUTS + 18, _caption(sample), "start soft"),
    ]


def _view(explanation: Explanation, sample: Sample, in_size: int, top: float) -> _View:
    """Show all taps if there are not too many of them, and not more than a sample beyond the ends but for taps."""
    taps = sample.taps or ()
    below = sample.coordinate.numerator // sample.coordinate.denominator
    low = min([below, *(tap.index for tap in taps)])
    high = max([below + 1, *(tap.index for tap in taps)])
    margin = 1 + max(0, -low, high - in_size + 1)
    count = min(max(high - low + 5, 12), _MOST_CELLS, max(in_size + 2 * margin, _FEWEST_CELLS))
    if in_size + 2 * margin <= count:
        left = (in_size - count) // 2
    else:
        left = min(max((low + high - count + 1) // 2, -margin), in_size + margin - count)
    size = _filter_height(explanation, sample)
    weights = [tap.weight for tap in taps]
    tallest, lowest = max([0.3, size, *weights]), min([0.0, *weights])
    if explanation.settings.mode == "cubic":
        lowest = min(lowest, -0.15 * size)
    return _View(left, count, top, tallest * 1.12, lowest * 1.3 - 0.02 * tallest)


def _inputs(view: _View, sample: Sample, in_size: int) -> list[str]:
    taps = {tap.index for tap in sample.taps or ()}
    parts = []
    for j in range(view.left, view.left + view.count):
        inside = 0 <= j < in_size
        if not inside and j not in taps:
            continue
        box = {"x": view.x(j) - view.cell / 2 + 1, "y": view.row, "width": view.cell - 2, "height": _CELLS, "rx": 3}
        kind = "cell outside" if not inside else "cell odd" if j % 2 else "cell"
        parts.append(_element("rect", kind, **box))
        place = j - sample.first
        if inside and 0 <= place < len(sample.weights):
            opacity = min(0.75, 0.12 + abs(sample.weights[place]) * 0.6)
            parts.append(_element("rect", "weight", **box, opacity=opacity))
        parts.append(_element("circle", "centre source", cx=view.x(j), cy=view.row + _CELLS - 5, r=2.2))
        if view.cell >= _NARROWEST_LABEL or j % 2 == 0:
            parts.append(_text(view.x(j), view.row + 20, str(j)))
    return parts


def _outputs(view: _View, spec: AxisSpec, chosen: int) -> list[str]:
    """Output samples where they lie in the input; the chosen one last, on top."""
    step = spec.line.step / spec.line.divisor
    around = int(view.count / max(abs(step), 1e-3)) + 3
    wide = abs(step) * view.cell
    stride = max(1, int(_CLOSEST / max(wide, 0.01)))
    near = [i for i in range(max(0, chosen - around), min(spec.out_size, chosen + around + 1)) if i % stride == 0]
    near = [i for i in near if i != chosen]
    every = 1 if wide >= _NARROWEST_LABEL else (int(30 / max(wide, 0.05) / stride) + 1) * stride
    middle = view.x((spec.line.step * chosen + spec.line.start) / spec.line.divisor)
    parts = []
    for i in [*near, chosen]:
        coordinate = (spec.line.step * i + spec.line.start) / spec.line.divisor
        if not view.shows(coordinate, abs(step) / 2):
            continue
        x, mark = view.x(coordinate), " chosen" if i == chosen else ""
        if wide >= _NARROWEST_BOX and not mark:
            parts.append(_element("line", "place", x1=x, x2=x, y1=view.row + _CELLS + 2, y2=view.outs))
        if wide >= _NARROWEST_BOX:
            box = {"x": x - wide / 2 + 1, "y": view.outs, "width": wide - 2, "height": _OUTS, "rx": 3}
            parts.append(_element("rect", f"out{mark}", **box))
        parts.append(_element("circle", f"centre{mark}", cx=x, cy=view.outs + _OUTS - 6, r=4.5 if mark else 2.2))
        if mark or (i % every == 0 and (wide >= _NARROWEST_LABEL or abs(x - middle) > 26)):
            parts.append(_text(x, view.outs + 19, str(i), "on" if mark else ""))
    return parts


def _filter(view: _View, explanation: Explanation, sample: Sample) -> list[str]:
    """The filter's curve about x, and a stem for each tap."""
    parts = []
    size, reach = _filter_height(explanation, sample), float(sample.reach)
    if size:
        points = []
        for step in range(-96, 97):
            distance = step / 96 * reach
            weight = size * _shape(explanation, distance / float(sample.widening))
            points.append(f"{view.x(float(sample.coordinate) + distance):.1f},{view.y(weight):.1f}")
        parts.append(f'<polyline class="curve" points="{" ".join(points)}"/>')
    for tap in sample.taps or ():
        if view.left <= tap.index < view.left + view.count:
            parts += _stem(view, tap)
    return parts


def _stem(view: _View, tap: Tap) -> list[str]:
    x, y = view.x(tap.index), view.y(tap.weight)
    outside = tap.counts_for != tap.index
    parts = [
        _element("line", "stem outside" if outside else "stem", x1=x, x2=x, y1=view.y(0), y2=y),
        _element("circle", "tip", cx=x, cy=y, r=4),
    ]
    if view.cell >= 46:
        parts.append(_text(x, y + 16 if tap.weight < 0 else y - 8, f"{tap.weight:.3g}", "soft"))
    if outside and tap.counts_for is not None:
        to, below = view.x(tap.counts_for), view.row + _CELLS + 2
        parts.append(
            f'<path class="goes" d="M {x:.1f} {below:g} Q {(x + to) / 2:.1f} {below + 16:g} {to:.1f} {below:g}"/>'
        )
    return parts


def _position(view: _View, sample: Sample) -> list[str]:
    """A line from the output sample's centre up to its weights, with x beside it."""
    coordinate = float(sample.coordinate)
    if not view.shows(coordinate):
        return []
    x, words = view.x(coordinate), f"x = {number_text(sample.coordinate)}"
    half = len(words) * 4
    upper = view.row if sample.extrapolated else view.y(0)
    place = max(x + half + 8, half) if x + 2 * half + 8 < WIDTH else min(x - half - 8, WIDTH - half)
    return [
        _element("line", "from", x1=x, x2=x, y1=upper, y2=view.outs),
        _text(place, view.row + _CELLS + 17, words, "on"),
    ]


def _caption(sample: Sample) -> str:
    """The offset in words."""
    near = round(sample.coordinate)
    offset = sample.coordinate - near
    if sample.extrapolated:
        return "outside the input: the result is the extrapolation value"
    if offset == 0:
        return f"on the centre of input sample {near}"
    side = "right" if offset > 0 else "left"
    return f"{number_text(abs(Fraction(offset)))} to the {side} of the centre of input sample {near}"


def _filter_height(explanation: Explanation, sample: Sample) -> float:
    """What the filter's middle weighs; 0 in mode nearest and for what has no taps to show."""
    if sample.rounding is not None or not sample.taps:
        return 0.0
    tap = max(sample.taps, key=lambda one: abs(one.weight))
    shape = _shape(explanation, float(tap.distance) / float(sample.widening))
    return tap.weight / shape if shape else 0.0


def _shape(explanation: Explanation, distance: float) -> float:
    """The filter's curve, 1 in the middle: a tent, or Keys' cubic."""
    t, a = abs(distance), explanation.settings.cubic_coeff_a
    if explanation.settings.mode == "linear":
        return max(0.0, 1 - t)
    if t <= 1:
        return ((a + 2) * t - (a + 3)) * t * t + 1
    return a * (((t - 5) * t + 8) * t - 4) if t < 2 else 0.0


def _element(name: str, kind: str = "", **attributes: float | str) -> str:
    words = [f'class="{kind}"'] if kind else []
    for key, value in attributes.items():
        words.append(f'{key}="{value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")}"')
    return f"<{name} {' '.join(words)}/>"


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    classes = f"figure-text {kind}".strip()
    return f'<text class="{classes}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'
