"""Why a peer is faster in a case, as far as that is known."""

from __future__ import annotations

import fnmatch

# (pattern of case names, pattern of peers, pattern of instruction sets) -> the reason
_REASONS = {
    ("uint8 * antialias to 224*", "*", "x86-64-v3"): (
        "15-bit fixed point multiplies twice as many samples at once; it cannot keep our rounding rule"
    ),
}
_UNKNOWN = "not known"


def reason(case: str, peer: str, isa: str) -> str:
    """The reason why a peer is faster in a case on an instruction set."""
    for patterns, text in _REASONS.items():
        if all(fnmatch.fnmatchcase(word, pattern) for word, pattern in zip((case, peer, isa), patterns, strict=True)):
            return text
    return _UNKNOWN
