"""What `halfpixel compare` prints."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from halfpixel.models.compare import Comparison, NodeResult, RuntimeResult
from halfpixel.models.compare.call_text import attributes_text, number_text, shape_text
from halfpixel.models.compare.difference import SHAPE, TYPE
from halfpixel.models.compare.findings import whole_sentence

_MOST_OTHERS = 3


def lines_of(comparison: Comparison, width: int) -> Iterator[str]:
    """Yield the nodes with their runtimes, the whole model, and a line that counts.

    Args:
        width: columns of the terminal; sentences are broken there.
    """
    column = max((len(f"{name} {version}") for name, version in comparison.runtimes.items()), default=0)
    for node in comparison.nodes:
        yield from _node(node, comparison, column, width)
        yield ""
    if comparison.failure and comparison.nodes:
        yield from wrap(f"The model did not run in halfpixel's evaluator: {comparison.failure}", width)
        yield ""
    if comparison.whole:
        yield "the whole model"
        for whole in comparison.whole:
            label = f"{whole.runtime} {comparison.runtimes[whole.runtime]}"
            words = whole_sentence(whole).removeprefix(whole.runtime).lstrip(": ")
            yield from _hanging(f"  {label:{column}}   ", words, width)
        yield ""
    yield _summary(comparison)


def _node(node: NodeResult, comparison: Comparison, column: int, width: int) -> Iterator[str]:
    yield "/".join((*node.scope, node.name))
    details = [node.label]
    if node.call is not None:
        details.append(attributes_text(node.call.attributes))
    if node.expected is not None and node.call is not None and node.call.inputs[0] is not None:
        shapes = f"{shape_text(node.call.inputs[0].shape)} -> {shape_text(node.expected.ours.shape)}"
        details.append(f"{node.expected.element} {shapes}")
    if node.given == "random":
        details.append("random data")
    yield from _hanging("  ", "  ".join(part for part in details if part), width)
    if node.error:
        yield from _hanging("  ", node.error, width)
    for result in node.results:
        label = f"{result.runtime} {comparison.runtimes[result.runtime]}"
        yield from _hanging(f"  {label:{column}}   ", _verdict(result), width)
        start = " " * (column + 5)
        if result.above:
            cause = f"cause: {result.why}" if result.cause is not None else result.why
            yield from _hanging(start, cause, width)
        if result.found is not None and len(result.found.causes) > 1:
            others = [one.words for one in result.found.causes[1 : 1 + _MOST_OTHERS]]
            yield from _hanging(start, f"the same here: {' | '.join(others)}", width)


def _verdict(result: RuntimeResult) -> str:
    difference = result.difference
    if difference is None:
        return f"{result.status}: {result.words}"
    if difference.where in (SHAPE, TYPE):
        assert result.output is not None
        return f"{difference.where} differs: {result.output.dtype} {shape_text(result.output.shape)}"
    if not result.above:
        if difference.largest == 0:
            return "equal"
        return f"{number_text(difference.largest)} {difference.unit}, within {number_text(difference.tolerance)}"
    words = (
        f"differs by up to {number_text(difference.largest)} {difference.unit} "
        f"in {difference.count} of {difference.total} samples, {difference.where}"
    )
    if 0 < difference.ties < difference.count:
        words += f"; apart from {difference.ties} at ties {number_text(difference.largest_apart_from_ties)}"
    return words


def _summary(comparison: Comparison) -> str:
    results = [result for node in comparison.nodes for result in node.results]
    above = [result for result in results if result.above]
    named = sum(result.cause is not None for result in above)
    if not results:
        return "no node was compared"
    if not above:
        return f"{len(results)} results: no difference above its tolerance"
    return f"{len(results)} results: {len(above)} differ, the cause found for {named}"


def _hanging(start: str, text: str, width: int) -> list[str]:
    """Text behind a label, its further lines below its first."""
    room = max(40, width - len(start))
    lines = wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    return [(start if number == 0 else " " * len(start)) + line for number, line in enumerate(lines)]
