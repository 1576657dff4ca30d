"""What every rewritten model goes through before it is written: onnx's checker, then the proof of the whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from halfpixel._errors import ModelError
from halfpixel.models.model import Model
from halfpixel.models.proving.inputs import Array, Feeds, random_array
from halfpixel.models.proving.proof import Outcome, Proof, prove_model
from halfpixel.models.proving.samples import input_of
from halfpixel.models.shapes import element_type_of, shape_of
from halfpixel.models.sites import find_sites

if TYPE_CHECKING:
    import onnx

_LENGTHS = (64, 32, 16, 48, 8, 4, 2)
"""Tried in this order for lengths of inputs that the model leaves open: nets want multiples of powers of two."""

_MOST_VALUES = 1 << 24
"""A model whose declared inputs are larger is not run whole."""


def proto_or_none(model: Model) -> onnx.ModelProto | None:
    """Return the model as one message, None where it is too long for one."""
    try:
        return model.proto()
    except ModelError:
        return None


def check_result(before: onnx.ModelProto | None, after: onnx.ModelProto | None) -> None:
    """Run onnx's checker with full shape inference over a rewritten model.

    Args:
        before: what it was; a fault that was there already is let pass.
        after: None, too long for one message, is not checked.

    Raises:
        ModelError: HP441 with the checker's words.
    """
    words = _complaint(after)
    if words and words != _complaint(before):
        raise ModelError(
            "HP441",
            "onnx's checker refuses the rewritten model; nothing was written",
            given=words,
            allowed="a model that onnx.checker accepts with full_check",
            do="run onnx.checker on the old model: what is wrong there may be the cause",
        )


def _complaint(proto: onnx.ModelProto | None) -> str:
    """What the checker says against a model, "" for nothing."""
    import onnx

    if proto is None:
        return ""
    try:
        onnx.checker.check_model(proto, full_check=True)
    except Exception as error:  # ValidationError, InferenceError and RuntimeError
        return re.sub(r", node name: [^)]*", "", " ".join(str(error).split()))
    return ""


def prove_whole(
    model: Model,
    before: onnx.ModelProto | None,
    after: onnx.ModelProto | None,
    converted: bool = False,
    assume: str | None = None,
) -> Proof:
    """Run the model before and after on random inputs.

    Args:
        model: the old one.
        before, after: None where they do not fit into one message.
        converted: nodes beside ours changed their version.
        assume: what nearest scales do that are inputs of the model, as in ``upgrade``.
    """
    if before is None or after is None:
        reason = "too long for one message: its places were compared one by one"
        return Proof("the whole model", (Outcome("onnxruntime", 0, 0, True, 0.0, 0.0, reason),))
    return prove_model(before, after, model_cases(model, assume), converted)


def model_cases(model: Model, assume: str | None = None) -> Sequence[Feeds]:
    """Return inputs for a whole model, several where lengths are open, none where one's type or rank is unknown."""
    inputs = [value for value in model.ir.graph.inputs if not value.is_initializer()]
    described = [(value.name or "", element_type_of(value), shape_of(value)) for value in inputs]
    cases: list[Feeds] = []
    for number, length in enumerate(_LENGTHS):
        feeds: dict[str, Array] = {}
        for name, element, shape in described:
            if element is None or shape is None:
                return []
            lengths = [n if isinstance(n, int) else _open_length(axis, shape, length) for axis, n in enumerate(shape)]
            if prod(lengths) > _MOST_VALUES:
                return []
            array = random_array(lengths, element, number)
            # Integer inputs of a net are indices or lengths: small ones are most likely to be allowed.
            feeds[name] = array % 4 + 1 if array.dtype.kind in "iu" and array.ndim < 3 else array
        feeds |= _inputs_of_sites(model, feeds, assume)
        if not any(_equal(feeds, other) for other in cases):
            cases.append(feeds)
        if number and all(isinstance(n, int) for _, _, shape in described for n in shape or ()):
            break
    return cases


def _open_length(axis: int, shape: Sequence[object], length: int) -> int:
    """A batch of one; every other open length as tried."""
    return 1 if axis == 0 and len(shape) > 1 else length


def _inputs_of_sites(model: Model, feeds: Feeds, assume: str | None) -> dict[str, Array]:
    """Scales, sizes and rois that are inputs of the model: such as their nodes can take."""
    found: dict[str, Array] = {}
    for site in find_sites(model):
        x = site.value("X")
        for name in ("scales", "sizes", "roi"):
            value = site.value(name)
            if value is None or (value.name or "") not in feeds or x is None:
                continue
            shape = feeds[x.name or ""].shape if (x.name or "") in feeds else site.in_shape
            if shape is not None and (name != "sizes" or all(isinstance(n, int) for n in shape)):
                lengths = [n if isinstance(n, int) else 8 for n in shape]
                found[value.name or ""] = input_of(site, name, lengths, assume)
    return found


def _equal(one: Feeds, other: Feeds) -> bool:
    return all(one[name].shape == other[name].shape and (one[name] == other[name]).all() for name in one)
