"""The runtimes by name, and which of them are installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import Any, Protocol

from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.peers.work import Array


class Runtime(Protocol):
    """What the file of a runtime offers, in the process of its own."""

    def run_node(self, call: NodeCall) -> tuple[Mapping[str, Any], str]:
        """Return the outputs of a node by name, and what was called if that is not plain. Raises what it raises."""

    def run_model(self, model: bytes | str, feeds: Mapping[str, Array]) -> Mapping[str, Any]:
        """Return the outputs of a whole model, given as bytes or as the path of its file."""


@dataclass(frozen=True, slots=True)
class RuntimeEntry:
    """A runtime.

    Attributes:
        name: as --with takes it.
        module: the package that is imported.
        place: the file under peers/runtimes, with a function ``runtime()``.
        distribution: what to install.
        models: whether it runs whole models; PyTorch has only counterparts of single nodes.
    """

    name: str
    module: str
    place: str
    distribution: str
    models: bool = True

    def version(self) -> str | None:
        """The version that is installed, None if it is not."""
        if find_spec(self.module) is None:
            return None
        return metadata.version(self.distribution)


RUNTIMES: dict[str, RuntimeEntry] = {
    entry.name: entry
    for entry in (
        RuntimeEntry("onnxruntime", "onnxruntime", "onnxruntime", "onnxruntime"),
        RuntimeEntry("openvino", "openvino", "openvino", "openvino"),
        RuntimeEntry("onnx-reference", "onnx", "onnx_reference", "onnx"),
        RuntimeEntry("pytorch", "torch", "pytorch", "torch", models=False),
    )
}
"""Name -> runtime."""


def installed() -> list[str]:
    """Return the names of the runtimes that are installed."""
    return [name for name, entry in RUNTIMES.items() if entry.version() is not None]
