"""The ways in which other implementations read a node: each a change of one or a few things, with words for it.

Simplest and most often met first; a search prefers what comes earlier. Where each was seen: docs/compare.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from halfpixel.models.readings.reading import CROP, Reading
from halfpixel.models.readings.rounding import is_integer
from halfpixel.spec.element_types import ELEMENT_TYPES


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is read in another way.

    Attributes:
        key: a word for programs, such as "antialias_ignored".
        words: for people: "antialias ignored".
        fields: field of Reading -> its other value. Two changes of one field exclude each other.
        request: the attributes, as keywords of halfpixel.resize, with which the standard gives the same; None where no
            attribute can say it.
    """

    key: str
    words: str
    fields: tuple[tuple[str, Any], ...]
    request: tuple[tuple[str, Any], ...] | None = None

    def applied(self, reading: Reading) -> Reading:
        """The reading with this change."""
        return replace(reading, **dict(self.fields))

    def excludes(self, other: Change) -> bool:
        """Whether both change one thing."""
        return not {name for name, _ in self.fields}.isdisjoint(name for name, _ in other.fields)


def changes_of(reading: Reading) -> list[Change]:
    """Return every change that can change a reading's numbers, the simplest first."""
    found = [*_dropped(reading), *_lengths(reading), *_values(reading), *_copies(reading), *_arithmetic(reading)]
    found += [*_scale(reading), *_carriers(reading), *_other_attributes(reading), *_added(reading)]
    return [change for change in found if change.applied(reading) != reading]


def _attribute(key: str, words: str, **fields: Any) -> Change:
    """A change that an attribute of the same name can say."""
    return Change(key, words, tuple(fields.items()), tuple(fields.items()))


def _hidden(key: str, words: str, **fields: Any) -> Change:
    """A change that no attribute can say."""
    return Change(key, words, tuple(fields.items()))


def _dropped(reading: Reading) -> Iterator[Change]:
    """Attributes that are there and not minded."""
    if reading.antialias and reading.averages:
        yield _attribute("antialias_ignored", "antialias ignored", antialias=False)
    if reading.exclude_outside and reading.averages:
        yield _attribute("exclude_outside_ignored", "exclude_outside ignored", exclude_outside=False)
    if reading.keep_aspect_ratio_policy != "stretch" and reading.sizes is not None:
        words = "keep_aspect_ratio_policy ignored"
        yield _attribute("policy_ignored", words, keep_aspect_ratio_policy="stretch")
        for number in ("float32", "float64"):
            words = f"lengths of keep_aspect_ratio_policy in {number}"
            yield _hidden(f"policy_in_{number}", words, policy_arithmetic=number)
    if reading.crops:
        count = len(reading.axes)
        whole = (0.0,) * count + (1.0,) * count
        yield _attribute("roi_ignored", "roi ignored", roi=whole)
        yield _hidden("extrapolation_ignored", "extrapolation_value ignored: the edge goes on", extrapolates=False)
    if reading.antialias and reading.averages and not reading.exclude_outside:
        words = "antialias weights renormalised at the border, as with exclude_outside=1"
        yield _attribute("antialias_renormalised", words, exclude_outside=True)
    if reading.mode == "cubic":
        for a in (-0.5, -0.75, -1.0, -0.6):
            yield _attribute(f"cubic_coeff_a_{-a:g}", f"cubic_coeff_a={a:g}", cubic_coeff_a=a)
    if reading.exclude_outside and not reading.averages:
        words = "0 where nearest lies outside and exclude_outside is set"
        yield _hidden("excluded_as_zero", words, excluded_as_zero=True)
    if reading.from_the_back:
        fields = (("axes", ()), ("sizes", ()), ("scales", None), ("keep_aspect_ratio_policy", "stretch"))
        yield Change("negative_axes", "axes counted from the back are not resized", fields)
    if list(reading.axes) != sorted(reading.axes):
        words = "the order of axes ignored"
        yield Change("order_of_axes", words, (("axes", tuple(sorted(reading.axes))),), None)


def _lengths(reading: Reading) -> Iterator[Change]:
    if reading.scales is None:
        return
    if reading.crops:
        yield _hidden("roi_not_in_length", "roi left out of the output length", roi_in_length=False)
        both = {"length_rule": "float32_floor", "roi_in_length": False}
        yield _hidden("length_float32_product", "length from the float32 product, without the roi", **both)
    else:
        yield _rule("length_float32_product", "length from the float32 product", "float32_floor")
    yield _hidden("length_epsilon", "length from a scale with 1e-5 added", length_rule="epsilon_floor")
    yield _rule("length_rounded", "length rounded to the nearest", "round")
    yield _rule("length_ceil", "length rounded up", "ceil")


def _rule(key: str, words: str, rule: str) -> Change:
    return Change(key, words, (("length_rule", rule),), (("length_rule", rule),))


def _scale(reading: Reading) -> Iterator[Change]:
    given = reading.scales is not None or reading.keep_aspect_ratio_policy != "stretch"
    if reading.coordinate_transformation_mode == "align_corners":
        if given:
            yield _hidden("align_corners_integer", "align_corners with the integer length", lengths_as_scale=True)
    elif given and not reading.crops:
        words = "scale taken from the lengths (out / in), not as given"
        yield _hidden("scale_from_lengths", words, lengths_as_scale=True)
    if reading.crops and reading.scales is not None:
        words = "tf_crop_and_resize over the fractional length"
        yield _hidden("crop_fractional", words, fractional_crop=True)
    if reading.coordinate_transformation_mode == "pytorch_half_pixel":
        yield _hidden("lone_sample", "pytorch_half_pixel of one sample at -0.5", lone_sample=-0.5)


def _values(reading: Reading) -> Iterator[Change]:
    if not reading.averages or not (is_integer(reading.element) or reading.element == "bool"):
        return
    for rounding, words in (
        ("truncate", "integers truncated"),
        ("half_up", "integers rounded half up"),
        ("half_away", "integers rounded half away from zero"),
        ("floor", "integers rounded down"),
    ):
        yield _hidden(f"integers_{rounding}", words, rounding=rounding)
    if is_integer(reading.element):
        yield _hidden("rounded_between", "integers rounded between the axes", between=True)
        both = {"rounding": "half_up", "between": True}
        yield _hidden("rounded_between_half_up", "integers rounded half up, between the axes too", **both)
        both = {"rounding": "truncate", "between": True}
        yield _hidden("truncated_between", "integers truncated, between the axes too", **both)
        yield _hidden("wraps", "integers that do not fit wrap around", wraps=True)


def _copies(reading: Reading) -> Iterator[Change]:
    words = "an axis whose length stays is copied, whatever its scale"
    yield _hidden("same_length_copied", words, copies="same length")
    yield _hidden("same_shape_copied", "a tensor whose shape stays is copied, whatever the scale", copies="same shape")
    yield _hidden("scale_1_resampled", "axes of scale 1 resampled by the formula", copies="none")


def _arithmetic(reading: Reading) -> Iterator[Change]:
    slides = "coordinates in float64, and just above a whole one the taps slide by a sample"
    if reading.averages:
        if reading.element in ("float64", "complex128"):
            yield _hidden("float32", "coordinates or weights in float32", arithmetic="float32")
        elif reading.crops:
            yield _hidden("float32", "roi in float32: a sample at its end may fall outside", arithmetic="float32")
        yield _hidden("float64_window", slides, arithmetic="float64 window")
        return
    tail = ": ties and whole coordinates fall otherwise"
    yield _hidden("float32", f"coordinates in float32{tail}", arithmetic="float32")
    yield _hidden(
        "float32_reciprocal", f"coordinates in float32, times 1 / scale{tail}", arithmetic="float32 reciprocal"
    )
    words = "coordinates in float32, and what is within 1e-6 of a half counts as a half"
    yield _hidden("float32_ties", words, arithmetic="float32 ties")
    yield _hidden("float64", f"coordinates in float64{tail}", arithmetic="float64")
    yield _hidden("float64_window", slides, arithmetic="float64 window")


def _carriers(reading: Reading) -> Iterator[Change]:
    """Types that are too narrow for the values."""
    if reading.element in ("float64", "complex128") and not reading.averages:
        yield _hidden("through_float32", "values pass through float32", carrier="float32")
    if reading.element.endswith(("int32", "int64")):
        for carrier in ("float32", "float64"):
            yield _hidden(f"through_{carrier}", f"values pass through {carrier}", carrier=carrier)
    if reading.element.endswith("int64"):
        yield _hidden("through_int32", "values cut to 32 bits", carrier="int32")
    if reading.element.startswith("complex"):
        yield _hidden("imaginary_lost", "the imaginary part lost", carrier="real")


_COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
_NEAREST = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


def _other_attributes(reading: Reading) -> Iterator[Change]:
    """Another value of an attribute that has one."""
    if reading.nearest_mode is None and reading.coordinate_transformation_mode == "asymmetric":
        both = {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_floor"}
        yield _attribute("defaults_of_11", "the defaults of Resize-11, not the rule of version 10", **both)
    for mode in (*_COORDINATES, "tf_half_pixel_for_nn"):
        yield _attribute(f"coordinates_{mode}", f"coordinates of {mode}", coordinate_transformation_mode=mode)
    if reading.mode == "nearest":
        for nearest in _NEAREST:
            yield _attribute(f"nearest_{nearest}", f"nearest_mode={nearest}", nearest_mode=nearest)
        words = "nearest as in version 10: floor on axes that grow, ceil on those that shrink"
        yield _hidden("nearest_by_scale", words, nearest_mode=None)
    for word in ("nearest", "linear", "cubic"):
        if word != "nearest" and ELEMENT_TYPES[reading.element].kind == "string":
            continue
        yield _attribute(f"mode_{word}", f"mode={word}", mode=word)


def _added(reading: Reading) -> Iterator[Change]:
    """What was not asked for."""
    if reading.averages and not reading.antialias:
        yield _attribute("antialias_added", "antialias, which was not asked for", antialias=True)
        both = {"antialias": True, "exclude_outside": True}
        words = "antialias, which was not asked for, its weights renormalised at the border"
        yield _attribute("antialias_added_renormalised", words, **both)
    if reading.averages and not reading.exclude_outside and not reading.antialias:
        words = "weights renormalised at the border, as with exclude_outside=1"
        yield _attribute("exclude_outside_added", words, exclude_outside=True)
    if not reading.crops and reading.roi is not None:
        yield _attribute("roi_used", f"roi used, as in {CROP}", coordinate_transformation_mode=CROP)
