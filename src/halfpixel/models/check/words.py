"""Numbers as findings show them."""

from __future__ import annotations

from collections.abc import Iterable


def number(value: float) -> str:
    """A number in as few digits as tell it: 2, 0.7, 0.3333333."""
    return f"{value:.7g}"


def listing(values: Iterable[float], most: int = 8) -> str:
    """Numbers in brackets, the first few of many."""
    words = [number(value) for value in values]
    return "[" + ", ".join(words[:most]) + (", ..." if len(words) > most else "") + "]"
