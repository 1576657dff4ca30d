"""What the table of conversions speaks of: a node as a model holds it, and the node or nodes that say the same.

Plain values only: no model, no tensor. ``reading`` turns an old node into steps of today's Resize, ``writing`` turns a
step into the words of a wanted version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from halfpixel.spec.sizes import float32

Numbers: TypeAlias = tuple[float, ...] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OldNode:
    """A Resize or Upsample as a model holds it.

    Attributes:
        version: since-version.
        attributes: the node's own, no defaults.
        inputs: those connected besides the data, by name, without empty constants: their values, None where they are
            known only when the model runs.
        in_shape: lengths of the data, None for an unknown one; None for an unknown rank.
        element_type: of the data, None if unknown.
    """

    op_type: str
    version: int
    attributes: Mapping[str, Any]
    inputs: Mapping[str, Numbers | None] = field(default_factory=dict)
    in_shape: tuple[int | None, ...] | None = None
    element_type: str | None = None

    @property
    def label(self) -> str:
        return f"{self.op_type}-{self.version}"


@dataclass(frozen=True, slots=True)
class Given:
    """The node's own input, passed on as it is."""

    name: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """A constant: float32 for scales, int64 for sizes, the type of the old one for roi."""

    values: Numbers


@dataclass(frozen=True, slots=True)
class Spread:
    """The node's own input, which has one value (roi: two) for each listed axis, made to have one for every axis.

    Axes that are not listed take scale 1, their own length, or the roi from 0 to 1, when the model runs.
    """

    name: str
    axes: tuple[int, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Bounded:
    """The node's own scales, each replaced by 1 where it is smaller (bound "Max") or larger (bound "Min") than 1."""

    name: str
    bound: str


Operand: TypeAlias = Given | Fixed | Spread | Bounded


@dataclass(frozen=True, slots=True)
class Step:
    """One Resize (or Upsample) of a conversion. ``roi``, ``scales`` and ``sizes`` are None where absent."""

    attributes: Mapping[str, Any]
    roi: Operand | None = None
    scales: Operand | None = None
    sizes: Operand | None = None
    op_type: str = "Resize"


@dataclass(frozen=True, slots=True)
class Taken:
    """A Gather of these indices along one axis.

    It stands for a nearest Resize that keeps every length: onnxruntime takes such a node for a copy.
    """

    axis: int
    indices: tuple[int, ...]


def float32_fraction(scale: float) -> Fraction:
    """Return a scale, rounded to float32, as an exact fraction."""
    return Fraction(float32(float(scale)))


def effective(attributes: Mapping[str, Any], name: str, default: Any) -> Any:
    """Return an attribute's value, or the default of the standard where the node does not give it."""
    value = attributes.get(name)
    return default if value is None else value
