"""The options of `halfpixel compare` and `halfpixel identify`, and what their words become."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpixel.cli.values import whole_numbers, wrong_form
from halfpixel.peers.runtimes.registry import RUNTIMES

_WHAT = "What is compared"
_DATA = "What the nodes are given"
_SHOWN = "How it is shown"


def _option(group: str, help_text: str, metavar: str | None, *names: str) -> Any:
    return typer.Option(*names, help=help_text, metavar=metavar, rich_help_panel=group, show_default=False)


Model = Annotated[Path, typer.Argument(metavar="MODEL", show_default=False, help="An ONNX file.")]
With = Annotated[
    str | None, _option(_WHAT, f"Runtimes: {', '.join(RUNTIMES)}. Default: those installed.", "NAMES", "--with")
]
Node = Annotated[list[str] | None, _option(_WHAT, "Only this node. Repeat it. Default: all.", "NAME", "--node")]
NoModel = Annotated[bool, _option(_WHAT, "Compare the nodes only, not the whole model.", None, "--no-model")]
Tolerance = Annotated[
    float | None,
    _option(
        _WHAT,
        "Largest difference of a node that counts as none, in ULP (floats) or steps of 1 (integers). "
        "Default: what float32 arithmetic may do.",
        "UNITS",
    ),
]
ModelTolerance = Annotated[
    float | None, _option(_WHAT, "The same for outputs of the whole model. Default: 4096 for float32.", "UNITS")
]
Timeout = Annotated[float, _option(_WHAT, "Seconds for one node in one runtime. Default: 300.", "SECONDS")]
Input = Annotated[list[str] | None, _option(_DATA, "An input of the model: X=x.npy. Repeat it.", "NAME=FILE")]
Shape = Annotated[
    list[str] | None,
    _option(_DATA, "Shape of random data for an input or a node: X=1,3,64,64. Repeat it.", "NAME=NUMBERS"),
]
Seed = Annotated[int, _option(_DATA, "Of random data. Default: 0.", "NUMBER")]
Random = Annotated[
    bool, _option(_DATA, "Do not run the model: random data of the declared shape for every node.", None, "--random")
]
Html = Annotated[Path | None, _option(_SHOWN, "Write a page with pictures of the differences.", "FILE")]
Sarif = Annotated[Path | None, _option(_SHOWN, "Write SARIF 2.1.0.", "FILE")]
Junit = Annotated[Path | None, _option(_SHOWN, "Write JUnit XML.", "FILE")]
Json = Annotated[bool, _option(_SHOWN, "Print as JSON.", None, "--json")]


def runtime_names(text: str | None) -> list[str] | None:
    """The runtimes of --with; None for the installed ones.

    Raises:
        UsageError: HP603 an unknown one, or none.
    """
    if text is None:
        return None
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names or [text]:
        if name not in RUNTIMES:
            raise wrong_form("--with", name, ", ".join(RUNTIMES))
    return names


def named(option: str, texts: Sequence[str] | None) -> dict[str, str]:
    """["X=x.npy"] -> {"X": "x.npy"}; a name may hold "=", the value may not.

    Raises:
        UsageError: HP603.
    """
    found = {}
    for text in texts or ():
        name, sign, value = text.rpartition("=")
        if not (sign and name and value):
            raise wrong_form(option, text, "NAME=VALUE")
        found[name] = value
    return found


def shapes_of(texts: Sequence[str] | None) -> dict[str, tuple[int, ...]]:
    """["X=1,3,64,64"] -> {"X": (1, 3, 64, 64)}.

    Raises:
        UsageError: HP603.
    """
    found = {}
    for name, text in named("--shape", texts).items():
        lengths = whole_numbers("--shape", text) or ()
        if min(lengths, default=0) < 0:
            raise wrong_form("--shape", f"{name}={text}", "lengths from 0 on")
        found[name] = lengths
    return found
