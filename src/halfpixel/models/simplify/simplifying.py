"""Bring back to one node what exporters write as many, and prove that the numbers stay."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel._errors import ModelError
from halfpixel.models.editing import Names, Patch, bodies
from halfpixel.models.model import Model
from halfpixel.models.proving import Proof, fragment_of, prove_fragment
from halfpixel.models.proving.checking import check_result, proto_or_none, prove_whole
from halfpixel.models.proving.inputs import Feeds, extreme_array, moderate_array, random_array
from halfpixel.models.proving.samples import cases_of
from halfpixel.models.reading import load
from halfpixel.models.saving import save
from halfpixel.models.shapes import element_type_of, infer_shapes, shape_of
from halfpixel.models.simplify.averages import area_lengths, area_regions, put_area
from halfpixel.models.simplify.constants import Fixed, fixed_input
from halfpixel.models.simplify.moves import Move, chains, is_end, one_move
from halfpixel.models.simplify.regions import Region
from halfpixel.models.sites import Site, find_sites
from halfpixel.spec.operators import operator_of, since_version

if TYPE_CHECKING:
    import onnx_ir

    from halfpixel.models.reading import Source

_FIRST_OPSET = 11
"""From here on a Resize can say what the exporters mean."""

_LENGTHS = (8, 12, 6, 16)
"""For lengths that the model leaves open, where a place is proved."""


@dataclass(frozen=True)
class Simplification:
    """One place that was rewritten.

    Attributes:
        name: of its last node.
        scope: where it stands, as ``ls`` shows it; () also for a subgraph, whose nodes have their names.
        before: what stood there, "GatherND and 2 more".
        after: the operators that stand there now.
        seen: how the equality is known: "all samples compared", "computed for 50 shapes".
        exact: bit for bit; else the same up to rounding.
        proof: before and after on the same inputs.
    """

    name: str
    scope: tuple[str, ...]
    before: str
    after: tuple[str, ...]
    seen: str
    exact: bool
    proof: Proof

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        place = {"name": self.name, "scope": list(self.scope), "before": self.before, "after": list(self.after)}
        return {**place, "seen": self.seen, "exact": self.exact, "proof": self.proof.as_data()}


@dataclass(frozen=True)
class Simplified:
    """A model with fewer nodes.

    Attributes:
        model: the new one.
        nodes_before, nodes: how many there were and are, constants not counted.
        changes: what was rewritten.
        proof: of the whole model.
    """

    model: Model
    nodes_before: int
    nodes: int
    changes: tuple[Simplification, ...]
    proof: Proof

    @property
    def equal(self) -> bool:
        """Every exact change has the same bits in every runtime that ran both sides."""
        return all(change.proof.equal for change in self.changes if change.exact)

    def as_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        counts = {"nodes_before": self.nodes_before, "nodes": self.nodes}
        return {**counts, "changes": [one.as_data() for one in self.changes], "whole_model": self.proof.as_data()}


def simplify(source: Source, out: str | os.PathLike[str] | None = None, *, rounding: bool = False) -> Simplified:
    """Bring back to one node what exporters write as many.

    - Nodes that only move samples (torch's nearest-exact as GatherND, pixel shuffles as Reshape and Transpose, pairs
      that cancel) become one Resize, DepthToSpace or SpaceToDepth, or nothing. What they take is read off by moving
      the places' own numbers: equal for every sample. Where lengths are open it is compared on some fifty shapes.
    - Scales and sizes that are computed but always the same become constants.
    - With ``rounding``: torch's area, windows gathered and added up in dozens of nodes, becomes one AveragePool or one
      MatMul an axis, which add up in another order.

    Args:
        source: a model, or where to read it.
        out: the file to write; None writes none.
        rounding: allow rewritings that change results by rounding; the difference is measured.

    Raises:
        ModelError: HP440 a rewritten place has other numbers, HP441 onnx's checker refuses the result; what ``load``
            and ``save`` raise. Nothing is written then.
    """
    original = load(source)
    before = proto_or_none(original)
    model = Model(original.ir.clone(), original.path)
    nodes_before = _count(model)
    infer_shapes(model, [value for node in _nodes(model) for value in node.outputs])
    names = Names(model.ir)
    changes = [*_moves(model, names), *(_areas(model, names) if rounding else ()), *_constants(model, names)]
    for change in changes:
        _check(change)
    after = proto_or_none(model)
    check_result(before, after)
    result = Simplified(model, nodes_before, _count(model), tuple(changes), prove_whole(original, before, after))
    if out is not None:
        save(model, Path(out))
    return result


def _nodes(model: Model) -> list[onnx_ir.Node]:
    return [node for graph, _ in bodies(model.ir) for node in graph.all_nodes()]


def _count(model: Model) -> int:
    return sum(node.op_type != "Constant" for node in _nodes(model))


def _ends(model: Model) -> Iterator[tuple[onnx_ir.Node, int]]:
    """Every node with the opset where it stands, the last first: what a rewriting drops was not looked at yet."""
    for graph, imports in bodies(model.ir):
        opset = imports.get("", imports.get("ai.onnx", 0))
        if opset >= _FIRST_OPSET:
            for node in reversed(list(graph.all_nodes())):
                if node.graph is not None:
                    yield node, opset


def _moves(model: Model, names: Names) -> Iterator[Simplification]:
    for node, opset in _ends(model):
        if not is_end(node):
            continue
        for region in chains(node, opset):
            if len(region.nodes) < 2 and not _may_be_nothing(region):
                continue
            move = one_move(region)
            if move is not None and (len(region.nodes) > 1 or move.op_type == "Identity"):
                yield _put_move(region, move, names)
                break


def _may_be_nothing(region: Region) -> bool:
    """True for one Resize whose output is known to have the lengths of its input."""
    before, after = shape_of(region.x), shape_of(region.y)
    return region.nodes[0].op_type in ("Resize", "Upsample") and before is not None and before == after


def _put_move(region: Region, move: Move, names: Names) -> Simplification:
    patch = Patch(names, region.y.name or "simplified")
    if move.op_type == "Resize":
        version = since_version("Resize", region.opset)
        values = {"roi": None, "scales": move.scales, "sizes": move.sizes}
        inputs: list[onnx_ir.Value | None] = [region.x]
        for entry in operator_of("Resize", version).inputs[1:]:
            given = values[entry.name]
            if given is None and not entry.optional:
                given = ()
            dtype = np.int64 if entry.name == "sizes" else np.float32
            inputs.append(None if given is None else patch.constant(np.array(given, dtype), entry.name))
        while inputs[-1] is None:
            inputs.pop()
        output = patch.add("Resize", inputs, move.attributes, "resize")[0]
    else:
        output = patch.add(move.op_type, [region.x], move.attributes, "moved")[0]
    return _put(region, patch, output, move.seen, exact=True)


def _areas(model: Model, names: Names) -> Iterator[Simplification]:
    for node, opset in _ends(model):
        for region in area_regions(node, opset):
            out_shape = area_lengths(region)
            if out_shape is not None:
                patch = Patch(names, region.y.name or "area")
                yield _put(
                    region, patch, put_area(region, out_shape, patch), "three random inputs compared", exact=False
                )


def _put(region: Region, patch: Patch, output: onnx_ir.Value, seen: str, exact: bool) -> Simplification:
    """Prove one place, then put the new nodes there."""
    element = element_type_of(region.x) or "float32"
    shape = region.in_shape or ()
    cases: list[Feeds] = []
    for number, lengths in enumerate((_LENGTHS, _LENGTHS[::-1])):
        filled = [lengths[axis % 4] if n is None else n for axis, n in enumerate(shape)]
        for make in (random_array, extreme_array if exact else moderate_array):
            cases.append({region.x.name or "": make(filled, element, number)})
        if None not in shape:
            break
    last = region.nodes[-1]
    after = fragment_of(patch.nodes, output, region.opset, None, [region.x])
    name = last.name or region.y.name or last.op_type
    proof = prove_fragment(name, region.fragment(), after, cases, element)
    labels = tuple(node.op_type for node in patch.nodes if node.op_type != "Constant")
    before = _described(region.nodes)
    patch.put(last, [output])
    return Simplification(name, (), before, labels, seen, exact, proof)


def _described(nodes: tuple[onnx_ir.Node, ...]) -> str:
    """The most telling operator of a region, and how many more nodes it has."""
    telling = ("Resize", "Upsample", "DepthToSpace", "SpaceToDepth", "GatherND", "Gather", "Expand", "Reshape")
    kinds = [node.op_type for node in nodes]
    first = next((kind for kind in telling if kind in kinds), kinds[0])
    return first if len(kinds) == 1 else f"{first} and {len(kinds) - 1} more"


def _constants(model: Model, names: Names) -> Iterator[Simplification]:
    for site in find_sites(model):
        if site.op_type == "Resize" and not site.references:
            found = fixed_input(site)
            if found is not None:
                yield _put_constant(site, found, names)


def _put_constant(site: Site, found: Fixed, names: Names) -> Simplification:
    """The same node with a constant instead of what computed it."""
    x = site.value("X")
    assert x is not None
    patch = Patch(names, site.node.name or site.name)
    dtype = np.int64 if found.name == "sizes" else np.float32
    inputs: list[onnx_ir.Value | None] = [x]
    for entry in site.operator.inputs[1:]:
        if entry.name == found.name:
            inputs.append(patch.constant(np.array(found.values, dtype), found.name))
        elif entry.name == "roi":
            inputs.append(site.value("roi"))
        elif not entry.optional:
            inputs.append(patch.constant(np.zeros(0, np.float32), entry.name))
        else:
            inputs.append(None)
    while inputs[-1] is None:
        inputs.pop()
    attributes: dict[str, Any] = dict(site.node.attributes)
    if found.axes is not None:
        attributes["axes"] = list(found.axes)
    output = patch.add("Resize", inputs, attributes, "constant")[0]
    before = fragment_of([site.node], site.node.outputs[0], site.opset, None, [x])
    after = fragment_of(patch.nodes, output, site.opset, None, [x])
    proof = prove_fragment(site.name, before, after, _constant_cases(site, found), site.element_type or "float32")
    source = site.source("sizes" if site.given("sizes") else "scales")
    patch.put(site.node, [output])
    label = f"Resize with constant {found.name}"
    return Simplification(site.name, site.scope, f"Resize, {source}", (label,), found.seen, True, proof)


def _constant_cases(site: Site, found: Fixed) -> list[Feeds]:
    """The node's own inputs; what computed the sizes gives what it was seen to give."""
    x, sizes = site.value("X"), site.value("sizes")
    cases = cases_of(site)
    if x is None or sizes is None or not cases or (sizes.name or "") not in cases[0]:
        return cases
    return [{**feeds, sizes.name or "": _sizes(feeds[x.name or ""].shape, found)} for feeds in cases]


def _sizes(shape: tuple[int, ...], found: Fixed) -> np.ndarray[Any, Any]:
    """The sizes of all axes that constant scales or sizes stand for."""
    if found.name == "scales":
        return np.array([int(n * k) for n, k in zip(shape, found.values, strict=True)], np.int64)
    sizes = list(shape)
    for axis, size in zip(found.axes or range(len(shape)), found.values, strict=True):
        sizes[axis] = int(size)
    return np.array(sizes, np.int64)


def _check(change: Simplification) -> None:
    wrong = [one for one in change.proof.outcomes if change.exact and one.runtime == "halfpixel" and not one.equal]
    if wrong:
        raise ModelError(
            "HP440",
            "the rewritten model has other numbers than the old one; nothing was written",
            given=f"{change.name}: {wrong[0].words()}",
            allowed="the same bits before and after",
            do="please report this model",
        )
