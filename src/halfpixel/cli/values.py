"""Option values that are more than one word or number: how they are written, and what they become."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from halfpixel.cli.errors import UsageError

Number = TypeVar("Number", int, float)


def sides(option: str, text: str | None) -> tuple[int, int] | None:
    """ "800x600" -> (800, 600): width, height; "224" is both."""
    both = open_sides(option, text)
    if both is None:
        return None
    width, height = both
    if width is None or height is None:
        raise wrong_form(option, str(text), "WIDTHxHEIGHT in pixels, such as 800x600; 224 is 224x224")
    return width, height


def open_sides(option: str, text: str | None) -> tuple[int | None, int | None] | None:
    """As sides, and "800x" -> (800, None), "x600" -> (None, 600)."""
    if text is None:
        return None
    words = text.lower().split("x")
    words = words * 2 if len(words) == 1 else words
    good = len(words) == 2 and any(words) and all(word == "" or (word.isdecimal() and int(word) > 0) for word in words)
    if not good:
        raise wrong_form(option, text, "WIDTHxHEIGHT in pixels, such as 800x600; 224 is 224x224")
    width, height = (int(word) if word else None for word in words)
    return width, height


def factors(option: str, text: str | None) -> tuple[float, float] | None:
    """ "0.5" -> (0.5, 0.5); "0.5x2" -> (0.5, 2.0): width, height."""
    if text is None:
        return None
    words = text.lower().split("x")
    try:
        width, height = (float(word) for word in (words * 2 if len(words) == 1 else words))
    except ValueError as error:
        raise wrong_form(option, text, "a factor such as 0.5, or WIDTHxHEIGHT factors such as 0.5x2") from error
    return width, height


def real_numbers(option: str, text: str | None) -> tuple[float, ...] | None:
    """ "1,1,0.5,0.5" -> (1.0, 1.0, 0.5, 0.5); the empty text is no number."""
    return None if text is None else _numbers(option, text, float, "numbers")


def whole_numbers(option: str, text: str | None) -> tuple[int, ...] | None:
    """ "1,3,224,224" -> (1, 3, 224, 224); the empty text is no number."""
    return None if text is None else _numbers(option, text, int, "whole numbers")


def _numbers(option: str, text: str, kind: Callable[[str], Number], words: str) -> tuple[Number, ...]:
    try:
        return tuple(kind(word) for word in text.split(",") if text.strip())
    except ValueError as error:
        raise wrong_form(option, text, f"{words} with commas between, one an axis, such as 1,1,2,2") from error


def wrong_form(option: str, text: str, allowed: str) -> UsageError:
    """The error for an option whose value is not of its form."""
    return UsageError(
        "HP603",
        f"the value of {option} is not of its form",
        given=f"{option} {text}",
        allowed=allowed,
        do="write it in this form",
    )
