"""Runtimes that run an ONNX node or a whole model, each in a process of its own: a crash there is a result here.

One file a runtime. Importing this loads none of them.
"""

from __future__ import annotations

from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.peers.runtimes.outcome import Outcome
from halfpixel.peers.runtimes.process import RuntimeProcess
from halfpixel.peers.runtimes.registry import RUNTIMES, RuntimeEntry, installed

__all__ = ["RUNTIMES", "NodeCall", "Outcome", "RuntimeEntry", "RuntimeProcess", "installed"]
