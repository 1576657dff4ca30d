"""The parameters of a primitive: what a plan is made from, hashable, and without the constant of a crop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from halfpixel.plan.host import kept
from halfpixel.plan.plan import Plan, plan_from_spec
from halfpixel.spec.axes import ResizeSpec

ZERO = "0.0"


@dataclass(frozen=True)
class Request:
    """A Resize or Upsample of one shape.

    Attributes:
        spec: with extrapolation_value 0.
        value: the extrapolation value as Python writes it, so that -0.0 is not 0.0.
    """

    spec: ResizeSpec
    value: str = ZERO

    @cached_property
    def _hash(self) -> int:
        return hash((self.spec, self.value))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        spec, value = self.spec, "" if self.value == ZERO else f" extrapolation_value={self.value}"
        return f"{spec.op_type}-{spec.version} {spec.mode} {spec.in_shape} -> {spec.out_shape}{value}"

    @property
    def is_linear(self) -> bool:
        """Whether the map is linear, and not linear plus a constant."""
        return self.value == ZERO

    @property
    def linear(self) -> Request:
        """The map without its constant: its own derivative."""
        return self if self.is_linear else Request(self.spec)

    def plan(self, dtype: object) -> Plan:
        """Return the plan, from the cache of plans while it is there."""
        return plan_from_spec(self.spec._replace(extrapolation_value=float(self.value)), dtype)

    def batched(self, axis: int, length: int) -> Request:
        """Return the same for arrays with one more axis, which is copied."""
        spec = self.spec
        axes = tuple(given._replace(axis=given.axis + (given.axis >= axis)) for given in spec.axes)
        in_shape, out_shape = (_inserted(shape, axis, length) for shape in (spec.in_shape, spec.out_shape))
        return Request(spec._replace(in_shape=in_shape, out_shape=out_shape, axes=axes), self.value)


def request_of(plan: Plan) -> Request:
    """Return the request of a plan. A value that no sample can take counts as 0."""
    return kept(plan, "jax request", lambda: _made(plan))


def _made(plan: Plan) -> Request:
    spec = plan.spec
    value = spec.extrapolation_value
    if not any(axis.extrapolate for axis in spec.axes):
        value = 0.0
    return Request(spec._replace(extrapolation_value=0.0), repr(float(value)))


def _inserted(shape: Sequence[int], axis: int, length: int) -> tuple[int, ...]:
    return (*shape[:axis], length, *shape[axis:])
