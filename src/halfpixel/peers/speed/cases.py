"""What is measured, by name, each case with the reason why it is here."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from halfpixel.peers.work import DEPTH_TO_SPACE, RESIZE, RESIZE_GRAD, SPACE_TO_DEPTH, Work

WARM, WHOLE, COLD = "warm", "whole", "cold"
"""How a case calls: a plan with a reused output; the whole function; the whole function on a shape not seen yet."""


@dataclass(frozen=True, slots=True)
class Case:
    """A piece of work to measure.

    Attributes:
        name: as the tables and --cases know it.
        reason: why it is measured.
        group: the heading that it stands under.
        call: WARM, WHOLE or COLD.
        most: the largest ratio of our time to the copy limit that the project asks for; None where it asks for none.
        quick: whether the guard measures it.
        peers: the names of the peers to measure; None: all.
    """

    name: str
    reason: str
    group: str
    work: Work
    call: str = WARM
    most: float | None = None
    quick: bool = False
    peers: frozenset[str] | None = None


_PICTURE = (1, 3, 1080, 1920)
_DOUBLE, _HALF, _THUMBNAIL, _FRACTION = (2160, 3840), (540, 960), (224, 224), (1480, 2630)
_MAPS, _BYTES = (1, 256, 64, 64), (1080, 1920, 3)
_VOLUME = (1, 1, 128, 128, 128)
_DEEP, _WIDE = (1, 256, 128, 128), (1, 64, 256, 256)

LINEAR: dict[str, Any] = {"mode": "linear"}
CUBIC: dict[str, Any] = {"mode": "cubic"}
NEAREST: dict[str, Any] = {"mode": "nearest"}
ALIGNED: dict[str, Any] = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
LINEAR_ANTIALIAS: dict[str, Any] = {"mode": "linear", "antialias": True}
CUBIC_ANTIALIAS: dict[str, Any] = {"mode": "cubic", "antialias": True}


def _resize(shape: Sequence[int], sizes: Sequence[int], attributes: dict[str, Any], **other: str) -> Work:
    settings = {"operation": RESIZE, "layout": "NCHW", "element": "float32", **other}
    return Work(shape=tuple(shape), sizes=tuple(sizes), attributes=attributes, **settings)


def _bytes(shape: Sequence[int], sizes: Sequence[int], attributes: dict[str, Any]) -> Work:
    return _resize(shape, sizes, attributes, layout="HWC", element="uint8")


def _gradient(sizes: Sequence[int], attributes: dict[str, Any]) -> Work:
    return _resize(_PICTURE, sizes, attributes, operation=RESIZE_GRAD)


def _pictures() -> Iterable[Case]:
    group = "float32 pictures, 1x3x1080x1920 unless the name says another size"

    def case(name: str, reason: str, work: Work, most: float | None = None, quick: bool = False) -> Case:
        return Case(name, reason, group, work, most=most, quick=quick)

    yield case(
        "linear x2", "the commonest enlargement; larger than any cache", _resize(_PICTURE, _DOUBLE, LINEAR), 1.25, True
    )
    yield case("cubic x2", "four taps an axis; larger than any cache", _resize(_PICTURE, _DOUBLE, CUBIC), 1.8, True)
    yield case("nearest x2", "a pure copy: memory alone should count", _resize(_PICTURE, _DOUBLE, NEAREST), 1.25, True)
    yield case("nearest x.5", "every second sample of every second row", _resize(_PICTURE, _HALF, NEAREST))
    yield case("linear x.5", "the mean of 2 x 2 samples", _resize(_PICTURE, _HALF, LINEAR))
    yield case(
        "linear antialias x.5",
        "pyramids; reads much, writes little",
        _resize(_PICTURE, _HALF, LINEAR_ANTIALIAS),
        1.6,
        True,
    )
    yield case("cubic antialias x.5", "eight taps an axis", _resize(_PICTURE, _HALF, CUBIC_ANTIALIAS), 2.0, quick=True)
    yield case(
        "linear antialias to 224",
        "the input of most networks; long filters of uneven length",
        _resize(_PICTURE, _THUMBNAIL, LINEAR_ANTIALIAS),
    )
    yield case("cubic antialias to 224", "the same, cubic", _resize(_PICTURE, _THUMBNAIL, CUBIC_ANTIALIAS))
    yield case(
        "linear to 224", "two taps far apart: most of the input is skipped", _resize(_PICTURE, _THUMBNAIL, LINEAR)
    )
    yield case("linear x1.37", "no pattern repeats in the weights", _resize(_PICTURE, _FRACTION, LINEAR), quick=True)
    yield case("cubic x1.37", "no pattern repeats in the weights, four taps", _resize(_PICTURE, _FRACTION, CUBIC))
    yield case("linear x2 of 256x256", "input and output fit the cache", _resize((1, 3, 256, 256), (512, 512), LINEAR))
    yield case(
        "linear antialias x.5 of 256x256",
        "input and output fit the cache",
        _resize((1, 3, 256, 256), (128, 128), LINEAR_ANTIALIAS),
    )


def _feature_maps() -> Iterable[Case]:
    group = "float32 feature maps"
    doubled = (128, 128)
    yield Case(
        "256x64x64 nearest x2", "decoders of networks", group, _resize(_MAPS, doubled, NEAREST), most=1.25, quick=True
    )
    yield Case("256x64x64 linear x2", "many small planes", group, _resize(_MAPS, doubled, LINEAR), quick=True)
    yield Case("256x64x64 align_corners x2", "another table, no repetition", group, _resize(_MAPS, doubled, ALIGNED))
    yield Case("256x64x64 cubic x2", "many small planes, four taps", group, _resize(_MAPS, doubled, CUBIC))
    yield Case(
        "8x64x56x56 linear x2",
        "a batch, with a width that fills no vector",
        group,
        _resize((8, 64, 56, 56), (112, 112), LINEAR),
    )
    yield Case(
        "channels-last 64x64x256 linear x2",
        "the other memory order",
        group,
        _resize((1, 64, 64, 256), doubled, LINEAR, layout="NHWC"),
        quick=True,
    )


def _byte_pictures() -> Iterable[Case]:
    group = "uint8 pictures, height x width x channels, 1080x1920 unless the name says another size"
    four = (1080, 1920, 4)
    yield Case(
        "uint8 linear antialias to 224, 3 channels",
        "data loading",
        group,
        _bytes(_BYTES, _THUMBNAIL, LINEAR_ANTIALIAS),
        quick=True,
    )
    yield Case(
        "uint8 cubic antialias to 224, 3 channels", "data loading", group, _bytes(_BYTES, _THUMBNAIL, CUBIC_ANTIALIAS)
    )
    yield Case(
        "uint8 linear antialias to 224, 4 channels",
        "a pixel is four bytes",
        group,
        _bytes(four, _THUMBNAIL, LINEAR_ANTIALIAS),
    )
    yield Case(
        "uint8 cubic antialias to 224, 4 channels",
        "a pixel is four bytes",
        group,
        _bytes(four, _THUMBNAIL, CUBIC_ANTIALIAS),
    )
    yield Case(
        "uint8 linear x2",
        "fixed point elsewhere, one rounding here",
        group,
        _bytes(_BYTES, _DOUBLE, LINEAR),
        quick=True,
    )
    yield Case("uint8 cubic x2", "the same, four taps", group, _bytes(_BYTES, _DOUBLE, CUBIC))
    yield Case(
        "uint8 12 MP cubic antialias to 1024x768", "a photograph for a screen", group,
        _bytes((3000, 4000, 3), (768, 1024), CUBIC_ANTIALIAS),
    )  # fmt: skip


def _other_types() -> Iterable[Case]:
    group = "linear x2 of 1x3x1080x1920 in other element types"
    reasons = {
        "uint16": "microscopes and depth maps",
        "float16": "conversion in hardware on some machines only",
        "bfloat16": "no hardware conversion is assumed",
        "float64": "twice the bytes, half the lanes",
    }
    for element, reason in reasons.items():
        work = _resize(_PICTURE, _DOUBLE, LINEAR, element=element)
        yield Case(f"{element} linear x2", reason, group, work, quick=element == "float16")


def _volumes() -> Iterable[Case]:
    group = "float32 volumes, 128x128x128"
    doubled = _resize(_VOLUME, (256,) * 3, LINEAR, layout="NCDHW")
    halved = _resize(_VOLUME, (64,) * 3, LINEAR_ANTIALIAS, layout="NCDHW")
    yield Case("trilinear x2", "three axes grow, nothing whole between them", group, doubled, most=1.8, quick=True)
    yield Case("trilinear antialias x.5", "three axes shrink", group, halved)


def _rearrangements() -> Iterable[Case]:
    group = "rearrangements, blocksize 2, between 1x256x128x128 and 1x64x256x256"
    reasons = {"float32": "four bytes", "uint8": "one byte: shuffles within a vector", "float16": "two bytes"}
    for element, reason in reasons.items():
        for mode in ("DCR", "CRD"):
            attributes = {"blocksize": 2, "mode": mode}
            for operation, name, shape in (
                (DEPTH_TO_SPACE, "DepthToSpace", _DEEP),
                (SPACE_TO_DEPTH, "SpaceToDepth", _WIDE),
            ):
                work = Work(operation, shape, "NCHW", element, attributes=attributes)
                quick = mode == "DCR" and element == "float32"
                yield Case(f"{name} {mode} {element}", f"a copy, {reason}", group, work, most=1.25, quick=quick)


def _calls() -> Iterable[Case]:
    group = "calls: the whole function, with its checks and its new output"
    tiny = _resize((1, 3, 32, 32), (64, 64), LINEAR)
    thumbnail = _bytes(_BYTES, _THUMBNAIL, LINEAR_ANTIALIAS)
    yield Case("tiny 1x3x32x32 x2", "the call itself costs more than the work", group, tiny, WHOLE, quick=True)
    yield Case("tiny 1x3x32x32 nearest x2", "the same", group, _resize((1, 3, 32, 32), (64, 64), NEAREST), WHOLE)
    yield Case("tiny 1x3x32x32 x2, cold", "a shape that was not seen before", group, tiny, COLD)
    yield Case("uint8 antialias to 224, warm call", "what the cold call compares with", group, thumbnail, WHOLE)
    yield Case("uint8 antialias to 224, cold", "in data loading every picture has another size", group, thumbnail, COLD)


def _gradients() -> Iterable[Case]:
    group = "gradients for float32 1x3x1080x1920"
    yield Case("backward linear x2", "training", group, _gradient(_DOUBLE, LINEAR), most=2.0, quick=True)
    yield Case("backward cubic x2", "training, four taps", group, _gradient(_DOUBLE, CUBIC))
    yield Case("backward linear antialias x.5", "a gradient that grows", group, _gradient(_HALF, LINEAR_ANTIALIAS))


GROWTH = "growth"
GROWTH_SIDES = (64, 128, 256, 512, 1024, 2048, 4096, 8192)


def _growth() -> Iterable[Case]:
    peers = frozenset({"OpenCV", "zimg"})
    for side in GROWTH_SIDES:
        work = _resize((1, 1, side, side), (2 * side, 2 * side), LINEAR)
        yield Case(f"growth {side}", "time a sample against size", GROWTH, work, peers=peers)


CASES: dict[str, Case] = {
    case.name: case
    for group in (
        _pictures,
        _feature_maps,
        _byte_pictures,
        _other_types,
        _volumes,
        _rearrangements,
        _calls,
        _gradients,
        _growth,
    )
    for case in group()
}
"""Name -> case, in the order of the tables."""

INSTRUCTION_CASES: dict[str, Work] = {
    "linear x2": _resize((1, 3, 135, 240), (270, 480), LINEAR),
    "nearest x2": _resize((1, 3, 135, 240), (270, 480), NEAREST),
    "cubic antialias x.5": _resize((1, 3, 270, 480), (135, 240), CUBIC_ANTIALIAS),
    "uint8 linear antialias to 56": _bytes((270, 480, 3), (56, 56), LINEAR_ANTIALIAS),
    "backward linear x2": _resize((1, 3, 135, 240), (270, 480), LINEAR, operation=RESIZE_GRAD),
}
"""Small work whose instructions are counted: an emulator runs it some fifty times slower."""


def chosen(patterns: Sequence[str]) -> list[Case]:
    """Return the cases whose names match any of the patterns (* and ?), in the order of the tables.

    Raises:
        KeyError: a pattern matches no name.
    """
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in CASES):
            raise KeyError(pattern)
    return [case for case in CASES.values() if any(fnmatch.fnmatchcase(case.name, pattern) for pattern in patterns)]
