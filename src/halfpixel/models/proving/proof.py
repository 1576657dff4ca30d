"""The proof of one rewritten place, and of a whole model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.elements import element_number
from halfpixel.models.proving.fragments import Fragment
from halfpixel.models.proving.inputs import Feeds
from halfpixel.models.proving.running import OURS, CannotRunError, difference, runtimes, same

if TYPE_CHECKING:
    import onnx

    from halfpixel.models.proving.inputs import Array


@dataclass(frozen=True)
class Outcome:
    """What one runtime says.

    Attributes:
        runtime: "halfpixel" or "onnxruntime".
        inputs: how many inputs both sides ran on.
        values: how many output values were compared.
        equal: all of them have the same bits.
        difference: the largest absolute one; 0.0 where equal.
        largest: the largest finite output value, to judge the difference by.
        reason: why nothing or not everything was compared; empty otherwise.
    """

    runtime: str
    inputs: int
    values: int
    equal: bool
    difference: float
    largest: float
    reason: str = ""

    def words(self) -> str:
        """In a line: "onnxruntime: equal on 6 inputs (4608 values)"."""
        if not self.inputs:
            return f"{self.runtime}: not compared ({self.reason})"
        runs = f"{self.inputs} inputs ({self.values} values)" if self.inputs > 1 else f"1 input ({self.values} values)"
        if self.equal:
            return f"{self.runtime}: equal on {runs}"
        return f"{self.runtime}: differs by up to {self.difference:.3g} at values up to {self.largest:.3g}, on {runs}"


@dataclass(frozen=True)
class Proof:
    """Before and after of one place.

    Attributes:
        name: of the node, or "the whole model".
        outcomes: one a runtime.
    """

    name: str
    outcomes: tuple[Outcome, ...]

    @property
    def compared(self) -> bool:
        """At least one runtime ran both sides."""
        return any(outcome.inputs for outcome in self.outcomes)

    @property
    def equal(self) -> bool:
        """Every runtime that ran both sides found the same bits."""
        return all(outcome.equal for outcome in self.outcomes)

    @property
    def difference(self) -> float:
        """The largest difference that any runtime found."""
        return max((outcome.difference for outcome in self.outcomes), default=0.0)

    def as_data(self) -> dict[str, Any]:
        """As plain data; a difference that is no number (another shape, NaN against a number) is null."""
        outcomes = [asdict(outcome) for outcome in self.outcomes]
        for outcome in outcomes:
            if not np.isfinite(outcome["difference"]):
                outcome["difference"] = None
        return {"name": self.name, "equal": self.equal, "runtimes": outcomes}


def prove_fragment(name: str, before: Fragment, after: Fragment, cases: Sequence[Feeds], element: str) -> Proof:
    """Run the nodes before and after on the same inputs.

    Args:
        name: of the place.
        cases: inputs, each with a value for every open input of both fragments.
        element: the element type of the result.
    """
    number = element_number(element)
    outcomes = []
    for runtime, prepare in runtimes().items():
        tally = _Tally(runtime)
        for feeds in cases:
            try:
                old = prepare(before.model(feeds, number))({key: feeds[key] for key in before.open_inputs})
                new = prepare(after.model(feeds, number))({key: feeds[key] for key in after.open_inputs})
            except CannotRunError as error:
                tally.reason = str(error)
                continue
            tally.add(old, new)
        outcomes.append(tally.outcome())
    return Proof(name, tuple(outcomes))


_MOST_NODES_OF_OURS = 60
"""A model with more nodes is run whole by onnxruntime only: onnx's reference implementations take minutes for a net."""


def prove_model(
    before: onnx.ModelProto, after: onnx.ModelProto, cases: Sequence[Feeds], converted: bool = False
) -> Proof:
    """Run whole models on the same inputs.

    Args:
        converted: nodes beside ours changed their version: onnx's reference implementations know the newest ones only
            (a Softmax-11 is run as Softmax-13), and have nothing to say then.
    """
    outcomes = []
    for runtime, prepare in runtimes().items():
        tally = _Tally(runtime)
        nodes = max(sum(node.op_type != "Constant" for node in model.graph.node) for model in (before, after))
        if runtime == OURS and (converted or nodes > _MOST_NODES_OF_OURS):
            tally.reason = "onnx's reference implementations do not know the old versions of other nodes"
            if not converted:
                tally.reason = f"{nodes} nodes are too many for onnx's reference implementations"
            outcomes.append(tally.outcome())
            continue
        try:
            old_run, new_run = prepare(before), prepare(after)
        except CannotRunError as error:
            tally.reason = str(error)
            outcomes.append(tally.outcome())
            continue
        for feeds in cases:
            try:
                old = old_run(feeds)
            except CannotRunError as error:
                tally.reason = str(error)
                continue
            try:
                tally.add(old, new_run(feeds))
            except CannotRunError as error:
                tally.fail(str(error))
        outcomes.append(tally.outcome())
    return Proof("the whole model", tuple(outcomes))


class _Tally:
    def __init__(self, runtime: str) -> None:
        self._runtime = runtime
        self._inputs = self._values = 0
        self._difference = self._largest = 0.0
        self._equal = True
        self.reason = ""

    def add(self, before: Sequence[Array], after: Sequence[Array]) -> None:
        """Compare the results for one input."""
        self._inputs += 1
        for old, new in zip(before, after, strict=True):
            self._values += int(old.size)
            self._equal = self._equal and same(old, new)
            self._difference = max(self._difference, difference(old, new))
            if old.size and old.dtype.kind not in "OUT":
                magnitudes = np.abs(old.astype(np.complex128 if old.dtype.kind == "c" else np.float64))
                self._largest = max(self._largest, float(magnitudes[np.isfinite(magnitudes)].max(initial=0.0)))

    def fail(self, reason: str) -> None:
        """The old model ran and the new one does not."""
        self._inputs += 1
        self._equal, self._difference, self.reason = False, float("inf"), reason

    def outcome(self) -> Outcome:
        """What there is to say."""
        reason = "" if self._inputs and self._equal else self.reason or "its inputs are too large, or not known"
        return Outcome(self._runtime, self._inputs, self._values, self._equal, self._difference, self._largest, reason)
