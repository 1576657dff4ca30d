"""PNG of up to 8 bits, JPEG and WebP, through Pillow."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np

from halfpixel._errors import MediaError
from halfpixel.media.extra import require
from halfpixel.media.formats import JPEG, WEBP, Format
from halfpixel.media.orientation import upright
from halfpixel.media.picture import Alpha, Colour, Picture, Samples

ORIENTATION = 274

_OPENERS: dict[str, tuple[str, str]] = {
    "PNG": ("PIL.PngImagePlugin", "PngImageFile"),
    "JPEG": ("PIL.JpegImagePlugin", "JpegImageFile"),
    "WebP": ("PIL.WebPImagePlugin", "WebPImageFile"),
}

_LAYOUTS: dict[str, tuple[Colour, Alpha | None]] = {
    "L": ("grey", None),
    "LA": ("grey", "straight"),
    "RGB": ("rgb", None),
    "RGBA": ("rgb", "straight"),
    "CMYK": ("cmyk", None),
    "P": ("palette", None),
}


def open_header(stream: IO[bytes], file_format: Format) -> Any:
    """Open a picture without decoding it.

    The format's own class is called, not PIL.Image.open: nothing but the format that was recognised may read the bytes,
    and Pillow's process-wide limit on pixels stays out of it (read.py has its own, per call). A JPEG that
    carries several pictures (MPO, as telephones write) gives its first.
    """
    module, name = _OPENERS[file_format.name]
    return getattr(require(module), name)(stream)


def read_picture(image: Any, path: Path) -> Picture:
    """Decode a picture opened with open_header, turned the right way up.

    Raises:
        MediaError: HP503, an animation or a kind of sample that is not handled.
        OSError, ValueError, SyntaxError: as Pillow raises them for damaged files.
    """
    if getattr(image, "n_frames", 1) > 1:
        raise MediaError(
            "HP503",
            "animated pictures are not resized",
            given=f"{path}, {image.n_frames} frames",
            allowed="files with one picture; TIFF files with several pages",
            do="take the frames apart first",
        )
    orientation, icc_profile = orientation_and_profile(image)
    image = _plain_mode(image, path)
    colour, alpha = _LAYOUTS[image.mode]
    samples = np.array(image)
    samples = upright(samples.reshape(image.height, image.width, -1), orientation)
    palette = _palette(image) if colour == "palette" else None
    return Picture(samples, colour, alpha, palette, icc_profile)


def orientation_and_profile(image: Any) -> tuple[int, bytes | None]:
    """(EXIF orientation, colour profile); decodes the picture, since PNG may keep both behind the pixels."""
    image.load()
    return int(image.getexif().get(ORIENTATION, 1)), image.info.get("icc_profile")


def _plain_mode(image: Any, path: Path) -> Any:
    """One of the modes of _LAYOUTS, with the transparency of a single colour (PNG's tRNS) made an alpha channel."""
    if image.mode == "1":
        image = image.convert("L")
    if image.mode in ("L", "RGB") and "transparency" in image.info:
        return image.convert("LA" if image.mode == "L" else "RGBA")
    if image.mode in _LAYOUTS:
        return image
    raise MediaError(
        "HP503",
        "the picture's kind of sample is not handled",
        given=f"{path}, Pillow mode {image.mode!r}",
        allowed="1 to 8 bits of grey, palette, RGB or CMYK, with or without alpha; 16 bits in PNG and TIFF",
        do="convert the file to one of these",
    )


def _palette(image: Any) -> Samples:
    colours = np.array(image.getpalette("RGB"), np.uint8).reshape(-1, 3)
    entries = np.full((len(colours), 4), 255, np.uint8)
    entries[:, :3] = colours
    transparency = image.info.get("transparency")
    if isinstance(transparency, bytes):
        entries[: len(transparency), 3] = np.frombuffer(transparency, np.uint8)[: len(entries)]
    elif transparency is not None:
        entries[int(transparency), 3] = 0
    return entries


def write_picture(stream: IO[bytes], picture: Picture, target: Format, quality: int, lossless: bool) -> None:
    """Encode a picture whose colour, alpha and samples the format can hold (formats.check_fits has been passed).

    Args:
        picture: samples of uint8, alpha straight.
        quality: 1 to 100, of JPEG and of WebP unless lossless.
        lossless: WebP only.
    Raises:
        OSError, ValueError: as Pillow raises them.
    """
    image_module = require("PIL.Image")
    mode = next(mode for mode, layout in _LAYOUTS.items() if layout == (picture.colour, picture.alpha))
    # frombytes, not fromarray: fromarray would read four channels as RGBA.
    image = image_module.frombytes(mode, picture.size, np.ascontiguousarray(picture.samples).tobytes())
    options: dict[str, Any] = {"icc_profile": picture.icc_profile}
    if picture.palette is not None:
        image.putpalette(picture.palette[:, :3].tobytes())
        if picture.has_transparency:
            options["transparency"] = picture.palette[:, 3].tobytes()
    if target is JPEG:
        # 4:4:4: a resized picture has no chroma to spare.
        options |= {"quality": quality, "subsampling": 0}
    if target is WEBP:
        options |= {"quality": quality, "lossless": lossless, "exact": lossless}
    image.save(stream, format=target.name, **options)
