"""What a peer is asked to compute: one operation on one array, in ONNX's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np

from halfpixel.plan.elements import dtype_of
from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec

Array = np.ndarray[Any, Any]

RESIZE = "resize"
RESIZE_GRAD = "resize_grad"
DEPTH_TO_SPACE = "depth_to_space"
SPACE_TO_DEPTH = "space_to_depth"


@dataclass(frozen=True, slots=True)
class Work:
    """One operation on one array.

    Attributes:
        operation: RESIZE, RESIZE_GRAD, DEPTH_TO_SPACE or SPACE_TO_DEPTH.
        shape: lengths of X, also for the gradient.
        layout: a letter an axis: N batch, C channels, D, H, W space.
        element: ONNX name of the element type.
        sizes: output lengths of the axes of space, for the first two operations.
        attributes: of Resize, or blocksize and mode of a rearrangement; those left out have ONNX's defaults.
    """

    operation: str
    shape: tuple[int, ...]
    layout: str
    element: str
    sizes: tuple[int, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def resizes(self) -> bool:
        """Whether it is a Resize or its gradient."""
        return self.operation in (RESIZE, RESIZE_GRAD)

    @property
    def space(self) -> tuple[int, ...]:
        """The axes of space."""
        return tuple(axis for axis, letter in enumerate(self.layout) if letter in "DHW")

    @property
    def batch(self) -> int:
        """Length of N; 1 where the layout has none."""
        return dict(zip(self.layout, self.shape, strict=True)).get("N", 1)

    @property
    def channels(self) -> int:
        """Length of C."""
        return self.shape[self.layout.index("C")]

    @property
    def out_shape(self) -> tuple[int, ...]:
        """Lengths of Y."""
        if self.resizes:
            lengths = dict(zip(self.space, self.sizes, strict=True))
            return tuple(lengths.get(axis, length) for axis, length in enumerate(self.shape))
        spec_of = depth_to_space_spec if self.operation == DEPTH_TO_SPACE else space_to_depth_spec
        return spec_of(self.shape, self.attributes["blocksize"], mode=self.mode).out_shape

    @property
    def given_shape(self) -> tuple[int, ...]:
        """Lengths of the array that the call is given: X, or the gradient for Y."""
        return self.out_shape if self.operation == RESIZE_GRAD else self.shape

    @property
    def result_shape(self) -> tuple[int, ...]:
        """Lengths of the array that the call returns: Y, or the gradient for X."""
        return self.shape if self.operation == RESIZE_GRAD else self.out_shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type as NumPy carries it; for bfloat16 with the arithmetic that ml_dtypes brings."""
        if self.element == "bfloat16":
            import_module("ml_dtypes")
        return dtype_of(self.element)

    @property
    def mode(self) -> str:
        """Of Resize or of a rearrangement."""
        return str(self.attributes.get("mode", "nearest" if self.resizes else "DCR"))

    @property
    def coordinates(self) -> str:
        """coordinate_transformation_mode."""
        return str(self.attributes.get("coordinate_transformation_mode", "half_pixel"))

    @property
    def shrinks(self) -> bool:
        """Whether an axis of space becomes shorter."""
        return any(out < self.shape[axis] for axis, out in zip(self.space, self.sizes, strict=False))

    @property
    def antialiases(self) -> bool:
        """Whether a filter is widened: antialias is asked for, and an axis shrinks."""
        return bool(self.attributes.get("antialias")) and self.shrinks and self.mode != "nearest"

    @property
    def halves(self) -> bool:
        """Whether every axis of space is exactly twice its size."""
        return all(self.shape[axis] == 2 * out for axis, out in zip(self.space, self.sizes, strict=False))

    def with_attributes(self, changes: Mapping[str, Any]) -> Work:
        """The same work with other values of some attributes."""
        return replace(self, attributes={**self.attributes, **changes})


def in_layout(x: Array, layout: str, wanted: str) -> Array:
    """Return x, whose axes are a layout, as a C-contiguous array in another one.

    A batch of one appears or goes as the layouts say; the other letters are the same.

    Example: in_layout(x, "HWC", "NCHW")
    """
    if "N" in wanted and "N" not in layout:
        x, layout = x[np.newaxis], "N" + layout
    if "N" in layout and "N" not in wanted:
        x, layout = np.squeeze(x, layout.index("N")), layout.replace("N", "")
    return np.ascontiguousarray(x.transpose([layout.index(letter) for letter in wanted]))


def planar(work: Work) -> str:
    """The layout with the channels before the axes of space."""
    return "NCDHW" if len(work.space) == 3 else "NCHW"
