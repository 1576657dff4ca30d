"""`halfpixel lower`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json
from halfpixel.cli.rewriting_report import print_proof, print_rewritten
from halfpixel.models.lower import lower as lowered_of


def lower(
    model: Annotated[Path, typer.Argument(metavar="MODEL", show_default=False, help="An ONNX model.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", show_default=False, help="The file to write.")],
    to: Annotated[
        str,
        typer.Option(
            metavar="TARGET", help="reshape, gather, matmul, convtranspose; with commas: the first that can say a node."
        ),
    ] = "matmul",
    node: Annotated[
        list[str] | None, typer.Option(show_default=False, help="Only this node; may be given again. Default: all.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Say Resize, Upsample, DepthToSpace and SpaceToDepth with other operators, for targets that lack them.

    reshape (whole nearest scales, DepthToSpace, SpaceToDepth) and gather (nearest) give the same bits. matmul (any mode
    of known lengths) and convtranspose (growth by whole scales) round in another order: the difference is printed.
    """
    targets = [target.strip() for target in to.split(",") if target.strip()]
    result = lowered_of(model, out, to=targets, nodes=node or ())
    if json:
        print_json({"model": str(model), "out": str(out), **result.as_data()})
    else:
        print(f"{model} -> {out}: {len(result.changes)} nodes lowered to {', '.join(targets)}")
        print_rewritten(result.changes)
        print_proof(result.proof)
    raise typer.Exit(0 if result.as_promised else FINDINGS)
