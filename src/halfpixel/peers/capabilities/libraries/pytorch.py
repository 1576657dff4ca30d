"""torch.nn.functional.interpolate on the CPU."""

from __future__ import annotations

from functools import cache

import numpy as np

from halfpixel.peers.capabilities.request import AREA, NoSuchArgumentError, Request
from halfpixel.peers.runtimes.pytorch import PyTorchNodes
from halfpixel.peers.work import Array


@cache
def _torch() -> PyTorchNodes:
    return PyTorchNodes()


def answer(request: Request) -> Array:
    """Return the result of interpolate, on a batch of one and one channel."""
    if request.get("mode") == AREA:
        import torch

        x = torch.from_numpy(request.x[None, None])
        mean: Array = torch.nn.functional.interpolate(x, request.lengths, mode=AREA).numpy()
        return mean[0, 0, ...]
    if request.opset == 11:
        raise NoSuchArgumentError("has no coordinates of tf_half_pixel_for_nn")
    outputs, _ = _torch().run_node(request.node())
    y: Array = np.asarray(outputs["Y"])
    return y[0, 0, ...]
