"""One way in for every file."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from halfpixel._errors import HalfpixelError, MediaError
from halfpixel.media import arrays, pillow_files, png16, tiff
from halfpixel.media.extra import require
from halfpixel.media.formats import NPY, NPZ, PNG, SIGNATURE_LENGTH, TIFF, Format, format_of_content
from halfpixel.media.picture import Media, Pictures
from halfpixel.plan.memory import guarded

DEFAULT_MAX_PIXELS = 2**29
"""Larger pictures (23170 x 23170) are refused unless the caller allows them: a small file can claim any size."""


def read_media(path: Path, max_pixels: int = DEFAULT_MAX_PIXELS) -> Media:
    """Read a picture file or an array file; what it is, is seen from its content.

    Args:
        path: the file.
        max_pixels: the most pixels that all pictures of the file may have together; checked before they are decoded.
    Returns:
        A tuple of pictures, or a mapping of arrays.
    Raises:
        MediaError: HP500 not to be opened, HP501 of no known kind, HP502 damaged, HP503 of a kind that is not handled,
            HP504 too many pixels.
        ResourceError: HP302, it does not fit into memory.
        MissingExtraError: HP900.
    """
    try:
        with guarded(str(path)), path.open("rb") as stream:
            file_format = format_of_content(stream.read(SIGNATURE_LENGTH), path)
            stream.seek(0)
            return _decode(stream, file_format, path, max_pixels)
    except HalfpixelError:
        raise
    except (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError) as error:
        raise _unopened(path, error) from error
    except Exception as error:
        # Decoders meet damaged bytes with whatever their parsing stumbles over; all of it means the same here.
        raise _damaged(path, error) from error


def _decode(stream: IO[bytes], file_format: Format, path: Path, max_pixels: int) -> Media:
    if file_format is NPY:
        return arrays.read_npy(stream)
    if file_format is NPZ:
        return arrays.read_npz(stream)
    if file_format is TIFF:
        with require("tifffile").TiffFile(stream) as file:
            _check_pixels(tiff.page_sizes(file), path, max_pixels)
            return tiff.read_pictures(file, path)
    return _decode_with_pillow(stream, file_format, path, max_pixels)


def _decode_with_pillow(stream: IO[bytes], file_format: Format, path: Path, max_pixels: int) -> Pictures:
    with pillow_files.open_header(stream, file_format) as image:
        _check_pixels([image.size], path, max_pixels)
        if file_format is not PNG or not png16.has_16_bits(_head(stream)):
            return (pillow_files.read_picture(image, path),)
        header = pillow_files.orientation_and_profile(image)
        stream.seek(0)
        return (png16.read_picture(stream.read(), *header),)


def _head(stream: IO[bytes]) -> bytes:
    position = stream.tell()
    stream.seek(0)
    head = stream.read(32)
    stream.seek(position)
    return head


def _check_pixels(sizes: list[tuple[int, int]], path: Path, max_pixels: int) -> None:
    pixels = sum(width * height for width, height in sizes)
    if pixels > max_pixels:
        pages = f" on {len(sizes)} pages" if len(sizes) > 1 else ""
        raise MediaError(
            "HP504",
            "the picture says that it has more pixels than the limit",
            given=f"{path}, {pixels} pixels{pages} (the first {sizes[0][0]}x{sizes[0][1]})",
            allowed=f"{max_pixels} pixels",
            do=f"if the file is to be trusted: --max-pixels {pixels}",
        )


def _unopened(path: Path, error: OSError) -> MediaError:
    return MediaError(
        "HP500",
        "the file cannot be opened",
        given=f"{path}: {error.strerror}",
        allowed="a file that exists and may be read",
        do="check the path and the permissions",
    )


def _damaged(path: Path, error: BaseException) -> MediaError:
    return MediaError(
        "HP502",
        "the file is damaged or not complete",
        given=f"{path}: {str(error).splitlines()[0] if str(error) else type(error).__name__}",
        allowed="a file that its format's own readers can read",
        do="get the file again, or leave it out",
    )
