"""The questions, in the groups in which the page shows them.

Lengths are chosen so that rounding errors decide nothing where the question is another one: odd lengths to even ones
have no sample exactly between two others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from halfpixel.peers.capabilities.request import AREA, Request
from halfpixel.peers.work import Array
from halfpixel.spec.element_types import ELEMENT_TYPES

GROWS, SHRINKS = ((7, 9), (12, 20)), ((13, 11), (4, 6))
TIES = ((16, 8), (4, 4))
"""Halves and quarters: with half_pixel every sample lies exactly between two."""


@dataclass(frozen=True)
class Question:
    """One row of the table.

    Attributes:
        name: of the row; unique.
        attributes: of Resize. With own these are what the library means by the mode, whatever that is.
        shapes: (lengths, new lengths) of each array it is asked about; one failure counts for all.
        scales: instead of the new lengths.
        own: the question is about the mode as the library has it, not about these coordinates and coefficients.
    """

    name: str
    attributes: Mapping[str, Any]
    shapes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (GROWS, SHRINKS)
    element: str = "float32"
    scales: tuple[float, ...] | None = None
    roi: tuple[float, ...] | None = None
    opset: int = 19
    own: bool = field(default=False)

    def requests(self, attributes: Mapping[str, Any]) -> list[Request]:
        """The calls to make, with these attributes."""
        return [
            Request(
                samples(lengths, self.element),
                None if self.scales else sizes,
                self.scales,
                attributes,
                self.roi,
                self.opset,
            )
            for lengths, sizes in self.shapes
        ]


def samples(shape: tuple[int, ...], element: str) -> Array:
    """Noise of any element type: floats in [0, 1), integers from 20 to 99, words."""
    generator = np.random.default_rng(7)
    kind = ELEMENT_TYPES[element].kind
    if kind == "float":
        return generator.random(shape).astype(_dtype(element))
    if kind == "complex":
        return (generator.random(shape) + 1j * generator.random(shape)).astype(element)
    if kind == "bool":
        return generator.random(shape) < 0.5
    whole = generator.integers(20, 100, shape)
    return whole.astype(str).astype(object) if kind == "string" else whole.astype(element)


def _dtype(element: str) -> Any:
    if element != "bfloat16":
        return np.dtype(element)
    import ml_dtypes

    return np.dtype(ml_dtypes.bfloat16)


def _nearest(coordinates: str, rounding: str) -> dict[str, str]:
    return {"mode": "nearest", "coordinate_transformation_mode": coordinates, "nearest_mode": rounding}


def _filtered(mode: str, **attributes: Any) -> dict[str, Any]:
    return {"mode": mode, **attributes}


_EXCLUDED, _SMOOTH = {"exclude_outside": 1}, {"antialias": 1}
_KEYS, _CATMULL_ROM = {"cubic_coeff_a": -0.75}, {"cubic_coeff_a": -0.5}

_MODES = (
    Question("nearest, asymmetric, floor", _nearest("asymmetric", "floor")),
    *(
        Question(f"nearest, half_pixel, {rounding}", _nearest("half_pixel", rounding), (GROWS, SHRINKS, TIES))
        for rounding in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    ),
    Question("linear", _filtered("linear")),
    Question("cubic, a = -0.75", _filtered("cubic", **_KEYS)),
    Question("cubic, a = -0.5", _filtered("cubic", **_CATMULL_ROM)),
    Question("cubic, a = -0.5, exclude_outside", _filtered("cubic", **_CATMULL_ROM, **_EXCLUDED)),
    Question("linear, antialias", _filtered("linear", **_SMOOTH)),
    Question("linear, antialias, exclude_outside", _filtered("linear", **_SMOOTH, **_EXCLUDED)),
    Question("cubic, a = -0.75, antialias", _filtered("cubic", **_KEYS, **_SMOOTH)),
    Question("cubic, a = -0.5, antialias, exclude_outside", _filtered("cubic", **_CATMULL_ROM, **_SMOOTH, **_EXCLUDED)),
    Question("area, whole windows", {"mode": AREA}, (((12, 9), (4, 3)),)),
    Question("area, windows that overlap", {"mode": AREA}, (((13, 11), (4, 6)), ((5, 3), (8, 4)))),
)


def _coordinates(
    name: str, modes: tuple[str, ...] = ("nearest", "linear", "cubic"), **others: Any
) -> tuple[Question, ...]:
    return tuple(
        Question(f"{name}, {mode}", {**_filtered(mode), "coordinate_transformation_mode": name}, **others)
        for mode in modes
    )


_COORDINATES = (
    *_coordinates("half_pixel", ("linear", "cubic")),
    *_coordinates("half_pixel_symmetric", shapes=((GROWS[0], (11, 15)),), scales=(1.7, 1.7)),
    *_coordinates("pytorch_half_pixel", shapes=(((7, 9), (1, 20)),)),
    *_coordinates("align_corners"),
    *_coordinates("asymmetric", ("linear", "cubic")),
    Question(
        "tf_half_pixel_for_nn, nearest",
        {"mode": "nearest", "coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "floor"},
        opset=11,
    ),
    *_coordinates("tf_crop_and_resize", roi=(0.1, -0.2, 0.83, 1.3), shapes=(GROWS,)),
)

_LENGTHS = ((7, 12), (9, 20), (5, 6), (3, 4))
_RANKS = tuple(
    Question(
        f"{axes} {'axis' if axes == 1 else 'axes'}, {mode}",
        {"mode": mode},
        (tuple(zip(*_LENGTHS[:axes], strict=True)),),  # type: ignore[arg-type]
        own=True,
    )
    for axes in (1, 2, 3, 4)
    for mode in ("nearest", "linear", "cubic")
)

_TYPES = tuple(
    Question(f"{element}, {mode}", {"mode": mode}, (GROWS,), element, own=True)
    for element in ELEMENT_TYPES
    if ELEMENT_TYPES[element].kind in ("bool", "integer", "float", "complex", "string")
    for mode in ("nearest", "linear", "cubic")
    if mode == "nearest" or element != "string"
)

GROUPS: dict[str, tuple[Question, ...]] = {
    "Modes": _MODES,
    "Coordinates": _COORDINATES,
    "Resized axes": _RANKS,
    "Element types": _TYPES,
}
"""Heading -> rows."""

QUESTIONS: dict[str, Question] = {question.name: question for group in GROUPS.values() for question in group}
