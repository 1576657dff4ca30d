"""`halfpixel compare`."""

from __future__ import annotations

import json as json_module
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

from halfpixel.cli import compare_options as option
from halfpixel.cli.arrays import read_array
from halfpixel.cli.compare_report import lines_of
from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json
from halfpixel.media.atomic import replacing
from halfpixel.models.compare import compare as compared


def compare(
    model: option.Model,
    with_: option.With = None,
    node: option.Node = None,
    no_model: option.NoModel = False,
    tolerance: option.Tolerance = None,
    model_tolerance: option.ModelTolerance = None,
    timeout: option.Timeout = 300.0,
    input: option.Input = None,
    shape: option.Shape = None,
    seed: option.Seed = 0,
    random: option.Random = False,
    html: option.Html = None,
    sarif: option.Sarif = None,
    junit: option.Junit = None,
    json: option.Json = False,
) -> None:
    """Feed every resize-like node of a model the same input in other runtimes, and say how and why they differ.

    Exit code 1 if a difference is above its tolerance.
    """
    files = option.named("--input", input)
    found = compared(
        model,
        option.runtime_names(with_),
        inputs={name: read_array(Path(file)) for name, file in files.items()},
        shapes=option.shapes_of(shape),
        seed=seed,
        tolerance=tolerance,
        model_tolerance=model_tolerance,
        nodes=node,
        whole=not no_model,
        random=random,
        seconds=timeout,
    )
    flags = [f"--input={one}" for one in input or ()] + (["--random"] if random else [])
    found = replace(found, arguments=(*found.arguments, *flags))
    if html is not None:
        _write(html, found.html())
    if sarif is not None:
        _write(sarif, json_module.dumps(found.sarif(), indent=2, ensure_ascii=False))
    if junit is not None:
        _write(junit, found.junit())
    if json:
        print_json(found.as_data())
    else:
        _print(list(lines_of(found, shutil.get_terminal_size().columns)))
    if found.differs:
        raise typer.Exit(FINDINGS)


def _print(lines: Sequence[str]) -> None:
    print("\n".join(lines))


def _write(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text.encode())
