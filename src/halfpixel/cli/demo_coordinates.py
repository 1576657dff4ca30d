"""Where output samples come from, for each coordinate_transformation_mode, as numbers for the page's drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

from halfpixel import plan_resize
from halfpixel._typing import CoordinateTransformationMode
from halfpixel.models.explain.formulas import FORMULAS

IN_SIZE = 8
SCALE = 0.7
"""8 * 0.7 is 5.6: five output samples, and the modes differ in what they do with the rest."""

_NOTES = {
    "pytorch_half_pixel": "; 0 if there is one output sample",
    "align_corners": ", where in * scale is not rounded",
    "tf_crop_and_resize": ", here from 0.1 to 0.9",
}
_KEYWORDS: dict[str, dict[str, Any]] = {
    "tf_half_pixel_for_nn": {"version": 13},
    "tf_crop_and_resize": {"roi": (0.1, 0.9)},
}


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
    names: tuple[CoordinateTransformationMode, ...] = get_args(CoordinateTransformationMode)
    return tuple(Line(name, FORMULAS[name] + _NOTES.get(name, ""), _coordinates(name)) for name in names)


def _coordinates(name: CoordinateTransformationMode) -> tuple[float, ...]:
    keywords = _KEYWORDS.get(name, {})
    plan = plan_resize((IN_SIZE,), "float32", [SCALE], mode="linear", coordinate_transformation_mode=name, **keywords)
    return tuple(plan.axes[0].coordinates.tolist())
