"""Time an output sample against the size of the picture, as SVG: flat, but for the steps that the caches make."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from halfpixel.peers.speed import ours
from halfpixel.peers.speed.cases import GROWTH_SIDES
from halfpixel.peers.speed.results import Results, best

_WIDTH, _HEIGHT = 860, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 190, 50, 60
_COLOURS = {"copy limit": "#777777", ours.NAME: "#0b62a4", "zimg": "#c4621d", "OpenCV": "#3d8c40"}
_OUTPUT_SAMPLES = 4
_TOUCHED = 5
"""Samples read and written for one of the input, when both sides double."""
_SAMPLE_BYTES = 4
_STEPS_OF_AXIS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Line:
    """A contestant's points: side of the input -> nanoseconds an output sample."""

    name: str
    points: dict[int, float]


def lines_of(results: Results, threads: int) -> list[Line]:
    """The copy limit, ours and the peers, each where it was measured."""
    lines = {name: Line(name, {}) for name in _COLOURS}
    for side in GROWTH_SIDES:
        record = results["cases"].get(f"growth {side}", {}).get(str(threads))
        if record is None:
            continue
        seconds = {"copy limit": record["limit"]} | {
            name: best(entry) for name, entry in record["contestants"].items() if name in lines
        }
        for name, value in seconds.items():
            if value is not None:
                lines[name].points[side] = value * 1e9 / (_OUTPUT_SAMPLES * side * side)
    return [line for line in lines.values() if line.points]


def side_that_fills(cache: int) -> float:
    """The side of a float32 input that fills a cache together with its output of twice the side."""
    return math.sqrt(cache / (_TOUCHED * _SAMPLE_BYTES))


def svg(lines: Iterable[Line], caches: dict[str, int], title: str) -> str:
    """Return the chart: sides on a logarithmic axis, nanoseconds on one from 0, a dashed line for each cache."""
    lines = list(lines)
    top = _round_up(max(value for line in lines for value in line.points.values()))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        _text(_LEFT, 24, title, size=15),
        *_axes(top),
        *_caches(caches),
        *(part for line in lines for part in _curve(line, top)),
        *_labels(lines, top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(side: float) -> float:
    first, last = math.log2(GROWTH_SIDES[0]), math.log2(GROWTH_SIDES[-1])
    return _LEFT + (math.log2(side) - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, top: float) -> float:
    return _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _TOP - _BOTTOM)


def _round_up(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (*_STEPS_OF_AXIS, 10) if step * power >= value)


def _axes(top: float) -> list[str]:
    parts = []
    for fraction in range(6):
        value = top * fraction / 5
        y = _y(value, top)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#e2e2e2"/>')
        parts.append(_text(_LEFT - 8, y + 4, f"{value:.3g}", anchor="end"))
    for side in GROWTH_SIDES:
        parts.append(_text(_x(side), _HEIGHT - _BOTTOM + 18, str(side), anchor="middle"))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        _text(
            middle, _HEIGHT - 20, "side of the square input in samples; the output has twice the side", anchor="middle"
        )
    )
    parts.append(_text(_LEFT, _TOP - 10, "ns an output sample"))
    return parts


def _caches(caches: dict[str, int]) -> list[str]:
    parts = []
    for name, size in caches.items():
        side = side_that_fills(size)
        if GROWTH_SIDES[0] <= side <= GROWTH_SIDES[-1]:
            x = _x(side)
            parts.append(f'<path d="M{x:.1f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="#999999" stroke-dasharray="4 4"/>')
            parts.append(_text(x + 4, _TOP + 12, f"{name} full", colour="#666666"))
    return parts


def _curve(line: Line, top: float) -> list[str]:
    colour = _COLOURS[line.name]
    places = [(_x(side), _y(value, top)) for side, value in line.points.items()]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
    return [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>', *dots]


def _labels(lines: list[Line], top: float) -> list[str]:
    """Names at the ends of the curves, moved apart where they would overlap."""
    ends = sorted(((_y(list(line.points.values())[-1], top), line) for line in lines), key=lambda end: end[0])
    parts, free = [], 0.0
    for y, line in ends:
        place = max(y + 4, free)
        free = place + 15
        last = list(line.points.values())[-1]
        x = _x(list(line.points)[-1]) + 10
        parts.append(_text(x, place, f"{line.name} {last:.2f}", colour=_COLOURS[line.name]))
    return parts


def _text(x: float, y: float, words: str, anchor: str = "start", size: int = 12, colour: str = "#222222") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="{size}" fill="{colour}">{escape(words)}</text>'
