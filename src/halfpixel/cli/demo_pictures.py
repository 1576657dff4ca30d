"""The demo's pictures: every mode, with and without antialias, shrunk and grown; alpha and light done right and not."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass, replace

from halfpixel.media import Picture, ResizeRequest, resize_picture
from halfpixel.media.formats import PNG
from halfpixel.media.pillow_files import write_picture
from halfpixel.media.samples import photograph, soft_disc, stripes, zone_plate

MODES = ("nearest", "linear", "cubic")


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture on the page.

    Attributes:
        title, note: words below it.
        width, height: of the picture in pixels.
        zoom: CSS pixels a picture pixel.
        url: the picture itself, as a data URL.
    """

    title: str
    note: str
    width: int
    height: int
    zoom: float
    url: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A source and what the modes make of it: a row without antialias, a row with."""

    source: Shown
    rows: tuple[tuple[str, tuple[Shown, ...]], ...]


def png_bytes(picture: Picture) -> bytes:
    """A picture of 8 bits as a PNG file."""
    stream = io.BytesIO()
    write_picture(stream, picture, PNG, quality=100, lossless=True)
    return stream.getvalue()


def show(picture: Picture, title: str, note: str = "", zoom: float = 1) -> Shown:
    """Put a picture on the page."""
    url = "data:image/png;base64," + base64.b64encode(png_bytes(picture)).decode()
    return Shown(title, note, *picture.size, zoom, url)


def resized(picture: Picture, size: tuple[int, int], mode: str, antialias: bool = True) -> Picture:
    """Resize for the page."""
    return resize_picture(picture, ResizeRequest(size=size, attributes={"mode": mode, "antialias": antialias}))


def shrunk(picture: Picture, title: str, size: tuple[int, int], zoom: float) -> Grid:
    """The three modes without and with antialias."""
    rows = []
    for antialias in (False, True):
        row = tuple(
            show(resized(picture, size, mode, antialias), mode, _shrink_note(mode, antialias), zoom) for mode in MODES
        )
        rows.append(("antialias=1" if antialias else "antialias=0", row))
    return Grid(show(picture, title, f"{picture.size[0]} x {picture.size[1]}"), tuple(rows))


def _shrink_note(mode: str, antialias: bool) -> str:
    if mode == "nearest":
        return "antialias does nothing to nearest" if antialias else "one input pixel each"
    taps = {"linear": 2, "cubic": 4}[mode]
    return "as many taps as the scale asks for" if antialias else f"{taps} x {taps} taps, the rest is skipped"


def zone_plate_grid() -> Grid:
    """448 pixels to 168, three eighths."""
    return shrunk(zone_plate(448), "The zone plate", (168, 168), 2)


def zone_plate_halves() -> tuple[Shown, Shown]:
    """640 pixels to 240, three eighths, with mode linear, without and with antialias."""
    plate = zone_plate(640)
    without, antialiased = (resized(plate, (240, 240), "linear", antialias) for antialias in (False, True))
    return show(without, "antialias=0", "", 2), show(antialiased, "antialias=1", "", 2)


def photograph_grid() -> Grid:
    """451 x 300 to 169 x 112, three eighths."""
    return shrunk(photograph(), "The photograph", (169, 112), 2)


def grown() -> tuple[Shown, ...]:
    """The cat's eye, five times as large in every mode."""
    picture = photograph()
    eye = replace(picture, samples=picture.samples[86:131, 134:202])
    notes = {"nearest": "squares", "linear": "a straight line between two pixels", "cubic": "cubic_coeff_a=-0.75"}
    return tuple(show(resized(eye, (340, 225), mode), mode, notes[mode], 1) for mode in MODES)


def alpha_pair() -> tuple[Shown, Shown]:
    """A disc on nothing, averaged as it is seen and as it is stored."""
    disc = soft_disc(255)
    request = ResizeRequest(size=(51, 51))
    right = resize_picture(disc, request)
    wrong = resize_picture(disc, replace(request, premultiply=False))
    return (
        show(right, "weighted by alpha", "the default", 4),
        show(wrong, "--no-premultiply", "the green that hides in transparent pixels comes out", 4),
    )


def light_pictures() -> tuple[Shown, Shown, Shown]:
    """Red and green stripes of one pixel, averaged as light and as stored values."""
    request = ResizeRequest(scale=(0.1, 0.1))
    pattern = stripes(120, 160)
    light = resize_picture(pattern, replace(request, linear_light=True))
    stored = resize_picture(pattern, request)
    return (
        show(_inside(pattern, 10), "the pattern", "one pixel red, one pixel green", 1),
        show(_inside(light, 1), "--linear-light", f"sRGB {_middle(light)}", 10),
        show(_inside(stored, 1), "stored values", f"sRGB {_middle(stored)}: too dark", 10),
    )


def _inside(picture: Picture, border: int) -> Picture:
    """Without the columns at the left and right edge, where the filter sees the edge pixel more than once."""
    return replace(picture, samples=picture.samples[:, border:-border])


def _middle(picture: Picture) -> str:
    width, height = picture.size
    return ", ".join(str(value) for value in picture.samples[height // 2, width // 2].tolist())
