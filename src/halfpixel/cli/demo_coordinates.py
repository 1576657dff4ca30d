"""Where output samples come from, for each coordinate_transformation_mode, as numbers for the page's drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from halfpixel import plan_resize
from halfpixel._typing import CoordinateTransformationMode

IN_SIZE = 8
SCALE = 0.7
"""8 * 0.7 is 5.6: five output samples, and the modes differ in what they do with the rest."""

_FORMULAS: tuple[tuple[CoordinateTransformationMode, str, dict[str, Any]], ...] = (
    ("half_pixel", "(i + 0.5) / scale - 0.5", {}),
    ("half_pixel_symmetric", "half_pixel, moved so that both ends are cut alike", {}),
    ("pytorch_half_pixel", "half_pixel; 0 if there is one output sample", {}),
    ("align_corners", "i * (in - 1) / (out - 1), with out = in * scale unrounded", {}),
    ("asymmetric", "i / scale", {}),
    ("tf_half_pixel_for_nn", "(i + 0.5) / scale", {"version": 13}),
    ("tf_crop_and_resize", "from start to end of the roi, here 0.1 and 0.9", {"roi": (0.1, 0.9)}),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One mode.

    Attributes:
        name, formula: the mode, and how it finds the input coordinate of output sample i.
        coordinates: of every output sample; 0 is the centre of the first pixel.
    """

    name: str
    formula: str
    coordinates: tuple[float, ...]


def coordinate_lines() -> tuple[Line, ...]:
    """The seven modes for the same request."""
    return tuple(Line(name, formula, _coordinates(name, keywords)) for name, formula, keywords in _FORMULAS)


def _coordinates(name: CoordinateTransformationMode, keywords: dict[str, Any]) -> tuple[float, ...]:
    plan = plan_resize((IN_SIZE,), "float32", [SCALE], mode="linear", coordinate_transformation_mode=name, **keywords)
    return tuple(plan.axes[0].coordinates.tolist())
