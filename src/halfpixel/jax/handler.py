"""The library through which a compiled program on the CPU calls our passes."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import jax

from halfpixel.plan.host import interface
from halfpixel.plan.threads import default_threads

TARGET = "halfpixel_map"
"""The custom call's name in a compiled program."""

_LIBRARY = Path(__file__).parents[1] / "_jax_ffi.so"


def connect() -> bool:
    """Register the library's handler with JAX; return false where halfpixel was built without jaxlib.

    Source: XLA's typed foreign function interface, through jax.ffi.
    """
    if not _LIBRARY.exists():
        return False
    library = ctypes.CDLL(str(_LIBRARY))
    library.halfpixel_jax_connect.argtypes = [ctypes.c_void_p, ctypes.c_int32]
    library.halfpixel_jax_connect.restype = ctypes.c_bool
    if not library.halfpixel_jax_connect(interface(), default_threads()):
        raise ImportError(f"{_LIBRARY} belongs to another version of halfpixel: build both again")
    ffi: Any = jax.ffi
    ffi.register_ffi_target(TARGET, ffi.pycapsule(library.halfpixel_jax_run), platform="cpu")
    return True
