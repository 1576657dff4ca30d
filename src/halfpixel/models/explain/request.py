"""What is to be explained, in one form: the request of a Resize or Upsample, and where its values come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from halfpixel.models.explain.settings import BY_SCALE, Settings
from halfpixel.spec.axes import ResizeSpec
from halfpixel.spec.operators import OPERATORS, operator_of
from halfpixel.spec.resize import resize_spec, upsample_spec
from halfpixel.spec.sizes import float32

_GROWING = ("scales", "height_scale", "width_scale")


@dataclass(frozen=True, slots=True)
class Request:
    """A Resize or an Upsample of one shape.

    Attributes:
        op_type, version: the operator and its since-version.
        in_shape: of X.
        element_type: ONNX name of what X is made of.
        scales, sizes, roi: as the operator takes them; None is absent.
        attributes: those that are given, by name.
        length_rule: how scales become lengths.
        strict: whether values of another version are refused.
        subject: what people call it, as 'node "up" of model.onnx'; empty for attributes alone.
        origins: name of an input or attribute -> where its value comes from, in words.
    """

    op_type: str
    version: int
    in_shape: tuple[int, ...]
    element_type: str = "float32"
    scales: tuple[float, ...] | None = None
    sizes: tuple[int, ...] | None = None
    roi: tuple[float, ...] | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    length_rule: str = "floor"
    strict: bool = True
    subject: str = ""
    origins: Mapping[str, str] = field(default_factory=dict)

    def spec(self) -> ResizeSpec:
        """The request with exact numbers.

        Raises:
            SpecError, ResourceError: as resize and upsample.
        """
        common: dict[str, Any] = {"version": self.version, "strict": self.strict}
        if self.op_type == "Upsample":
            return upsample_spec(self.in_shape, **({"scales": self.scales} | dict(self.attributes)), **common)
        common["length_rule"] = self.length_rule
        return resize_spec(self.in_shape, self.scales, self.sizes, roi=self.roi, **self.attributes, **common)

    def given_scales(self) -> tuple[float, ...] | None:
        """One scale for each listed axis, wherever the version keeps them; None where sizes are given."""
        attributes = self.attributes
        if self.op_type == "Upsample" and self.version == 1:
            return (1.0, 1.0, attributes["height_scale"], attributes["width_scale"])
        scales = attributes.get("scales", self.scales)
        return tuple(scales) if scales is not None and len(scales) else None

    def settings(self) -> Settings:
        """Every attribute that bears on a sample, defaults put in."""
        operator = operator_of(self.op_type, self.version)
        known = OPERATORS[("Resize", 19)].attributes
        values: dict[str, Any] = {name: attribute.default for name, attribute in known.items()}
        values |= {name: entry.default for name, entry in operator.attributes.items() if name in known}
        values |= {name: value for name, value in self.attributes.items() if name not in _GROWING}
        early = self.op_type == "Upsample" or self.version == 10
        mode = str(values["mode"])
        return Settings(
            mode="linear" if mode == "bilinear" else mode,
            coordinate_transformation_mode="asymmetric" if early else str(values["coordinate_transformation_mode"]),
            nearest_mode=BY_SCALE if early else str(values["nearest_mode"]),
            cubic_coeff_a=float32(values["cubic_coeff_a"]),
            antialias=bool(values["antialias"]),
            exclude_outside=bool(values["exclude_outside"]),
            extrapolation_value=float(values["extrapolation_value"]),
            keep_aspect_ratio_policy=str(values["keep_aspect_ratio_policy"]),
            length_rule=self.length_rule,
        )
