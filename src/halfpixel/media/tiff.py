"""TIFF, any number of pages, through tifffile."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np

from halfpixel._errors import MediaError
from halfpixel.media.extra import require
from halfpixel.media.orientation import upright
from halfpixel.media.picture import COLOUR_CHANNELS, Alpha, Colour, Picture, Pictures, Samples

_WHOLE_BITS = (1, 8, 16, 32, 64)
_PALETTE_BITS = (1, 2, 4, 8)
_ALPHA_KINDS: dict[str, Alpha] = {"ASSOCALPHA": "associated", "UNASSALPHA": "straight"}
_PHOTOMETRIC: dict[Colour, str] = {"grey": "minisblack", "rgb": "rgb", "cmyk": "separated", "palette": "palette"}
_EXTRA_SAMPLES: dict[Alpha, str] = {"straight": "unassalpha", "associated": "assocalpha"}
_COLOURS: dict[str, Colour] = {
    "MINISBLACK": "grey",
    "MINISWHITE": "grey",
    "RGB": "rgb",
    "SEPARATED": "cmyk",
    "PALETTE": "palette",
}

ORIENTATION = 274
ICC_PROFILE = 34675

BIGTIFF_FROM = 2**32 - 2**25
"""Bytes of samples from which the file's offsets need 64 bits, with room for what is not samples."""


def page_sizes(file: Any) -> list[tuple[int, int]]:
    """(width, height) of each page, without decoding.

    Args:
        file: a tifffile.TiffFile.
    """
    return [(page.imagewidth, page.imagelength) for page in file.pages]


def read_pictures(file: Any, path: Path) -> Pictures:
    """Decode every page, each turned the right way up.

    Grey where 0 is white comes out with 0 as black, bits as 0 and 255.

    Raises:
        MediaError: HP503, a colour model or sample size that is not handled.
    """
    return tuple(_read_page(page, path) for page in file.pages)


def _read_page(page: Any, path: Path) -> Picture:
    # All that can be refused is refused before decoding: a tag can claim thousands of channels.
    colour = _colour(page, path)
    alpha = _alpha(page, page.samplesperpixel - COLOUR_CHANNELS[colour], path)
    samples = _channels_last(page)
    if samples.dtype == np.bool_:
        samples = samples.astype(np.uint8) * np.uint8(255)
    if _name(page.photometric) == "MINISWHITE":
        samples = _white_is_zero(samples)
    orientation = page.tags.valueof(ORIENTATION, 1)
    palette = _palette(page) if colour == "palette" else None
    profile = page.tags.valueof(ICC_PROFILE)
    icc_profile = None if profile is None else bytes(profile)
    return Picture(upright(samples, int(orientation)), colour, alpha, palette, icc_profile)


def _name(value: Any) -> str:
    """The name of a tag's value; the number itself if TIFF defines none."""
    return str(getattr(value, "name", value))


def _colour(page: Any, path: Path) -> Colour:
    photometric = _name(page.photometric)
    if photometric == "YCBCR" and _name(page.compression) == "JPEG":
        # The JPEG decoder has already turned it to RGB.
        photometric = "RGB"
    colour = _COLOURS.get(photometric)
    inks = page.samplesperpixel - len(page.extrasamples)
    if colour is None or page.imagedepth != 1 or inks != COLOUR_CHANNELS[colour]:
        raise _unhandled(path, f"{photometric} with {inks} colour channels", "grey, RGB, CMYK, palette")
    if page.bitspersample not in (_PALETTE_BITS if colour == "palette" else _WHOLE_BITS):
        raise _unhandled(path, f"{page.bitspersample} bits a sample", "1, 8, 16, 32, 64 bits; palettes of up to 8")
    return colour


def _channels_last(page: Any) -> Samples:
    samples = np.asarray(page.asarray())
    if samples.ndim == 2:
        return samples[:, :, np.newaxis]
    if _name(page.planarconfig) == "SEPARATE":
        return np.moveaxis(samples, 0, 2)
    return samples


def _white_is_zero(samples: Samples) -> Samples:
    inverse = ~samples if samples.dtype.kind in "iu" else 1 - samples
    return np.asarray(inverse, dtype=samples.dtype)


def _alpha(page: Any, extra_channels: int, path: Path) -> Alpha | None:
    if extra_channels == 0:
        return None
    kinds = [_name(kind) for kind in page.extrasamples]
    alpha = _ALPHA_KINDS.get(kinds[0]) if len(kinds) == 1 else None
    if alpha is None:
        given = f"{extra_channels} extra channels ({', '.join(kinds)})"
        raise _unhandled(path, given, "one channel that says it is alpha")
    return alpha


def _palette(page: Any) -> Samples:
    """The colour map, of 16 bits a value, as 8 bits: the high byte (files repeat it in the low one, or leave 0)."""
    entries = np.full((page.colormap.shape[1], 4), 255, np.uint8)
    entries[:, :3] = (page.colormap.T >> 8).astype(np.uint8)
    return entries


def _unhandled(path: Path, given: str, allowed: str) -> MediaError:
    return MediaError(
        "HP503",
        "this kind of TIFF is not handled",
        given=f"{path}, {given}",
        allowed=allowed,
        do="convert the file to one of these",
    )


def write_pictures(stream: IO[bytes], pictures: Pictures) -> None:
    """Write one page a picture, compressed without loss (Deflate)."""
    tifffile = require("tifffile")
    size = sum(picture.samples.nbytes for picture in pictures)
    with tifffile.TiffWriter(stream, bigtiff=size >= BIGTIFF_FROM) as file:
        for picture in pictures:
            file.write(
                picture.samples[:, :, 0] if picture.samples.shape[2] == 1 else picture.samples,
                photometric=_PHOTOMETRIC[picture.colour],
                planarconfig=None if picture.samples.shape[2] == 1 else "contig",
                extrasamples=None if picture.alpha is None else [_EXTRA_SAMPLES[picture.alpha]],
                colormap=None if picture.palette is None else _colour_map(picture.palette),
                iccprofile=picture.icc_profile,
                compression="zlib",
                predictor=picture.samples.dtype.kind in "iu" and picture.palette is None,
                metadata=None,
                software="halfpixel",
            )


def _colour_map(palette: Samples) -> Samples:
    """shape (3, 256), uint16, as TIFF stores it; entries that the palette lacks are black."""
    colours = np.zeros((3, 256), np.uint16)
    colours[:, : len(palette)] = palette[:, :3].T.astype(np.uint16) * 257
    return colours
