"""What this build is and what it finds."""

from __future__ import annotations

from typing import Any

from halfpixel._core import build_info as core_build_info
from halfpixel.plan.threads import default_threads, instruction_set

_EXTRAS = {
    "cli": ("typer", "rich", "jinja2", "PIL", "tifffile", "imagecodecs"),
    "onnx": ("onnx",),
    "onnxruntime": ("onnxruntime",),
    "torch": ("torch",),
    "jax": ("jax",),
    "dask": ("dask", "distributed", "zarr"),
    "ml_dtypes": ("ml_dtypes",),
}


def build_info() -> dict[str, Any]:
    """Return version, compiler, instruction sets, threads and extras.

    Returns:
        "version", "compiler"; "isa", the instruction set in use, and "available_isas"; "threads", the process default;
        "extras", name -> whether its packages are found (none is imported).

    Raises:
        SpecError: HP167, HP168 HALFPIXEL_THREADS or HALFPIXEL_ISA is wrong.
    """
    from importlib.util import find_spec

    isa = instruction_set()
    found = {extra: all(map(find_spec, packages)) for extra, packages in _EXTRAS.items()}
    return {**core_build_info(), "isa": isa, "threads": default_threads(), "extras": found}
