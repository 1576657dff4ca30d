"""Compare a model's resize-like nodes, and the whole model, with other runtimes, and say why they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from halfpixel._errors import HalfpixelError, ModelError
from halfpixel.models.compare.capture import Run, run_recorded
from halfpixel.models.compare.feeds import feeds_of
from halfpixel.models.compare.nodes import call_of, compare_node
from halfpixel.models.compare.result import Comparison, NodeResult, RuntimeResult, WholeResult
from halfpixel.models.compare.whole import compare_whole
from halfpixel.models.reading import load
from halfpixel.models.sites import Site, find_site, find_sites
from halfpixel.peers.runtimes import RuntimeProcess, installed

if TYPE_CHECKING:
    from halfpixel.models.reading import Source

__all__ = ["Comparison", "NodeResult", "RuntimeResult", "WholeResult", "compare"]


def compare(
    model: Source,
    with_: Sequence[str] | None = None,
    *,
    inputs: Mapping[str, Any] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    seed: int = 0,
    tolerance: float | None = None,
    model_tolerance: float | None = None,
    nodes: Sequence[str] | None = None,
    whole: bool = True,
    random: bool = False,
    seconds: float = 300.0,
) -> Comparison:
    """Feed each resize-like node the same input in each runtime, and compare with the exact result.

    The input of a node is what it gets when the whole model runs in halfpixel's evaluator. Where the model does not run
    up to it, it is random data of the declared shape.

    Example:
        >>> comparison = halfpixel.models.compare("model.onnx", ["onnxruntime", "openvino"])
        >>> comparison.differs
        True
        >>> comparison.nodes[0].results[1].why
        'antialias ignored'

    Args:
        model: a path, bytes, ModelProto, onnx_ir.Model or Model.
        with_: names of runtimes, see halfpixel.peers.runtimes.RUNTIMES; None takes the installed ones.
        inputs: input -> array.
        shapes: input, or name of a node -> shape of random data.
        seed: of random data.
        tolerance: largest difference of a node that counts as none: units in the last place for floats, 1 for
            integers; None takes the element type's, see default_tolerance. 0: only equal numbers are equal.
        model_tolerance: the same for outputs of the whole model, in units of each output's largest magnitude. None
            takes 4096 for float32 (see whole.TOLERANCES), and does not count outputs that differ in a runtime in which
            every node agrees: another operator is the cause then.
        nodes: names of nodes; None takes all.
        whole: whether the whole model is compared too.
        random: feed the nodes random data of their declared shape, without running the model.
        seconds: the limit for one node or model in one runtime.

    Raises:
        ModelError: HP4xx the model cannot be read, HP430-432 a name or shape.
        MissingExtraError: HP900 a runtime is not installed.
    """
    loaded = load(model)
    names = installed() if with_ is None else list(with_)
    sites = find_sites(loaded) if nodes is None else [find_site(loaded, name) for name in nodes]
    given, known = dict(inputs or {}), dict(shapes or {})
    of_nodes = {site.name: known.pop(site.name) for site in sites if site.name in known}
    with ExitStack() as stack:
        runtimes = [stack.enter_context(RuntimeProcess(name, seconds)) for name in names]
        for runtime in runtimes:
            runtime.start()
        run, feeds = Run(failure="not run: random data was asked for"), {}
        if not random:
            feeds = feeds_of(loaded, sites, given, known, seed)
            run = run_recorded(loaded, feeds)
        results = tuple(_node(site, run, of_nodes.get(site.name), seed, runtimes, tolerance) for site in sites)
        outputs = run.outputs if whole else {}
        differing = {one.runtime for node in results for one in node.results if one.above}
        wholes = compare_whole(loaded, feeds, outputs, runtimes, model_tolerance, differing) if outputs else ()
    versions = {runtime.name: runtime.version for runtime in runtimes}
    return Comparison(loaded.path, versions, results, wholes, run.failure, _arguments(names, seed, tolerance, known))


def _node(
    site: Site,
    run: Run,
    shape: Sequence[int] | None,
    seed: int,
    runtimes: Sequence[RuntimeProcess],
    tolerance: float | None,
) -> NodeResult:
    try:
        call, given = call_of(site, run, shape, seed)
    except (ModelError, HalfpixelError) as error:
        words = f"[{error.code}] {error.sentence}"
        return NodeResult(site.name, site.scope, f"{site.op_type}-{site.version}", None, "", None, words, ())
    return compare_node(site, call, given, runtimes, tolerance)


def _arguments(
    names: Sequence[str], seed: int, tolerance: float | None, shapes: Mapping[str, Sequence[int]]
) -> tuple[str, ...]:
    arguments = ["--with", ",".join(names)]
    arguments += ["--seed", str(seed)] if seed else []
    arguments += ["--tolerance", f"{tolerance:g}"] if tolerance is not None else []
    for name, shape in shapes.items():
        arguments += ["--shape", f"{name}=" + ",".join(str(length) for length in shape)]
    return tuple(arguments)
