"""`halfpixel check`."""

from __future__ import annotations

import json as json_module
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from halfpixel.cli.check_report import as_data, lines_of
from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json
from halfpixel.cli.values import wrong_form
from halfpixel.media.atomic import replacing
from halfpixel.models.check import RULES, SEVERITIES, check_model
from halfpixel.models.reading import load
from halfpixel.peers.deviations import targets as known_targets


class FailOn(StrEnum):
    """The least severe finding at which the exit code is 1."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"
    NEVER = "never"


def check(
    model: Annotated[Path, typer.Argument(metavar="MODEL", show_default=False, help="An ONNX file.")],
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target", metavar="NAME", help=f"A runtime to ask about, may be repeated: {', '.join(known_targets())}."
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="RULE", help="A rule to leave out, such as HPM012, may be repeated."),
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Exit code 1 from findings of this severity on.")
    ] = FailOn.WARNING,
    sarif: Annotated[Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Find what makes a model's resizes give other numbers, or none, elsewhere. Exit code 1 at a warning or error."""
    targets = _words("--target", target, list(known_targets()))
    checked = check_model(load(model), targets=targets, ignore=_words("--ignore", ignore, list(RULES)))
    if sarif is not None:
        _write(sarif, json_module.dumps(checked.sarif(), indent=2, ensure_ascii=False))
    if junit is not None:
        _write(junit, checked.junit())
    if json:
        print_json(as_data(checked))
    else:
        print("\n".join(lines_of(checked)))
    if fail_on is not FailOn.NEVER:
        least = SEVERITIES.index(fail_on.value)
        if any(SEVERITIES.index(finding.severity) >= least for finding in checked.findings):
            raise typer.Exit(FINDINGS)


def _write(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text.encode())


def _words(option: str, given: list[str] | None, known: list[str]) -> list[str]:
    """The values of an option that may be repeated, or have several with commas between."""
    words = [word.strip() for text in given or () for word in text.split(",") if word.strip()]
    for word in words:
        if word not in known:
            raise wrong_form(option, word, ", ".join(known))
    return words
