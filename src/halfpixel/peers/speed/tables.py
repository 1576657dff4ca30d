"""The tables of the page as Markdown. An empty cell was not measured."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from halfpixel.peers import PEERS
from halfpixel.peers.speed import ours
from halfpixel.peers.speed.cases import CASES, GROWTH, GROWTH_SIDES
from halfpixel.peers.speed.compare import losses, ratios_by_peer, records, rivals, thread_counts
from halfpixel.peers.speed.reasons import reason
from halfpixel.peers.speed.results import Results, best, ratio

_MIB = 2**20


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table."""
    return [_row(head), "|" + "---|" * len(head), *map(_row, rows), ""]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def milliseconds(seconds: float | None) -> str:
    """Three significant digits; microseconds where a millisecond would hide them."""
    if seconds is None:
        return ""
    return f"{_digits(seconds * 1e6)} us" if seconds < 1e-4 else f"{_digits(seconds * 1e3)} ms"


def _digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _times(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def error_text(entry: dict[str, Any], unit: str) -> str:
    """The error with its unit, "exact" for none."""
    error = entry.get("error")
    if error is None:
        return ""
    return "exact" if error == 0 else f"{_digits(error)} {unit}"


def by_peer(results: Results, threads: int) -> list[str]:
    """Every peer's times over ours, the closest peer first."""
    head = ["peer", "its time / ours, geometric mean", "least", "most", "cases"]
    found = ratios_by_peer(results, threads)
    rows = [
        [name, _times(statistics.geometric_mean(ratios)), _times(min(ratios)), _times(max(ratios)), str(len(ratios))]
        for name, ratios in found.items()
    ]
    return table(head, rows)


def summary(results: Results, threads: int) -> list[str]:
    """Ours beside the limit and the fastest peer, a row a case."""
    head = ["case", "copy limit", "halfpixel", "median", "/ limit", "goal", "error", "best peer", "its time", "/ ours"]
    gain = threads > 1 and 1 in thread_counts(results)
    lines: list[str] = []
    group = ""
    rows: list[list[str]] = []
    for name, record in records(results, threads):
        if CASES[name].group != group:
            lines += table([*head, *(["1 thread / this"] if gain else [])], rows) if rows else []
            group, rows = CASES[name].group, []
            lines += [f"**{group}**", ""]
        row = _summary_row(name, record)
        rows.append([*row, *([_gain(results, name, threads)] if gain else [])])
    return lines + (table([*head, *(["1 thread / this"] if gain else [])], rows) if rows else [])


def _summary_row(name: str, record: dict[str, Any]) -> list[str]:
    entry = record["contestants"][ours.NAME]
    timing = entry["reused"] or entry["allocating"]
    most = CASES[name].most
    fastest = next(iter(rivals(record)), None)
    return [
        name,
        milliseconds(record["limit"]),
        milliseconds(timing["minimum"]),
        milliseconds(timing["median"]),
        _times(ratio(record, ours.NAME)),
        "" if most is None else f"{most}",
        error_text(entry, record["unit"]),
        fastest.name if fastest else "",
        milliseconds(fastest.seconds) if fastest else "",
        _times(fastest.ratio) if fastest else "",
    ]


def _gain(results: Results, name: str, threads: int) -> str:
    by_threads = results["cases"][name]
    one, many = (
        best(by_threads[str(count)]["contestants"][ours.NAME]) if str(count) in by_threads else None
        for count in (1, threads)
    )
    return _times(one / many) if one and many else ""


def everyone(results: Results, threads: int) -> list[str]:
    """Every contestant's time with a reused and (with a new) output, its ratio to ours, its error."""
    names = [ours.NAME, *(peer.name for peer in PEERS if peer.name in results["versions"])]
    rows = []
    for case, record in records(results, threads):
        mine = best(record["contestants"][ours.NAME])
        rows.append([case, *(_contestant(record, name, mine) for name in names)])
    return table(["case", *names], rows)


def _contestant(record: dict[str, Any], name: str, mine: float | None) -> str:
    entry = record["contestants"].get(name)
    if entry is None:
        return ""
    if "refused" in entry:
        return str(entry["refused"])
    reused, fresh = (entry[way] and entry[way]["minimum"] for way in ("reused", "allocating"))
    times = f"{milliseconds(reused)} ({milliseconds(fresh)})" if reused and fresh else milliseconds(reused or fresh)
    seconds = best(entry)
    against = "" if name == ours.NAME or not mine or not seconds else f", {_times(seconds / mine)}x"
    error = error_text(entry, record["unit"])
    return f"{times}{against}" + (f", {error}" if error else "")


def readings(results: Results) -> list[str]:
    """How peers read a case in another way than we do, and what was left out of the comparison for it."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, by_threads in results["cases"].items():
        for contestant, entry in next(iter(by_threads.values()))["contestants"].items():
            words = ", ".join(f"{key}={value}" for key, value in entry.get("reading", {}).items())
            if entry.get("border"):
                words += f"{'; ' if words else ''}{entry['border']} samples at the edges are not compared"
            if words and CASES[name].group != GROWTH:
                found.setdefault((contestant, words), []).append(name)
    rows = [[contestant, words, ", ".join(names)] for (contestant, words), names in sorted(found.items())]
    return table(["peer", "reads", "in"], rows) if rows else []


def faster_peers(results: Results) -> list[str]:
    """Where a peer is faster, and why."""
    rows = [
        [case, str(threads), rival.name, f"{1 / rival.ratio:.2f}", reason(case, rival.name, results["machine"]["isa"])]
        for case, threads, rival in losses(results)
    ]
    return table(["case", "threads", "peer", "ours / its time", "reason"], rows) if rows else ["Nowhere.", ""]


def memory(results: Results) -> list[str]:
    """Memory beside input and output, in MiB."""
    measured = {name: by_threads for name, by_threads in results["memory"].items() if any(by_threads.values())}
    counts = sorted({int(threads) for by_threads in measured.values() for threads in by_threads})
    names = [ours.NAME, *(peer.name for peer in PEERS)]
    held = {one for by_threads in measured.values() for answers in by_threads.values() for one in answers}
    columns = [(name, count) for name in names if name in held for count in counts]
    rows = [
        [case, *(_mebibytes(measured[case].get(str(count), {}).get(name)) for name, count in columns)]
        for case in CASES
        if case in measured
    ]
    return table(["case", *(f"{name}, {count}" for name, count in columns)], rows) if rows else []


def _mebibytes(value: int | None) -> str:
    return "" if value is None else f"{value / _MIB:.2f}"


def instructions(results: Results) -> list[str]:
    """Instructions of the small cases."""
    rows = [[name, f"{count:,}"] for name, count in results["instructions"].items()]
    return table(["case", "instructions"], rows) if rows else []


def growth(results: Results, threads: int) -> list[str]:
    """Nanoseconds an output sample for every size, a row a side."""
    names = [ours.NAME, *(peer.name for peer in PEERS)]
    points = {side: results["cases"].get(f"growth {side}", {}).get(str(threads)) for side in GROWTH_SIDES}
    held = {name for record in points.values() if record for name in record["contestants"]}
    columns = [name for name in names if name in held]
    rows = [
        [
            f"{side}x{side}",
            *(
                _nanoseconds(one, side)
                for one in (record["limit"], *(best(record["contestants"].get(n)) for n in columns))
            ),
        ]
        for side, record in points.items()
        if record
    ]
    return table(["input", "copy limit", *columns], rows) if rows else []


def _nanoseconds(seconds: float | None, side: int) -> str:
    return "" if seconds is None else f"{seconds * 1e9 / (4 * side * side):.3f}"
