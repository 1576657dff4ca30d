"""Libraries that do some of the same work, called to be compared with. One file a library; a missing one is left out.

Importing this loads none of them.
"""

from __future__ import annotations

from halfpixel.peers.jax import Jax
from halfpixel.peers.kornia_rs import KorniaRs
from halfpixel.peers.onnxruntime import OnnxRuntime
from halfpixel.peers.opencv import OpenCV
from halfpixel.peers.openvino import OpenVINO
from halfpixel.peers.peer import Peer, Prepared
from halfpixel.peers.pillow import Pillow
from halfpixel.peers.pytorch import PyTorch
from halfpixel.peers.pyvips import Pyvips
from halfpixel.peers.tinybrain import Tinybrain
from halfpixel.peers.work import Work
from halfpixel.peers.zimg import Zimg

__all__ = ["PEERS", "Peer", "Prepared", "Work"]

PEERS: tuple[Peer, ...] = (
    OpenCV(),
    PyTorch("PyTorch contiguous", channels_last=False),
    PyTorch("PyTorch channels-last", channels_last=True),
    OnnxRuntime(),
    OpenVINO(),
    Pillow(),
    Jax(),
    Tinybrain(),
    KorniaRs(),
    Pyvips(),
    Zimg(),
)
"""Every known peer, in the order of the tables."""
