"""What a library is asked: an array, its new lengths, and the attributes of Resize that say what is meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from halfpixel.peers.runtimes import NodeCall
from halfpixel.peers.work import Array

AREA = "area"
"""A mode that Resize does not have: the mean over whole samples, as adaptive pooling has it."""


class NoSuchArgumentError(Exception):
    """The library's function has no way to ask for this."""


@dataclass(frozen=True, eq=False)
class Request:
    """One call.

    Attributes:
        x: the axes to resize, and no others.
        sizes, scales: one of the two, one value an axis.
        attributes: of Resize, by name; what is absent has Resize's default.
        roi: starts and ends, for tf_crop_and_resize.
        opset: where the attributes mean what is meant.
    """

    x: Array
    sizes: tuple[int, ...] | None
    scales: tuple[float, ...] | None
    attributes: Mapping[str, Any]
    roi: tuple[float, ...] | None = None
    opset: int = 19
    defaults: Mapping[str, Any] = field(
        default_factory=lambda: {
            "mode": "nearest",
            "coordinate_transformation_mode": "half_pixel",
            "nearest_mode": "round_prefer_floor",
            "antialias": 0,
        }
    )

    def get(self, name: str) -> Any:
        """Return an attribute, or Resize's default of it."""
        return self.attributes.get(name, self.defaults[name])

    @property
    def nearest(self) -> tuple[str, str]:
        """Coordinates and rounding of mode nearest."""
        return self.get("coordinate_transformation_mode"), self.get("nearest_mode")

    @property
    def lengths(self) -> tuple[int, ...]:
        """The new lengths.

        Raises:
            NoSuchArgumentError: they are given as scales that leave them no whole numbers.
        """
        if self.sizes is None:
            raise NoSuchArgumentError("takes lengths, not scales")
        return self.sizes

    def half_pixel(self) -> None:
        """Refuse other coordinates, for a library that has no others in its filters."""
        coordinates = self.get("coordinate_transformation_mode")
        if coordinates != "half_pixel":
            raise NoSuchArgumentError(f"has no coordinates of {coordinates}")

    def node(self) -> NodeCall:
        """The same as a node on an input of shape (1, 1, ...), everything but X constant."""
        if self.get("mode") == AREA:
            raise NoSuchArgumentError("ONNX has no mode area")
        ones = np.ones(2)
        scales = None if self.scales is None else np.array([*ones, *self.scales], np.float32)
        sizes = None if self.sizes is None else np.array([1, 1, *self.sizes], np.int64)
        roi = self._roi()
        if self.opset < 13:  # every input is there, if need be an empty one
            empty = np.empty(0, np.float32)
            roi, scales = (empty if roi is None else roi), (empty if scales is None else scales)
        inputs = (self.x[None, None], roi, scales, sizes)
        return NodeCall("Resize", inputs, dict(self.attributes), self.opset, frozenset({1, 2, 3}))

    def _roi(self) -> Array | None:
        if self.roi is None:
            return None
        half = len(self.roi) // 2
        return np.array([0, 0, *self.roi[:half], 1, 1, *self.roi[half:]], np.float32)
