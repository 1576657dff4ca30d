"""The attributes that decide where a sample is taken from and with which weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from halfpixel.spec.axes import ResizeSpec
from halfpixel.spec.resize import resize_spec

BY_SCALE = "by_scale"
"""The nearest_mode of Resize-10 and Upsample: floor on an axis that grows, ceil on one that shrinks."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every attribute of Resize that bears on a sample, with its value; the names are ONNX's.

    Attributes:
        nearest_mode: one of Resize's, or BY_SCALE.
        length_rule: how scales become lengths: "floor", "round", "ceil" or "float32_floor".
    """

    mode: str
    coordinate_transformation_mode: str
    nearest_mode: str
    cubic_coeff_a: float
    antialias: bool
    exclude_outside: bool
    extrapolation_value: float = 0.0
    keep_aspect_ratio_policy: str = "stretch"
    length_rule: str = "floor"

    def spec(
        self,
        in_shape: tuple[int, ...],
        scales: Sequence[float] | None,
        sizes: Sequence[int] | None,
        roi: Sequence[float] | None,
        axes: Sequence[int] | None,
    ) -> ResizeSpec:
        """The resize of a shape with these attributes, in whichever version knows them all.

        Raises:
            SpecError, ResourceError: as resize.
        """
        values = asdict(self)
        version = 19
        if values["nearest_mode"] == BY_SCALE:
            values["nearest_mode"], version = "round_prefer_floor", 10
        return resize_spec(in_shape, scales, sizes, roi=roi, axes=axes, **values, version=version, strict=False)

    def effective(self, by_scales: bool) -> dict[str, Any]:
        """The attributes that have an effect in this mode, as plain data.

        Args:
            by_scales: scales are given; the length rule is for them, the policy for sizes.
        """
        names = ["mode", "coordinate_transformation_mode"]
        if self.mode == "nearest":
            names.append("nearest_mode")
        else:
            names += ["cubic_coeff_a"] * (self.mode == "cubic") + ["antialias", "exclude_outside"]
        if self.coordinate_transformation_mode == "tf_crop_and_resize":
            names.append("extrapolation_value")
        if by_scales:
            names.append("length_rule")
        elif self.keep_aspect_ratio_policy != "stretch":
            names.append("keep_aspect_ratio_policy")
        values = asdict(self)
        return {name: values[name] for name in names}
