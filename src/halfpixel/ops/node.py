"""One ONNX node: the version that its opset picks, inputs and attributes as a model holds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from halfpixel._errors import ElementTypeError, SpecError
from halfpixel.ops.rearrange import rearranged
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import element_of
from halfpixel.plan.plan import plan_from_spec
from halfpixel.spec.arguments import elements, integer, real, show
from halfpixel.spec.attributes import choice, of_another_version
from halfpixel.spec.operators import OPERATORS, Input, Operator, operator_of, since_version
from halfpixel.spec.rearrange import RearrangeSpec, depth_to_space_spec, space_to_depth_spec
from halfpixel.spec.resize import ResizeSpec, resize_spec, upsample_spec


def run_node(
    op_type: str,
    inputs: Sequence[Any],
    attributes: Mapping[str, Any] | None = None,
    *,
    opset: int,
    strict: bool = True,
) -> Any:
    """Run one node of Resize, Upsample, DepthToSpace or SpaceToDepth as an ONNX model holds it.

    Args:
        op_type: "Resize", "Upsample", "DepthToSpace" or "SpaceToDepth".
        inputs: in the operator's order, None for an absent one; those at the end may be left out. Except for the data,
            an empty tensor is absent too (but for rank 0 and for an empty ``axes`` it is the value). The tensors have
            the operator's types: scales float32, sizes int64, roi float16, float32 or float64.
        attributes: the node's own attributes; absent ones take the version's default. Strings may be str or bytes. An
            explicit empty ``axes`` means no axis: a copy.
        opset: of the default domain; picks the highest since-version that is not above it.
        strict: false lets attributes and values of another version pass where their meaning is plain.
    Returns:
        the output, as the kind of array that the data came as.
    Raises:
        SpecError: HP180 unknown attribute, HP181 an attribute of another type, HP182 wrong number of inputs, HP183 no
            data, HP184 an input that is not one-dimensional; HP100, HP102 unknown operator or opset; else as the
            function of the operator.
        ElementTypeError: HP230 scales, sizes or roi of another element type; HP201, HP202 for the data.
    """
    operator = operator_of(op_type, since_version(op_type, opset))
    given = read_attributes(operator, {} if attributes is None else attributes, strict)
    data, others = _inputs(operator, inputs)
    x, export = import_array(data, operator.inputs[0].name)
    spec = _SPECS[op_type](x.shape, **others, **given, version=operator.version, strict=strict)
    if isinstance(spec, RearrangeSpec):
        return export(rearranged(x, spec, None, None))
    return plan_from_spec(spec, x.dtype).run_imported(x, export, None, None)


def spec_in_host(
    operator: Operator, attributes: Mapping[str, Any], x_shape: Sequence[int], inputs: Sequence[Any]
) -> ResizeSpec | RearrangeSpec:
    """Return what a node does inside another runtime, whose graph was built for output lengths of its own.

    length = floor(float32(in * scale)), roi not counted; everything else as ``run_node(strict=False)`` has it.

    Args:
        attributes: as read_attributes returns them.
        x_shape: of the node's data.
        inputs: the node's inputs behind the data in their order, None for an absent one.
    Raises:
        SpecError, ElementTypeError, ResourceError: as ``run_node``.
    """
    _, others = _inputs(operator, (x_shape, *inputs))
    rule = {"length_rule": "float32_floor"} if operator.op_type in ("Resize", "Upsample") else {}
    return _SPECS[operator.op_type](x_shape, **others, **attributes, version=operator.version, strict=False, **rule)


_SPECS: dict[str, Callable[..., ResizeSpec | RearrangeSpec]] = {
    "Resize": resize_spec,
    "Upsample": upsample_spec,
    "DepthToSpace": depth_to_space_spec,
    "SpaceToDepth": space_to_depth_spec,
}


def read_attributes(operator: Operator, attributes: Mapping[str, Any], strict: bool = True) -> dict[str, Any]:
    """Check a node's attributes and return them as plain Python values.

    Args:
        operator: the version of the operator.
        attributes: name -> value.
        strict: false lets attributes and values of another version pass. Of Upsample only values do: its versions take
            their scales from different places, so that an attribute of another version contradicts the inputs.
    Raises:
        SpecError: HP180, HP181; HP112 and HP113 for a value or an attribute of another version; HP122 for one that is
            required and missing.
    """
    if not isinstance(attributes, Mapping):
        raise SpecError(
            "HP181",
            "the attributes of a node have names",
            given=f"attributes={show(attributes)} of type {type(attributes).__name__}",
            allowed="a mapping from name to value",
            do="pass a dict; an empty one for no attributes",
        )
    lenient = not strict and operator.op_type != "Upsample"
    read = {name: _attribute(operator, name, value, strict, lenient) for name, value in attributes.items()}
    for name, attribute in operator.attributes.items():
        if attribute.required and name not in read:
            raise SpecError(
                "HP122",
                f"{operator.label} needs the attribute {name!r}",
                given=f"attributes {show(sorted(read))}",
                allowed=f"a node with {name!r}, {_KINDS[attribute.type][0]}",
                do=f"add {name!r} to the attributes",
            )
    return read


def _attribute(operator: Operator, name: str, value: object, strict: bool, lenient: bool) -> Any:
    """One attribute as a plain value of its type."""
    owners = {
        version: entry.attributes[name]
        for (op_type, version), entry in OPERATORS.items()
        if op_type == operator.op_type and name in entry.attributes
    }
    if not owners:
        raise SpecError(
            "HP180",
            f"{operator.label} has no attribute {name!r}",
            given=f"{show(name)}={show(value)}",
            allowed=", ".join(operator.attributes),
            do="drop it, or correct its spelling",
        )
    if operator.version not in owners and not lenient:
        raise of_another_version(operator, name, value, list(owners), ())
    # The type of an attribute is the same in every version; its values are not, and choice() looks at them.
    attribute = owners[max(owners)]
    kind, reader = _KINDS[attribute.type]
    try:
        plain = reader(name, value)
    except (SpecError, UnicodeDecodeError) as error:
        raise SpecError(
            "HP181",
            f"the attribute {name!r} of {operator.label} is {kind}",
            given=f"{name}={show(value)} of type {type(value).__name__}",
            allowed=kind,
            do=f"pass {kind}",
        ) from error
    return choice(operator, name, plain, strict) if attribute.values else plain


def _int(name: str, value: object) -> int:
    """An INT attribute: an integer, or a boolean as 0 or 1."""
    return int(value) if isinstance(value, (bool, np.bool_)) else integer(name, value)


def _string(name: str, value: object) -> str:
    """A STRING attribute: text, or the UTF-8 bytes that a model holds."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, str):
        return str(value)
    raise SpecError("HP181", f"{name!r} is text", given=show(value), allowed="str or bytes", do="pass text")


def _ints(name: str, value: object) -> list[int]:
    return [integer(name, item) for item in elements(name, value)]


def _floats(name: str, value: object) -> list[float]:
    return [real(name, item) for item in elements(name, value)]


_KINDS: dict[str, tuple[str, Callable[[str, object], Any]]] = {
    "INT": ("an integer", _int),
    "INTS": ("a list of integers", _ints),
    "FLOAT": ("a real number", real),
    "FLOATS": ("a list of real numbers", _floats),
    "STRING": ("a string", _string),
}
"""ONNX's word for a type of attributes -> ours, and what reads a value of it."""


def _inputs(operator: Operator, inputs: Sequence[Any]) -> tuple[Any, dict[str, Any]]:
    """Return the data as it is, and the other inputs by name as lists of numbers or None."""
    names = [entry.name for entry in operator.inputs]
    if not isinstance(inputs, (list, tuple)) or not operator.min_inputs <= len(inputs) <= len(names):
        count = str(len(names)) if operator.min_inputs == len(names) else f"{operator.min_inputs} to {len(names)}"
        what = f"{len(inputs)} inputs" if isinstance(inputs, (list, tuple)) else f"a {type(inputs).__name__}"
        raise SpecError(
            "HP182",
            f"{operator.label} takes {count} input{'s' if len(names) > 1 else ''}",
            given=what,
            allowed=f"a list or tuple of {', '.join(names)}; None for an absent one",
            do="pass the inputs of the node in their order",
        )
    if inputs[0] is None:
        raise SpecError(
            "HP183",
            f"{operator.label} needs its first input, {names[0]!r}",
            given="None",
            allowed="a tensor",
            do=f"pass {names[0]}",
        )
    others = dict.fromkeys(names[1:])
    for entry, value in zip(operator.inputs[1:], inputs[1:], strict=False):
        others[entry.name] = _numbers(operator, entry, value)
    return inputs[0], others


def _numbers(operator: Operator, entry: Input, value: Any) -> list[int] | list[float] | None:
    """Return scales, sizes or roi as a list after checking the tensor's rank and element type."""
    if value is None:
        return None
    tensor, _ = import_array(value, entry.name)
    if tensor.ndim != 1:
        raise SpecError(
            "HP184",
            f"the input {entry.name!r} of {operator.label} is one-dimensional",
            given=f"{entry.name} of shape {tensor.shape}",
            allowed="a tensor of rank 1",
            do=f"pass {entry.name}.reshape(-1)",
        )
    if tensor.size and element_of(tensor.dtype) not in entry.element_types:
        allowed = ", ".join(sorted(entry.element_types))
        raise ElementTypeError(
            "HP230",
            f"the input {entry.name!r} of {operator.label} is not made of {tensor.dtype}",
            given=f"{entry.name} of dtype {tensor.dtype}",
            allowed=allowed,
            do=f"convert {entry.name}, or call the Python function of the operator, which takes any real numbers",
        )
    numbers: list[int] | list[float] = tensor.tolist()
    return numbers
