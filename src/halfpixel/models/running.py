"""A whole model, run with halfpixel's operators and onnx's reference implementations of all others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel._errors import ModelError
from halfpixel.models.model import take_in
from halfpixel.models.reading import checked_message, held_model
from halfpixel.models.shapes import NUMPY_NAMES, known_length
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import BFLOAT16_BITS, element_of
from halfpixel.spec.element_types import ELEMENT_TYPES

if TYPE_CHECKING:
    import onnx

    from halfpixel.models.reading import Source


def run(model: Source, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Run a model.

    Resize, Upsample, DepthToSpace and SpaceToDepth run on halfpixel's kernels, in the version that the model's opset
    picks, in subgraphs and local functions too; all other operators in onnx's reference implementations, which are made
    to be right and not to be quick.

    Args:
        model: as ``halfpixel.models.load`` takes it.
        inputs: name -> array, one for each input of the model that has no initializer. NumPy arrays, or anything with
            ``__dlpack__`` or the buffer protocol, of the element types and known lengths that the model declares.
    Returns:
        name -> value of each output: a NumPy array; a list of arrays for a sequence.
    Raises:
        ModelError: as load; HP401 onnx's checker refuses the model, HP402 nobody here can run an operator of it, HP404
            the inputs are not the model's, HP406 onnx cannot load it, HP407 an operator that onnx runs has failed.
        HalfpixelError: one of the four operators refuses its node.

    Example:
        >>> halfpixel.models.run("double.onnx", {"X": numpy.array([1, 2], numpy.float32)})["Y"]
        array([1., 1., 2., 2.], dtype=float32)
    """
    from halfpixel.onnx import backend

    message = whole_message(model)
    declared = inputs_of(message)
    _check_names(declared, {one.name for one in message.graph.initializer}, inputs)
    feeds = {name: _fed(name, inputs[name], declared[name]) for name in inputs}
    with np.errstate(all="ignore"):  # onnx's Sigmoid computes both its branches, one of which overflows
        outputs = backend.prepare(message).run(feeds)
    return {info.name: value for info, value in zip(message.graph.output, outputs, strict=True)}


def whole_message(source: Source) -> onnx.ModelProto:
    """Return a model as one message, with its external data in it.

    Raises:
        ModelError: as load; HP416.
    """
    held = held_model(source)
    if held is not None:
        return held.proto()
    message, path, _ = checked_message(source)
    if path is None:
        return message
    take_in(message, str(path.parent))
    return message


def inputs_of(message: onnx.ModelProto) -> dict[str, onnx.ValueInfoProto]:
    """The inputs that a caller can pass, by name; those with an initializer may be left out."""
    return {info.name: info for info in message.graph.input}


def element_type_name(info: onnx.ValueInfoProto) -> str | None:
    """The element type of a tensor as NumPy calls it, None for what is no tensor."""
    import onnx

    kind = info.type.tensor_type.elem_type
    if not info.type.HasField("tensor_type") or not kind:
        return None
    name: str = onnx.TensorProto.DataType.Name(kind)
    return NUMPY_NAMES.get(name, name.lower())


def shape_words(info: onnx.ValueInfoProto) -> str:
    """A declared shape in words: "1x3xHx?"."""
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        return "any shape"
    lengths = (
        axis.dim_param or "?" if known_length(axis) is None else str(axis.dim_value) for axis in tensor.shape.dim
    )
    return "x".join(lengths) or "no axis"


def described(declared: Mapping[str, onnx.ValueInfoProto]) -> str:
    """Inputs in words: "x (float32, 1x3x?x?), y (int64, 4)"."""
    words = (
        f"{name} ({element_type_name(info) or 'no tensor'}, {shape_words(info)})" for name, info in declared.items()
    )
    return ", ".join(words) or "none"


def _check_names(declared: Mapping[str, onnx.ValueInfoProto], initialised: Set[str], inputs: Mapping[str, Any]) -> None:
    for name in inputs:
        if name not in declared:
            raise wrong_inputs(f"an input named {name!r}", described(declared))
    missing = {name: info for name, info in declared.items() if name not in inputs and name not in initialised}
    if missing:
        raise wrong_inputs(f"no {', no '.join(missing)}", described(declared))


def _fed(name: str, value: Any, info: onnx.ValueInfoProto) -> Any:
    """An input as the evaluator takes it, if it is what the model declares."""
    wanted = element_type_name(info)
    if wanted not in ELEMENT_TYPES:
        return value  # a sequence, an optional, or a type that NumPy has no arrays of
    array, _ = import_array(value, name)
    if wanted == "bfloat16" and array.dtype == np.dtype("V2"):  # what a .npy file makes of it
        array = array.view(BFLOAT16_BITS)
    given = element_of(array.dtype)
    if given != wanted:
        raise wrong_inputs(f"{name} of {given}", f"{name} of {wanted}")
    if not all(_as_declared(array.shape, info)):
        raise wrong_inputs(f"{name} of shape {'x'.join(map(str, array.shape))}", f"{name} of shape {shape_words(info)}")
    if wanted == "string":
        return array.astype(object)
    return array.view(_bfloat16()) if wanted == "bfloat16" else array


def _as_declared(shape: tuple[int, ...], info: onnx.ValueInfoProto) -> Iterator[bool]:
    tensor = info.type.tensor_type
    if tensor.HasField("shape"):
        yield len(tensor.shape.dim) == len(shape)
        for axis, length in zip(tensor.shape.dim, shape, strict=False):
            yield known_length(axis) in (None, length)


def _bfloat16() -> Any:
    import ml_dtypes

    return ml_dtypes.bfloat16


def wrong_inputs(given: str, allowed: str) -> ModelError:
    """Return HP404."""
    return ModelError(
        "HP404",
        "the inputs are not those of the model",
        given=given,
        allowed=allowed,
        do="pass one array for each input, of its element type and shape",
    )
