"""What each resize-like node of a model is given: recorded while halfpixel's evaluator runs the whole model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from halfpixel.models.model import Model
from halfpixel.models.sites import Site
from halfpixel.plan.elements import Array


@dataclass(frozen=True, eq=False)
class Call:
    """The first call of a node: its inputs, and its attributes with those of the function around it filled in."""

    inputs: tuple[Array | None, ...]
    attributes: Mapping[str, Any]


Key = tuple[str, str, str]
"""Operator, name and first output of a node. Two nodes of different functions may share them; the first one counts."""


@dataclass(eq=False)
class Run:
    """One run of a model.

    Attributes:
        outputs: name -> value of every output; empty where it failed.
        calls: what the nodes were given, until it failed.
        failure: why it failed; "" where it did not.
    """

    outputs: dict[str, Any] = field(default_factory=dict)
    calls: dict[Key, Call] = field(default_factory=dict)
    failure: str = ""

    def call(self, site: Site) -> Call | None:
        """What a node was given; None where it was not reached."""
        return self.calls.get((site.op_type, site.node.name or "", _first_output(site)))


def run_recorded(model: Model, feeds: Mapping[str, Array]) -> Run:
    """Run a model with halfpixel's operators and onnx's reference for the rest, and record."""
    # Imported here: onnx takes its time.
    import numpy as np

    from halfpixel.models.compare.recording import recording_evaluator
    from halfpixel.peers.runtimes.outcome import said

    run = Run()
    try:
        evaluator = recording_evaluator(model.proto(), run.calls)
        given = {name: value for name, value in feeds.items() if name in evaluator.input_names}
        with np.errstate(all="ignore"):
            results = evaluator.run(None, given)
        run.outputs = dict(zip(evaluator.output_names, results, strict=True))
    except Exception as error:  # whatever the implementation of another operator raises
        run.failure = said(error)
    return run


def _first_output(site: Site) -> str:
    return (site.node.outputs[0].name or "") if site.node.outputs else ""
