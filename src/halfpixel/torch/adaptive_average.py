"""Mode "area": the mean over the input samples that an output sample covers, whole samples only.

Output sample i of n is the mean of the input samples from floor(i * in / n) to ceil((i + 1) * in / n) - 1. No Resize of
ONNX has these weights, and so there is no table of them; torch's own adaptive average pooling, which F.interpolate
calls too, does the work and brings its own gradients and transforms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from halfpixel.torch.errors import refusal

_POOLS: dict[int, Callable[[Tensor, Any], Tensor]] = {
    3: functional.adaptive_avg_pool1d,
    4: functional.adaptive_avg_pool2d,
    5: functional.adaptive_avg_pool3d,
}
_WIDER = {torch.float16: torch.float32, torch.bfloat16: torch.float32}
_EXACT = (torch.bool, torch.uint8, torch.int8, torch.uint16, torch.int16, torch.uint32, torch.int32)
"""Types whose sums float64 holds exactly."""


def adaptive_average(x: Tensor, size: list[Any]) -> Tensor:
    """Return the means as a tensor of x's dtype; integers are rounded half to even, bool is true from one half up.

    Raises:
        NotImplementedError: HP201 a type without an exact sum in float64; HP123 another rank than 3, 4 or 5.
    """
    if x.dim() not in _POOLS:
        raise refusal(
            "HP123",
            f"mode 'area' does not take an input of rank {x.dim()}",
            given=f"an input of rank {x.dim()}",
            allowed="rank 3, 4 or 5",
            do="fold leading axes together",
            kind=NotImplementedError,
        )
    pool = _POOLS[x.dim()]
    if x.dtype in (torch.float32, torch.float64):
        return pool(x, size)
    if x.dtype in _WIDER:
        return pool(x.to(_WIDER[x.dtype]), size).to(x.dtype)
    if x.dtype not in _EXACT:
        raise refusal(
            "HP201",
            f"mode 'area' has no exact mean of {x.dtype}",
            given=f"an input of {x.dtype}",
            allowed="floating point, bool and integers of up to 32 bits",
            do="convert it to torch.float64",
        )
    mean = pool(x.to(torch.float64), size)
    return mean >= 0.5 if x.dtype is torch.bool else mean.round().to(x.dtype)
