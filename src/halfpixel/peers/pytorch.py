"""PyTorch: the kernels behind interpolate and its gradient, called directly so that they can write into an output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from halfpixel.peers.peer import FLOOR, Peer, Prepared, tolerance_of_clipping
from halfpixel.peers.work import DEPTH_TO_SPACE, RESIZE_GRAD, Array, Work, in_layout, planar

_ELEMENTS = ("uint8", "float16", "bfloat16", "float32", "float64")
# (mode, axes of space, antialias) -> kernel
_KERNELS = {
    ("nearest", 2, False): "upsample_nearest2d",
    ("linear", 2, False): "upsample_bilinear2d",
    ("linear", 2, True): "_upsample_bilinear2d_aa",
    ("cubic", 2, False): "upsample_bicubic2d",
    ("cubic", 2, True): "_upsample_bicubic2d_aa",
    ("nearest", 3, False): "upsample_nearest3d",
    ("linear", 3, False): "upsample_trilinear3d",
}


class PyTorch(Peer):
    """torch on the CPU, in one of its two memory formats.

    With antialias the weights are divided by the sum of the taps inside, and the cubic coefficient is -0.5. Nearest is
    asymmetric and takes the floor.
    """

    module = "torch"

    def __init__(self, name: str, channels_last: bool) -> None:
        self.name = name
        self._channels_last = channels_last

    def use_threads(self, count: int) -> None:
        torch = self.load()
        torch.set_num_threads(count)
        torch.set_grad_enabled(False)

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        if work.element not in _ELEMENTS:
            return None
        if work.resizes:
            return self._resize(work, x)
        return None if self._channels_last else self._rearrange(work, x)

    def whole_call(self, work: Work) -> Callable[[Array], Any] | None:
        called = self._kernel(work)
        if called is None or work.element == "bfloat16" or len(work.space) != 2:
            return None
        torch, (kernel, arguments) = self.load(), called
        interleaved = work.layout == "HWC"
        if interleaved is not self._channels_last:
            return None

        def call(x: Array) -> Any:
            tensor = torch.from_numpy(x)
            return kernel(tensor.permute(2, 0, 1)[None] if interleaved else tensor, *arguments)

        return call

    def _kernel(self, work: Work) -> tuple[Any, tuple[Any, ...]] | None:
        """The forward kernel and what follows its input."""
        name = _KERNELS.get((work.mode, len(work.space), work.antialiases))
        if name is None or work.coordinates not in ("half_pixel", "align_corners"):
            return None
        sizes = list(work.sizes)
        aligned = work.coordinates == "align_corners"
        arguments: tuple[Any, ...] = (sizes,) if work.mode == "nearest" else (sizes, aligned)
        return getattr(self.load().ops.aten, name), (*arguments, *(None for _ in sizes))

    def _resize(self, work: Work, x: Array) -> Prepared | None:
        called = self._kernel(work)
        if called is None:
            return None
        kernel, arguments = called
        given = self._tensor(in_layout(x, work.layout, planar(work)))
        y = self._empty(work)
        writes_sums = work.operation == RESIZE_GRAD
        if writes_sums:
            aten = self.load().ops.aten
            kernel = getattr(aten, f"{kernel.__name__}_backward")
            shape = in_layout(np.empty(work.shape, np.uint8), work.layout, planar(work)).shape
            arguments = (arguments[0], list(shape), *arguments[1:])
        write, output = (kernel.grad_input, "grad_input") if writes_sums else (kernel.out, "out")
        # The cubic gradient adds to a channels-last output instead of setting it.
        adds = writes_sums and self._channels_last and work.mode == "cubic"
        return Prepared(
            None if adds else lambda: write(given, *arguments, **{output: y}),
            lambda: kernel.default(given, *arguments),
            lambda result: in_layout(self._array(result, work), planar(work), work.layout),
            _reading(work),
            tolerance=tolerance_of_clipping(work),
        )

    def _rearrange(self, work: Work, x: Array) -> Prepared:
        torch = self.load()
        given, y = self._tensor(x), self._empty(work)
        to_space = work.operation == DEPTH_TO_SPACE
        blocks = work.attributes["blocksize"]
        batch, channels, height, width = work.shape if to_space else work.out_shape
        wide = channels // blocks**2
        # Both sides as six axes in the order of the result, so that one copy moves everything.
        if work.mode == "DCR":
            deep_shape, order = (batch, blocks, blocks, wide, height, width), (0, 3, 4, 1, 5, 2)
        else:
            deep_shape, order = (batch, wide, blocks, blocks, height, width), (0, 1, 4, 2, 5, 3)
        space_shape = (batch, wide, height, blocks, width, blocks)
        if to_space:
            source, target = given.reshape(deep_shape).permute(order), y.view(space_shape)
        else:
            back = [order.index(axis) for axis in range(6)]
            source, target = given.reshape(space_shape).permute(back), y.view(deep_shape)

        def into_output() -> Any:
            target.copy_(source)
            return y

        shape = work.out_shape
        return Prepared(
            into_output,
            lambda: source.clone(memory_format=torch.contiguous_format).reshape(shape),
            lambda result: self._array(result, work),
        )

    def _tensor(self, x: Array) -> Any:
        torch = self.load()
        if x.dtype.name == "bfloat16":
            tensor = torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)
        else:
            tensor = torch.from_numpy(x)
        return tensor.contiguous(memory_format=self._format(x.ndim))

    def _empty(self, work: Work) -> Any:
        torch = self.load()
        shape = in_layout(np.empty(work.result_shape, np.uint8), work.layout, planar(work)).shape
        return torch.empty(shape, dtype=getattr(torch, work.element), memory_format=self._format(len(shape)))

    def _format(self, rank: int) -> Any:
        torch = self.load()
        if not self._channels_last:
            return torch.contiguous_format
        return torch.channels_last if rank == 4 else torch.channels_last_3d

    def _array(self, result: Any, work: Work) -> Array:
        torch = self.load()
        if work.element == "bfloat16":
            return np.asarray(result.contiguous().view(torch.int16).numpy()).view(work.dtype)
        return np.asarray(result.contiguous().numpy())


def _reading(work: Work) -> dict[str, Any]:
    if work.mode == "nearest":
        return FLOOR
    if not work.antialiases:
        return {}
    return {"exclude_outside": True} | ({"cubic_coeff_a": -0.5} if work.mode == "cubic" else {})
