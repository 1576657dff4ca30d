"""Call maps as the shared library of another host does: by two addresses, without Python's arrays in between."""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpixel.plan.host import interface

PARALLEL = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_int64, ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64), ctypes.c_void_p
)
_POINTER = ctypes.c_void_p
OK, OUT_OF_MEMORY, INVALID = range(3)


class Interface(ctypes.Structure):
    """HostInterface of core/run/host_interface.hpp."""

    _fields_ = [
        ("version", ctypes.c_int32),
        ("run", ctypes.CFUNCTYPE(ctypes.c_int32, _POINTER, _POINTER, _POINTER, ctypes.c_int32)),
        ("run_on", ctypes.CFUNCTYPE(ctypes.c_int32, _POINTER, _POINTER, _POINTER, PARALLEL, _POINTER)),
        ("in_bytes", ctypes.CFUNCTYPE(ctypes.c_int64, _POINTER)),
        ("out_bytes", ctypes.CFUNCTYPE(ctypes.c_int64, _POINTER)),
        ("make", ctypes.CFUNCTYPE(ctypes.c_int32, _POINTER, ctypes.c_int64, ctypes.POINTER(_POINTER))),
        ("free", ctypes.CFUNCTYPE(None, _POINTER)),
    ]


def host_interface() -> Interface:
    return Interface.from_address(interface())


@dataclass(frozen=True)
class MadeMap:
    """A map made from words, until it is freed."""

    address: int
    in_bytes: int
    out_bytes: int


@contextmanager
def made(words: Sequence[int]) -> Iterator[MadeMap]:
    """The map of the words, if they are right."""
    status, address = make(words)
    assert status == OK
    assert address is not None
    functions = host_interface()
    yield MadeMap(address, functions.in_bytes(address), functions.out_bytes(address))
    functions.free(address)


def make(words: Sequence[int]) -> tuple[int, int | None]:
    """The status and the address of the map that the words make."""
    array, address = np.array(words, np.int64), _POINTER()
    return host_interface().make(array.ctypes.data, len(words), ctypes.byref(address)), address.value


def run_map(host_map: Any, x: Any, shape: tuple[int, ...], threads: int = 1) -> Any:
    """The map's result for x as an array of a shape; memory beside it stays as it was."""
    x = np.array(x, order="C")
    functions = host_interface()
    assert functions.in_bytes(host_map.address) == host_map.in_bytes == x.nbytes
    y = np.empty(shape, x.dtype)
    assert functions.out_bytes(host_map.address) == host_map.out_bytes == y.nbytes
    guarded = np.full(y.nbytes + 32, 0xA5, np.uint8)
    assert functions.run(host_map.address, x.ctypes.data, guarded.ctypes.data + 16, threads) == 0
    assert (guarded[:16] == 0xA5).all()
    assert (guarded[16 + y.nbytes :] == 0xA5).all()
    y.reshape(-1).view(np.uint8)[:] = guarded[16 : 16 + y.nbytes]
    return y
