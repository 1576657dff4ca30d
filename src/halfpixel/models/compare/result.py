"""What a comparison found, as values that reports are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from halfpixel.models.compare.call_text import command_of
from halfpixel.models.compare.difference import Difference
from halfpixel.models.compare.expected import Expected
from halfpixel.models.readings.search import Cause, Found
from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.plan.elements import Array

EQUAL = "equal"
ROUNDING = "rounding"
TIES = "ties"
DIFFERS = "differs"
ELSEWHERE = "elsewhere"
NOT_RUN = ("refused", "crashed", "timed out")


@dataclass(frozen=True, eq=False)
class RuntimeResult:
    """One node in one runtime.

    Attributes:
        runtime: its name.
        status: EQUAL, every sample is; ROUNDING, differences within the tolerance; TIES, above it, but at ties only;
            DIFFERS; or "refused", "crashed", "timed out".
        words: what it said where it did not run; what was called where it is not plain.
        difference: to the exact result; None where it did not run.
        found: of the search for the cause, where there are differences above the tolerance.
        output: what it gave.
    """

    runtime: str
    status: str
    words: str = ""
    difference: Difference | None = None
    found: Found | None = None
    output: Array | None = field(default=None, repr=False)

    @property
    def above(self) -> bool:
        """Whether a difference is above the tolerance."""
        return self.status in (TIES, DIFFERS)

    @property
    def cause(self) -> Cause | None:
        """The simplest reading that reproduces the output; None where none was found or looked for."""
        return self.found.causes[0] if self.found is not None and self.found.causes else None

    @property
    def why(self) -> str:
        """The cause in words; what came closest where there is none; "" where nothing is to be explained."""
        if self.found is None:
            return ""
        if self.cause is not None:
            return self.cause.words
        closest = self.found.closest
        if closest is None:
            return f"no reading found that gives this shape ({self.found.tried} tried)"
        if not closest.changes:
            return f"no reading found ({self.found.tried} tried), and none comes closer than the standard's"
        return (
            f"no reading found ({self.found.tried} tried); closest: {closest.words}, "
            f"which misses {closest.missed} of {closest.places} samples looked at"
        )


@dataclass(frozen=True, eq=False)
class NodeResult:
    """One node in every runtime.

    Attributes:
        name, scope: of the node.
        label: "Resize-19".
        call: what it was given.
        given: "captured", its inputs in a run of the model; "random", data of the declared shape.
        expected: our exact result; None where the node breaks a rule of its operator.
        error: which rule; "" where there is a result.
        results: one a runtime.
    """

    name: str
    scope: tuple[str, ...]
    label: str
    call: NodeCall | None
    given: str
    expected: Expected | None
    error: str
    results: tuple[RuntimeResult, ...]


@dataclass(frozen=True, eq=False)
class WholeResult:
    """The whole model in one runtime.

    Attributes:
        runtime: its name.
        status: EQUAL, ROUNDING, DIFFERS, "refused", "crashed", "timed out"; ELSEWHERE, outputs differ above the
            tolerance of their type, but every resize-like node agrees, so that another operator is the cause: one of
            the runtime's, or of onnx's reference, which runs the other operators in halfpixel's evaluator.
        words: what it said where it did not run.
        outputs: output -> (largest difference in units, absolute, unit, whether it is above the tolerance). Units are
            those at the output's largest magnitude.
    """

    runtime: str
    status: str
    words: str = ""
    outputs: Mapping[str, tuple[float, float, str, bool]] = field(default_factory=dict)

    @property
    def above(self) -> bool:
        """Whether a difference is above the tolerance."""
        return self.status == DIFFERS


@dataclass(frozen=True, eq=False)
class Comparison:
    """A model compared.

    Attributes:
        path: of the model; None for one from memory.
        runtimes: name -> version.
        nodes: one a resize-like node, in the order of the file.
        whole: one a runtime; empty where the whole model was left out.
        failure: why the model did not run in our evaluator; "" where it did.
        arguments: of the command that repeats it.
    """

    path: Path | None
    runtimes: Mapping[str, str]
    nodes: tuple[NodeResult, ...]
    whole: tuple[WholeResult, ...]
    failure: str
    arguments: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether any difference is above its tolerance."""
        return any(one.above for node in self.nodes for one in node.results) or any(one.above for one in self.whole)

    @property
    def command(self) -> str:
        """The command line that repeats the comparison."""
        return command_of(self.path, self.arguments)

    def command_for(self, node: str, runtime: str) -> str:
        """The command line that repeats it for one node in one runtime."""
        with_, *rest = self.arguments[1:]
        del with_
        return command_of(self.path, ("--with", runtime, "--node", node, *rest))

    def as_data(self) -> dict[str, Any]:
        """Everything but the arrays, as plain data."""
        from halfpixel.models.compare.data import as_data

        return as_data(self)

    def sarif(self) -> dict[str, Any]:
        """The differences as SARIF 2.1.0."""
        from halfpixel.models.compare.findings import as_sarif

        return as_sarif(self)

    def junit(self) -> str:
        """Every node in every runtime as a JUnit test."""
        from halfpixel.models.compare.findings import as_junit

        return as_junit(self)

    def html(self) -> str:
        """A page of its own with pictures of every difference."""
        from halfpixel.models.compare.page import page

        return page(self)
