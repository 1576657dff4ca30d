"""What the provider's library and the planner say to each other: core/ort_ep/connection.hpp in ctypes' words.

The library calls three functions. ctypes takes the interpreter's lock for each call and lets it go afterwards; a
session's run holds none. No exception leaves them: a refusal is a code and a text.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from halfpixel._errors import HalfpixelError, ResourceError
from halfpixel.onnxruntime.planner import Entry, Planner
from halfpixel.plan.elements import Array

ELEMENT_NUMBERS: dict[str, int] = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "uint16": 4,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "string": 8,
    "bool": 9,
    "float16": 10,
    "float64": 11,
    "uint32": 12,
    "uint64": 13,
    "complex64": 14,
    "complex128": 15,
    "bfloat16": 16,
}
"""The element types of the four operators by the numbers of TensorProto.DataType; no session has complex tensors."""

_ELEMENT_NAMES = {number: name for name, number in ELEMENT_NUMBERS.items()}

_KINDS = {"INT": 0, "FLOAT": 1, "STRING": 2, "INTS": 3, "FLOATS": 4}
_NUMBERS: dict[int, Any] = {0: ctypes.c_int64, 1: ctypes.c_float, 3: ctypes.c_int64, 4: ctypes.c_float}

_FAIL, _INVALID_ARGUMENT, _RUNTIME_EXCEPTION = 1, 2, 6
"""onnxruntime's numbers of what went wrong: something unknown, what it was given, what it ran out of."""

_Answer: TypeAlias = Callable[[Any], None]


class _AttributeName(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("kind", ctypes.c_int32))


class _OperatorEntry(ctypes.Structure):
    _fields_ = (
        ("op_type", ctypes.c_char_p),
        ("first_version", ctypes.c_int32),
        ("last_version", ctypes.c_int32),
        ("attribute_count", ctypes.c_int64),
        ("attributes", ctypes.POINTER(_AttributeName)),
    )


class _AttributeValue(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("count", ctypes.c_int64),
        ("data", ctypes.c_void_p),
    )


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("element_type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("data", ctypes.c_void_p),
    )


class _Message(ctypes.Structure):
    _fields_ = (("text", ctypes.c_void_p), ("capacity", ctypes.c_int64))


class _NodeRequest(ctypes.Structure):
    _fields_ = (
        ("entry", ctypes.c_int32),
        ("attribute_count", ctypes.c_int32),
        ("attributes", ctypes.POINTER(_AttributeValue)),
        ("message", _Message),
        ("node", ctypes.c_int64),
    )


class _PlanRequest(ctypes.Structure):
    _fields_ = (
        ("node", ctypes.c_int64),
        ("input_count", ctypes.c_int32),
        ("inputs", ctypes.POINTER(_Tensor)),
        ("message", _Message),
        ("out_shape", ctypes.POINTER(ctypes.c_int64)),
        ("map", ctypes.c_void_p),
        ("plan", ctypes.c_int64),
    )


_OpenNode = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_NodeRequest))
_MakePlan = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_PlanRequest))
_Release = ctypes.CFUNCTYPE(None, ctypes.c_int64)


class Connection(ctypes.Structure):
    """What the library is given once. Keep it alive as long as the library may call."""

    _fields_ = (
        ("size", ctypes.c_int64),
        ("provider_name", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("closed_message", ctypes.c_char_p),
        ("host", ctypes.c_void_p),
        ("entry_count", ctypes.c_int64),
        ("entries", ctypes.POINTER(_OperatorEntry)),
        ("open_node", _OpenNode),
        ("make_plan", _MakePlan),
        ("release", _Release),
    )


def connection(provider: str, version: str, closed: HalfpixelError, interface: int, planner: Planner) -> Connection:
    """Return the structure by which the library reaches the planner.

    Args:
        provider: the name that sessions list.
        version: of this package.
        closed: what a session is told once the interpreter has ended.
        interface: address of the functions that run maps, see plan.host.
        planner: what answers.
    """

    def open_node(request: Any) -> None:
        values = request.attributes[: request.attribute_count]
        attributes = {value.name.decode(): _attribute_value(value) for value in values}
        request.node = planner.open_node(request.entry, attributes)

    def make_plan(request: Any) -> None:
        tensors = request.inputs[: request.input_count]
        shape = tuple(tensors[0].shape[: tensors[0].rank])
        element = _ELEMENT_NAMES[tensors[0].element_type]
        made = planner.make_plan(request.node, element, shape, [_array(tensor) for tensor in tensors[1:]])
        for axis, length in enumerate(made.out_shape):
            request.out_shape[axis] = length
        request.map, request.plan = made.address, made.token

    return Connection(
        ctypes.sizeof(Connection),
        provider.encode(),
        version.encode(),
        str(closed).encode(),
        interface,
        len(planner.entries),
        (_OperatorEntry * len(planner.entries))(*map(_operator_entry, planner.entries)),
        _OpenNode(lambda request: _answered(open_node, request.contents)),
        _MakePlan(lambda request: _answered(make_plan, request.contents)),
        _Release(planner.release),
    )


def _operator_entry(entry: Entry) -> _OperatorEntry:
    names = [_AttributeName(name.encode(), _KINDS[kind]) for name, kind in entry.kinds.items()]
    op_type = entry.operator.op_type.encode()
    attributes = (_AttributeName * len(names))(*names)
    return _OperatorEntry(op_type, entry.operator.version, entry.last_version, len(names), attributes)


def _answered(answer: _Answer, request: Any) -> int:
    """Let the planner answer; return 0, or onnxruntime's code with the refusal's text in the request's message."""
    try:
        answer(request)
        return 0
    except ResourceError as error:
        return _refused(_RUNTIME_EXCEPTION, str(error), request.message)
    except HalfpixelError as error:
        return _refused(_INVALID_ARGUMENT, str(error), request.message)
    except BaseException as error:  # nothing may pass into C; what it was stands in the status
        return _refused(_FAIL, f"halfpixel: {type(error).__name__}: {error}", request.message)


def _refused(code: int, text: str, message: Any) -> int:
    encoded = text.encode()[: message.capacity - 1].decode(errors="ignore").encode() + b"\0"
    ctypes.memmove(message.text, encoded, len(encoded))
    return code


def _attribute_value(value: Any) -> int | float | str | list[int] | list[float]:
    if value.kind == _KINDS["STRING"]:
        return ctypes.string_at(value.data, value.count).decode()
    numbers: list[Any] = list((_NUMBERS[value.kind] * value.count).from_address(value.data)) if value.count else []
    return numbers if value.kind in (_KINDS["INTS"], _KINDS["FLOATS"]) else numbers[0]


def _array(tensor: Any) -> Array | None:
    """Copy one of the small inputs; None for an absent one."""
    if tensor.element_type == 0:
        return None
    shape: Sequence[int] = tensor.shape[: tensor.rank]
    dtype = np.dtype(_ELEMENT_NAMES[tensor.element_type])
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return np.frombuffer(ctypes.string_at(tensor.data, size) if size else b"", dtype).reshape(shape)
