"""`halfpixel info`."""

from __future__ import annotations

import platform
from typing import Annotated, Any

import numpy
import typer

from halfpixel import build_info
from halfpixel.cli.output import print_json, print_table
from halfpixel.media.formats import FORMATS, Format
from halfpixel.spec.operators import OPERATORS, versions_of


def info(json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """Show the version, the instruction set in use, the operators, the file formats and the extras found."""
    data = _data()
    if json:
        print_json(data)
        return
    print_table([(name.replace("_", " "), _words(value)) for name, value in data.items()])


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
