"""The explanation of one output sample: everything that text, JSON, drawing and page show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from halfpixel._errors import ModelError
from halfpixel.models.explain.conventions import Convention, conventions_named
from halfpixel.models.explain.formulas import formula, with_numbers
from halfpixel.models.explain.lengths import Length, lengths_of
from halfpixel.models.explain.request import Request
from halfpixel.models.explain.samples import Sample, sample_of
from halfpixel.models.explain.settings import Settings
from halfpixel.plan.describe import sample as check_index
from halfpixel.plan.plan import Plan, plan_from_spec


@dataclass(frozen=True, slots=True)
class AxisExplanation:
    """One axis.

    Attributes:
        length: how its output length came about.
        formula, numbers: of the coordinate, with names and with numbers; empty for a copied axis.
        sample: the chosen one; None for a copied axis.
    """

    length: Length
    formula: str = ""
    numbers: str = ""
    sample: Sample | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """The same output sample in another convention.

    Attributes:
        convention: which.
        settings: its attributes; None if it has no such mode.
        out_shape: its output; empty if it has none.
        samples: axis -> sample; None where its output is too short to have it. A copied axis is not in it.
    """

    convention: Convention
    settings: Settings | None
    out_shape: tuple[int, ...] = ()
    samples: tuple[tuple[int, Sample | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where one output sample of a Resize or Upsample comes from. Printed, it is the text for people.

    Attributes:
        request: what is explained.
        settings: its attributes with defaults.
        plan: its tables.
        at: the output sample, an index for each axis; () if the output has no samples.
        axes: one entry for each axis.
        beside: the same sample in other conventions.
    """

    request: Request
    settings: Settings
    plan: Plan
    at: tuple[int, ...]
    axes: tuple[AxisExplanation, ...]
    beside: tuple[Beside, ...] = ()

    def attributes(self, settings: Settings) -> dict[str, Any]:
        """Those of some settings that have an effect here."""
        return settings.effective(self.request.given_scales() is not None)

    def data(self) -> dict[str, Any]:
        """The explanation as plain data, fit for JSON; exact numbers as text such as "9/4"."""
        from halfpixel.models.explain.data import as_data

        return as_data(self)

    def text(self, width: int = 80) -> str:
        """The explanation for people, in lines of at most `width` characters where words allow."""
        from halfpixel.models.explain.text import as_text

        return as_text(self, width)

    def svg(self) -> str:
        """A drawing: source samples, output centres and their offset, the filter and the taps of the sample.

        Raises:
            ModelError: HP428 every axis is copied.
        """
        from halfpixel.models.explain.drawing import drawing

        return drawing(self)

    def html(self) -> str:
        """A page that needs no other file: move over output samples, change attributes, compare conventions.

        Raises:
            ModelError: HP428 every axis is copied.
            MissingExtraError: HP900 jinja2 is not installed.
        """
        from halfpixel.models.explain.page import page

        return page(self)

    def drawn(self) -> tuple[AxisExplanation, ...]:
        """The axes that have something to draw: those that are resampled.

        Raises:
            ModelError: HP428 there is none.
        """
        found = tuple(axis for axis in self.axes if axis.sample is not None)
        if not found:
            raise ModelError(
                "HP428",
                "there is nothing to draw: every axis is copied",
                given=f"{self.request.op_type} from {self.request.in_shape} to {self.plan.output_shape}",
                allowed="a request that resamples an axis",
                do="pass a scale other than 1, or take the text",
            )
        return found

    def __str__(self) -> str:
        return self.text()


def explanation_of(request: Request, at: Sequence[int] | None, beside: Sequence[str] = ()) -> Explanation:
    """Explain one output sample.

    Args:
        request: what is asked of the operator.
        at: the output sample, an index for each axis; None is the middle one, or none if the output has no samples.
        beside: names of conventions.

    Raises:
        SpecError: HP173 no such sample, HP174 no such convention; as resize.
        ElementTypeError, ResourceError: as resize.
    """
    plan = plan_from_spec(request.spec(), request.element_type)
    settings = request.settings()
    empty = at is None and 0 in plan.output_shape
    index = () if empty else tuple((length - 1) // 2 for length in plan.output_shape) if at is None else tuple(at)
    if not empty:
        check_index(plan, index)
    samples = {} if empty else _samples(plan, index)
    axes = tuple(_axis(length, settings, samples.get(length.axis)) for length in lengths_of(request, plan.output_shape))
    found = tuple(beside_of(one, request, settings, index) for one in conventions_named(beside))
    return Explanation(request, settings, plan, index, axes, found)


def _samples(plan: Plan, at: tuple[int, ...]) -> dict[int, Sample]:
    specs = {axis.axis: axis for axis in plan.spec.axes}
    return {axis: sample_of(plan.spec, specs[axis], table, at[axis]) for axis, table in plan.axes.items()}


def _axis(length: Length, settings: Settings, sample: Sample | None) -> AxisExplanation:
    if sample is None:
        return AxisExplanation(length)
    words = formula(settings.coordinate_transformation_mode, length.in_size, length.out_size, length.scale)
    numbers = {
        "i": Fraction(sample.index),
        "in": Fraction(length.in_size),
        "out": Fraction(length.out_size),
        "scale": length.scale,
        "start": length.roi[0],
        "end": length.roi[1],
    }
    return AxisExplanation(length, words, with_numbers(words, numbers), sample)


def beside_of(convention: Convention, request: Request, settings: Settings, at: tuple[int, ...]) -> Beside:
    """The same sample elsewhere. Conventions have no axes attribute, but the same axes are resampled."""
    other = convention.settings(settings)
    if other is None:
        return Beside(convention, None)
    axes = request.attributes.get("axes")
    sizes = request.sizes if request.given_scales() is None else None
    spec = other.spec(request.in_shape, request.given_scales(), sizes, request.roi, axes)
    plan = plan_from_spec(spec, "float32")  # the tables are those of every element type
    within = {axis.axis: axis for axis in spec.axes if at and at[axis.axis] < axis.out_size}
    samples = tuple(
        (axis, sample_of(spec, within[axis], table, at[axis]) if axis in within else None)
        for axis, table in plan.axes.items()
    )
    return Beside(convention, other, plan.output_shape, samples)
