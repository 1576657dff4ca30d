"""Many files on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from halfpixel import build_info
from halfpixel._errors import HalfpixelError
from halfpixel.cli.jobs import Job
from halfpixel.media import EncodeOptions, Resized, ResizeRequest, resize_file


@dataclass(frozen=True, slots=True)
class Outcome:
    """A job and what came of it."""

    job: Job
    result: Resized | HalfpixelError


def run_jobs(
    jobs: Sequence[Job], request: ResizeRequest, encode: EncodeOptions, max_pixels: int, threads: int | None
) -> list[Outcome]:
    """Resize files side by side, with a progress bar on a terminal if there are many; the result is in the jobs' order.

    Decoding, resizing and encoding all let other threads run, so threads are enough. Files come first: only cores that
    have no file of their own help within one.
    """
    cores = threads or int(build_info()["threads"])
    at_once = max(1, min(cores, len(jobs)))
    each = max(1, cores // at_once)
    stderr = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=stderr,
        transient=True,
        disable=len(jobs) < 2 or not stderr.is_terminal,
    )
    outcomes: dict[Job, Outcome] = {}
    pool = ThreadPoolExecutor(at_once)
    with bar:
        task = bar.add_task("resizing", total=len(jobs))
        try:
            futures = [pool.submit(_run, job, request, encode, max_pixels, each) for job in jobs]
            for future in as_completed(futures):
                outcome = future.result()
                outcomes[outcome.job] = outcome
                bar.advance(task)
        finally:
            # Also when interrupted: files not begun are dropped, those in work are finished or removed.
            pool.shutdown(cancel_futures=True)
    return [outcomes[job] for job in jobs]


def _run(job: Job, request: ResizeRequest, encode: EncodeOptions, max_pixels: int, threads: int) -> Outcome:
    try:
        return Outcome(job, resize_file(job.source, job.target, request, encode, max_pixels, threads))
    except HalfpixelError as error:
        return Outcome(job, _named(error, job))


def _named(error: HalfpixelError, job: Job) -> HalfpixelError:
    """The same error; its `given` names the file if it did not: many files share one request."""
    if str(job.source) in error.given or str(job.target) in error.given:
        return error
    return type(error)(error.code, error.sentence, f"{job.source}, {error.given}", error.allowed, error.do)
