"""What rules look at: a node with all that is known of it, and the model around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from halfpixel._errors import HalfpixelError
from halfpixel.models.model import Model
from halfpixel.models.shapes import element_type_of
from halfpixel.models.sites import Site
from halfpixel.ops.node import read_attributes
from halfpixel.peers.deviations import Target
from halfpixel.peers.facts import Fact, Request, facts_of
from halfpixel.spec.axes import ResizeSpec

_HALF_PIXEL = ("half_pixel", "pytorch_half_pixel", "half_pixel_symmetric")
_TORCH, _TENSORFLOW = "pytorch", "tensorflow"
_PRODUCERS = {
    "pytorch": _TORCH,
    "torch": _TORCH,
    "tf2onnx": _TENSORFLOW,
    "tensorflow": _TENSORFLOW,
    "keras": _TENSORFLOW,
}


@dataclass(frozen=True)
class Subject:
    """A resize-like node and what follows from it, each worked out at the first question."""

    site: Site

    @cached_property
    def is_sound(self) -> bool:
        """Every attribute is one of the operator's, of some version, and of its type."""
        try:
            read_attributes(self.site.operator, self.site.attributes, strict=False)
        except HalfpixelError:
            return False
        return True

    @cached_property
    def request(self) -> Request:
        """The node in the words of peers/facts.py."""
        site = self.site
        values = {name: site.constant(name) for name in ("scales", "sizes", "roi")}
        held = {
            name: None if value is None or not site.given(name) else tuple(value.ravel().tolist())
            for name, value in values.items()
        }
        computed = {name for name in held if site.given(name) and values[name] is None}
        if site.attributes.get("coordinate_transformation_mode") != "tf_crop_and_resize":
            computed.discard("roi")
            held["roi"] = None
        return Request(
            site.op_type,
            site.version,
            site.attributes,
            self.shape,
            site.element_type,
            **held,
            computed=frozenset(computed),
            roi_type=element_type_of(site.value("roi")) if held["roi"] is not None else None,
        )

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """All that is known of the node."""
        return facts_of(self.request)

    @cached_property
    def spec(self) -> ResizeSpec | None:
        """What the node does, where its shape and inputs are known and it is legal."""
        return self.request.spec()

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """The shape of X with None for the lengths that are not known."""
        shape = self.site.in_shape
        return None if shape is None else tuple(n if isinstance(n, int) else None for n in shape)

    @property
    def mode(self) -> str:
        """nearest, linear, cubic; DCR, CRD."""
        return str(self.facts["mode"])

    @property
    def averages(self) -> bool:
        """linear or cubic."""
        return self.mode in ("linear", "cubic")

    @property
    def coordinates(self) -> str:
        """coordinate_transformation_mode; "asymmetric" for Upsample and Resize-10, "" for rearrangements."""
        return str(self.facts.get("coordinate_transformation_mode", ""))

    @property
    def has_one_order(self) -> bool:
        """A rearrangement that is the same in DCR and CRD: blocksize 1, or one channel on the wide side."""
        blocksize, shape = self.site.attributes["blocksize"], self.shape
        if blocksize == 1:
            return True
        channels = shape[1] if shape is not None and len(shape) == 4 else None
        return bool(channels == (blocksize**2 if self.site.op_type == "DepthToSpace" else 1))

    @property
    def listed(self) -> list[int] | None:
        """The axes that scales, sizes and roi are for, counted from the front; None where the rank is unknown."""
        if self.shape is None:
            return None
        rank = len(self.shape)
        axes = self.site.attributes.get("axes")
        return list(range(rank)) if axes is None else [axis % rank for axis in axes if -rank <= axis < rank]

    def of_axes(self, name: str) -> dict[int, Any]:
        """Axis -> its value of scales or sizes; empty where that is not constant or does not fit."""
        values, listed = getattr(self.request, name), self.listed
        if values is None or listed is None or len(values) != len(listed):
            return {}
        return dict(zip(listed, values, strict=True))


@dataclass(frozen=True)
class Surroundings:
    """A model and what was asked about it.

    Attributes:
        model: as load gives it.
        subjects: its resize-like nodes in order, without those whose attributes are not their operator's.
        targets: runtimes that were asked about.
    """

    model: Model
    subjects: Sequence[Subject]
    targets: Sequence[Target] = ()

    @property
    def producer(self) -> str:
        """ "pytorch", "tensorflow" or "" by the name that the exporter wrote into the model."""
        name = (self.model.ir.producer_name or "").lower()
        return next((family for word, family in _PRODUCERS.items() if name.startswith(word)), "")

    @cached_property
    def averaging(self) -> list[Subject]:
        """Nodes in linear or cubic."""
        return [subject for subject in self.subjects if subject.averages]

    @cached_property
    def half_pixel_average(self) -> Subject | None:
        """The first node in linear or cubic that aligns the middles of the pictures."""
        return next((one for one in self.averaging if one.coordinates in _HALF_PIXEL), None)

    @cached_property
    def orders(self) -> dict[str, Subject]:
        """DCR, CRD -> the first DepthToSpace or SpaceToDepth of that order, of those to which the order matters."""
        return {one.mode: one for one in reversed(self.subjects) if not one.request.resizes and not one.has_one_order}

    @cached_property
    def coefficients(self) -> Counter[float]:
        """cubic_coeff_a -> how many cubic nodes without antialias have it."""
        return Counter(
            float(one.facts["cubic_coeff_a"])
            for one in self.averaging
            if one.mode == "cubic" and not one.facts["antialias"]
        )
