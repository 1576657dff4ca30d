"""Whether the tensors of a model are what they say: as much data as their shape needs, and in the model's folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from halfpixel._errors import ModelError

if TYPE_CHECKING:
    from onnx import TensorProto

_BITS = {
    "FLOAT": 32,
    "UINT8": 8,
    "INT8": 8,
    "UINT16": 16,
    "INT16": 16,
    "INT32": 32,
    "INT64": 64,
    "BOOL": 8,
    "FLOAT16": 16,
    "DOUBLE": 64,
    "UINT32": 32,
    "UINT64": 64,
    "COMPLEX64": 64,
    "COMPLEX128": 128,
    "BFLOAT16": 16,
    "FLOAT8E4M3FN": 8,
    "FLOAT8E4M3FNUZ": 8,
    "FLOAT8E5M2": 8,
    "FLOAT8E5M2FNUZ": 8,
    "FLOAT8E8M0": 8,
    "UINT4": 4,
    "INT4": 4,
    "FLOAT4E2M1": 4,
    "UINT2": 2,
    "INT2": 2,
    "FLOAT6E2M3": 6,
    "FLOAT6E3M2": 6,
}
"""Element type -> bits of an element in raw_data."""

_FIELDS = {
    "FLOAT": "float_data",
    "COMPLEX64": "float_data",
    "DOUBLE": "double_data",
    "COMPLEX128": "double_data",
    "INT64": "int64_data",
    "UINT32": "uint64_data",
    "UINT64": "uint64_data",
    "STRING": "string_data",
}
"""Element type -> the list that holds its elements where raw_data does not; int32_data for all others."""


def check_tensors(tensors: Iterable[TensorProto], folder: Path | None) -> None:
    """Refuse tensors of a model that have another amount of data than their shape needs, or data out of reach.

    Args:
        tensors: the tensors of a model.
        folder: where the files with external data lie; None for a model from memory.
    Raises:
        ModelError: HP412 external data that is missing, out of reach or too short; HP413 shape and data differ.
    """
    files = _Files(folder)
    for tensor in tensors:
        _check(tensor, files)


def _check(tensor: TensorProto, files: _Files) -> None:
    import onnx

    try:
        kind = onnx.TensorProto.DataType.Name(tensor.data_type)
    except ValueError:
        kind = ""
    if kind != "STRING" and kind not in _BITS:
        raise _unfit(tensor.name, f"element type {tensor.data_type}")
    if any(length < 0 for length in tensor.dims):
        raise _unfit(tensor.name, f"shape {list(tensor.dims)}")
    count = 1
    for length in tensor.dims:
        count *= length
    length = -(-count * _BITS.get(kind, 0) // 8)
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        if kind == "STRING":
            raise _unfit(tensor.name, "strings in another file")
        files.check(tensor, length)
    elif tensor.HasField("raw_data"):
        if len(tensor.raw_data) != length or kind == "STRING":
            raise _unfit(tensor.name, f"shape {_lengths(tensor)} of {kind}, {len(tensor.raw_data)} bytes")
    else:
        held = len(getattr(tensor, _FIELDS.get(kind, "int32_data")))
        if not _fits(kind, count, held):
            raise _unfit(tensor.name, f"shape {_lengths(tensor)} of {kind}, {held} numbers")


def _fits(kind: str, count: int, held: int) -> bool:
    """Whether so many numbers of a list are so many elements. Complex ones are two; small ones are packed somehow."""
    if kind in ("COMPLEX64", "COMPLEX128"):
        return held == 2 * count
    return held == count or (_BITS.get(kind, 8) < 8 and held <= count <= 8 * held)


def _lengths(tensor: TensorProto) -> str:
    return "x".join(map(str, tensor.dims[:8])) or "()"


def _unfit(name: str, given: str) -> ModelError:
    return ModelError(
        "HP413",
        "a tensor of the model is not what it says",
        given=f"{name!r}: {given}",
        allowed="an element type of ONNX, lengths from 0 on, and as many elements as the shape has",
        do="check that the file is complete",
    )


class _Files:
    """The files beside a model; each is looked at once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lengths: dict[str, int] = {}

    def check(self, tensor: TensorProto, needed: int) -> None:
        """Refuse a tensor whose data is not where it says.

        Raises:
            ModelError: HP412.
        """
        entries = {entry.key: entry.value for entry in tensor.external_data}
        location = entries.get("location", "")
        if isinstance(location, bytes):  # what protobuf gives for text that is not UTF-8
            raise _out_of_reach(tensor.name, f"{location!r}", "a path in UTF-8")
        try:
            offset, length = int(entries.get("offset") or 0), int(entries.get("length") or needed)
        except ValueError as error:
            raise _out_of_reach(tensor.name, f"offset and length {entries}", "whole numbers") from error
        if offset < 0 or length != needed:
            raise _out_of_reach(
                tensor.name, f"offset {offset}, length {length}", f"an offset from 0 on and {needed} bytes"
            )
        if location not in self._lengths:
            self._lengths[location] = self._length_of(tensor.name, location)
        if offset + length > self._lengths[location]:
            raise _out_of_reach(
                tensor.name,
                f"bytes {offset} to {offset + length} of '{location}', which has {self._lengths[location]}",
                "bytes within the file",
            )

    def _length_of(self, name: str, location: str) -> int:
        """Bytes of a file that lies in the folder."""
        if self._folder is None:
            raise _out_of_reach(name, f"'{location}', for a model that is not a file", "the path of a model")
        parts = location.replace("\\", "/").split("/")
        if not location or os.path.isabs(location) or parts[0] == "" or ".." in parts or ":" in parts[0]:
            raise _out_of_reach(name, f"'{location}'", "a path below the model's folder")
        try:
            folder = self._folder.resolve(strict=True)
            path = (folder / location).resolve(strict=True)
            status = path.stat()
        except (OSError, ValueError, RuntimeError) as error:
            raise _out_of_reach(name, f"'{location}': {error}", "a file below the model's folder") from error
        if not path.is_relative_to(folder):
            raise _out_of_reach(name, f"'{location}', a link to {path}", "a file below the model's folder")
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            what = "a file of several names (hard links)" if stat.S_ISREG(status.st_mode) else "no regular file"
            raise _out_of_reach(name, f"'{location}', {what}", "a file of one name")
        return status.st_size


def _out_of_reach(name: str, given: str, allowed: str) -> ModelError:
    return ModelError(
        "HP412",
        "the data of a tensor is not where the model says",
        given=f"{name!r}: {given}",
        allowed=allowed,
        do="keep the files of a model together in one folder, and check that they are complete",
    )
