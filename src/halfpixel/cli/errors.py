"""Mistakes on the command line: their class, how they are shown, their exit codes."""

from __future__ import annotations

import sys
from typing import Any

from halfpixel._errors import ElementTypeError, HalfpixelError, SpecError

FINDINGS = 1
USAGE = 2
UNREADABLE = 3


class UsageError(HalfpixelError, ValueError):
    """The command line is not understood, or asks for what is never done."""


def exit_code(error: HalfpixelError) -> int:
    """2 if the request is at fault, 3 if a file, the machine or the installation is."""
    return USAGE if isinstance(error, UsageError | SpecError | ElementTypeError) else UNREADABLE


def show(error: HalfpixelError) -> None:
    """Print an error on stderr in the family's layout."""
    print(f"{type(error).__name__}: {error}", file=sys.stderr)


def as_data(error: HalfpixelError) -> dict[str, Any]:
    """An error as plain data, for --json."""
    return {
        "class": type(error).__name__,
        "code": error.code,
        "sentence": error.sentence,
        "given": error.given,
        "allowed": error.allowed,
        "do": error.do,
    }
