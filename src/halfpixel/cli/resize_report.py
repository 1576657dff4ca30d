"""What `halfpixel resize` says when it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from halfpixel._errors import HalfpixelError
from halfpixel.cli.errors import as_data, exit_code, show
from halfpixel.cli.jobs import Missing
from halfpixel.cli.output import print_json
from halfpixel.cli.runner import Outcome
from halfpixel.media import Resized


def report(outcomes: Sequence[Outcome], missing: Sequence[Missing], as_json: bool) -> int:
    """Print errors on stderr and what was done on stdout; the exit code is the gravest of the files'."""
    errors = [outcome.result for outcome in outcomes if isinstance(outcome.result, HalfpixelError)]
    errors += [one.error for one in missing]
    for error in errors:
        show(error)
    if as_json:
        print_json(_as_data(outcomes, missing))
    else:
        _print_words(outcomes, len(errors))
    return max((exit_code(error) for error in errors), default=0)


def _print_words(outcomes: Sequence[Outcome], failed: int) -> None:
    done = [outcome for outcome in outcomes if isinstance(outcome.result, Resized)]
    if len(outcomes) == 1 and not failed:
        (outcome,) = done
        assert isinstance(outcome.result, Resized)
        before, after = (_sizes(sizes) for sizes in (outcome.result.before, outcome.result.after))
        print(f"{outcome.job.source} ({before}) -> {outcome.job.target} ({after})")
    else:
        print(f"{len(done)} {'file' if len(done) == 1 else 'files'} resized" + (f", {failed} failed" if failed else ""))


def _sizes(sizes: tuple[tuple[int, ...], ...]) -> str:
    return ", ".join("x".join(str(length) for length in size) for size in sizes)


def _as_data(outcomes: Sequence[Outcome], missing: Sequence[Missing]) -> dict[str, Any]:
    resized = []
    failed = [{"input": str(one.source), "error": as_data(one.error)} for one in missing]
    for outcome in outcomes:
        names = {"input": str(outcome.job.source), "output": str(outcome.job.target)}
        if isinstance(outcome.result, Resized):
            resized.append({**names, "before": outcome.result.before, "after": outcome.result.after})
        else:
            failed.append({**names, "error": as_data(outcome.result)})
    return {"resized": resized, "failed": failed}
