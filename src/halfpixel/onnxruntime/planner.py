"""What the provider asks: which operators there are, what a node says, which map runs it for one shape."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpixel.ops.node import read_attributes, spec_in_host
from halfpixel.plan.elements import Array, dtype_of
from halfpixel.plan.host import forward_map, rearrange_map
from halfpixel.plan.plan import plan_from_spec
from halfpixel.spec.element_types import check_element_type
from halfpixel.spec.operators import OPERATORS, Operator, versions_of
from halfpixel.spec.rearrange import RearrangeSpec
from halfpixel.spec.resize import ResizeSpec


@dataclass(frozen=True, slots=True)
class Entry:
    """One operator as the provider registers it.

    Attributes:
        last_version: the last since-version with this meaning. The newest one ends with itself: a later version, which
            we do not know, is not ours to run.
        kinds: every attribute of any version of the operator -> ONNX's word for its type. Models carry attributes of a
            later version than their opset's.
    """

    operator: Operator
    last_version: int
    kinds: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Made:
    """A map for one shape: the shape of its result, its address, and the token that keeps it alive."""

    out_shape: tuple[int, ...]
    address: int
    token: int


class Planner:
    """Keeps nodes and maps alive, by token, for a library that cannot hold references. Safe from many threads."""

    def __init__(self) -> None:
        self.entries = tuple(_entries())
        self._held: dict[int, Any] = {}
        self._tokens = itertools.count(1)

    def open_node(self, entry: int, attributes: Mapping[str, Any]) -> int:
        """Return the token of a node.

        Raises:
            SpecError: HP112 and others of read_attributes.
        """
        operator = self.entries[entry].operator
        return self._hold((operator, read_attributes(operator, attributes, strict=False)))

    def make_plan(self, node: int, element: str, shape: tuple[int, ...], inputs: Sequence[Array | None]) -> Made:
        """Return the map of a node for data of one element type and shape, and these other inputs.

        Strings have no memory that a map could read: theirs moves 64-bit indices.

        Raises:
            SpecError, ElementTypeError, ResourceError: as spec_in_host and a plan.
        """
        operator, attributes = self._held[node]
        spec = spec_in_host(operator, attributes, shape, inputs)
        made = _map(spec, element)
        return Made(spec.out_shape, made.address, self._hold(made))

    def release(self, token: int) -> None:
        """Let go of a node or a map."""
        self._held.pop(token, None)

    def _hold(self, value: object) -> int:
        token = next(self._tokens)
        self._held[token] = value
        return token


def _map(spec: ResizeSpec | RearrangeSpec, element: str) -> Any:
    dtype = dtype_of("int64" if element == "string" else element)
    if isinstance(spec, RearrangeSpec):
        check_element_type(spec.op_type, spec.version, element, spec.mode)
        return rearrange_map(spec, dtype)
    if element == "string":
        plan_from_spec(spec, np.dtype(object))  # refuses what strings cannot do
    return forward_map(plan_from_spec(spec, dtype))


def _entries() -> list[Entry]:
    kinds: dict[str, dict[str, str]] = {}
    for operator in OPERATORS.values():
        types = {name: attribute.type for name, attribute in operator.attributes.items()}
        kinds.setdefault(operator.op_type, {}).update(types)
    entries = []
    for operator in OPERATORS.values():
        later = [version for version in versions_of(operator.op_type) if version > operator.version]
        last_version = min(later, default=operator.version + 1) - 1
        entries.append(Entry(operator, last_version, kinds[operator.op_type]))
    return entries
