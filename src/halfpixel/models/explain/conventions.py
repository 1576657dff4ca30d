"""Conventions of other libraries, to lay beside an explained sample: the presets of like=, and their variants.

What a row cannot express stands in docs/presets.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from halfpixel._errors import SpecError
from halfpixel._typing import Like, Mode
from halfpixel.models.explain.settings import BY_SCALE, Settings
from halfpixel.ops.presets import (
    ANTIALIAS,
    COORDINATE_TRANSFORMATION_MODE,
    CUBIC_COEFF_A,
    EXCLUDE_OUTSIDE,
    LENGTH_RULE,
    NEAREST_MODE,
    attributes_like,
)
from halfpixel.spec.arguments import show

_ALL = ("nearest", "linear", "cubic")
_FILTERS = ("linear", "cubic")
_CENTRE = {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_ceil"}


@dataclass(frozen=True, slots=True)
class Convention:
    """What one call of a library does with a resize of a mode.

    Attributes:
        name: by which it is asked for.
        title: for people.
        like: the preset that it starts from; None: from the request itself, as a runtime of ONNX models does.
        changes: attributes that differ from there.
        modes: in which it exists.
        note: what the attributes cannot say.
    """

    name: str
    title: str
    like: Like | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    modes: tuple[str, ...] = _ALL
    note: str = ""

    def settings(self, request: Settings) -> Settings | None:
        """The attributes with which Resize gives this convention's result; None if it has no such mode."""
        if request.mode not in self.modes:
            return None
        if self.like is None:
            return replace(request, **self.changes)
        return _preset_settings(self.like, request, self.changes)


CONVENTIONS: tuple[Convention, ...] = (
    Convention("pytorch", "PyTorch", "pytorch", note="coordinates in float32"),
    Convention(
        "pytorch-align-corners",
        "PyTorch, align_corners=True",
        "pytorch",
        {"coordinate_transformation_mode": "align_corners"},
        _FILTERS,
        "with a scale factor it aligns with the whole output length",
    ),
    Convention("pytorch-antialias", "PyTorch, antialias=True", "pytorch", {"antialias": True}, _FILTERS),
    Convention("pytorch-nearest-exact", "PyTorch, nearest-exact", "pytorch", _CENTRE, ("nearest",)),
    Convention("torchvision", "torchvision", "torchvision"),
    Convention("tensorflow", "TensorFlow 2", "tensorflow"),
    Convention("tensorflow-antialias", "TensorFlow 2, antialias=True", "tensorflow", {"antialias": True}, _FILTERS),
    Convention(
        "tensorflow-1",
        "TensorFlow 1 (compat.v1)",
        "tensorflow",
        {
            "coordinate_transformation_mode": "asymmetric",
            "nearest_mode": "floor",
            "exclude_outside": False,
            "cubic_coeff_a": -0.75,
        },
        note="with align_corners=False",
    ),
    Convention("opencv", "OpenCV", "opencv", note="it rounds a length that ends in one half to even"),
    Convention("opencv-nearest-exact", "OpenCV, INTER_NEAREST_EXACT", "opencv", _CENTRE, ("nearest",)),
    Convention("pillow", "Pillow", "pillow"),
    Convention("jax", "JAX", "jax"),
    Convention(
        "scikit-image",
        "scikit-image, mode='edge'",
        "scikit-image",
        modes=("nearest", "linear"),
        note="before it shrinks, it smooths with a Gaussian",
    ),
    Convention(
        "onnxruntime",
        "onnxruntime, the same node",
        changes={"length_rule": "float32_floor"},
        note="align_corners with scales takes the whole output length; integers are truncated",
    ),
    Convention(
        "openvino",
        "OpenVINO, the same node",
        changes={
            "length_rule": "float32_floor",
            "antialias": False,
            "exclude_outside": False,
            "keep_aspect_ratio_policy": "stretch",
        },
        note="half_pixel_symmetric and tf_crop_and_resize are refused there",
    ),
    Convention(
        "upsample",
        "ONNX Upsample and Resize-10",
        changes={
            "coordinate_transformation_mode": "asymmetric",
            "nearest_mode": BY_SCALE,
            "antialias": False,
            "exclude_outside": False,
            "keep_aspect_ratio_policy": "stretch",
        },
        modes=("nearest", "linear"),
    ),
)


def conventions_named(names: Sequence[str]) -> tuple[Convention, ...]:
    """Return conventions by their names; "all" is all of them.

    Raises:
        SpecError: HP174 no such name.
    """
    known = {convention.name: convention for convention in CONVENTIONS}
    if "all" in names:
        return CONVENTIONS
    for name in names:
        if name not in known:
            raise SpecError(
                "HP174",
                f"there is no convention {show(name)} to lay beside",
                given=f"beside={show(list(names))}",
                allowed=", ".join([*known, "all"]),
                do="pass one of these names",
            )
    return tuple(known[name] for name in names)


def _preset_settings(like: Like, request: Settings, changes: Mapping[str, Any]) -> Settings:
    mode, coordinates, nearest, cubic_coeff_a, antialias, exclude_outside, length_rule = attributes_like(
        like,
        cast("Mode", request.mode),
        changes.get("coordinate_transformation_mode", COORDINATE_TRANSFORMATION_MODE),
        changes.get("nearest_mode", NEAREST_MODE),
        changes.get("cubic_coeff_a", CUBIC_COEFF_A),
        changes.get("antialias", ANTIALIAS),
        changes.get("exclude_outside", EXCLUDE_OUTSIDE),
        LENGTH_RULE,
    )
    return Settings(
        str(mode), str(coordinates), str(nearest), float(cubic_coeff_a), bool(antialias), bool(exclude_outside),
        length_rule=str(length_rule),
    )  # fmt: skip
