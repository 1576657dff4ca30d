"""`halfpixel demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json, print_table
from halfpixel.media.atomic import replacing


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where the page goes.")] = Path("demo"),
    json: Annotated[bool, typer.Option("--json", help="Print the check of the model as JSON.")] = False,
) -> None:
    """Resize a zone plate and a photograph in every mode, check a small model, and write one HTML page of it.

    Exit code 1 if a node of the model differs from onnx's reference.
    """
    # Imported here: onnx takes its time, and only this command's model needs it.
    import halfpixel.onnx  # noqa: F401  (its message says what to install)
    from halfpixel.cli.demo_model import TOLERANCE, check_model, demo_model
    from halfpixel.cli.demo_page import page

    model = demo_model()
    checks, whole = check_model(model)
    html = page(checks, whole)
    index = folder / "index.html"
    for path, content in ((folder / "model.onnx", model.SerializeToString()), (index, html.encode())):
        with replacing(path) as stream:
            stream.write(content)
    rows = [(check.name, check.label, check.difference, check.agrees) for check in checks]
    rows.append(("whole model", "", whole, whole <= TOLERANCE))
    if json:
        names = ("node", "operator", "difference", "agrees")
        print_json({"page": str(index.resolve()), "checks": [dict(zip(names, row, strict=True)) for row in rows]})
    else:
        words = [
            (name, label, f"{difference:.1e}", "agrees" if agrees else "DIFFERS")
            for name, label, difference, agrees in rows
        ]
        print_table([("node", "operator", "largest difference", ""), *words])
        print(f"\nOpen {index.resolve().as_uri()}")
    if not all(agrees for *_, agrees in rows):
        raise typer.Exit(FINDINGS)
