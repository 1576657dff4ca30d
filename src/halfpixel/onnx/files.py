"""Model files and bytes -> messages, with bounds on the time and memory that a hostile one can take.

A protobuf message is parsed in time proportional to its length, and nesting ends at 100 messages; but a field of two
bytes can become an object of two hundred. Above eight megabytes a message is therefore read in pieces, and reading
stops when it has taken far more memory than its length lets expect.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import ModelProto

from halfpixel._errors import ModelError

LONGEST = 2**31 - 1
"""Bytes that a protobuf message can have. A larger model keeps its tensors in files beside it."""
_AT_ONCE = 8 * 2**20
"""Bytes that are parsed without a look at the memory they take: at most a hundred times as many."""
_PIECE = 4 * 2**20
_FREE_MEMORY = 2**30
"""Bytes that reading may take beyond a small multiple of the message's length."""

_KINDS = (
    (b"PK\x03\x04", "an archive (zip, .pt or .npz)"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"\x80\x02", "a Python pickle"),
    (b"\x80\x03", "a Python pickle"),
    (b"\x80\x04", "a Python pickle"),
    (b"\x80\x05", "a Python pickle"),
    (b"version https://git-lfs", "a pointer of git-lfs, not the file that it points to"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x89PNG", "a picture"),
    (b"<", "a text such as HTML or XML"),
    (b"{", "a text such as JSON"),
)
"""How files begin that people take for models."""


def read_model(path: str | os.PathLike[str]) -> ModelProto:
    """Read a model file. External data is not looked at.

    Raises:
        ModelError: HP400 no ONNX model, HP405 no file that can be read, HP410 larger than what is read.
    """
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("it is no regular file")
        if status.st_size > LONGEST:
            raise too_large(f"'{path}' of {status.st_size} bytes")
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(
            "HP405",
            "the model file, or a file that it refers to, cannot be read",
            given=f"'{path}': {error}",
            allowed="a file that can be read, with its external data in the same folder",
            do="check the path and the permissions, and keep the files of a model together",
        ) from error
    return parse_model(content, f"the file '{path}'")


def parse_model(content: bytes, what: str) -> ModelProto:
    """Parse the bytes of a model.

    Args:
        content: the message.
        what: it in words, for errors.
    Raises:
        ModelError: HP400 no ONNX model, HP410 larger than what is read.
    """
    if len(content) > LONGEST:
        raise too_large(what)
    try:
        if len(content) <= _AT_ONCE:
            model: ModelProto = ModelProto.FromString(content)
        else:
            model = ModelProto()
            _Pieces(content, what).read_into(model, 0, len(content))
    except (DecodeError, MemoryError) as error:
        kind = next((kind for start, kind in _KINDS if content.startswith(start)), None)
        raise not_a_model(f"{what}, {kind}" if kind else f"{what}, {len(content)} bytes: {error}") from error
    if not model.opset_import:
        # Nearly any short file parses as a message with nothing in it.
        kind = next((f", {kind}" for start, kind in _KINDS if content.startswith(start)), "")
        raise not_a_model(f"{what}, which imports no opset{kind}")
    return model


def not_a_model(given: str) -> ModelError:
    """Return HP400."""
    return ModelError(
        "HP400",
        "this is not an ONNX model",
        given=given,
        allowed="a ModelProto, its serialised bytes, or the path of a file with them",
        do="check that the file is complete and is the .onnx file itself, not an archive or a pointer to it",
    )


def too_large(given: str, allowed: str = f"a message of at most {LONGEST} bytes") -> ModelError:
    """Return HP410."""
    return ModelError(
        "HP410",
        "the model is larger than what is read",
        given=given,
        allowed=allowed,
        do="keep the model's tensors in a file beside it, and check that the file comes from where you think",
    )


class _Pieces:
    """A long message that is parsed in pieces of a few megabytes, with a look at the memory after each.

    Two pieces of a message, cut between two fields, merged one after the other are the message. A field that is longer
    than a piece and a message itself (the graph; a node with a large constant) is read in the same way.
    """

    def __init__(self, content: bytes, what: str) -> None:
        self._content = content
        self._what = what
        self._limit = _memory_in_use() + _FREE_MEMORY + 4 * len(content)

    def read_into(self, message: Any, start: int, end: int, depth: int = 0) -> None:
        """Merge content[start:end], fields of this kind of message, into it."""
        if depth > 100:
            raise DecodeError("nested too deeply")
        content = self._content
        merged = position = start
        while position < end:
            # Most fields are short and have a small number: their key and their length are a byte each.
            if position + 1 < end and content[position] & 0x87 == 2 and content[position + 1] < 128:
                after = position + 2 + content[position + 1]
                if after <= end and after - merged <= _PIECE:
                    position = after
                    continue
            number, begin, after = _field(content, position, end)
            if after - begin > _PIECE and _holds_messages(message, number):
                self._merge(message, merged, position)  # before the field: it may be the next of a list
                self.read_into(_submessage(message, number), begin, after, depth + 1)
                merged = after
            elif after - merged > _PIECE:
                self._merge(message, merged, after)
                merged = after
            position = after
        self._merge(message, merged, end)

    def _merge(self, message: Any, start: int, end: int) -> None:
        if start < end:
            message.MergeFromString(self._content[start:end])
            if _memory_in_use() > self._limit:
                raise too_large(self._what, "a message whose parts take little more memory than its bytes")


def _holds_messages(message: Any, number: int) -> bool:
    field = message.DESCRIPTOR.fields_by_number.get(number)
    return field is not None and field.message_type is not None


def _submessage(message: Any, number: int) -> Any:
    """The message in a field; where the field is a list, a new one at its end."""
    held = getattr(message, message.DESCRIPTOR.fields_by_number[number].name)
    return held.add() if hasattr(held, "add") else held


def _field(content: bytes, position: int, end: int) -> tuple[int, int, int]:
    """The number of the field at a position, where its content begins, and where the next field begins."""
    key, position = _varint(content, position, end)
    kind = key & 7
    begin = position
    if kind == 2:
        length, begin = _varint(content, position, end)
        after = begin + length
    elif kind == 0:
        _, after = _varint(content, position, end)
    elif kind in (1, 5):
        after = position + (8 if kind == 1 else 4)
    else:
        raise DecodeError("a field of an unknown kind")
    if after > end:
        raise DecodeError("a field is longer than what holds it")
    return key >> 3, begin, after


def _varint(content: bytes, position: int, end: int) -> tuple[int, int]:
    """The number at a position in base 128, lowest digit first, and where the next one begins."""
    value = shift = 0
    while position < end and shift < 70:
        byte = content[position]
        value |= (byte & 127) << shift
        position += 1
        if byte < 128:
            return value, position
        shift += 7
    raise DecodeError("a number does not end")


def _memory_in_use() -> int:
    """Bytes of memory that this process holds, without those that are pages of files."""
    try:
        with open("/proc/self/statm") as file:
            _, resident, shared = file.read().split()[:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # a system without /proc: the highest use so far, which is a bound as well
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if os.uname().sysname == "Darwin" else 1024)
