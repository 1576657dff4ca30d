"""Tables, JSON and words on stdout."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

import typer
from rich.console import Console

from halfpixel import __version__


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns; a cell of several lines goes on below itself. No blanks at the ends of lines."""
    split = [[cell.split("\n") for cell in row] for row in rows]
    widths = [max(len(line) for cell in column for line in cell) for column in zip(*split, strict=True)]
    for row in split:
        for lines in itertools.zip_longest(*row, fillvalue=""):
            print("   ".join(line.ljust(width) for line, width in zip(lines, widths, strict=True)).rstrip())


def print_json(data: Any) -> None:
    """Print plain data as JSON, indented, in the order given."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        print(f"halfpixel {__version__}")
        raise typer.Exit


def print_markdown(text: str) -> None:
    """Print Markdown: rendered, with coloured diffs, on a terminal; as it is in a pipe."""
    terminal = Console()
    if terminal.is_terminal:
        from rich.markdown import Markdown  # it takes 60 ms to load, which other commands need not wait for

        terminal.print(Markdown(text, code_theme="ansi_dark"))
    else:
        print(text)
