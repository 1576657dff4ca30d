"""The commands, and how a command line becomes one of them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from halfpixel.cli.errors import USAGE, UsageError
from halfpixel.cli.output import print_version

COMMANDS = (
    "resize",
    "demo",
    "schema",
    "run",
    "ls",
    "check",
    "compare",
    "identify",
    "explain",
    "upgrade",
    "lower",
    "simplify",
    "bench",
    "info",
)
"""The commands in the order of the help. Each is the function of its name in the file of its name beside this one."""

_FILES = {"run": "run_model"}
"""Command -> its file where that has another name: ``halfpixel.cli.run`` is a function of the package."""


def root(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def app_of(names: Sequence[str]) -> typer.Typer:
    """Return the application with some of the commands; no file of another one is imported."""
    app = typer.Typer(
        name="halfpixel",
        help="ONNX Resize, Upsample, DepthToSpace and SpaceToDepth, exact in every version: on pictures and arrays.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Exit codes: 0 ok, 1 findings or a difference, 2 usage, 3 cannot read or write.",
    )
    app.callback()(root)
    for name in names:
        app.command(name)(getattr(import_module(f"halfpixel.cli.{_FILES.get(name, name)}"), name))
    return app


_MESSAGE: type[Exception] = typer.BadParameter.__mro__[2]
"""Typer's base class of what is wrong with a command line; it has no public name."""


def invoke(arguments: Sequence[str]) -> int:
    """Run a command line.

    Raises:
        UsageError: HP600, it is not understood.
        HalfpixelError: what the command raises.
    """
    named = arguments[0] if arguments else ""
    command = typer.main.get_command(app_of((named,) if named in COMMANDS else COMMANDS))
    if not arguments:
        command.main(["--help"], prog_name="halfpixel", standalone_mode=False)
        return USAGE
    try:
        result = command.main(list(arguments), prog_name="halfpixel", standalone_mode=False)
    except _MESSAGE as error:
        raise _usage_error(error, arguments) from error
    return result if isinstance(result, int) else 0


def _usage_error(error: Any, arguments: Sequence[str]) -> UsageError:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "halfpixel"
    usage = context.get_usage().removeprefix("Usage: ").strip() if context else "halfpixel COMMAND"
    return UsageError(
        "HP600",
        str(error.format_message()).replace("Value error, ", "").replace("\n", " ").rstrip("."),
        given=" ".join(["halfpixel", *arguments]),
        allowed=" ".join(usage.split()),
        do=f"{path} --help",
    )
