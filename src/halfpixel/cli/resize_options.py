"""The options of `halfpixel resize` and their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from halfpixel._typing import CoordinateTransformationMode, KeepAspectRatioPolicy, LengthRule, Mode, NearestMode
from halfpixel.media import DEFAULT_MAX_PIXELS

_SIZE = "How large (one of these)"
_HOW = "How samples are combined"
_ATTRIBUTES = "Attributes of Resize, as ONNX has them"
_NUMBERS = "Attributes that are numbers"
_FILES = "Files"

Suffix = Literal["png", "jpg", "webp", "tif", "npy", "npz"]


def _value(group: str, help_text: str, metavar: str, low: float | None = None, high: float | None = None) -> Any:
    return typer.Option(help=help_text, metavar=metavar, rich_help_panel=group, min=low, max=high, show_default=False)


def _choice(group: str, values: Any, default: str, what: str = "") -> Any:
    # No metavar: beside it the longest option name would be cut at 80 columns.
    return _value(group, f"{what}{', '.join(get_args(values))}. Default: {default}.", "")


def _flag(group: str, name: str, help_text: str) -> Any:
    # An empty metavar: typer would write <bool> beside every flag.
    return typer.Option(name, help=help_text, metavar="", rich_help_panel=group, show_default=False)


Inputs = Annotated[
    list[Path],
    typer.Argument(metavar="IN...", show_default=False, help="Files, folders with all that is in them, quoted globs."),
]
Output = Annotated[
    str,
    typer.Argument(metavar="OUT", show_default=False, help="A file for one input; else a folder, made if need be."),
]

Scale = Annotated[str | None, _value(_SIZE, "Out / in of both sides: 0.5. Of width and height: 0.5x2.", "FACTOR")]
Size = Annotated[str | None, _value(_SIZE, "This size. 800x or x600: the other side follows.", "WIDTHxHEIGHT")]
Fit = Annotated[str | None, _value(_SIZE, "Proportions kept, nowhere larger than this.", "WIDTHxHEIGHT")]
Fill = Annotated[
    str | None, _value(_SIZE, "Proportions kept, exactly this, what is over cut off evenly.", "WIDTHxHEIGHT")
]
Letterbox = Annotated[
    str | None, _value(_SIZE, "Proportions kept, exactly this, a border where something is missing.", "WIDTHxHEIGHT")
]
Scales = Annotated[str | None, _value(_SIZE, "ONNX's scales, one an axis: 1,1,2,2.", "NUMBERS")]
Sizes = Annotated[str | None, _value(_SIZE, "ONNX's sizes, one an axis: 1,3,224,224.", "NUMBERS")]

ModeOption = Annotated[Mode, _choice(_HOW, Mode, "linear")]
Antialias = Annotated[
    bool | None,
    _flag(_HOW, "--antialias/--no-antialias", "Widen the filter where the picture shrinks. Default: yes."),
]
Border = Annotated[float | None, _value(_NUMBERS, "Of --letterbox, in every channel of colour. Default: 0.", "NUMBER")]
NoPremultiply = Annotated[bool, _flag(_HOW, "--no-premultiply", "Average colours without regard to alpha.")]
Light = Annotated[bool, _flag(_HOW, "--linear-light", "Average light, not sRGB values.")]

Coordinates = Annotated[
    CoordinateTransformationMode | None, _choice(_ATTRIBUTES, CoordinateTransformationMode, "half_pixel")
]
Nearest = Annotated[NearestMode | None, _choice(_ATTRIBUTES, NearestMode, "round_prefer_floor")]
Cubic = Annotated[float | None, _value(_NUMBERS, "Of mode cubic. Default: -0.75.", "NUMBER")]
Exclude = Annotated[bool, _flag(_ATTRIBUTES, "--exclude-outside", "Weights outside the picture become 0.")]
Extrapolation = Annotated[
    float | None, _value(_NUMBERS, "The value outside, with tf_crop_and_resize. Default: 0.", "NUMBER")
]
Policy = Annotated[
    KeepAspectRatioPolicy | None, _choice(_ATTRIBUTES, KeepAspectRatioPolicy, "stretch", "What sizes mean: ")
]
Roi = Annotated[
    str | None,
    _value(_NUMBERS, "For tf_crop_and_resize: all starts, then all ends: 0.1,0.2,0.9,0.8.", "NUMBERS"),
]
Axes = Annotated[
    str | None,
    _value(_NUMBERS, "The axes that the numbers are for: 2,3. Default: height and width.", "NUMBERS"),
]
Version = Annotated[int | None, _value(_NUMBERS, "Since-version: 10, 11, 13, 18, 19. Default: 19.", "NUMBER")]
Rule = Annotated[LengthRule | None, _choice(_ATTRIBUTES, LengthRule, "floor", "How scales become lengths: ")]

SuffixOption = Annotated[
    Suffix | None,
    _value(_FILES, f"Of outputs in a folder: {', '.join(get_args(Suffix))}. Default: as each input.", "WORD"),
]
Overwrite = Annotated[bool, _flag(_FILES, "--overwrite", "Let an output replace its own input.")]
Quality = Annotated[int, _value(_FILES, "Of JPEG and WebP, 1 to 100. Default: 92.", "NUMBER", low=1, high=100)]
Lossless = Annotated[bool, _flag(_FILES, "--lossless", "WebP without loss.")]
MaxPixels = Annotated[
    int, _value(_FILES, f"Refuse larger pictures unread. Default: {DEFAULT_MAX_PIXELS:,}.", "NUMBER", low=1)
]
Threads = Annotated[int | None, _value(_FILES, "Default: HALFPIXEL_THREADS, else all cores.", "NUMBER", low=1)]
Json = Annotated[bool, _flag(_FILES, "--json", "Print what was done as JSON.")]
