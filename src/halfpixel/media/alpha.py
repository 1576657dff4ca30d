"""Colours multiplied by alpha and back.

An average of colours is right only if each counts as much as it is seen: p = colour * alpha is averaged, and so is
alpha; the new colour is p / alpha.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halfpixel.media.picture import Picture


def multiply_by_alpha(samples: NDArray[Any]) -> None:
    """In place: colour channels times alpha, the last channel, in its own units (255 or 65535 is opaque)."""
    # A channel at a time: NumPy takes twice as long over a last axis of three.
    for channel in range(samples.shape[-1] - 1):
        samples[..., channel] *= samples[..., -1]


def divide_by_alpha(samples: NDArray[Any]) -> None:
    """In place: the inverse of multiply_by_alpha. Where alpha is 0 or below, colour becomes 0."""
    alpha = samples[..., -1]
    visible = alpha > 0
    for channel in range(samples.shape[-1] - 1):
        colour = samples[..., channel]
        colour[~visible] = 0
        np.divide(colour, alpha, out=colour, where=visible)


def straight(picture: Picture) -> Picture:
    """The same picture with straight alpha: associated colours are divided by alpha and rounded half to even.

    Integer samples only (float pictures stay in TIFF, which holds associated alpha).
    """
    if picture.alpha != "associated":
        return picture
    largest = np.iinfo(picture.samples.dtype).max
    working = picture.samples.astype(np.float64)
    working[..., :-1] *= largest
    divide_by_alpha(working)
    samples = np.rint(np.clip(working, 0, largest)).astype(picture.samples.dtype)
    return replace(picture, samples=samples, alpha="straight")
