"""The pictures of a comparison: thumbnails, heat map, histogram, profiles. PNG and SVG as text."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from halfpixel.media import Picture
from halfpixel.media.formats import PNG
from halfpixel.media.pillow_files import write_picture
from halfpixel.models.compare.call_text import number_text
from halfpixel.models.compare.difference import Difference
from halfpixel.models.compare.planes import Plane, largest_of_blocks, thumbnail
from halfpixel.plan.elements import Array

MOST = 384
"""Samples along an axis of a picture; more are thinned out."""
_SHOWN = 260
_WINDOW = 96

_HEAT = ((0.0, (64, 148, 214)), (0.5, (240, 160, 48)), (1.0, (222, 40, 92)))
"""Colours of small, middling and large differences; they are seen on a light and on a dark page."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture on the page.

    Attributes:
        url: a data URL.
        width, height: in CSS pixels.
        mark: where the largest difference lies, in CSS pixels.
    """

    url: str
    width: float
    height: float
    mark: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bin of a histogram: units above `low`, up to `high`; `part` of the height, on a logarithmic scale."""

    label: str
    count: int
    part: float
    above: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """A line through the largest difference: points of ours and theirs for an SVG of 560 x 140."""

    title: str
    ours: str
    theirs: str
    dots: bool
    mark: float
    low: str
    high: str
    first: int
    last: int


def grey(values: Array, plane: Plane, low: float, high: float) -> Image:
    """Draw values between low (black) and high (white); what is not finite is black."""
    span = high - low or 1.0
    with np.errstate(all="ignore"):
        scaled = (np.nan_to_num(thumbnail(values, MOST), nan=low, posinf=high, neginf=low) - low) / span
    samples = (scaled.clip(0, 1) * 255).round().astype(np.uint8)[:, :, np.newaxis]
    return _image(Picture(samples, "grey"), plane)


def heat(plane: Plane) -> Image:
    """Draw differences on a logarithmic scale; no difference is transparent."""
    units = largest_of_blocks(plane.units, MOST)
    finite = units[np.isfinite(units)]
    top = math.log2(1 + float(finite.max(initial=0.0))) or 1.0
    with np.errstate(all="ignore"):
        level = np.where(np.isfinite(units), np.log2(1 + np.nan_to_num(units, posinf=0)) / top, 1.0)
    places = [place for place, _ in _HEAT]
    colours = [np.interp(level, places, [colour[channel] for _, colour in _HEAT]) for channel in range(3)]
    alpha = np.where(units > 0, 255, 0)
    samples = np.stack([*colours, alpha], axis=-1).round().astype(np.uint8)
    return _image(Picture(samples, "rgb", "straight"), plane)


def histogram(difference: Difference) -> list[Bar]:
    """Return bins of powers of two: 0, up to 1, up to 2, 4, ... and infinite."""
    assert difference.in_units is not None
    units = difference.in_units.ravel()
    finite = units[np.isfinite(units)]
    steps = max(1, math.ceil(math.log2(max(1.0, float(finite.max(initial=0.0))))) + 1)
    edges = [0.0, *(2.0**power for power in range(steps))]
    counts = [int((finite == 0).sum())]
    counts += [int(((finite > low) & (finite <= high)).sum()) for low, high in pairwise(edges)]
    labels = ["0", *(_power(power) for power in range(steps))]
    above = [False, *(high > difference.tolerance for high in edges[1:])]
    if len(finite) < len(units):
        counts.append(len(units) - len(finite))
        labels.append("inf")
        above.append(True)
    top = math.log(1 + max(counts, default=1)) or 1.0
    return [
        Bar(label, count, math.log(1 + count) / top, over)
        for label, count, over in zip(labels, counts, above, strict=True)
    ]


def profiles(plane: Plane) -> list[Profile]:
    """Return the row and the column through the largest difference; a single row has no column."""
    row, column = plane.mark
    found = [_profile(f"row {row}", plane.ours[row], plane.theirs[row], column)]
    if plane.ours.shape[0] > 1:
        found.append(_profile(f"column {column}", plane.ours[:, column], plane.theirs[:, column], row))
    return found


def limits(*values: Array) -> tuple[float, float]:
    """Return the smallest and the largest finite value."""
    joined = np.concatenate([one.ravel() for one in values])
    finite = joined[np.isfinite(joined)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _profile(title: str, ours: Array, theirs: Array, at: int) -> Profile:
    first = max(0, min(at - _WINDOW // 2, len(ours) - _WINDOW))
    last = min(len(ours), first + _WINDOW)
    ours, theirs = ours[first:last], theirs[first:last]
    low, high = limits(ours, theirs)
    step = 560 / max(1, last - first)
    return Profile(
        title,
        _points(ours, low, high, step),
        _points(theirs, low, high, step),
        last - first <= _WINDOW // 2,
        round((at - first + 0.5) * step, 2),
        f"{low:.4g}",
        f"{high:.4g}",
        first,
        last - 1,
    )


def _points(values: Array, low: float, high: float, step: float) -> str:
    """Points of a polyline; what is not finite lies at the edge."""
    span = high - low or 1.0
    with np.errstate(all="ignore"):
        heights = 130 - 120 * ((np.nan_to_num(values, nan=low, posinf=high, neginf=low) - low) / span).clip(0, 1)
    pairs: Sequence[tuple[float, float]] = [((i + 0.5) * step, float(height)) for i, height in enumerate(heights)]
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in pairs)


def _image(picture: Picture, plane: Plane) -> Image:
    stream = io.BytesIO()
    write_picture(stream, picture, PNG, quality=100, lossless=True)
    url = "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()
    rows, columns = plane.ours.shape
    zoom = _SHOWN / max(rows, columns)
    if max(rows, columns) / min(rows, columns) > 12:
        width, height = (_SHOWN, 22.0) if columns > rows else (22.0, _SHOWN)
    else:
        width, height = columns * zoom, rows * zoom
    row, column = plane.mark
    mark = ((column + 0.5) / columns * width, (row + 0.5) / rows * height)
    return Image(url, round(width, 1), round(height, 1), (round(mark[0], 1), round(mark[1], 1)))


def _power(power: int) -> str:
    return number_text(2.0**power) if power < 10 else f"2^{power}"
