"""Which files become which: inputs expanded, outputs named, surprises refused before anything is read."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from halfpixel._errors import MediaError
from halfpixel.cli.errors import UsageError
from halfpixel.media.formats import SUFFIXES, format_of_name


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read and the file that it becomes."""

    source: Path
    target: Path


@dataclass(frozen=True, slots=True)
class Missing:
    """An input that led to no file, and why."""

    source: Path
    error: MediaError


def jobs_for(
    inputs: Sequence[Path], output: str, suffix: str | None, overwrite: bool
) -> tuple[list[Job], list[Missing]]:
    """Pair every input file with its output.

    Args:
        inputs: files, folders and patterns. A folder stands for all files below it whose suffix is known, hidden ones
            and the output folder left out; they keep their places below the output folder.
        output: a file if there is one input file, else a folder.
        suffix: of the outputs in a folder, without the dot; None keeps each input's.
        overwrite: an output may replace its own input.
    Raises:
        UsageError: HP601, HP602, HP605.
        MediaError: HP505, the suffix of a single output is not known.
    """
    sources: list[tuple[Path, Path]] = []
    missing: list[Missing] = []
    for given in inputs:
        found = list(_files_of(given, Path(output)))
        sources += found
        if not found:
            missing.append(Missing(given, _nothing_in(given)))
    if _is_file_name(inputs, output):
        _check_suffix(Path(output), suffix)
        jobs = [Job(source, Path(output)) for source, _ in sources]
    else:
        jobs = [Job(source, _placed(Path(output) / place, suffix)) for source, place in sources]
    _check_collisions(jobs)
    _check_inputs_stay(jobs, overwrite)
    return jobs, missing


def _files_of(given: Path, output: Path) -> Iterator[tuple[Path, Path]]:
    """(file, its place below the output folder) for each file that an input stands for."""
    if given.is_dir():
        for folder, folders, names in os.walk(given):
            here = Path(folder)
            folders[:] = sorted(name for name in folders if name[0] != "." and not _same(here / name, output))
            for name in sorted(names):
                if name[0] != "." and Path(name).suffix.lower() in SUFFIXES:
                    yield here / name, (here / name).relative_to(given)
    elif not os.path.lexists(given) and glob.has_magic(str(given)):
        for name in sorted(glob.glob(str(given), recursive=True)):
            if not os.path.isdir(name):
                yield Path(name), Path(Path(name).name)
    else:
        # One that is not there fails when it is opened, with the system's reason.
        yield given, Path(given.name)


def _same(one: Path, other: Path) -> bool:
    return other.exists() and os.path.samefile(one, other)


def _nothing_in(given: Path) -> MediaError:
    folder = given.is_dir()
    return MediaError(
        "HP510",
        "the folder has no file of a kind that is read here" if folder else "the pattern matches no file",
        given=f"{given}",
        allowed=f"files ending in {', '.join(SUFFIXES)}" if folder else "a pattern that matches files",
        do="check the path",
    )


def _is_file_name(inputs: Sequence[Path], output: str) -> bool:
    """Whether `output` names one file: it has a suffix, and no folder is or could be meant.

    Raises:
        UsageError: HP605, it ends like a picture and there are several inputs.
    """
    path = Path(output)
    if output.endswith(("/", os.sep)) or path.is_dir():
        return False
    one = len(inputs) == 1 and not inputs[0].is_dir() and (inputs[0].exists() or not glob.has_magic(str(inputs[0])))
    if one:
        return path.suffix != ""
    if path.suffix.lower() in SUFFIXES:
        raise UsageError(
            "HP605",
            "several inputs cannot become one file",
            given=f"{len(inputs)} inputs, a folder or a pattern, and the output {output}",
            allowed="one input file, or a folder as output",
            do=f"name a folder: {path.with_suffix('')}{os.sep}",
        )
    return False


def _check_suffix(output: Path, suffix: str | None) -> None:
    format_of_name(output)
    if suffix is not None and output.suffix.lower() != f".{suffix}":
        raise UsageError(
            "HP604",
            "the output's suffix and --format name two formats",
            given=f"{output}, --format {suffix}",
            allowed="--format for outputs in a folder",
            do="leave --format out, or name a folder as output",
        )


def _placed(target: Path, suffix: str | None) -> Path:
    return target if suffix is None else target.with_suffix(f".{suffix}")


def _check_collisions(jobs: Sequence[Job]) -> None:
    first: dict[str, Job] = {}
    for job in jobs:
        key = os.path.normcase(os.path.abspath(job.target))
        other = first.setdefault(key, job)
        if other is not job:
            raise UsageError(
                "HP601",
                "two inputs would become the same output",
                given=f"{other.source} and {job.source}, both {job.target}",
                allowed="one output an input",
                do="resize them into different folders, or give their common folder, whose parts keep their places",
            )


def _check_inputs_stay(jobs: Sequence[Job], overwrite: bool) -> None:
    identities = {_identity(job.source): job for job in jobs}
    identities.pop(None, None)
    for job in jobs:
        replaced = identities.get(_identity(job.target))
        if replaced is None or (overwrite and replaced is job):
            continue
        own = replaced is job
        raise UsageError(
            "HP602",
            "an output would replace an input",
            given=f"{job.source} to {job.target}" + ("" if own else f", which is the input {replaced.source}"),
            allowed="outputs that are no inputs; with --overwrite an output may be its own input",
            do="choose another folder or name" + (", or add --overwrite" if own else ""),
        )


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode, the same for every name of a file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
