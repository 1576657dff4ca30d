"""Why a peer is faster in a case, as far as that is known."""

from __future__ import annotations

import fnmatch

# (pattern of case names, pattern of peers, pattern of instruction sets) -> the reason
_REASONS = {
    ("uint8 * antialias to 224*", "*", "x86-64-v3"): (
        "15-bit fixed point multiplies twice as many samples at once; it cannot keep our rounding rule"
    ),
    ("uint8 cubic x2", "PyTorch channels-last", "x86-64-v3"): (
        "15-bit fixed point multiplies twice as many samples at once; it cannot keep our rounding rule"
    ),
    ("256x64x64 *", "PyTorch channels-last", "*"): (
        "it works on another layout, in which neighbours in memory are channels that need no permutation"
    ),
    ("8x64x56x56 *", "PyTorch channels-last", "*"): (
        "it works on another layout, in which neighbours in memory are channels that need no permutation"
    ),
    ("linear to 224", "OpenCV", "x86-64-v3"): "who is first changes from run to run",
    ("*x1.37", "*", "x86-64-v3"): "no blocks are alike, and the table of all does not fit the first-level cache",
    ("tiny *, cold", "*", "*"): "a first call reads and checks the request in Python",
}
_UNKNOWN = "not known"


def reason(case: str, peer: str, isa: str) -> str:
    """The reason why a peer is faster in a case on an instruction set."""
    for patterns, text in _REASONS.items():
        if all(fnmatch.fnmatchcase(word, pattern) for word, pattern in zip((case, peer, isa), patterns, strict=True)):
            return text
    return _UNKNOWN
