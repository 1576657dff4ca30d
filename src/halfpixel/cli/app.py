"""The commands, and how a command line becomes one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from halfpixel.cli.bench import bench
from halfpixel.cli.demo import demo
from halfpixel.cli.errors import USAGE, UsageError
from halfpixel.cli.explain import explain
from halfpixel.cli.info import info
from halfpixel.cli.output import print_version
from halfpixel.cli.resize import resize
from halfpixel.cli.schema import schema

app = typer.Typer(
    name="halfpixel",
    help="ONNX Resize, Upsample, DepthToSpace and SpaceToDepth, exact in every version: on pictures and arrays.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 ok, 1 findings or a difference, 2 usage, 3 cannot read or write.",
)
for command in (resize, demo, schema, explain, bench, info):
    app.command()(command)


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


_MESSAGE: type[Exception] = typer.BadParameter.__mro__[2]
"""Typer's base class of what is wrong with a command line; it has no public name."""


def invoke(arguments: Sequence[str]) -> int:
    """Run a command line.

    Raises:
        UsageError: HP600, it is not understood.
        HalfpixelError: what the command raises.
    """
    command = typer.main.get_command(app)
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
