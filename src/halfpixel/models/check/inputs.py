"""Rules about the inputs of a node, and about nodes that break a rule of their operator."""

from __future__ import annotations

from collections.abc import Iterator

from halfpixel._errors import HalfpixelError, ModelError
from halfpixel.models.check.finding import Trap
from halfpixel.models.check.subject import Subject, Surroundings
from halfpixel.models.check.words import listing
from halfpixel.models.reports import ERROR, NOTE, WARNING
from halfpixel.models.shapes import element_type_of
from halfpixel.ops.node import read_attributes
from halfpixel.spec.attributes import choice

_OF_INPUTS = frozenset(
    ("HP103", "HP104", "HP105", "HP106", "HP107", "HP108", "HP109", "HP110", "HP111", "HP116", "HP117")
)
"""Codes of mistakes that do not depend on the lengths of X."""
_REQUIRED_EMPTY = 11
"""The version in which roi and scales must be connected, if only to an empty tensor."""


def empty_or_absent(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM014: Resize-11 wants an empty tensor for an input that is not used, later versions an empty name."""
    site = subject.site
    if site.op_type != "Resize" or site.version < _REQUIRED_EMPTY:
        return
    for name in ("roi", "scales", "sizes"):
        value, constant = site.value(name), site.constant(name)
        if site.version == _REQUIRED_EMPTY and value is None and name != "sizes":
            yield Trap(
                f"{name} is left out, which Resize-{site.version} does not allow: onnx's checker refuses the model",
                given=f"no {name}, opset {site.opset}",
                allowed=f"a {name} input, empty where it is not used; from opset 13 on an empty name",
                do=f"connect {name} to an empty float32 tensor, or upgrade to opset 13 or later",
            )
        elif site.version > _REQUIRED_EMPTY and constant is not None and constant.size == 0 and _unused(subject, name):
            yield Trap(
                f"{name} is an empty tensor where it should be left out: some importers take it for the value",
                given=f"{name} of shape {list(constant.shape)}, opset {site.opset}",
                allowed="an empty name for an input that is not used, from opset 13 on",
                do=f'put "" in the place of {name} among the inputs of the node',
                severity=NOTE if name == "roi" else WARNING,
            )


def _unused(subject: Subject, name: str) -> bool:
    """An empty tensor means absent, but for rank 0 and for no axes, where it is the value."""
    no_values = subject.listed is not None and not subject.listed
    return name == "roi" or not no_values


def baked_in_sizes(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM015: constant sizes for an axis whose length the model leaves open."""
    shape, site = subject.shape, subject.site
    sizes = subject.of_axes("sizes")
    fixed = [axis for axis in sizes if shape is not None and shape[axis] is None]
    if not fixed or shape is None:
        return
    value = site.value("X")
    picture = value is not None and value.producer() is None and min(fixed) >= max(len(shape) - 2, 1)
    names = [str(length) if length is not None else "?" for length in site.in_shape or ()]
    yield Trap(
        f"sizes fix the length of axis {', '.join(map(str, fixed))}, which the model leaves open",
        given=f"X of shape [{', '.join(names)}], sizes {listing(sizes.values())}",
        allowed="scales, or sizes computed from the shape of X or of the tensor that the result is joined with",
        do="export the model with dynamic axes and scale_factor, or list in axes (opset 18) those that are to be fixed"
        if not picture
        else "leave it where the node brings pictures to one size",
        severity=NOTE if picture else WARNING,
    )


def input_types(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM016: scales, sizes or roi of another element type, as converters to float16 leave them."""
    site = subject.site
    for entry in site.operator.inputs[1:]:
        value, constant = site.value(entry.name), site.constant(entry.name)
        element = element_type_of(value) or (None if constant is None else constant.dtype.name)
        if value is None or element is None or element in entry.element_types:
            continue
        yield Trap(
            f"{entry.name} is {element}, which {site.operator.label} does not take: onnxruntime refuses the model",
            given=f"{entry.name} of {element}",
            allowed=", ".join(sorted(entry.element_types)),
            do=f"keep {entry.name} out of the conversion to {element}, or cast it in front of the node",
        )


def upsample_is_deprecated(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM017: Resize took the place of Upsample in opset 10."""
    site = subject.site
    if site.op_type != "Upsample":
        return
    gone = site.opset >= 10
    yield Trap(
        "Upsample was replaced by Resize in opset 10" + ("; onnx's checker refuses it since" if gone else ""),
        given=f"{site.operator.label}, opset {site.opset}",
        allowed="Resize",
        do="halfpixel upgrade MODEL OUT --opset 19, which keeps the numbers (onnx's own converter changes them)",
        severity=ERROR if gone else None,
    )


def breaks_a_rule(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM020: what the operator's text forbids: a scale of 0, channels that blocksize does not divide, both inputs."""
    if subject.site.value("X") is None:
        yield Trap(
            "the node has no data to work on",
            given="no first input",
            allowed="a tensor as first input",
            do="connect the data",
        )
        return
    error = _mistake(subject)
    if error is not None:
        yield Trap(f"{error.sentence} [{error.code}]", error.given, error.allowed, error.do)


def _mistake(subject: Subject) -> HalfpixelError | None:
    """The error that running the node would raise, as far as that is known without running it."""
    site = subject.site
    try:
        attributes = read_attributes(site.operator, site.attributes, strict=False)
        for name, attribute in site.operator.attributes.items():
            if attribute.values and name in attributes:
                choice(site.operator, name, attributes[name], strict=False)
        site.spec()
    except ModelError as error:
        # Something is not known before the model runs.
        return _mistake_at_any_length(subject) if error.code == "HP415" else error
    except HalfpixelError as error:
        return error
    return None


def _mistake_at_any_length(subject: Subject) -> HalfpixelError | None:
    """The error of a Resize or Upsample with open lengths that lies in its inputs alone, found at lengths of 64."""
    site, shape = subject.site, subject.shape
    if shape is None or not subject.request.resizes:
        return None
    probe = tuple(64 if length is None else length for length in shape)
    try:
        site.spec(probe)
    except ModelError:
        return None
    except HalfpixelError as error:
        if error.code not in _OF_INPUTS:
            return None
        names = [str(length) if length is not None else "?" for length in site.in_shape or ()]
        given = error.given.replace(str(probe), f"({', '.join(names)})")
        return type(error)(error.code, error.sentence, given, error.allowed, error.do)
    return None
