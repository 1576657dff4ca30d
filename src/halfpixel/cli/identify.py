"""`halfpixel identify`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpixel.cli.arrays import read_array
from halfpixel.cli.errors import FINDINGS, UsageError
from halfpixel.cli.identify_report import lines_of
from halfpixel.cli.output import print_json
from halfpixel.cli.values import real_numbers, whole_numbers, wrong_form
from halfpixel.models.identify import identify as identified


def _option(help_text: str, metavar: str) -> Any:
    return typer.Option(help=help_text, metavar=metavar, show_default=False)


def identify(
    source: Annotated[Path | None, typer.Argument(metavar="IN", show_default=False, help=".npy or a picture.")] = None,
    result: Annotated[Path | None, typer.Argument(metavar="OUT", show_default=False, help="What was made.")] = None,
    scales: Annotated[str | None, _option("The scales that were given, if they were: 1,1,2,2.", "NUMBERS")] = None,
    axes: Annotated[str | None, _option("The axes that the scales are for. Default: all.", "NUMBERS")] = None,
    function: Annotated[
        str | None, _option("Instead of files: a function of one array, such as mine:shrink.", "MODULE:NAME")
    ] = None,
    shape: Annotated[str | None, _option("Of the random data for the function.", "NUMBERS")] = None,
    dtype: Annotated[str, _option("Of the random data. Default: float32.", "TYPE")] = "float32",
    seed: Annotated[int, _option("Of the random data. Default: 0.", "NUMBER")] = 0,
    most: Annotated[int, _option("Requests shown. Default: 8.", "NUMBER")] = 8,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Find the attributes, or the library's preset, that made an output of an input. Exit code 1 if none does."""
    if (function is None) == (source is None or result is None) or (function is not None and source is not None):
        raise UsageError(
            "HP604",
            "identify takes two files, or --function with --shape",
            given=f"IN {source}, OUT {result}, --function {function}",
            allowed="IN and OUT, or --function MODULE:NAME --shape 1,3,8,8",
            do="pass one of the two",
        )
    given, listed = real_numbers("--scales", scales), whole_numbers("--axes", axes)
    if function is not None:
        lengths = whole_numbers("--shape", shape)
        found = identified(_function(function), scales=given, axes=listed, shape=lengths, dtype=dtype, seed=seed)
    else:
        assert source is not None
        assert result is not None
        found = identified(read_array(source), read_array(result), scales=given, axes=listed)
    if json:
        print_json(found.as_data())
    else:
        print("\n".join(lines_of(found, most)))
    if not found.matches:
        raise typer.Exit(FINDINGS)


def _function(text: str) -> Any:
    """The function that MODULE:NAME names; modules of the current folder are found too."""
    module, sign, name = text.partition(":")
    allowed = "MODULE:NAME of a function that takes one array and returns one"
    if not (module and sign and name):
        raise wrong_form("--function", text, allowed)
    sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise wrong_form("--function", f"{text} ({error})", allowed) from error
    finally:
        sys.path.remove("")
    return found
