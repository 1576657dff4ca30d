"""The options of `halfpixel explain` and their help; most attributes of Resize are those of `halfpixel resize`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from halfpixel._typing import LengthRule, Mode, RearrangeMode

_WHAT = "What is explained"
_REQUEST = "The request: without a model, or in the place of what its node has"
_FLAGS = "Flags of Resize"
_SHOWN = "How it is shown"

Operator = Literal["Resize", "Upsample", "DepthToSpace", "SpaceToDepth"]
AnyMode = Literal["nearest", "linear", "cubic", "bilinear", "DCR", "CRD"]


def _option(group: str, help_text: str, metavar: str, name: str | None = None) -> Any:
    names = () if name is None else (name,)
    return typer.Option(*names, help=help_text, metavar=metavar, rich_help_panel=group, show_default=False)


Model = Annotated[
    Path | None, typer.Argument(metavar="MODEL", show_default=False, help="An ONNX model. Without: attributes.")
]
Node = Annotated[str | None, _option(_WHAT, "Its name; not needed if the model has one such node.", "NAME")]
At = Annotated[str | None, _option(_WHAT, "The output sample, as 0,0,5,7. Default: the middle one.", "NUMBERS")]
Op = Annotated[
    Operator | None, _option(_WHAT, f"Without a model: {', '.join(get_args(Operator))}. Default: Resize.", "")
]
Shape = Annotated[str | None, _option(_REQUEST, "Of the input: 1,3,5,7.", "NUMBERS")]
Scales = Annotated[str | None, _option(_REQUEST, "Out / in, one an axis: 1,1,2,2.", "NUMBERS")]
Sizes = Annotated[str | None, _option(_REQUEST, "Output lengths, one an axis: 1,3,10,14.", "NUMBERS")]
Blocksize = Annotated[int | None, _option(_REQUEST, "Of DepthToSpace and SpaceToDepth.", "NUMBER")]
ModeOption = Annotated[
    AnyMode | None,
    _option(_REQUEST, f"{', '.join(get_args(Mode))}; of a rearrangement {', '.join(get_args(RearrangeMode))}.", ""),
]
Antialias = Annotated[
    bool | None, _option(_FLAGS, "Widen the filter where an axis shrinks.", "", "--antialias/--no-antialias")
]
Exclude = Annotated[
    bool | None,
    _option(_FLAGS, "Weights outside the input become 0.", "", "--exclude-outside/--no-exclude-outside"),
]
Version = Annotated[int | None, _option(_REQUEST, "Since-version. Default: the newest.", "NUMBER")]
Axes = Annotated[str | None, _option(_REQUEST, "The axes that the numbers are for: 2,3. Default: all.", "NUMBERS")]
Rule = Annotated[
    LengthRule, _option(_REQUEST, f"How scales become lengths: {', '.join(get_args(LengthRule))}. Default: floor.", "")
]
Beside = Annotated[
    str | None,
    _option(_SHOWN, "The same sample in other conventions too: pytorch,opencv; all.", "NAMES"),
]
Svg = Annotated[Path | None, _option(_SHOWN, "Write a drawing.", "FILE")]
Html = Annotated[Path | None, _option(_SHOWN, "Write a page to move about in; it needs no network.", "FILE")]
Json = Annotated[bool, _option(_SHOWN, "Print as JSON.", "", "--json")]
