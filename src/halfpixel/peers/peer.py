"""What every peer is: a library that may be installed, and the calls it offers for a piece of work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from halfpixel.peers.work import Array, Work

LOOSE: dict[str, float] = {"float64": 1e-3, "float32": 1e-3, "float16": 4e-3, "bfloat16": 3e-2}
"""Element type -> the difference to the exact result below which a peer's result is the same; inputs are in [0, 1).

Peers keep coordinates in float32: 2^-24 of a picture's width, times a slope of 1, is 1e-4.
"""
LOOSE_INTEGER = 1.501
"""The same for integers: the exact result rounded, or its neighbour."""

_CLIPPED_GROWING, _CLIPPED_SHRINKING = 32.0, 4.0
"""Counts by which 8-bit noise is off where a cubic filter's overshoot is clipped between the two axes.

A filter that is widened overshoots by less, and seldom.
"""

FLOOR: dict[str, Any] = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
"""Nearest as OpenCV, torch and onnxruntime's fast path understand it."""
CEIL: dict[str, Any] = {"nearest_mode": "round_prefer_ceil"}
"""Nearest as Pillow, jax and zimg understand it."""


def tolerance_of(element: str) -> float:
    """The difference to the exact result below which a result of this element type is the same."""
    return LOOSE.get(element, LOOSE_INTEGER)


def tolerance_of_clipping(work: Work) -> float | None:
    """The tolerance for those who round and clip 8-bit samples between the two axes; None where nothing overshoots."""
    if work.element != "uint8" or work.mode != "cubic":
        return None
    return _CLIPPED_SHRINKING if work.antialiases else _CLIPPED_GROWING


@dataclass(frozen=True, slots=True)
class Prepared:
    """Calls that are ready to be timed: the input is in the peer's favourite layout, nothing is left to plan.

    Attributes:
        reused: writes into an output that is kept from call to call; None where the peer cannot.
        allocating: returns a new output; None where the peer always reuses one.
        array: what a call returned, as an array in the layout and shape of the work's result.
        reading: attributes with which the exact result is the peer's, where it reads the request in another way.
        border: output samples along each edge that the peer computes by another rule.
        tolerance: largest difference to the exact result; tolerance_of(element) where it is None.
    """

    reused: Callable[[], Any] | None
    allocating: Callable[[], Any] | None
    array: Callable[[Any], Array]
    reading: Mapping[str, Any] = field(default_factory=dict)
    border: int = 0
    tolerance: float | None = None


class Peer(ABC):
    """A library that does some of the same work.

    Attributes:
        name: as tables show it.
        module: the package that is imported.
    """

    name: str
    module: str

    def version(self) -> str | None:
        """The version that is installed; None if it is not."""
        if find_spec(self.module) is None:
            return None
        distributions = metadata.packages_distributions().get(self.module)
        return metadata.version(distributions[0]) if distributions else "unknown"

    def load(self) -> Any:
        """The module, imported now: nothing of a peer is loaded before it is asked to work."""
        return import_module(self.module)

    def use_threads(self, count: int) -> None:
        """Let every later call use at most so many threads. For most peers the environment has said so at the start."""
        del count

    @abstractmethod
    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        """Return calls that do this work on x; None where the library has nothing that does it.

        Args:
            x: array of work.given_shape in work.layout.
            threads: as use_threads has set it.
        """

    def whole_call(self, work: Work) -> Callable[[Array], Any] | None:
        """Return a function that resizes any array of the work's layout to its sizes, planning included.

        None where the library compiles or plans apart from its call.
        """
        del work
        return None
