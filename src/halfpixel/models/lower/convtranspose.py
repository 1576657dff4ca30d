"""Growth by whole scales as edge Pad, depthwise ConvTranspose, Slice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from halfpixel.models.editing import Patch
from halfpixel.models.lower.carrying import Carrier
from halfpixel.models.lower.resampled import Resampled, repeat_of, resampled
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.sites import Site
from halfpixel.plan.axis_table import AxisTable
from halfpixel.plan.plan import plan_from_spec
from halfpixel.spec.axes import AxisSpec, ResizeSpec

if TYPE_CHECKING:
    import onnx_ir

_REACH = 9
"""Length of the axis on which a kernel is read off: sample 4 is out of the borders' reach for every filter."""


@dataclass(frozen=True)
class Kernel:
    """What one input sample gives to the outputs around it.

    Attributes:
        scale: k, outputs for each input.
        begin: output i gets weights[i - k * j - begin] times input j.
        weights: float64.
    """

    scale: int
    begin: int
    weights: np.ndarray[tuple[int], np.dtype[np.float64]]

    @property
    def padding(self) -> int:
        """How many edge samples are needed on each side."""
        reach = max(-self.begin, self.begin + len(self.weights) - 1)
        return -(-reach // self.scale)


_COPY = Kernel(1, 0, np.ones(1))


def by_convtranspose(site: Site, x: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    """Add Pad, ConvTranspose and Slice. Heights and widths may be unknown, the number of channels may not.

    Between any two input samples the same happens, so that one kernel serves all: input j gives weight
    w[i - k * j] to output i. Taps beyond the border take the edge sample, which is what the Pad puts there.

    Raises:
        NoEqualError: a scale that is no whole number, coordinates that depend on the length (align_corners,
            tf_crop_and_resize), a cubic that leaves out what is outside, growth in batch or channels.
    """
    found = resampled(site)
    spatial = found.rank - 2
    if not 1 <= spatial <= 3 or any(axis.axis < 2 for axis in found.spec.axes):
        raise NoEqualError("ConvTranspose grows one to three axes behind batch and channels")
    channels = site.in_shape[1] if site.in_shape is not None else None
    if not isinstance(channels, int):
        raise NoEqualError("the number of channels is known only when the model runs")
    kernels = [_COPY] * spatial
    for axis in found.spec.axes:
        kernels[axis.axis - 2] = _kernel(site, found, axis)
    carrier = Carrier(site.element_type or "float32", site.opset, patch)
    y = _pad(carrier.enter(x), kernels, site.opset, patch)
    weights = np.ones((channels, 1, *[1] * spatial))
    for at, kernel in enumerate(kernels):
        weights = weights * kernel.weights.reshape([-1 if axis == at else 1 for axis in range(spatial)])
    constant = patch.constant(weights.astype(carrier.dtype), "kernel")
    strides = [kernel.scale for kernel in kernels]
    attributes = {"group": channels, "strides": strides, "kernel_shape": [len(kernel.weights) for kernel in kernels]}
    grown = patch.add("ConvTranspose", [y, constant], attributes, "grown")[0]
    return carrier.leave(_slice(grown, kernels, site.opset, patch))


def _kernel(site: Site, found: Resampled, axis: AxisSpec) -> Kernel:
    """Read the kernel of an axis off the column of one input sample in the middle of a short axis."""
    k = repeat_of(axis)
    if k is None:
        raise NoEqualError(f"along axis {axis.axis} it does not do the same between any two input samples")
    if found.spec.mode == "cubic" and found.spec.exclude_outside:
        raise NoEqualError("exclude_outside weighs the taps at the borders differently")
    table = _table(site, found, axis, k)
    column = table.matrix()[:, _REACH // 2]
    (places,) = np.nonzero(column)
    first, last = int(places[0]), int(places[-1])
    return Kernel(k, first - k * (_REACH // 2), column[first : last + 1])


def _table(site: Site, found: Resampled, axis: AxisSpec, k: int) -> AxisTable:
    """The table of an axis of 9 samples with the node's scale; it must lie on the line of the node's own."""
    shape = [_REACH if at == axis.axis else 1 for at in range(found.rank)]
    scales = [float(k) if at == axis.axis else 1.0 for at in range(found.rank)]
    axes = site.attributes.get("axes")
    if axes is not None:
        scales = [scales[at] for at in axes]
    spec = site.spec(tuple(shape), scales=scales)
    assert isinstance(spec, ResizeSpec)
    if [short.line for short in spec.axes] != [axis.line]:
        raise NoEqualError(f"the coordinates of axis {axis.axis} depend on its length")
    return plan_from_spec(spec, "float64").axes[axis.axis]


def _pad(x: onnx_ir.Value, kernels: list[Kernel], opset: int, patch: Patch) -> onnx_ir.Value:
    pads = [0, 0, *(kernel.padding for kernel in kernels)] * 2
    if not any(pads):
        return x
    if _takes_input("Pad", "pads", opset):
        constant = patch.constant(np.array(pads, np.int64), "pads")
        return patch.add("Pad", [x, constant], {"mode": "edge"}, "padded")[0]
    return patch.add("Pad", [x], {"mode": "edge", "pads": pads}, "padded")[0]


def _slice(x: onnx_ir.Value, kernels: list[Kernel], opset: int, patch: Patch) -> onnx_ir.Value:
    """Cut off what the padding gave: output i stands at i + k * padding - begin, and what follows the last is as long
    as the kernel and the padding say, whatever the input's length.
    """
    starts, ends = [], []
    for kernel in kernels:
        start = kernel.scale * kernel.padding - kernel.begin
        behind = kernel.scale * (kernel.padding - 1) + len(kernel.weights) + kernel.begin
        starts.append(start)
        ends.append(-behind if behind else np.iinfo(np.int64).max)
    axes = list(range(2, 2 + len(kernels)))
    if not _takes_input("Slice", "starts", opset):
        return patch.add("Slice", [x], {"starts": starts, "ends": ends, "axes": axes}, "cut")[0]
    inputs = [
        patch.constant(np.array(values, np.int64), name)
        for name, values in (("starts", starts), ("ends", ends), ("axes", axes))
    ]
    return patch.add("Slice", [x, *inputs], {}, "cut")[0]


def _takes_input(op_type: str, name: str, opset: int) -> bool:
    """True if an operator takes something as an input in an opset; before, it was an attribute."""
    import onnx

    return any(entry.name == name for entry in onnx.defs.get_schema(op_type, opset).inputs)
