"""Why a node is not rewritten: raised while one node is worked on, gathered into one error for the model."""

from __future__ import annotations


class NoEqualError(Exception):
    """No other nodes give the same numbers; the text says why."""


class ChoiceError(NoEqualError):
    """Which nodes give the same numbers depends on what only the caller knows; the text says on what."""
