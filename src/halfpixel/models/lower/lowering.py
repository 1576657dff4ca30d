"""Replace the resize-like nodes of a model by other operators, and measure the difference."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halfpixel._errors import ModelError
from halfpixel.models.editing import Names, Patch
from halfpixel.models.lower.convtranspose import by_convtranspose
from halfpixel.models.lower.gather import by_gather
from halfpixel.models.lower.matmul import by_matmul
from halfpixel.models.lower.reshape import by_reshape
from halfpixel.models.model import Model
from halfpixel.models.proving import Proof, fragment_of, prove_fragment
from halfpixel.models.proving.checking import check_result, proto_or_none, prove_whole
from halfpixel.models.proving.samples import cases_of
from halfpixel.models.reading import load
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.saving import save
from halfpixel.models.sites import Site, find_site, find_sites

if TYPE_CHECKING:
    import onnx_ir

    from halfpixel.models.reading import Source

    Way = Callable[[Site, onnx_ir.Value, Patch], onnx_ir.Value]

WAYS: dict[str, Way] = {
    "reshape": by_reshape,
    "gather": by_gather,
    "matmul": by_matmul,
    "convtranspose": by_convtranspose,
}
"""Target -> what writes a node with it."""

EXACT = frozenset({"reshape", "gather"})
"""Targets that give the same bits; the others round in another order."""


_FIRST_OPSET = 9
"""From here on a Constant may hold any element type."""


@dataclass(frozen=True)
class Lowering:
    """One node that was replaced.

    Attributes:
        name, scope: of the node, as ``ls`` lists it.
        before: "Resize-19".
        after: the operators that stand there now.
        to: the target that could say it.
        proof: before and after on the same inputs.
    """

    name: str
    scope: tuple[str, ...]
    before: str
    after: tuple[str, ...]
    to: str
    proof: Proof

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        place = {"name": self.name, "scope": list(self.scope), "before": self.before, "after": list(self.after)}
        return {**place, "to": self.to, "exact": self.to in EXACT, "proof": self.proof.as_data()}


@dataclass(frozen=True)
class Lowered:
    """A model without resize-like nodes, or without the chosen ones.

    Attributes:
        model: the new one.
        changes: the nodes that were replaced.
        proof: of the whole model.
    """

    model: Model
    changes: tuple[Lowering, ...]
    proof: Proof

    @property
    def as_promised(self) -> bool:
        """Nodes that went to an exact target have the same bits in every runtime that ran both sides."""
        return all(change.proof.equal for change in self.changes if change.to in EXACT)

    def as_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {"changes": [change.as_data() for change in self.changes], "whole_model": self.proof.as_data()}


def lower(
    source: Source,
    out: str | os.PathLike[str] | None = None,
    *,
    to: str | Sequence[str] = "matmul",
    nodes: Sequence[str] = (),
) -> Lowered:
    """Say every resize-like node with other operators.

    - "reshape": DepthToSpace and SpaceToDepth as Reshape, Transpose, Reshape; nearest with whole scales as Reshape,
      Expand, Reshape. Bit for bit.
    - "gather": nearest with known lengths as a Gather an axis. Bit for bit.
    - "matmul": any mode with known lengths as a MatMul an axis. Differs by rounding.
    - "convtranspose": growth by whole scales as edge Pad, depthwise ConvTranspose, Slice. Differs by rounding.

    Args:
        source: a model, or where to read it.
        out: the file to write; None writes none.
        to: a target, or several: each node goes to the first that can say it.
        nodes: names as ``ls`` lists them; none means all.

    Raises:
        ModelError: HP439 a node has no equal there, HP440 an exact target gave other numbers, HP441 onnx's checker
            refuses the result, HP443 no such target, HP414 no such node. Nothing is written then.

    Example:
        >>> from onnx.parser import parse_model
        >>> old = parse_model('''<ir_version: 8, opset_import: ["": 13]>
        ... g (float[1,4,2,2] x) => (float[1,1,4,4] y) { y = DepthToSpace<blocksize = 2>(x) }''')
        >>> [(change.after, change.proof.equal) for change in lower(old, to="reshape").changes]
        [(('Reshape', 'Transpose', 'Reshape'), True)]
    """
    targets = _targets(to)
    original = load(source)
    before = proto_or_none(original)
    model = Model(original.ir.clone(), original.path)
    for name in nodes:
        find_site(model, name)
    sites = [site for site in find_sites(model) if not nodes or site.name in nodes]
    names = Names(model.ir)
    made, refusals = [], []
    for site in sites:
        try:
            made.append((site, *_patch(site, targets, names)))
        except NoEqualError as error:
            refusals.append((site.name, error))
    if refusals:
        raise _refused(refusals, targets)
    changes = tuple(_put(site, target, patch, output) for site, target, patch, output in made)
    after = proto_or_none(model)
    check_result(before, after)
    lowered = Lowered(model, changes, prove_whole(original, before, after))
    if out is not None:
        save(model, Path(out))
    return lowered


def _targets(to: str | Sequence[str]) -> list[str]:
    targets = [to] if isinstance(to, str) else list(to)
    if not targets or any(target not in WAYS for target in targets):
        raise ModelError(
            "HP443",
            "no target that nodes are lowered to",
            given=f"to={to!r}",
            allowed=", ".join(WAYS),
            do="choose one of these, or several: each node goes to the first that can say it",
        )
    return targets


def _patch(site: Site, targets: Sequence[str], names: Names) -> tuple[str, Patch, onnx_ir.Value]:
    """The nodes of the first target that can say a site."""
    x = site.value("X")
    if x is None:
        raise NoEqualError(f"{site.op_type} without data has no meaning")
    if site.opset < _FIRST_OPSET:
        raise NoEqualError(f"opset {site.opset} has no constants of integers: upgrade the model first")
    if site.references:
        raise NoEqualError(f"its {site.references[0]!r} is an attribute of the function around it: inline it first")
    reasons = []
    for target in targets:
        patch = Patch(names, site.node.name or site.node.outputs[0].name or site.name)
        try:
            return target, patch, WAYS[target](site, x, patch)
        except NoEqualError as error:
            reasons.append(str(error) if len(targets) == 1 else f"to {target}: {error}")
    raise NoEqualError("; ".join(reasons))


def _put(site: Site, target: str, patch: Patch, output: onnx_ir.Value) -> Lowering:
    """Prove or measure one place, then put the new nodes there."""
    x = site.value("X")
    if not patch.nodes:  # a resize that changes nothing
        (output,) = patch.add("Identity", [output], {}, "same")
    before = fragment_of([site.node], site.node.outputs[0], site.opset, site.attributes, [x])
    after = fragment_of(patch.nodes, output, site.opset, None, [x])
    proof = prove_fragment(
        site.name, before, after, cases_of(site, finite=target not in EXACT), site.element_type or "float32"
    )
    wrong = [one for one in proof.outcomes if target in EXACT and one.runtime == "halfpixel" and not one.equal]
    if wrong:
        raise ModelError(
            "HP440",
            "the rewritten model has other numbers than the old one; nothing was written",
            given=f"{proof.name}: {wrong[0].words()}",
            allowed=f"the same bits before and after: {target} is exact",
            do="please report this model",
        )
    labels = tuple(node.op_type for node in patch.nodes if node.op_type != "Constant")
    patch.put(site.node, [output])
    return Lowering(site.name, site.scope, f"{site.op_type}-{site.version}", labels, target, proof)


def _refused(refusals: Sequence[tuple[str, NoEqualError]], targets: Sequence[str]) -> ModelError:
    shown = "; ".join(f"{name}: {error}" for name, error in refusals[:5])
    return ModelError(
        "HP439",
        f"a node cannot be said with {' or '.join(targets)}; nothing was written",
        given=shown + (f"; and {len(refusals) - 5} more" if len(refusals) > 5 else ""),
        allowed="reshape: whole nearest scales, DepthToSpace, SpaceToDepth; gather: nearest of known lengths; "
        "matmul: any mode of known lengths; convtranspose: growth by whole scales",
        do="choose another target, several (--to reshape,gather,matmul), or only some nodes (--node)",
    )
