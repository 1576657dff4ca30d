"""The family's errors as the exceptions that torch raises in the same place, with our text."""

from __future__ import annotations

from halfpixel._errors import HalfpixelError

_KINDS: dict[str, type[Exception]] = {
    "HP160": RuntimeError,  # torch: shapes that do not fit
    "HP196": RuntimeError,  # torch: "Input and output sizes should be greater than 0"
    "HP221": TypeError,
    "HP223": RuntimeError,  # torch: out= and automatic differentiation
    "HP225": RuntimeError,  # torch: "Only Tensors of floating point and complex dtype can require gradients"
}
_KINDS_OF_HUNDREDS: dict[str, type[Exception]] = {"HP2": NotImplementedError, "HP3": RuntimeError}


def torch_error(error: HalfpixelError) -> Exception:
    """Return the exception to raise instead: ValueError for a request, NotImplementedError for a device or an element
    type, RuntimeError for shapes, gradients and memory, TypeError for what is no tensor.
    """
    return _kind(error.code)(str(error))


def refusal(
    code: str, sentence: str, given: str, allowed: str, do: str, kind: type[Exception] | None = None
) -> Exception:
    """Return the exception for a mistake that this adapter sees, in the family's layout.

    The text is made here, because torch.compile cannot trace the classes of the family, and would lose it.
    """
    text = f"[{code}] {sentence}\n  given:   {given}\n  allowed: {allowed}\n  do:      {do}"
    return (kind or _kind(code))(text)


def _kind(code: str) -> type[Exception]:
    return _KINDS.get(code) or _KINDS_OF_HUNDREDS.get(code[:3], ValueError)
