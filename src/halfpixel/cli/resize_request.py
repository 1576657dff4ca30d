"""The options of `halfpixel resize` as a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halfpixel import plan_resize
from halfpixel.cli import values
from halfpixel.cli.errors import UsageError
from halfpixel.media import ResizeRequest
from halfpixel.spec.attributes import attribute_number


def request_for(
    given: Mapping[str, str | None],
    attributes: Mapping[str, Any],
    roi: str | None,
    axes: str | None,
    border: float | None,
    premultiply: bool,
    linear_light: bool,
) -> ResizeRequest:
    """Read the options' texts.

    Args:
        given: the seven ways to say how large, as written; None where the option is not there.
        attributes: the attributes of Resize; None where the option is not there.
    Raises:
        UsageError: HP603 a text is not of its form, HP604 not exactly one way to say how large, or a border without a
            letterbox.
    """
    ways = [name for name, text in given.items() if text is not None]
    if len(ways) != 1:
        raise UsageError(
            "HP604",
            "one option must say how large the result is" if not ways else "only one option can say how large",
            given=", ".join(f"--{name} {given[name]}" for name in ways) or "none",
            allowed="one of " + ", ".join(f"--{name}" for name in given),
            do="keep one of them" if ways else "add one, such as --scale 0.5",
        )
    if border is not None and given["letterbox"] is None:
        raise UsageError(
            "HP604",
            "only a letterbox has a border",
            given=f"--border {border}, --{ways[0]} {given[ways[0]]}",
            allowed="--border with --letterbox",
            do="leave --border out, or use --letterbox",
        )
    known = {name: value for name, value in attributes.items() if value is not None}
    starts_and_ends = values.real_numbers("--roi", roi)
    if starts_and_ends is not None:
        known["roi"] = starts_and_ends
    return ResizeRequest(
        scale=values.factors("--scale", given["scale"]),
        size=values.open_sides("--size", given["size"]),
        fit=values.sides("--fit", given["fit"]),
        fill=values.sides("--fill", given["fill"]),
        letterbox=values.sides("--letterbox", given["letterbox"]),
        scales=values.real_numbers("--scales", given["scales"]),
        sizes=values.whole_numbers("--sizes", given["sizes"]),
        axes=values.whole_numbers("--axes", axes),
        attributes=known,
        premultiply=premultiply,
        linear_light=linear_light,
        border=attribute_number("border", 0.0 if border is None else border, finite=False),
    )


def check_attributes(request: ResizeRequest) -> None:
    """Plan a small picture, so that what is wrong for every file is said once and before any file is opened.

    Raises:
        SpecError: an attribute, or its value, that the version does not know.
    """
    keywords = dict(request.keywords)
    if "roi" in keywords:
        keywords["roi"] = (0.0, 0.0, 1.0, 1.0)
    if request.fit or request.fill or request.letterbox:
        keywords["keep_aspect_ratio_policy"] = "not_larger"
    plan_resize((8, 8), "uint8", request.scale or (0.5, 0.5), **keywords)
