"""Nodes and commands in words."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def command_of(path: Path | None, arguments: Sequence[str]) -> str:
    """Return the command line of a comparison."""
    model = "MODEL.onnx" if path is None else str(path)
    return shlex.join(["halfpixel", "compare", model, *arguments])


def attributes_text(attributes: Mapping[str, Any]) -> str:
    """Return attributes as "mode=linear antialias=1"; the node's own, no defaults."""
    return " ".join(f"{name}={_value(value)}" for name, value in attributes.items())


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape as "1x3x32x32", "scalar" for rank 0."""
    return "x".join(str(length) for length in shape) or "scalar"


def number_text(number: float) -> str:
    """Return a number of units with three digits that count."""
    if number == 0:
        return "0"
    if number == float("inf"):
        return "inf"
    return f"{number:.0f}" if 100 <= number < 1e6 else f"{number:.3g}"


def _value(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_value(one) for one in value) + "]"
    return str(value)
