"""Which requests give an output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from halfpixel.models.compare.call_text import attributes_text, number_text


@dataclass(frozen=True, slots=True)
class Match:
    """A request and how far its result is from the output.

    Attributes:
        operator: "Resize", "DepthToSpace", "SpaceToDepth" or "copy".
        attributes: those that are not defaults, as halfpixel.resize and the others take them.
        presets: calls with like= that have these attributes.
        changes: what is read in another way than the attributes say, in words; empty for the standard's reading.
        largest: the largest difference of the samples looked at, in ULP or LSB.
        mean: the mean absolute difference, in the samples' own unit.
        missed: how many of them are further off than rounding explains.
        looked_at: how many samples there were.
    """

    operator: str
    attributes: dict[str, Any]
    presets: tuple[str, ...]
    changes: tuple[str, ...]
    largest: float
    mean: float
    missed: int
    looked_at: int

    @property
    def reproduces(self) -> bool:
        """Whether every sample looked at is the request's, rounding apart."""
        return self.missed == 0

    @property
    def words(self) -> str:
        """The request for people."""
        words = f"{self.operator} {attributes_text(self.attributes)}".strip()
        return "; ".join([words, *self.changes])


@dataclass(frozen=True, slots=True)
class Identified:
    """What was found.

    Attributes:
        in_shape, out_shape, element_type: of the arrays.
        unit: of differences: "ULP", "LSB" or "samples".
        matches: requests that reproduce the output, the simplest first; requests that cannot be told apart on this
            input are all there.
        closest: those that come closest where none does.
        tried: how many were computed.
    """

    in_shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    element_type: str
    unit: str
    matches: tuple[Match, ...]
    closest: tuple[Match, ...]
    tried: int

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "in_shape": list(self.in_shape),
            "out_shape": list(self.out_shape),
            "element_type": self.element_type,
            "unit": self.unit,
            "tried": self.tried,
            "matches": [_match(one) for one in self.matches],
            "closest": [_match(one) for one in self.closest],
        }

    def far(self, match: Match) -> str:
        """How far a request is off, in words."""
        if match.largest == 0:
            return "equal"
        words = f"{number_text(match.largest)} {self.unit}"
        if match.reproduces:
            return f"{words} at most"
        return f"up to {words}; misses {match.missed} of {match.looked_at} samples looked at"


def _match(match: Match) -> dict[str, Any]:
    return {
        "operator": match.operator,
        "attributes": match.attributes,
        "presets": list(match.presets),
        "changes": list(match.changes),
        "largest": match.largest if match.largest != float("inf") else "inf",
        "mean": match.mean if match.mean != float("inf") else "inf",
        "missed": match.missed,
        "looked_at": match.looked_at,
    }
