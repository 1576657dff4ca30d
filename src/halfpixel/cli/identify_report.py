"""What `halfpixel identify` prints."""

from __future__ import annotations

from collections.abc import Iterator

from halfpixel.models.compare.call_text import shape_text
from halfpixel.models.identify import Identified, Match


def lines_of(found: Identified, most: int) -> Iterator[str]:
    """Yield what reproduces the output, or that nothing does and what comes closest."""
    yield f"{found.element_type} {shape_text(found.in_shape)} -> {shape_text(found.out_shape)}"
    yield ""
    if found.matches:
        yield from _listed(found, found.matches[:most], "reproduced by")
        hidden = len(found.matches) - most
        if hidden > 0:
            yield f"  and {hidden} more, which this input cannot tell apart"
        return
    yield f"none of {found.tried} readings reproduces it"
    if found.closest:
        yield ""
        yield from _listed(found, found.closest[:most], "closest")
        yield ""
        yield "If scales were given, pass --scales: the lengths do not tell them."


def _listed(found: Identified, matches: tuple[Match, ...], title: str) -> Iterator[str]:
    yield title
    for match in matches:
        yield f"  {match.words}"
        yield f"      {found.far(match)}"
        if match.presets:
            but = ", but for what is behind the semicolon" if match.changes else ""
            yield f"      {' | '.join(match.presets)}{but}"
