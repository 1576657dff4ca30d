"""What a resize node does to each axis that it resamples, as far as the model tells before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from halfpixel._errors import HalfpixelError
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.sites import Site
from halfpixel.models.values import partly_constant
from halfpixel.plan.axis_table import AxisTable
from halfpixel.plan.plan import plan_from_spec
from halfpixel.spec.axes import AxisSpec, ResizeSpec

_PROBE = 9
"""Length that stands for an unknown one: longer than the reach of a cubic filter to both sides."""

LARGEST_MATRIX = 1 << 26
"""Elements of one constant; beyond it a lowered model would be huge."""


@dataclass(frozen=True)
class Resampled:
    """The resampled axes of a node.

    Attributes:
        spec: the request; lengths that the model does not tell are 9 in it.
        tables: axis -> its table, in float64.
        known: axes whose lengths the model tells.
    """

    spec: ResizeSpec
    tables: dict[int, AxisTable]
    known: frozenset[int]

    @property
    def rank(self) -> int:
        return len(self.spec.in_shape)

    def axes(self) -> list[AxisSpec]:
        """The resampled axes, those that shrink most first: what comes later has less to do."""
        return sorted(self.spec.axes, key=lambda axis: Fraction(axis.out_size, axis.in_size))

    def require_known(self, what: str) -> None:
        """Raise NoEqualError unless the model tells the length of every resampled axis."""
        unknown = [axis.axis for axis in self.spec.axes if axis.axis not in self.known]
        if unknown:
            raise NoEqualError(
                f"the length of axis {unknown[0]} is known only when the model runs, and {what} needs it"
            )

    def require_nearest(self, what: str) -> None:
        """Raise NoEqualError unless the node copies samples."""
        if self.spec.mode != "nearest":
            raise NoEqualError(f"{what} copies samples, and the mode is {self.spec.mode!r}")

    def outside(self) -> np.ndarray[Any, Any] | None:
        """Return which outputs take the extrapolation value: bool, of the output's rank, length 1 on other axes."""
        if all(table.inside == (0, table.out_size) for table in self.tables.values()):
            return None
        if prod(axis.out_size for axis in self.spec.axes) > LARGEST_MATRIX:
            raise NoEqualError("its extrapolated samples are too many for a constant")
        mask = np.zeros((1,) * self.rank, np.bool_)
        for axis in self.spec.axes:
            begin, end = self.tables[axis.axis].inside
            places = np.arange(axis.out_size)
            along = (places < begin) | (places >= end)
            mask = mask | along.reshape([-1 if at == axis.axis else 1 for at in range(self.rank)])
        return mask


def resampled(site: Site) -> Resampled:
    """Return what a Resize or Upsample does.

    Raises:
        NoEqualError: the model does not tell enough, or the node breaks a rule of its operator.
    """
    if site.op_type in ("DepthToSpace", "SpaceToDepth"):
        raise NoEqualError(f"{site.op_type} moves blocks: lower it to reshape")
    if site.in_shape is None:
        raise NoEqualError("the rank of its input is not known")
    unknown = [axis for axis, length in enumerate(site.in_shape) if not isinstance(length, int)]
    shape = [length if isinstance(length, int) else _PROBE for length in site.in_shape]
    try:
        spec = site.spec(tuple(shape), **_sizes(site, shape, unknown))
    except HalfpixelError as error:
        raise NoEqualError(f"{error.sentence} ({error.given})") from error
    assert isinstance(spec, ResizeSpec)
    if 0 in spec.in_shape or 0 in spec.out_shape:
        raise NoEqualError("its output is empty")
    plan = plan_from_spec(spec, "float64" if spec.mode != "nearest" else site.element_type or "float32")
    return Resampled(spec, dict(plan.axes), frozenset(range(len(shape))) - set(unknown))


def _sizes(site: Site, shape: list[int], unknown: list[int]) -> dict[str, Any]:
    """The sizes to ask with: where an unknown length goes through unchanged, its stand-in."""
    if not unknown or not site.given("sizes"):
        return {}
    found = partly_constant(site.value("sizes"))
    axes = site.attributes.get("axes")
    listed = list(range(len(shape))) if axes is None else [axis % len(shape) for axis in axes]
    if found is None or found.values.size != len(listed):
        raise NoEqualError(f"its sizes are {site.source('sizes')}")
    sizes = found.values.tolist()
    for place, axis in enumerate(listed):
        if axis in unknown:
            if not _goes_through(site, axis):
                raise NoEqualError(f"the length of axis {axis} is known only when the model runs")
            sizes[place] = shape[axis]
        elif not found.known[place]:
            raise NoEqualError(f"its sizes are {site.source('sizes')}")
    return {"sizes": sizes}


def _goes_through(site: Site, axis: int) -> bool:
    """True if an unknown length has the same name before and after the node."""
    if site.in_shape is None or site.out_shape is None or len(site.out_shape) != len(site.in_shape):
        return False
    return site.in_shape[axis] is not None and site.in_shape[axis] == site.out_shape[axis]


def repeat_of(axis: AxisSpec) -> int | None:
    """Return k where the output coordinates lie 1 / k apart and the axis grows k times exactly; None elsewhere.

    Then whatever happens between two input samples happens between any two, whatever the axis' length.
    """
    k = Fraction(*axis.scale)
    if axis.extrapolate or k.denominator != 1 or axis.out_size != axis.in_size * k:
        return None
    return int(k) if Fraction(axis.line.step, axis.line.divisor) == 1 / k else None
