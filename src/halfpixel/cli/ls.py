"""`halfpixel ls`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halfpixel.cli.ls_report import rows_of
from halfpixel.cli.output import print_json, print_table
from halfpixel.cli.values import wrong_form


def ls(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="An ONNX model file.")],
    shapes: Annotated[
        list[str] | None,
        typer.Option(
            "--shape", metavar="NAME=LENGTHS", help="Lengths of an input that the model leaves open: x=1x3x8x8."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the resize-like nodes of a model, one a line: what they do, what they cost, what to look at.

    Resize, Upsample, DepthToSpace and SpaceToDepth, in the main graph, its subgraphs and its local functions.
    """
    from halfpixel import models

    entries = models.ls(model, dict(map(_named_shape, shapes or ())))
    if json:
        print_json([entry.as_data() for entry in entries])
    elif not entries:
        print(f"{model}: no resize-like nodes")
    else:
        print_table(rows_of(entries))


def _named_shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, lengths = text.rpartition("=")
    words = lengths.lower().split("x")
    if not name or not all(word.isdecimal() for word in words):
        raise wrong_form("--shape", text, "NAME=LENGTHS, such as x=1x3x224x224")
    return name, tuple(int(word) for word in words)
