"""`halfpixel simplify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json
from halfpixel.cli.rewriting_report import print_proof, print_rewritten
from halfpixel.models.simplify import simplify as simplified_of


def simplify(
    model: Annotated[Path, typer.Argument(metavar="MODEL", show_default=False, help="An ONNX model.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", show_default=False, help="The file to write.")],
    rounding: Annotated[
        bool, typer.Option("--rounding", help="Also what changes results by rounding: torch's area.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Bring back to one node what exporters write as many: nearest-exact, pixel shuffles, computed sizes, area.

    Only what gives the same bits is rewritten; --rounding also allows another order of sums, and prints the difference.
    """
    result = simplified_of(model, out, rounding=rounding)
    if json:
        print_json({"model": str(model), "out": str(out), **result.as_data()})
    else:
        print(f"{model}: {result.nodes_before} nodes -> {out}: {result.nodes} nodes")
        print_rewritten(result.changes)
        for change in result.changes:
            print(f"{change.name}: {change.seen}")
        print_proof(result.proof)
    raise typer.Exit(0 if result.equal else FINDINGS)
