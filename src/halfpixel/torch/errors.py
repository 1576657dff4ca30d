"""The family's errors as the exceptions that torch raises in the same place, with our text."""

from __future__ import annotations

from halfpixel._errors import ElementTypeError, HalfpixelError, ResourceError, SpecError

_RUNTIME = {
    "HP160",  # torch: shapes that do not fit
    "HP196",  # torch: "Input and output sizes should be greater than 0"
    "HP223",  # torch: out= and automatic differentiation
    "HP225",  # torch: "Only Tensors of floating point and complex dtype can require gradients"
}
_TYPE = {"HP221"}


def torch_error(error: HalfpixelError) -> Exception:
    """Return the exception to raise instead: ValueError for a request, NotImplementedError for a device or an element
    type, RuntimeError for shapes, gradients and memory, TypeError for what is no tensor.
    """
    text = str(error)
    if error.code in _TYPE:
        return TypeError(text)
    if error.code in _RUNTIME or isinstance(error, ResourceError):
        return RuntimeError(text)
    if isinstance(error, ElementTypeError):
        return NotImplementedError(text)
    return ValueError(text)


def refusal(code: str, sentence: str, given: str, allowed: str, do: str) -> Exception:
    """Return the exception for a mistake that only this adapter can see."""
    kind = ElementTypeError if code.startswith("HP2") else SpecError
    return torch_error(kind(code, sentence, given, allowed, do))
