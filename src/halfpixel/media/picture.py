"""A picture in memory, and a file's worth of pictures or arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Samples: TypeAlias = NDArray[Any]
Colour: TypeAlias = Literal["grey", "rgb", "cmyk", "palette"]
Alpha: TypeAlias = Literal["straight", "associated"]

COLOUR_CHANNELS: dict[Colour, int] = {"grey": 1, "rgb": 3, "cmyk": 4, "palette": 1}
"""Colour channels of each colour model; a palette picture has one channel of indices."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture, the right way up.

    Attributes:
        samples: shape (height, width, channels): the colour channels, then alpha if there is one.
        colour: what the colour channels mean.
        alpha: None without an alpha channel; "straight" if colours are stored as they are, "associated" if they are
            stored multiplied by alpha.
        palette: shape (entries, 4), uint8: red, green, blue, alpha of each index; None unless colour is "palette".
        icc_profile: the colour profile's bytes, carried along unread.
    """

    samples: Samples
    colour: Colour
    alpha: Alpha | None = None
    palette: Samples | None = None
    icc_profile: bytes | None = None

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return int(self.samples.shape[1]), int(self.samples.shape[0])

    @property
    def description(self) -> str:
        """Size, colour model and element type in words, as messages name a picture."""
        width, height = self.size
        alpha = " with alpha" if self.has_transparency else ""
        return f"{width}x{height} {self.colour}{alpha}, {self.samples.dtype.name}"

    @property
    def has_transparency(self) -> bool:
        """Whether any way of being transparent is there: an alpha channel, or a palette entry that is not opaque."""
        return self.alpha is not None or (self.palette is not None and bool((self.palette[:, 3] < 255).any()))


Pictures: TypeAlias = tuple[Picture, ...]
"""The pictures of one file: one, or the pages of a TIFF."""

Arrays: TypeAlias = Mapping[str, Samples]
"""The arrays of one file by name; the one array of a .npy file has the name ""."""

Media: TypeAlias = Pictures | Arrays


def expand_palette(picture: Picture) -> Picture:
    """The same picture as RGB, or RGB with straight alpha if a palette entry is not opaque. No palette: unchanged.

    Indices past the end of the palette become opaque black, as the PNG text advises.
    """
    if picture.palette is None:
        return picture
    entries = np.zeros((256, 4), np.uint8)
    entries[:, 3] = 255
    entries[: len(picture.palette)] = picture.palette
    transparent = picture.has_transparency
    samples = entries[picture.samples[:, :, 0]][:, :, : 4 if transparent else 3]
    return replace(picture, samples=samples, colour="rgb", alpha="straight" if transparent else None, palette=None)
