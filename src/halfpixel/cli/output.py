"""Tables, JSON and words on stdout."""

from __future__ import annotations

import json
from typing import Any

import typer
from rich.console import Console
from rich.markdown import Markdown

from halfpixel import __version__


def console() -> Console:
    """Where a command prints its result: coloured on a terminal, plain and unwrapped in a pipe."""
    plain = Console()
    return plain if plain.is_terminal else Console(width=10_000, soft_wrap=True)


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
        terminal.print(Markdown(text, code_theme="ansi_dark"))
    else:
        print(text)
