"""`halfpixel upgrade`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json
from halfpixel.cli.rewriting_report import print_proof, print_rewritten
from halfpixel.models.upgrade import upgrade as upgraded_of


def upgrade(
    model: Annotated[Path, typer.Argument(metavar="MODEL", show_default=False, help="An ONNX model.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", show_default=False, help="The file to write.")],
    opset: Annotated[
        int, typer.Option(metavar="N", help="11, 13, 18, 19 (the newest Resize), 28 (DepthToSpace) or any from 7 on.")
    ] = 19,
    assume: Annotated[
        Literal["grow", "shrink", "either"] | None,
        typer.Option(show_default=False, help="What nearest scales are that Resize-10 gets at run time."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Bring a model to another opset: Upsample and old Resize to today's, with a proof by numbers.

    Where numbers cannot be kept it refuses with the reason and writes nothing. Every rewritten node and the whole
    model are run before and after by halfpixel and onnxruntime. Exit code 1: onnxruntime finds a difference.
    """
    result = upgraded_of(model, out, opset=opset, assume=assume)
    if json:
        print_json({"model": str(model), "out": str(out), **result.as_data()})
    else:
        print(f"{model}: opset {result.opset_before} -> {out}: opset {result.opset}")
        print_rewritten(result.changes)
        if result.others:
            print(f"{result.others} other nodes changed by onnx's version converter")
        print_proof(result.proof)
    raise typer.Exit(0 if result.equal else FINDINGS)
