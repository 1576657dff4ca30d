"""Every request that could have made an output of an input: attributes, presets of libraries, rearrangements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, get_args

from halfpixel._typing import Like, Mode
from halfpixel.models.readings.geometry import spec_of
from halfpixel.models.readings.reading import Reading
from halfpixel.ops.presets import (
    ANTIALIAS,
    COORDINATE_TRANSFORMATION_MODE,
    CUBIC_COEFF_A,
    EXCLUDE_OUTSIDE,
    LENGTH_RULE,
    NEAREST_MODE,
    attributes_like,
)

_COORDINATES = (
    "half_pixel",
    "asymmetric",
    "align_corners",
    "pytorch_half_pixel",
    "half_pixel_symmetric",
    "tf_half_pixel_for_nn",
)
_NEAREST = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
_COEFFICIENTS = (-0.75, -0.5, -1.0, -0.6)
_DEFAULTS: dict[str, Any] = {
    "coordinate_transformation_mode": "half_pixel",
    "nearest_mode": "round_prefer_floor",
    "cubic_coeff_a": -0.75,
    "antialias": False,
    "exclude_outside": False,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A request.

    Attributes:
        reading: what it computes.
        attributes: as halfpixel.resize takes them; those with their default value are left out, but for mode.
        presets: calls such as "like='pillow', mode='cubic'" that mean the same.
    """

    reading: Reading
    attributes: tuple[tuple[str, Any], ...]
    presets: tuple[str, ...] = ()


def candidates_of(base: Reading, modes: Sequence[str]) -> list[Candidate]:
    """Return every request with the lengths of a reading, those with the fewest attributes first.

    Args:
        base: in_shape, element and scales or sizes; its attributes do not count.
        modes: those that the element type allows.
    """
    shrinks = _shrinks(base)
    presets = presets_by_attributes(shrinks)
    found = []
    for attributes in _all_attributes(modes, shrinks):
        fields = {**_DEFAULTS, **attributes}
        given = tuple((name, value) for name, value in attributes.items() if _DEFAULTS.get(name) != value)
        found.append(Candidate(replace(base, **fields), given, presets.get(_key(fields), ())))
    return sorted(found, key=lambda one: len(one.attributes))


def presets_by_attributes(shrinks: bool) -> dict[tuple[Any, ...], tuple[str, ...]]:
    """Return the calls with like= by the attributes that they mean.

    Args:
        shrinks: whether an axis does; antialias means nothing where none does.
    """
    found: dict[tuple[Any, ...], tuple[str, ...]] = {}
    for like, mode in product(get_args(Like), get_args(Mode)):
        values = attributes_like(
            like,
            mode,
            COORDINATE_TRANSFORMATION_MODE,
            NEAREST_MODE,
            CUBIC_COEFF_A,
            ANTIALIAS,
            EXCLUDE_OUTSIDE,
            LENGTH_RULE,
        )
        names = ("mode", *_DEFAULTS)
        fields: dict[str, Any] = dict(zip(names, values[:6], strict=True))
        fields["antialias"] = bool(fields["antialias"]) and shrinks
        key = _key(fields)
        found[key] = (*found.get(key, ()), f"like={like!r}, mode={mode!r}")
    return found


def _key(fields: dict[str, Any]) -> tuple[Any, ...]:
    """The attributes that count in a mode."""
    mode = fields["mode"]
    key: list[Any] = [mode, fields["coordinate_transformation_mode"]]
    if mode == "nearest":
        return (*key, fields["nearest_mode"])
    key += [bool(fields["antialias"]), bool(fields["exclude_outside"])]
    return (*key, round(float(fields["cubic_coeff_a"]), 6)) if mode == "cubic" else tuple(key)


def _all_attributes(modes: Sequence[str], shrinks: bool) -> Iterator[dict[str, Any]]:
    for mode, coordinates in product(modes, _COORDINATES):
        base = {"mode": mode, "coordinate_transformation_mode": coordinates}
        if mode == "nearest":
            yield from ({**base, "nearest_mode": nearest} for nearest in _NEAREST)
            continue
        flags = product((False, True) if shrinks else (False,), (False, True))
        for antialias, exclude_outside in flags:
            smoothed = {**base, "antialias": antialias, "exclude_outside": exclude_outside}
            if mode == "linear":
                yield smoothed
            else:
                yield from ({**smoothed, "cubic_coeff_a": a} for a in _COEFFICIENTS)


def _shrinks(base: Reading) -> bool:
    spec = spec_of(base)
    return spec is not None and any(axis.scale[0] < axis.scale[1] for axis in spec.axes)
