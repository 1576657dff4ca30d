"""What came of asking a runtime."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

RAN = "ran"
REFUSED = "refused"
CRASHED = "crashed"
TIMED_OUT = "timed out"


@dataclass(frozen=True, eq=False)
class Outcome:
    """A runtime's answer.

    Attributes:
        kind: RAN; REFUSED, it raised; CRASHED, its process ended; TIMED_OUT.
        outputs: name -> array of every output, where it ran.
        words: what it said where it did not run, on one line; where it ran, what was called if that is not plain.
    """

    kind: str
    outputs: dict[str, Any] = field(default_factory=dict)
    words: str = ""

    @property
    def ran(self) -> bool:
        """Whether there are outputs."""
        return self.kind == RAN


def said(error: BaseException) -> str:
    """Return an exception's message on one line, not longer than a paragraph."""
    words = " ".join(str(error).split()) or type(error).__name__
    return words if len(words) <= 400 else words[:399] + "…"
