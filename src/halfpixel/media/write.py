"""One way out for every file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np

from halfpixel._errors import MediaError
from halfpixel.media import arrays, pillow_files, png16, tiff
from halfpixel.media.alpha import straight
from halfpixel.media.atomic import replacing
from halfpixel.media.formats import NPY, NPZ, PNG, TIFF, WEBP, Format, check_fits, format_of_name
from halfpixel.media.picture import Arrays, Media, Picture, Pictures, expand_palette


@dataclass(frozen=True, slots=True)
class EncodeOptions:
    """How lossy formats are written.

    Attributes:
        quality: 1 to 100, of JPEG and WebP.
        lossless: WebP without loss.
    """

    quality: int = 92
    lossless: bool = False


DEFAULT_ENCODE = EncodeOptions()


def check_writable(media: Media, path: Path) -> Format:
    """The output's format, if it can hold what was read.

    Raises:
        MediaError: HP505 the suffix is not known, HP506 the format cannot hold it.
    """
    target = format_of_name(path)
    if isinstance(media, Mapping):
        _check_arrays_fit(media, target, path)
    elif target is NPY and len(media) > 1:
        raise _one_array(path, f"{len(media)} pages")
    elif target not in (NPY, NPZ):
        check_fits(media, target, path)
    return target


def write_media(media: Media, path: Path, options: EncodeOptions) -> None:
    """Write a file beside `path` and let it take its place when it is complete.

    Raises:
        MediaError: as check_writable; HP507 the file cannot be written.
    """
    target = check_writable(media, path)
    with replacing(path) as stream:
        try:
            _encode(stream, media, target, options)
        except (ValueError, TypeError, RuntimeError, MemoryError) as error:
            raise MediaError(
                "HP507",
                "the output cannot be written",
                given=f"{path}: {str(error) or type(error).__name__}",
                allowed=f"what the {target.name} encoder accepts",
                do="write another format",
            ) from error


def _encode(stream: IO[bytes], media: Media, target: Format, options: EncodeOptions) -> None:
    if isinstance(media, Mapping):
        _write_arrays(stream, media, target)
    elif target in (NPY, NPZ):
        _write_arrays(stream, _as_arrays(media), target)
    else:
        _write_pictures(stream, media, target, options)


def _write_pictures(stream: IO[bytes], pictures: Pictures, target: Format, options: EncodeOptions) -> None:
    pictures = tuple(_as_stored(picture, target) for picture in pictures)
    if target is TIFF:
        tiff.write_pictures(stream, pictures)
    elif target is PNG and pictures[0].samples.dtype == np.uint16:
        png16.write_picture(stream, pictures[0])
    else:
        pillow_files.write_picture(stream, pictures[0], target, options.quality, options.lossless)


def _as_stored(picture: Picture, target: Format) -> Picture:
    """The picture in a form that the format has; nothing visible changes."""
    if picture.colour == "palette" and (target not in (PNG, TIFF) or (target is TIFF and picture.has_transparency)):
        picture = expand_palette(picture)
    if picture.alpha == "associated" and target is not TIFF:
        picture = straight(picture)
    if picture.colour == "grey" and target is WEBP:
        grey = picture.samples
        picture = replace(picture, samples=np.concatenate([grey[:, :, :1]] * 2 + [grey], axis=2), colour="rgb")
    return picture


def _as_arrays(pictures: Pictures) -> Arrays:
    """(height, width) or (height, width, channels) each; pages are named page_0, page_1, ..."""
    expanded = [expand_palette(picture).samples for picture in pictures]
    squeezed = [samples[:, :, 0] if samples.shape[2] == 1 else samples for samples in expanded]
    if len(squeezed) == 1:
        return {"": squeezed[0]}
    return {f"page_{number}": samples for number, samples in enumerate(squeezed)}


def _write_arrays(stream: IO[bytes], named: Arrays, target: Format) -> None:
    if target is NPY:
        (array,) = named.values()
        arrays.write_npy(stream, array)
    else:
        # np.savez calls its first array without a name arr_0.
        arrays.write_npz(stream, {name or "arr_0": array for name, array in named.items()})


def _check_arrays_fit(named: Arrays, target: Format, path: Path) -> None:
    if target not in (NPY, NPZ):
        raise MediaError(
            "HP506",
            f"{target.name} holds pictures, not arrays",
            given=f"{path}, arrays of shape {', '.join(str(array.shape) for array in named.values())}",
            allowed=".npy, .npz",
            do="write to .npy or .npz",
        )
    if target is NPY and len(named) != 1:
        raise _one_array(path, f"{len(named)} arrays")


def _one_array(path: Path, given: str) -> MediaError:
    return MediaError("HP506", "NPY holds one array", given=f"{path}, {given}", allowed="one array", do="write to .npz")
