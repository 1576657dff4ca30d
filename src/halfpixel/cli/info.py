"""`halfpixel info`."""

from __future__ import annotations

import platform
from typing import Annotated, Any

import numpy
import typer
from rich.table import Table

from halfpixel import build_info
from halfpixel.cli.output import console, print_json
from halfpixel.media.formats import FORMATS, Format
from halfpixel.spec.operators import OPERATORS, versions_of


def info(json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """Show the version, the instruction set in use, the operators, the file formats and the extras found."""
    data = _data()
    if json:
        print_json(data)
        return
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in data.items():
        table.add_row(name.replace("_", " "), _words(value))
    console().print(table)


def _data() -> dict[str, Any]:
    names = sorted({op_type for op_type, _ in OPERATORS})
    return {
        **build_info(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "operators": {name: list(versions_of(name)) for name in names},
        "formats": {one.name: _holds(one) for one in FORMATS},
    }


def _holds(one: Format) -> dict[str, Any]:
    held: dict[str, Any] = {"suffixes": list(one.suffixes)}
    if one.colours:
        held |= {"colours": list(one.colours), "alpha": one.alpha, "element_types": list(one.element_types)}
    return held


def _words(value: Any) -> str:
    """A value in words: lists with commas, mappings a line each, what is found or not as yes and no."""
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_words(part)}".replace("\n", "; ") for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value)
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
