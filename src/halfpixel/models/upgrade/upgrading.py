"""Bring a model to another opset: our four operators by the table, all others by onnx's converter, then the proof."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halfpixel._errors import ModelError
from halfpixel.models.editing import Names, Patch, all_nodes, bodies
from halfpixel.models.model import Model
from halfpixel.models.proving import Proof, fragment_of, prove_fragment
from halfpixel.models.proving.checking import check_result, proto_or_none, prove_whole
from halfpixel.models.proving.samples import cases_of
from halfpixel.models.reading import load
from halfpixel.models.refusals import ChoiceError, NoEqualError
from halfpixel.models.saving import save
from halfpixel.models.shapes import infer_shapes
from halfpixel.models.sites import OP_TYPES, Site, find_sites
from halfpixel.models.upgrade.others import Others
from halfpixel.models.upgrade.reading import ASSUMPTIONS
from halfpixel.models.upgrade.sites import Target, patch_of

if TYPE_CHECKING:
    import onnx_ir

    from halfpixel.models.reading import Source

FIRST_OPSET = 7
"""The oldest opset to go to; the four operators of earlier ones are experiments that no runtime has."""


@dataclass(frozen=True)
class Change:
    """One node that was rewritten.

    Attributes:
        name, scope: of the node, as ``ls`` lists it.
        before: "Upsample-9".
        after: labels of what stands there now: "Resize-19", "Gather".
        proof: before and after on the same inputs.
    """

    name: str
    scope: tuple[str, ...]
    before: str
    after: tuple[str, ...]
    proof: Proof

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        place = {"name": self.name, "scope": list(self.scope), "before": self.before, "after": list(self.after)}
        return {**place, "proof": self.proof.as_data()}


@dataclass(frozen=True)
class Upgraded:
    """A model in another opset.

    Attributes:
        model: the new one.
        opset_before, opset: of the default domain.
        changes: our nodes that were rewritten.
        others: how many other nodes onnx's converter changed.
        proof: of the whole model.
    """

    model: Model
    opset_before: int
    opset: int
    changes: tuple[Change, ...]
    others: int
    proof: Proof

    @property
    def equal(self) -> bool:
        """Every runtime that ran both sides found the same bits, in every place and in the whole."""
        return all(proof.equal for proof in (self.proof, *(change.proof for change in self.changes)))

    def as_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "opset_before": self.opset_before,
            "opset": self.opset,
            "changes": [change.as_data() for change in self.changes],
            "others": self.others,
            "whole_model": self.proof.as_data(),
            "equal": self.equal,
        }


def upgrade(
    source: Source, out: str | os.PathLike[str] | None = None, *, opset: int = 19, assume: str | None = None
) -> Upgraded:
    """Bring a model to an opset, with the numbers of every Resize, Upsample, DepthToSpace and SpaceToDepth kept.

    Upsample and Resize-10 become a Resize with the coordinates "asymmetric", whose nearest rounds down on axes that
    grow and up on axes that shrink; a node that does both becomes two. Everything else keeps its words, or takes those
    of the wanted version that mean the same. All other nodes go through onnx's version converter. Subgraphs and local
    functions are converted as well.

    Args:
        source: a model, or where to read it.
        out: the file to write; None writes none.
        opset: of the default domain, 7 or later; below the model's own it is a downgrade, where that is exact.
        assume: for nearest of Resize-10 with scales that only the run knows: "grow", "shrink" or "either".

    Raises:
        ModelError: HP435 a node has no equal in the opset, HP436 a node needs ``assume``, HP437 onnx's converter fails,
            HP438 no such opset, HP440 the numbers changed, HP441 onnx's checker refuses the result, HP442 another word
            for ``assume``; what ``load`` and ``save`` raise. Nothing is written then.

    Example:
        >>> import onnx
        >>> from onnx.parser import parse_model
        >>> old = parse_model('''<ir_version: 8, opset_import: ["": 9]>
        ... g (float[1,1,2,2] x) => (float[1,1,4,4] y) <float[4] s = {1, 1, 2, 2}> { y = Upsample(x, s) }''')
        >>> new = upgrade(old, opset=19)
        >>> [(change.before, change.after, change.proof.equal) for change in new.changes]
        [('Upsample-9', ('Resize-19',), True)]
    """
    _check_request(opset, assume)
    original = load(source)
    before = proto_or_none(original)
    model = Model(original.ir.clone(), original.path)
    imports = model.ir.graph.opset_imports
    opset_before = imports.get("", imports.get("ai.onnx", 0))
    names = Names(model.ir)
    others, refusals = _convert_others(model, opset, names)
    changes = _convert_sites(model, Target(opset, assume), names, refusals)
    _import_opset(model.ir, opset)
    after = proto_or_none(model)
    check_result(before, after)
    upgraded = Upgraded(
        model, opset_before, opset, changes, others, prove_whole(original, before, after, others > 0, assume)
    )
    _check_proofs(upgraded)
    if out is not None:
        save(model, Path(out))
    return upgraded


def _check_request(opset: int, assume: str | None) -> None:
    import onnx

    newest = onnx.defs.onnx_opset_version()
    if type(opset) is not int or not FIRST_OPSET <= opset <= newest:
        raise ModelError(
            "HP438",
            f"models are not brought to opset {opset}",
            given=f"opset={opset!r}",
            allowed=f"{FIRST_OPSET} to {newest}, the newest that onnx {onnx.__version__} knows",
            do="choose one of these; 19 is the newest version of Resize, 28 of DepthToSpace and SpaceToDepth",
        )
    if assume is not None and assume not in ASSUMPTIONS:
        raise ModelError(
            "HP442",
            f"{assume!r} is not a word for what scales do",
            given=f"assume={assume!r}",
            allowed=", ".join(ASSUMPTIONS),
            do="say what all nearest scales are that the model computes",
        )


def _convert_others(model: Model, opset: int, names: Names) -> tuple[int, list[tuple[str, NoEqualError]]]:
    """Convert all nodes of the default domain that are none of ours; return how many changed, and what cannot be."""
    refusals: list[tuple[str, NoEqualError]] = []
    changed = 0
    for graph, imports in bodies(model.ir):
        held = imports.get("", imports.get("ai.onnx"))
        nodes = [node for node in graph.all_nodes() if node.domain == "" and node.op_type not in OP_TYPES]
        if held is None or held == opset or not nodes:
            continue
        converter = Others(names, held, opset)
        infer_shapes(model, [value for node in nodes for value in node.inputs if converter.concerns(node)])
        for node in nodes:
            try:
                changed += converter.convert(node)
            except NoEqualError as error:
                refusals.append((node.name or node.outputs[0].name or node.op_type, error))
    if refusals:
        raise _refused("HP437", "onnx's version converter cannot bring every node there", refusals)
    return changed, refusals


def _convert_sites(
    model: Model, target: Target, names: Names, refusals: list[tuple[str, NoEqualError]]
) -> tuple[Change, ...]:
    patches = []
    for site in find_sites(model):
        try:
            made = patch_of(site, target, names)
        except NoEqualError as error:
            refusals.append((site.name, error))
            continue
        if made is not None:
            patches.append((site, *made))
    if refusals:
        raise _not_equal(refusals, target)
    return tuple(_put(site, patch, output, target) for site, patch, output in patches)


def _put(site: Site, patch: Patch, output: onnx_ir.Value, target: Target) -> Change:
    """Prove one place, then put the new nodes there."""
    x = site.value("X")
    before = fragment_of([site.node], site.node.outputs[0], site.opset, site.attributes, [x])
    after = fragment_of(patch.nodes, output, target.opset, site.attributes, [x])
    cases = cases_of(site, target.assume, shorten=True)
    proof = prove_fragment(site.name, before, after, cases, site.element_type or "float32")
    labels = tuple(_label(node, target.opset) for node in patch.nodes if node.op_type != "Constant")
    patch.put(site.node, [output])
    return Change(site.name, site.scope, f"{site.op_type}-{site.version}", labels, proof)


def _label(node: onnx_ir.Node, opset: int) -> str:
    from halfpixel.spec.operators import since_version

    return f"{node.op_type}-{since_version(node.op_type, opset)}" if node.op_type in OP_TYPES else node.op_type


def _import_opset(model: onnx_ir.Model, opset: int) -> None:
    """Write the opset into the model and its functions, and the ir_version that it needs at least."""
    from onnx.helper import find_min_ir_version_for, make_opsetid

    for _, imports in bodies(model):
        if "" in imports or "ai.onnx" in imports:
            imports.pop("ai.onnx", None)
            imports[""] = opset
    for node in all_nodes(model):
        node.version = opset if node.domain == "" and node.version is not None else node.version
    model.ir_version = max(model.ir_version, find_min_ir_version_for([make_opsetid("", opset)], True))


def _check_proofs(upgraded: Upgraded) -> None:
    """Refuse a result in which our own evaluator finds another number: then the conversion is at fault."""
    for proof in (*(change.proof for change in upgraded.changes), upgraded.proof):
        wrong = [one for one in proof.outcomes if one.runtime == "halfpixel" and not one.equal]
        if wrong:
            raise ModelError(
                "HP440",
                "the rewritten model has other numbers than the old one; nothing was written",
                given=f"{proof.name}: {wrong[0].words()}",
                allowed="the same bits before and after",
                do="please report this model: every conversion here is meant to be exact",
            )


def _not_equal(refusals: Sequence[tuple[str, NoEqualError]], target: Target) -> ModelError:
    if all(isinstance(error, ChoiceError) for _, error in refusals):
        return _refused(
            "HP436",
            f"opset {target.opset} needs a choice that only you can make; nothing was written",
            refusals,
            allowed="assume 'grow' (every scale is 1 or more; one node), 'shrink' (1 or less; one node), or 'either' "
            "(any scale; two nodes, with Max and Min of the scales)",
            do="pass --assume grow, --assume shrink or --assume either",
        )
    return _refused("HP435", f"opset {target.opset} cannot say what the model says; nothing was written", refusals)


def _refused(
    code: str,
    sentence: str,
    refusals: Sequence[tuple[str, NoEqualError]],
    allowed: str = "nodes that have an equal in the wanted opset",
    do: str = "choose another opset, or change these nodes",
) -> ModelError:
    shown = "; ".join(f"{name}: {error}" for name, error in refusals[:_MOST_SHOWN])
    more = f"; and {len(refusals) - _MOST_SHOWN} more" if len(refusals) > _MOST_SHOWN else ""
    return ModelError(code, sentence, given=shown + more, allowed=allowed, do=do)


_MOST_SHOWN = 5
