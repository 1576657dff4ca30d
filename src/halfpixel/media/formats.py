"""What each file format can hold, as a table: reading, writing, messages and the documentation use it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from halfpixel._errors import MediaError
from halfpixel.media.picture import Colour, Picture, Pictures


@dataclass(frozen=True, slots=True)
class Format:
    """One file format.

    Attributes:
        name: as people call it.
        suffixes: of its file names, lower case; the first is the usual one.
        signatures: (offset, bytes) pairs; a file whose bytes agree with all pairs of one entry is of this format.
        colours: colour models it can hold; empty for the array formats, which hold any array.
        alpha: whether it can hold transparency.
        element_types: NumPy names of its sample types.
        pages: whether it can hold more than one picture.
        longest_side: pixels.
    """

    name: str
    suffixes: tuple[str, ...]
    signatures: tuple[tuple[tuple[int, bytes], ...], ...]
    colours: tuple[Colour, ...] = ()
    alpha: bool = False
    element_types: tuple[str, ...] = ()
    pages: bool = False
    longest_side: int = 2**31 - 1


PNG = Format("PNG", (".png",), (((0, b"\x89PNG\r\n\x1a\n"),),), ("grey", "rgb", "palette"), True, ("uint8", "uint16"))
JPEG = Format(
    "JPEG", (".jpg", ".jpeg"), (((0, b"\xff\xd8\xff"),),), ("grey", "rgb", "cmyk"), False, ("uint8",), False, 65535
)
WEBP = Format("WebP", (".webp",), (((0, b"RIFF"), (8, b"WEBP")),), ("grey", "rgb"), True, ("uint8",), False, 16383)
TIFF = Format(
    "TIFF",
    (".tif", ".tiff"),
    (((0, b"II*\0"),), ((0, b"MM\0*"),), ((0, b"II+\0"),), ((0, b"MM\0+"),)),
    ("grey", "rgb", "cmyk", "palette"),
    True,
    ("uint8", "uint16", "uint32", "int8", "int16", "int32", "float16", "float32", "float64"),
    True,
)
NPY = Format("NPY", (".npy",), (((0, b"\x93NUMPY"),),))
NPZ = Format("NPZ", (".npz",), (((0, b"PK\x03\x04"),), ((0, b"PK\x05\x06"),)))

FORMATS = (PNG, JPEG, WEBP, TIFF, NPY, NPZ)
SUFFIXES = tuple(suffix for item in FORMATS for suffix in item.suffixes)
SIGNATURE_LENGTH = 12


def format_of_content(head: bytes, path: Path) -> Format:
    """The format that a file's first bytes show; its name does not matter.

    Raises:
        MediaError: HP501, no format read here starts so.
    """
    for item in FORMATS:
        for signature in item.signatures:
            if all(head[offset : offset + len(mark)] == mark for offset, mark in signature):
                return item
    raise MediaError(
        "HP501",
        "the file's content is of no kind that is read here",
        given=f"{path}, which starts with {head[:8].hex(' ') or 'nothing'}",
        allowed=", ".join(item.name for item in FORMATS),
        do="convert the file to one of these, or leave it out",
    )


def format_of_name(path: Path) -> Format:
    """The format that a file name's suffix asks for.

    Raises:
        MediaError: HP505, the suffix is not known.
    """
    suffix = path.suffix.lower()
    for item in FORMATS:
        if suffix in item.suffixes:
            return item
    raise MediaError(
        "HP505",
        "the output's suffix names no format that is written here",
        given=f"{path}",
        allowed=", ".join(SUFFIXES),
        do="give the output one of these suffixes",
    )


def check_fits(pictures: Pictures, target: Format, path: Path) -> None:
    """Refuse what a format cannot hold, before anything is computed or written.

    A palette may always be expanded and grey may always be stored as RGB; nothing else is converted.

    Raises:
        MediaError: HP506, names what does not fit and what would.
    """
    if len(pictures) > 1 and not target.pages:
        raise _unfit(path, f"{target.name} holds one picture", f"{len(pictures)} pages", "one page", "write to .tif")
    for picture in pictures:
        _check_picture_fits(picture, target, path)


def _check_picture_fits(picture: Picture, target: Format, path: Path) -> None:
    given = picture.description
    if picture.has_transparency and not target.alpha:
        raise _unfit(path, f"{target.name} holds no transparency", given, "opaque pictures", "write to .png or .webp")
    if picture.samples.dtype.name not in target.element_types:
        allowed = ", ".join(target.element_types)
        wider = ".png or .tif" if picture.samples.dtype.name in PNG.element_types else ".tif"
        raise _unfit(path, f"{target.name} does not hold these samples", given, allowed, f"write to {wider}")
    if picture.colour == "cmyk" and "cmyk" not in target.colours:
        raise _unfit(path, f"{target.name} holds no CMYK", given, "grey, RGB", "write to .jpg or .tif")


def check_sides(width: int, height: int, target: Format, path: Path) -> None:
    """Refuse a size that a format cannot hold.

    Raises:
        MediaError: HP506 for a side too long, HP508 for an empty picture.
    """
    if width < 1 or height < 1:
        raise MediaError(
            "HP508",
            "the result would have no pixels",
            given=f"{path}, {width}x{height}",
            allowed="at least 1x1",
            do="ask for a larger size, or give both sides with --size WIDTHxHEIGHT",
        )
    if max(width, height) > target.longest_side:
        allowed = f"sides up to {target.longest_side}"
        sentence = f"{target.name} holds no side this long"
        raise _unfit(path, sentence, f"{width}x{height}", allowed, "write to .png or .tif")


def _unfit(path: Path, sentence: str, given: str, allowed: str, do: str) -> MediaError:
    return MediaError("HP506", sentence, given=f"{path}, {given}", allowed=allowed, do=do)
