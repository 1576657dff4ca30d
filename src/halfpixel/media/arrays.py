"""NumPy's own files: one array (.npy) or several by name (.npz)."""

from __future__ import annotations

import zipfile
from typing import IO

import numpy as np

from halfpixel.media.picture import Arrays, Samples


def read_npy(stream: IO[bytes]) -> Arrays:
    """The array of a .npy file, under the name "".

    Raises:
        ValueError, EOFError, MemoryError: the file is damaged, or holds Python objects (which are never unpickled).
    """
    return {"": np.lib.format.read_array(stream, allow_pickle=False)}


def read_npz(stream: IO[bytes]) -> Arrays:
    """The arrays of a .npz file by name, in the file's order.

    Raises:
        ValueError, EOFError, MemoryError, zipfile.BadZipFile: as for read_npy, or something in it is not an array.
    """
    arrays: dict[str, Samples] = {}
    with zipfile.ZipFile(stream) as archive:
        for member in archive.infolist():
            with archive.open(member) as content:
                arrays[member.filename.removesuffix(".npy")] = np.lib.format.read_array(content, allow_pickle=False)
    return arrays


def write_npy(stream: IO[bytes], array: Samples) -> None:
    """One array."""
    np.lib.format.write_array(stream, array, allow_pickle=False)


def write_npz(stream: IO[bytes], arrays: Arrays) -> None:
    """Arrays by name, compressed."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            # zip64 from the start: the size is not known before it is written.
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
