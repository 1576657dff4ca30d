"""What every rewritten model goes through before it is written: onnx's checker, then the proof of the whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from halfpixel._errors import ModelError
from halfpixel.models.model import Model
from halfpixel.models.proving.inputs import Feeds, random_array
from halfpixel.models.proving.proof import Outcome, Proof, prove_model
from halfpixel.models.shapes import element_type_of, shape_of

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
    model: Model, before: onnx.ModelProto | None, after: onnx.ModelProto | None, converted: bool = False
) -> Proof:
    """Run the model before and after on random inputs.

    Args:
        model: either of the two: their inputs are the same.
        before, after: None where they do not fit into one message.
        converted: nodes beside ours changed their version.
    """
    if before is None or after is None:
        reason = "too long for one message: its places were compared one by one"
        return Proof("the whole model", (Outcome("onnxruntime", 0, 0, True, 0.0, 0.0, reason),))
    return prove_model(before, after, model_cases(model), converted)


def model_cases(model: Model) -> Sequence[Feeds]:
    """Return inputs for a whole model, several where lengths are open, none where one's type or rank is unknown."""
    graph = model.ir.graph
    inputs = [value for value in graph.inputs if not value.is_initializer()]
    described = [(value.name or "", element_type_of(value), shape_of(value)) for value in inputs]
    cases: list[Feeds] = []
    for number, length in enumerate(_LENGTHS):
        feeds = {}
        for name, element, shape in described:
            if element is None or shape is None:
                return []
            lengths = [
                n if isinstance(n, int) else (1 if axis == 0 and len(shape) > 1 else length)
                for axis, n in enumerate(shape)
            ]
            if _product(lengths) > _MOST_VALUES:
                return []
            array = random_array(lengths, element, number)
            # Integer inputs of a net are indices or lengths: small ones are most likely to be allowed.
            feeds[name] = array % 4 + 1 if array.dtype.kind in "iu" and array.ndim < 3 else array
        if not any(_equal(feeds, other) for other in cases):
            cases.append(feeds)
        if all(isinstance(n, int) for _, _, shape in described for n in shape or ()) and number == 1:
            break
    return cases


def _product(lengths: Sequence[int]) -> int:
    result = 1
    for length in lengths:
        result *= length
    return result


def _equal(one: Feeds, other: Feeds) -> bool:
    return all(one[name].shape == other[name].shape and (one[name] == other[name]).all() for name in one)
