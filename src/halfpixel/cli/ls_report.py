"""The resize-like nodes of a model as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halfpixel.models.inventory import Entry

_HEAD = (
    "node",
    "where",
    "operator",
    "mode",
    "coordinates",
    "given",
    "type",
    "shapes",
    "multiply-adds",
    "bytes",
    "risks",
)


def rows_of(entries: Sequence[Entry]) -> list[tuple[str, ...]]:
    """The head of the table and a row a node."""
    return [_HEAD, *map(_row, entries)]


def _row(entry: Entry) -> tuple[str, ...]:
    return (
        entry.name,
        " > ".join(entry.scope) or "main",
        f"{entry.op_type}-{entry.version} (opset {entry.opset})",
        _mode(entry),
        entry.coordinate_transformation_mode or "-",
        _given(entry),
        entry.element_type or "?",
        f"{_shape(entry.in_shape)} -> {_shape(entry.out_shape)}",
        _count(entry.multiply_adds),
        _count(entry.bytes),
        "; ".join(entry.risks) or "-",
    )


def _mode(entry: Entry) -> str:
    words = [entry.mode or "?"]
    words += [entry.nearest_mode] if entry.mode == "nearest" and entry.nearest_mode else []
    words += ["antialias"] if entry.antialias else []
    return ", ".join(words)


def _given(entry: Entry) -> str:
    if entry.given is None:
        return "-"
    values = "" if entry.values is None else " " + ",".join(f"{value:g}" for value in entry.values)
    on = "" if entry.axes is None else f" on axes {','.join(map(str, entry.axes))}"
    return f"{entry.given}{values}{on} ({entry.source})"


def _shape(shape: tuple[int | str | None, ...] | None) -> str:
    """ "1x3x?xwidth"; "?" where even the rank is unknown, "()" of a scalar."""
    if shape is None:
        return "?"
    return "x".join("?" if length is None else str(length) for length in shape) or "()"


def _count(number: int | None) -> str:
    """A number in three digits: 1.23M."""
    if number is None:
        return "?"
    for power, letter in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if number >= 10**power:
            return f"{number / 10**power:.3g}{letter}"
    return str(number)
