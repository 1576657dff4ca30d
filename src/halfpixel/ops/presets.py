"""like=...: the attributes with which Resize gives what another library gives by default.

A library is a row of PRESETS. What a row cannot express (other kernels, coordinates in float32, rounding between
passes) stands in docs/presets.md, with its reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast, get_args

from halfpixel._errors import SpecError
from halfpixel._typing import CoordinateTransformationMode, LengthRule, Like, Mode, NearestMode
from halfpixel.spec.arguments import show


class _Off(int):
    """The flag 0 as an object of its own."""

    def __repr__(self) -> str:
        return "False"


def _own(word: str) -> str:
    """A string that equals the word and is no other object."""
    return word.encode().decode()


# The default values of resize's attributes. Each is an object of its own, so that "left out" and "given with this very
# value" are told apart by identity, which costs a call nothing.
MODE = cast("Mode", _own("nearest"))
COORDINATE_TRANSFORMATION_MODE = cast("CoordinateTransformationMode", _own("half_pixel"))
NEAREST_MODE = cast("NearestMode", _own("round_prefer_floor"))
CUBIC_COEFF_A = float("-0.75")
ANTIALIAS = cast("bool", _Off())
EXCLUDE_OUTSIDE = cast("bool", _Off())
LENGTH_RULE = cast("LengthRule", _own("floor"))

Attributes: TypeAlias = tuple[Mode, CoordinateTransformationMode, NearestMode, float, bool, bool, LengthRule]
"""mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, antialias, exclude_outside, length_rule."""

Coordinates: TypeAlias = tuple[CoordinateTransformationMode, NearestMode]
Value = TypeVar("Value")

_FLOOR: Coordinates = ("asymmetric", "floor")
_CENTRE: Coordinates = ("half_pixel", "round_prefer_ceil")
_ONNX: Coordinates = (COORDINATE_TRANSFORMATION_MODE, NEAREST_MODE)


@dataclass(frozen=True, slots=True)
class Preset:
    """What one library does.

    Attributes:
        mode: its default mode; where it has none, linear.
        nearest: (coordinate_transformation_mode, nearest_mode) of its nearest.
        antialias: whether linear and cubic are antialiased by default.
        cubic_coeff_a: of its cubic filter.
        cubic_coeff_a_antialias: of its cubic filter when antialiased.
        excludes: when taps outside the input get no weight: "always", with "antialias", or "never".
        length_rule: how its scale factors become lengths.
    """

    mode: Mode
    nearest: Coordinates
    antialias: bool = False
    cubic_coeff_a: float = -0.75
    cubic_coeff_a_antialias: float = -0.5
    excludes: str = "antialias"
    length_rule: LengthRule = "floor"


PRESETS: dict[str, Preset] = {
    "pytorch": Preset("nearest", _FLOOR),
    "torchvision": Preset("linear", _FLOOR, antialias=True),
    "tensorflow": Preset("linear", _CENTRE, cubic_coeff_a=-0.5, excludes="always"),
    "opencv": Preset("linear", _FLOOR, excludes="never", length_rule="round"),
    "pillow": Preset("cubic", _CENTRE, antialias=True, cubic_coeff_a=-0.5),
    "jax": Preset("linear", _CENTRE, antialias=True, cubic_coeff_a=-0.5, excludes="always"),
    "scikit-image": Preset("linear", _CENTRE, excludes="never", length_rule="round"),
    "onnxruntime": Preset(
        "nearest", _ONNX, cubic_coeff_a_antialias=-0.75, excludes="never", length_rule="float32_floor"
    ),
    "openvino": Preset("nearest", _ONNX, cubic_coeff_a_antialias=-0.75, excludes="never", length_rule="float32_floor"),
}
"""Library -> what it does. Sources: docs/presets.md."""


def attributes_like(
    like: Like,
    mode: Mode,
    coordinate_transformation_mode: CoordinateTransformationMode,
    nearest_mode: NearestMode,
    cubic_coeff_a: float,
    antialias: bool,
    exclude_outside: bool,
    length_rule: LengthRule,
) -> Attributes:
    """Return the attributes of a call with like=: a given one wins, the rest is the library's.

    Args:
        like: a key of PRESETS.
        mode, ...: what was given, or the object above that stands for "left out". mode and antialias decide what the
            library does with the rest.

    Raises:
        SpecError: HP174 no such library.
    """
    preset = _preset(like)
    mode = _chosen(mode, MODE, preset.mode)
    coordinates, nearest = preset.nearest if _is(mode, "nearest") else _ONNX
    smooths = bool(_chosen(antialias, ANTIALIAS, preset.antialias)) and not _is(mode, "nearest")
    a = preset.cubic_coeff_a_antialias if smooths else preset.cubic_coeff_a
    excludes = preset.excludes == "always" or (preset.excludes == "antialias" and smooths)
    return (
        mode,
        _chosen(coordinate_transformation_mode, COORDINATE_TRANSFORMATION_MODE, coordinates),
        _chosen(nearest_mode, NEAREST_MODE, nearest),
        _chosen(cubic_coeff_a, CUBIC_COEFF_A, a if _is(mode, "cubic") else CUBIC_COEFF_A),
        _chosen(antialias, ANTIALIAS, smooths),
        _chosen(exclude_outside, EXCLUDE_OUTSIDE, excludes and not _is(mode, "nearest")),
        _chosen(length_rule, LENGTH_RULE, preset.length_rule),
    )


def _chosen(given: Value, left_out: Value, preset: Value) -> Value:
    return preset if given is left_out else given


def _is(mode: object, word: str) -> bool:
    return isinstance(mode, str) and mode == word


def _preset(like: object) -> Preset:
    preset = PRESETS.get(like) if isinstance(like, str) else None
    if preset is None:
        raise SpecError(
            "HP174",
            f"there is no preset {show(like)}",
            given=f"like={show(like)}",
            allowed=", ".join(get_args(Like)),
            do="pass one of these names, or None and the attributes themselves",
        )
    return preset
