"""`halfpixel run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from halfpixel.cli.output import print_json, print_table
from halfpixel.cli.values import wrong_form

_INPUT_HELP = (
    "NAME=FILE for each input: .npy, .npz or a picture. FILE alone for a model of one input, or an .npz file with all."
)


def run(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="An ONNX model file.")],
    inputs: Annotated[list[str] | None, typer.Option("--input", "-i", metavar="NAME=FILE", help=_INPUT_HELP)] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the outputs here, by name: .npz.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Run a whole model: the resize-like nodes on halfpixel's kernels, the others in onnx's reference implementation.

    Prints shape, type, least, greatest and mean of each output. A picture becomes a batch of one, channels first unless
    the model declares them last; a model of floating-point input gets samples from 0 to 1.
    """
    if output is not None and output.suffix != ".npz":
        raise wrong_form("--output", str(output), "a file that ends in .npz")
    files = [_named_file(text) for text in inputs or ()]
    from halfpixel import models
    from halfpixel.models.files_of_arrays import read_inputs, write_outputs
    from halfpixel.models.running import inputs_of, whole_message

    message = whole_message(model)
    outputs = models.run(message, read_inputs(files, inputs_of(message)))
    if output is not None:
        write_outputs(outputs, output)
    if json:
        print_json([_summary(name, value) for name, value in outputs.items()])
        return
    rows = [[_word(value) for value in _summary(name, value).values()] for name, value in outputs.items()]
    print_table([["output", "shape", "type", "least", "greatest", "mean"], *rows])


def _named_file(text: str) -> tuple[str, Path]:
    name, separator, path = text.rpartition("=")
    if separator and not (name and path):
        raise wrong_form("--input", text, "NAME=FILE, or FILE alone")
    return name, Path(path)


def _summary(name: str, value: Any) -> dict[str, Any]:
    """Shape, type and range of an output; of a sequence its length."""
    if isinstance(value, list):
        return {"output": name, "shape": f"{len(value)} parts", "type": "sequence"} | dict.fromkeys(_RANGE)
    array = np.asarray(value)
    summary: dict[str, Any] = {
        "output": name,
        "shape": list(array.shape),
        "type": {"O": "string"}.get(array.dtype.kind, array.dtype.name),
    }
    if array.size == 0 or array.dtype.kind not in "biuf":
        return summary | dict.fromkeys(_RANGE)
    return summary | {"least": array.min().item(), "greatest": array.max().item(), "mean": float(array.mean())}


def _word(value: Any) -> str:
    if isinstance(value, list):
        return "x".join(map(str, value)) or "()"
    return "-" if value is None else f"{value:.6}" if isinstance(value, float) else str(value)


_RANGE = ("least", "greatest", "mean")
