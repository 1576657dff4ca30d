"""ONNX model files: read safely, listed, checked, explained, compared, upgraded, lowered, run.

Every function takes a path, the bytes of a model, an ``onnx.ModelProto``, an ``onnx_ir.Model`` or what ``load``
returned, and works on the main graph, its subgraphs and the local functions. The commands of these names do the same.

Each is imported at its first use: a package that is missing hurts only the functions that need it.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halfpixel.models.inventory import ls as ls
    from halfpixel.models.model import Model as Model
    from halfpixel.models.reading import load as load
    from halfpixel.models.running import run as run
    from halfpixel.models.saving import save as save
    from halfpixel.models.sites import Site as Site
    from halfpixel.models.sites import find_site as find_site
    from halfpixel.models.sites import find_sites as find_sites

_PLACES = {
    "Model": "model",
    "Site": "sites",
    "check": "check",
    "compare": "compare",
    "explain": "explain",
    "find_site": "sites",
    "find_sites": "sites",
    "identify": "identify",
    "load": "reading",
    "lower": "lower",
    "ls": "inventory",
    "run": "running",
    "save": "saving",
    "simplify": "simplify",
    "upgrade": "upgrade",
}
"""Public name -> the module or package of this room that has it."""

__all__ = [
    "Model",
    "Site",
    "check",
    "compare",
    "explain",
    "find_site",
    "find_sites",
    "identify",
    "load",
    "lower",
    "ls",
    "run",
    "save",
    "simplify",
    "upgrade",
]


class _Room(types.ModuleType):
    """This package: a name that is both a function and the package with it, such as check, means the function.

    Python would put the package ``halfpixel.models.check`` in the function's place as soon as anything imports it.
    ``from halfpixel.models.check import ...`` finds the package all the same.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _PLACES and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        """Import a public name from where it is."""
        place = _PLACES.get(name)
        if place is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{place}"), name)

    def __dir__(self) -> list[str]:
        return __all__


sys.modules[__name__].__class__ = _Room
