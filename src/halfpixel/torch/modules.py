"""The operators as torch modules. None has parameters."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from halfpixel._typing import Integers, RealNumbers, RearrangeMode
from halfpixel.torch.errors import refusal
from halfpixel.torch.functions import depth_to_space, resize, space_to_depth


class Resize(nn.Module):
    """resize with fixed arguments.

    Args:
        scales, sizes and the other keywords: as in resize, without out.

    Example:
        >>> double = halfpixel.torch.Resize([1, 1, 2, 2], mode="linear")
        >>> double(torch.zeros(1, 3, 8, 8)).shape
        torch.Size([1, 3, 16, 16])
    """

    def __init__(self, scales: RealNumbers | None = None, sizes: Integers | None = None, **keywords: Any) -> None:
        super().__init__()
        self.scales = None if scales is None else [float(scale) for scale in scales]
        self.sizes = None if sizes is None else [int(size) for size in sizes]
        self.keywords = keywords

    def forward(self, x: Tensor) -> Tensor:
        """Return x resized."""
        return resize(x, self.scales, self.sizes, **self.keywords)

    def extra_repr(self) -> str:
        given = {"scales": self.scales, "sizes": self.sizes, **self.keywords}
        return ", ".join(f"{name}={value!r}" for name, value in given.items() if value is not None)


class DepthToSpace(nn.Module):
    """depth_to_space with fixed arguments, on an input of rank 4.

    Args:
        blocksize: rows and columns of a block.
        mode: "DCR" or "CRD".
    """

    def __init__(self, blocksize: int, *, mode: RearrangeMode = "DCR") -> None:
        super().__init__()
        self.blocksize = blocksize
        self.mode: RearrangeMode = mode

    def forward(self, x: Tensor) -> Tensor:
        """Return [N, C, H, W] as [N, C / b^2, H * b, W * b]."""
        return depth_to_space(x, self.blocksize, mode=self.mode)

    def extra_repr(self) -> str:
        return f"blocksize={self.blocksize}, mode={self.mode!r}"


class SpaceToDepth(nn.Module):
    """space_to_depth with fixed arguments, on an input of rank 4.

    Args:
        blocksize: rows and columns of a block.
        mode: "DCR" or "CRD".
    """

    def __init__(self, blocksize: int, *, mode: RearrangeMode = "DCR") -> None:
        super().__init__()
        self.blocksize = blocksize
        self.mode: RearrangeMode = mode

    def forward(self, x: Tensor) -> Tensor:
        """Return [N, C, H, W] as [N, C * b^2, H / b, W / b]."""
        return space_to_depth(x, self.blocksize, mode=self.mode)

    def extra_repr(self) -> str:
        return f"blocksize={self.blocksize}, mode={self.mode!r}"


class PixelShuffle(nn.Module):
    """torch.nn.PixelShuffle: depth_to_space in mode "CRD" on the last three axes.

    Args:
        upscale_factor: rows and columns of a block.
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., C * r^2, H, W) as (..., C, H * r, W * r)."""
        y = depth_to_space(_with_batch(x), self.upscale_factor, mode="CRD")
        return y if x.dim() == 4 else y.reshape(*x.shape[:-3], *y.shape[1:])

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(nn.Module):
    """torch.nn.PixelUnshuffle: space_to_depth in mode "CRD" on the last three axes.

    Args:
        downscale_factor: rows and columns of a block.
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., C, H * r, W * r) as (..., C * r^2, H, W)."""
        y = space_to_depth(_with_batch(x), self.downscale_factor, mode="CRD")
        return y if x.dim() == 4 else y.reshape(*x.shape[:-3], *y.shape[1:])

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


def _with_batch(x: Tensor) -> Tensor:
    """x with exactly one axis before channel, row and column."""
    if x.dim() < 3:
        raise refusal(
            "HP123",
            f"a shuffle of pixels takes rank 3 or more, not {x.dim()}",
            given=f"an input of shape {tuple(x.shape)}",
            allowed="(..., C, H, W)",
            do="add axes in front, such as x[None]",
        )
    return x if x.dim() == 4 else x.reshape(-1, *x.shape[-3:])
