"""The library through which a compiled program on the CPU calls our passes."""

from __future__ import annotations

import ctypes
import re
import warnings
from pathlib import Path
from typing import Any

import jax

from halfpixel.plan.host import interface
from halfpixel.plan.threads import default_threads

TARGET = "halfpixel_map"
"""The custom call's name in a compiled program."""

_LIBRARY = Path(__file__).parents[1] / "_jax_ffi.so"


def connect() -> bool:
    """Register the library's handler with JAX.

    Return false where halfpixel was built without jaxlib, and, with a warning, beside a jaxlib of another interface:
    JAX could not start with such a handler.

    Source: XLA's typed foreign function interface, through jax.ffi.
    """
    if not _LIBRARY.exists():
        return False
    library = ctypes.CDLL(str(_LIBRARY))
    built_for, installed = _built_for(library), _installed()
    if built_for != installed:
        warnings.warn(
            f"{_LIBRARY.name} was built for version {built_for} of XLA's foreign function interface and jaxlib has "
            f"{installed}: programs on the CPU will call back into Python. Build halfpixel again beside this jaxlib.",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    library.halfpixel_jax_connect.argtypes = [ctypes.c_void_p, ctypes.c_int32]
    library.halfpixel_jax_connect.restype = ctypes.c_bool
    if not library.halfpixel_jax_connect(interface(), default_threads()):
        raise ImportError(f"{_LIBRARY} belongs to another version of halfpixel: build both again")
    ffi: Any = jax.ffi
    ffi.register_ffi_target(TARGET, ffi.pycapsule(library.halfpixel_jax_run), platform="cpu")
    return True


def _built_for(library: ctypes.CDLL) -> str:
    major, minor = ctypes.c_int32(), ctypes.c_int32()
    library.halfpixel_jax_api(ctypes.byref(major), ctypes.byref(minor))
    return f"{major.value}.{minor.value}"


def _installed() -> str:
    """The version in the headers of the installed jaxlib, which are those that it was built with."""
    header = Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h"
    text = header.read_text() if header.exists() else ""
    return ".".join(re.findall(r"^#define XLA_FFI_API_M(?:AJ|IN)OR (\d+)", text, re.MULTILINE)) or "none"
