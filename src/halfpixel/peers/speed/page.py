"""docs/benchmarks.md, written from stored results and by nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from halfpixel.peers.speed import tables
from halfpixel.peers.speed.cases import CASES, GROWTH
from halfpixel.peers.speed.chart import lines_of, side_that_fills, svg
from halfpixel.peers.speed.compare import STRONGEST, mean_at_limit, mean_ratio, thread_counts
from halfpixel.peers.speed.machine import identity
from halfpixel.peers.speed.results import Results, read

_HEAD = """\
# Benchmarks

This page is written by `./dev bench`; a person only gives reasons. An empty cell was not measured, or the peer
has nothing that does the work.

- All contestants of a case are timed in one process for each number of threads, in turns, after a call that
  warms the caches. The number is the minimum; the median stands beside ours.
- Outputs are reused where a contestant can; the time with a new output is in brackets. Inputs are random,
  prepared in the memory order that a contestant likes best.
- The copy limit is the fastest of several ways to read as many bytes as the case must read and to write its
  result, measured in the same minute. "/ limit" is our time over it.
- "/ ours" is the best peer's time over ours: above 1 we are faster.
- Before it is timed, a result is compared with the exact one, computed in float64, under the peer's reading of
  the request. One that is further off is refused: "other values". "error" is the largest difference: in units
  in the last place of the largest value (ULP), or in counts (LSB), where half a count is a correct rounding.
- Threads: every library is told the same number. zimg has no threads of its own; its planes or strips of rows
  are run by Python's, which costs it some ten microseconds.
- Rows where a peer is faster stay.
"""

_CHART = "Time an output sample, linear x2 of one float32 plane"


def page(all_results: Sequence[Results], images: str) -> str:
    """Return the page.

    Args:
        all_results: of one machine each; machines that force an instruction set count as their own.
        images: folder of the charts, as the page links to it.
    """
    lines = [_HEAD]
    if not all_results:
        lines += ["Nothing has been measured yet.", ""]
    for results in all_results:
        lines += _machine(results, images)
    lines += ["## Cases", ""]
    rows = [[case.name, case.reason] for case in CASES.values() if case.group != GROWTH]
    lines += tables.table(["case", "why it is measured"], rows)
    return "\n".join(lines).rstrip() + "\n"


def documents(results_folder: Path, target: Path) -> dict[Path, str]:
    """Return path -> text of the page, and of the charts in the folder images beside it, from all results of a folder.

    Raises:
        MediaError: HP502, a file holds something else.
    """
    found = [read(path) for path in sorted(results_folder.glob("*.json"))]
    everything = [results for results in found if results is not None]
    texts = {target: page(everything, "images")}
    for results in everything:
        for threads in thread_counts(results):
            lines = lines_of(results, threads)
            if lines:
                words = f"{_CHART}, {_threads(threads)}"
                place = target.parent / "images" / _chart_name(results, threads)
                texts[place] = svg(lines, results["machine"]["caches"], words)
    return texts


def _chart_name(results: Results, threads: int) -> str:
    return f"time-per-sample-{identity(results['machine'])}-{threads}.svg"


def _threads(count: int) -> str:
    return f"{count} thread" if count == 1 else f"{count} threads"


def _machine(results: Results, images: str) -> list[str]:
    data = results["machine"]
    caches = ", ".join(f"{name} {size // 2**10} KiB" for name, size in data["caches"].items())
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    lines = [
        f"## {data['processor']}, {data['isa']}",
        "",
        f"{data['cores']} cores, {caches}, {data['memory'] / 2**30:.0f} GiB. {data['system']}, "
        f"Python {data['python']}, NumPy {data['numpy']}.",
        f"halfpixel {data['halfpixel']}, compiler {data['compiler']}. Peers: {versions or 'none'}.",
        "",
    ]
    failed = [f"{name} on {_threads(threads)}" for name, threads in results["failed"]]
    lines += [f"Not measured, the process ended early: {', '.join(failed)}.", ""] if failed else []
    counts = thread_counts(results)
    for threads in counts:
        lines += [
            f"### {_threads(threads).capitalize()}",
            "",
            *_means(results, threads),
            *tables.summary(results, threads),
        ]
    lines += ["### Where a peer is faster", "", *tables.faster_peers(results)]
    for threads in counts:
        lines += [f"### Everyone, {_threads(threads)}", "", *tables.everyone(results, threads)]
    lines += _with_heading("### Other readings", tables.readings(results))
    lines += _with_heading("### Memory beside input and output, MiB, by threads", tables.memory(results))
    lines += _with_heading("### Instructions of small cases, x86-64-v3, one thread", tables.instructions(results))
    for threads in counts:
        lines += _growth(results, threads, images)
    return lines


def _with_heading(heading: str, body: list[str]) -> list[str]:
    return [heading, "", *body] if body else []


def _means(results: Results, threads: int) -> list[str]:
    def other(name: str) -> bool:
        return name != STRONGEST

    found = {
        f"without {STRONGEST}": mean_ratio(results, threads, other),
        f"against {STRONGEST} alone": mean_ratio(results, threads, lambda name: not other(name)),
    }
    words = [f"{which} {mean[0]:.2f} ({mean[1]} cases)" for which, mean in found.items() if mean]
    if not words:
        return []
    lines = [f"Geometric mean of the best peer's time over ours: {', '.join(words)}."]
    bound = mean_at_limit(results, threads, other)
    if bound:
        lines += [f"At the copy limit in every case it would be {bound[0]:.2f} without {STRONGEST}."]
    return [*lines, "", *tables.by_peer(results, threads)]


def _growth(results: Results, threads: int, images: str) -> list[str]:
    rows = tables.growth(results, threads)
    if not rows:
        return []
    name = _chart_name(results, threads)
    return [
        f"### {_CHART}, {_threads(threads)}",
        "",
        f"![nanoseconds an output sample against the side of the input]({images}/{name})",
        "",
        *_steps(results["machine"]["caches"]),
        "",
        *rows,
    ]


def _steps(caches: dict[str, int]) -> list[str]:
    """What the steps of the curve are: the sides from which on a cache no longer holds input and output."""
    steps = [
        f"{name} ({size // 2**10} KiB) up to a side of {side_that_fills(size):.0f}" for name, size in caches.items()
    ]
    return [
        f"Input and output together fit {', '.join(steps)}. A step up lies where a cache is full; between the steps "
        "a sample costs the same at every size. At the smallest sizes the call itself shows. The copy limit makes the "
        "same steps."
    ]
