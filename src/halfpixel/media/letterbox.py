"""The border of a letterboxed picture or array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from halfpixel.media.picture import Picture, Samples
from halfpixel.plan.elements import element_of
from halfpixel.plan.resampling import fill_outside, fill_value


def bordered(samples: Samples, axes: Sequence[int], sizes: Sequence[int], value: float) -> Samples:
    """Return the samples in the middle of an array of these sizes; the smaller half of what is over lies before them.

    Args:
        axes: the axes that sizes are for; nowhere larger than their size.
        value: of the border, rounded to the element type.
    Raises:
        SpecError: HP171, strings.
    """
    inside = [slice(0, length) for length in samples.shape]
    shape = list(samples.shape)
    for axis, size in zip(axes, sizes, strict=True):
        begin = (size - shape[axis]) // 2
        inside[axis] = slice(begin, begin + shape[axis])
        shape[axis] = size
    if tuple(shape) == samples.shape:
        return samples
    element = fill_value(value, element_of(samples.dtype), "the border of a letterbox")
    out: Samples = np.empty(shape, samples.dtype)
    out[tuple(inside)] = samples
    fill_outside(out, tuple(inside), element)
    return out


def bordered_picture(picture: Picture, axes: Sequence[int], sizes: Sequence[int], value: float) -> Picture:
    """The same for a picture without a palette: colour channels take the value, the border is opaque."""
    samples = bordered(picture.samples, axes, sizes, value)
    if picture.alpha is not None and samples is not picture.samples:
        kind: Any = samples.dtype
        opaque = float(np.iinfo(kind).max) if kind.kind in "iu" else 1.0
        samples[..., -1:] = bordered(picture.samples[..., -1:], axes, sizes, opaque)
    return replace(picture, samples=samples)
