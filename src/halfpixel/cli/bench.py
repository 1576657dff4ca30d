"""`halfpixel bench`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpixel.cli.bench_report import change_rows, rows_of
from halfpixel.cli.errors import FINDINGS
from halfpixel.cli.output import print_json, print_table
from halfpixel.cli.values import whole_numbers, wrong_form
from halfpixel.media.atomic import replacing
from halfpixel.peers.speed import guard, runner
from halfpixel.peers.speed import page as pages
from halfpixel.peers.speed import results as stored
from halfpixel.peers.speed.cases import CASES
from halfpixel.peers.speed.cases import chosen as cases_named
from halfpixel.peers.speed.machine import machine


def bench(
    cases: Annotated[
        str, typer.Option("--cases", metavar="NAMES", help="Only these; * and ? as in file names, commas between.")
    ] = "*",
    threads: Annotated[str, typer.Option("--threads", metavar="COUNTS", help="Numbers of threads.")] = "1,2",
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="To time a case; slow peers take more.")] = 4.0,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Without peers, against the stored results; exit code 1 if we became slower."),
    ] = False,
    results: Annotated[
        Path | None, typer.Option("--results", metavar="FOLDER", help="Keep the results of each machine here.")
    ] = None,
    page: Annotated[Path | None, typer.Option("--page", metavar="FILE", help="Write the page of all results.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Time our calls beside the installed peers, as ratios to them and to the time of a copy."""
    counts = whole_numbers("--threads", threads) or ()
    if not counts or min(counts) < 1:
        raise wrong_form("--threads", threads, "whole numbers from 1 on, such as 1,2")
    try:
        chosen = cases_named([word.strip() for word in cases.split(",")])
    except KeyError as error:
        raise wrong_form("--cases", str(error.args[0]), ", ".join(CASES)) from error
    place = stored.path_of(results, machine()) if results else None
    old = stored.read(place) if place else None
    compared: list[guard.Change] = []
    if quick:
        new, compared = guard.quick(old, counts, _progress)
    else:
        new = runner.run(chosen, counts, seconds, _progress)
    if place and not (quick and old):
        _write({place: stored.text_of(stored.merged(old, new))})
    if page and results:
        _write(pages.documents(results, page))
    if json:
        print_json(new)
    else:
        print_table(change_rows(compared) if compared else rows_of(new))
    for name, count in new["failed"]:
        print(f"not measured, the process ended early: {name}, threads {count}", file=sys.stderr)
    if new["failed"] or any(change.is_loss for change in compared):
        raise typer.Exit(FINDINGS)


def _write(texts: dict[Path, str]) -> None:
    for path, text in texts.items():
        with replacing(path) as stream:
            stream.write(text.encode())


def _progress(name: str, threads: int, record: dict[str, Any]) -> None:
    del record
    print(f"{name}, {threads} thread{'s' * (threads > 1)}", file=sys.stderr, flush=True)
