"""The family's errors as the exceptions that JAX raises in the same place, with our text."""

from __future__ import annotations

from halfpixel._errors import HalfpixelError

_KINDS: dict[str, type[Exception]] = {"HP187": TypeError, "HP2": TypeError, "HP300": ValueError, "HP3": RuntimeError}
"""By the code, else by its hundred; everything else is a ValueError."""


def jax_error(error: HalfpixelError) -> Exception:
    """Return the exception to raise instead.

    ValueError for a request or a shape, TypeError for an element type, for what is no array and for a traced argument,
    RuntimeError for memory.
    """
    kind = _KINDS.get(error.code) or _KINDS.get(error.code[:3], ValueError)
    return kind(str(error))
