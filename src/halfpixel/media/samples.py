"""Pictures to try things on: a photograph that is shipped, and patterns that are computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from halfpixel.media.picture import Picture
from halfpixel.media.read import read_media

PHOTOGRAPH = Path(__file__).parent / "data" / "chelsea.jpg"


def photograph() -> Picture:
    """Chelsea the cat, 451 x 300, RGB. Source and licence: data/chelsea.txt."""
    (picture,) = read_media(PHOTOGRAPH)
    assert isinstance(picture, Picture)
    return picture


def zone_plate(size: int) -> Picture:
    """Rings that get finer from the centre, to 0.45 cycles a pixel at the middle of each edge, on grey.

    v(r) = 255 * (1 + w(r) * cos(0.9 * pi * r**2 / size)) / 2, r in pixels from the centre: 0.9 * r / size cycles a
    pixel. w is 1, and falls to 0 from r = 0.46 * size to size / 2: the corners, which would be finer than pixels, stay
    grey. Whatever a resampler does wrong shows as rings that are not there.
    """
    offset = np.arange(size) - (size - 1) / 2
    squared = offset[:, np.newaxis] ** 2 + offset**2
    fade = np.clip((0.5 * size - np.sqrt(squared)) / (0.04 * size), 0, 1)
    value = 255 * (1 + fade * np.cos(0.9 * np.pi * squared / size)) / 2
    return Picture(np.rint(value).astype(np.uint8)[:, :, np.newaxis], "grey")


def soft_disc(size: int) -> Picture:
    """An orange disc with a soft edge on nothing: RGBA, whose fully transparent pixels hide a green that nobody sees.

    Averaged without regard to alpha, the green comes out at the edge.
    """
    offset = np.arange(size) - (size - 1) / 2
    radius = np.hypot(offset[:, np.newaxis], offset)
    alpha = np.clip(size * 0.42 - radius, 0, 1)
    samples = np.empty((size, size, 4), np.uint8)
    samples[..., :3] = np.where(alpha[..., np.newaxis] > 0, (240, 120, 30), (0, 255, 60))
    samples[..., 3] = np.rint(255 * alpha)
    return Picture(samples, "rgb", "straight")


def stripes(height: int, width: int) -> Picture:
    """One pixel red, one pixel green, in columns: seen from afar a yellow, as bright as half the light of both."""
    samples = np.zeros((height, width, 3), np.uint8)
    samples[:, 0::2, 0] = 255
    samples[:, 1::2, 1] = 255
    return Picture(samples, "rgb")
