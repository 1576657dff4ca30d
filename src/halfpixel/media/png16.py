"""PNG with 16 bits a sample, through imagecodecs: Pillow reads and writes only its grey pictures without loss."""

from __future__ import annotations

import struct
import zlib
from typing import IO

import numpy as np

from halfpixel.media.extra import require
from halfpixel.media.orientation import upright
from halfpixel.media.picture import Alpha, Colour, Picture

_LAYOUTS: dict[int, tuple[Colour, Alpha | None]] = {
    1: ("grey", None),
    2: ("grey", "straight"),
    3: ("rgb", None),
    4: ("rgb", "straight"),
}
_HEADER_END = 8 + 25
"""Length of the signature and of the IHDR chunk, which always comes first."""

_BIT_DEPTH = 24
"""Where IHDR keeps the bits per sample."""


def has_16_bits(head: bytes) -> bool:
    """Whether the first bytes of a PNG file, at least 25, say 16 bits a sample."""
    return head[_BIT_DEPTH : _BIT_DEPTH + 1] == b"\x10"


def read_picture(content: bytes, orientation: int, icc_profile: bytes | None) -> Picture:
    """Decode a whole PNG file of 16 bits a sample; orientation and profile as pillow_files found them.

    Raises:
        imagecodecs.PngError (a RuntimeError): the file is damaged.
    """
    samples = require("imagecodecs").png_decode(content)
    samples = samples.reshape(samples.shape[0], samples.shape[1], -1)
    colour, alpha = _LAYOUTS[samples.shape[2]]
    return Picture(upright(samples, orientation), colour, alpha, None, icc_profile)


def write_picture(stream: IO[bytes], picture: Picture) -> None:
    """Encode a picture of uint16 samples, grey or RGB, without or with straight alpha."""
    content: bytes = require("imagecodecs").png_encode(np.ascontiguousarray(picture.samples))
    stream.write(content[:_HEADER_END])
    if picture.icc_profile is not None:
        stream.write(_chunk(b"iCCP", b"ICC profile\0\0" + zlib.compress(picture.icc_profile)))
    stream.write(content[_HEADER_END:])


def _chunk(name: bytes, data: bytes) -> bytes:
    """A PNG chunk: length, name, data, check sum. Source: PNG (third edition), 5.3."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
