"""Registering the provider's library with onnxruntime."""

from __future__ import annotations

import atexit
import ctypes
import threading
from importlib.util import find_spec
from pathlib import Path

import onnxruntime

from halfpixel._errors import MissingExtraError, ModelError
from halfpixel.onnxruntime.bridge import Connection, connection
from halfpixel.onnxruntime.planner import Planner
from halfpixel.plan.host import interface
from halfpixel.plan.threads import instruction_set

PROVIDER = "HalfpixelExecutionProvider"
"""The name to list in a session's ``providers``."""

LIBRARY = "halfpixel"
"""The name under which the library is registered."""

_FILE = "_ort_ep.so"
_OLDEST = (1, 24)

_lock = threading.Lock()
_connections: list[Connection] = []
"""What the library was given; it calls into it until the process ends."""


def check_version(version: str) -> None:
    """Refuse an onnxruntime without kernels in a provider of one's own.

    Raises:
        MissingExtraError: HP901.
    """
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < _OLDEST:
        raise MissingExtraError(
            "HP901",
            f"halfpixel.onnxruntime needs a later onnxruntime than {version}",
            given=f"onnxruntime {version}",
            allowed="onnxruntime 1.24 or later, the first that takes kernels of a provider in a library",
            do="pip install --upgrade 'halfpixel[onnxruntime]'; halfpixel.onnx runs models without onnxruntime",
        )


def register() -> None:
    """Make "HalfpixelExecutionProvider" known to onnxruntime. A second call does nothing.

    Sessions that list it, before "CPUExecutionProvider", run every Resize, Upsample, DepthToSpace and SpaceToDepth on
    our kernels, on the session's own threads; all other nodes run where they did. With onnxruntime 1.24: see add_to.

    Raises:
        ModelError: HP446 the library is not there, or is of another version of this package.
        SpecError: HP168 HALFPIXEL_ISA.
    """
    with _lock:
        if any(device.ep_name == PROVIDER for device in onnxruntime.get_ep_devices()):
            return
        instruction_set()
        if not _connections:
            _connect()
        onnxruntime.register_execution_provider_library(LIBRARY, str(_path()))


def add_to(options: onnxruntime.SessionOptions) -> None:
    """Put the provider into a session's options, after register(), instead of listing its name.

    The only way with onnxruntime 1.24; from 1.25 on the name in ``providers`` does the same.

    Example:
        >>> options = onnxruntime.SessionOptions()
        >>> halfpixel.onnxruntime.add_to(options)
        >>> session = onnxruntime.InferenceSession("model.onnx", options)
    """
    options.add_provider_for_devices(
        [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER], {}
    )


def _path() -> Path:
    """The library lies beside the core, which need not lie beside the Python sources."""
    core = find_spec("halfpixel._core")
    return Path(str(core and core.origin)).with_name(_FILE)


def _connect() -> None:
    """Give the library its connection to the planner, and close it when the interpreter ends."""
    from halfpixel import __version__

    closed = ModelError(
        "HP445",
        "a shape that this session has not seen needs the planner, and Python has ended",
        given="a run after the end of the interpreter",
        allowed="shapes that the session has run before",
        do="end all sessions' threads before the program ends",
    )
    try:
        library = ctypes.CDLL(str(_path()))
    except OSError as error:
        raise _no_library(str(error)) from error
    made = connection(PROVIDER, __version__, closed, interface(), Planner())
    library.halfpixel_ort_connect.restype = ctypes.c_bool
    if not library.halfpixel_ort_connect(ctypes.byref(made)):
        raise _no_library(f"'{_path()}' of another version of this package")
    _connections.append(made)
    atexit.register(library.halfpixel_ort_close)


def _no_library(given: str) -> ModelError:
    return ModelError(
        "HP446",
        "the library with the provider cannot be used",
        given=given,
        allowed=f"'{_path()}', built together with this package",
        do="install halfpixel again; in a working copy of its sources: ./dev build",
    )
