"""From one file to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from halfpixel.media.formats import Format, check_sides
from halfpixel.media.picture import Media
from halfpixel.media.read import DEFAULT_MAX_PIXELS, read_media
from halfpixel.media.request import ResizeRequest
from halfpixel.media.resize import resize_media
from halfpixel.media.write import DEFAULT_ENCODE, EncodeOptions, check_writable, write_media
from halfpixel.plan.memory import guarded


@dataclass(frozen=True, slots=True)
class Resized:
    """What was done to one file.

    Attributes:
        before, after: (width, height) of each picture, or the shape of each array, in the file's order.
    """

    before: tuple[tuple[int, ...], ...]
    after: tuple[tuple[int, ...], ...]


def resize_file(
    source: Path,
    target: Path,
    request: ResizeRequest,
    encode: EncodeOptions = DEFAULT_ENCODE,
    max_pixels: int = DEFAULT_MAX_PIXELS,
    threads: int | None = None,
) -> Resized:
    """Read a file, resize what is in it and write the result; `target` is replaced only by a complete file.

    Raises:
        MediaError: the file cannot be read, the format of `target` cannot hold it, or it cannot be written.
        SpecError, ElementTypeError, ResourceError: the request breaks a rule of Resize.
    """
    media = read_media(source, max_pixels)
    file_format = check_writable(media, target)
    with guarded(f"the result for {source}"):
        resized = resize_media(media, request, threads)
    _check_result(resized, file_format, target)
    write_media(resized, target, encode)
    return Resized(_sizes(media), _sizes(resized))


def _check_result(media: Media, file_format: Format, path: Path) -> None:
    if not isinstance(media, Mapping):
        for picture in media:
            check_sides(*picture.size, file_format, path)


def _sizes(media: Media) -> tuple[tuple[int, ...], ...]:
    if isinstance(media, Mapping):
        return tuple(array.shape for array in media.values())
    return tuple(picture.size for picture in media)
