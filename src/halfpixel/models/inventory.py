"""The resize-like nodes of a model in a table: what each does, what it costs, what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import ceil, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel._errors import HalfpixelError, ModelError
from halfpixel.models.model import Model
from halfpixel.models.reading import load_for_sites
from halfpixel.models.sites import Site, find_sites
from halfpixel.ops.node import read_attributes
from halfpixel.spec.element_types import ELEMENT_TYPES, check_element_type
from halfpixel.spec.rearrange import RearrangeSpec
from halfpixel.spec.resize import ResizeSpec
from halfpixel.spec.sizes import output_sizes

if TYPE_CHECKING:
    from halfpixel.models.reading import Source
    from halfpixel.models.shapes import Shape

_RADIUS = {"linear": 1, "cubic": 2}
"""Mode -> half the width of its filter, in samples."""


@dataclass(frozen=True)
class Entry:
    """One resize-like node.

    Attributes:
        name, scope, op_type, opset, version, element_type, in_shape: as in Site.
        mode: "nearest", "linear" or "cubic", of a rearrangement "DCR" or "CRD"; with defaults filled in, like the next.
        coordinate_transformation_mode, nearest_mode: None where the operator has none.
        antialias: of Resize 18 and later.
        given: "scales", "sizes", "blocksize", or None where neither is given.
        values: the numbers given; None where they depend on the run.
        source: where they come from: "initializer", "constant", "attribute", "graph input", "computed: ...".
        axes: the axes that they are for; None for all.
        out_shape: as the model declares or onnx infers; where that leaves a length open, computed here if it can be.
        multiply_adds: of one run, from the widths of the filters; 0 where samples are only moved. None where unknown.
        bytes: read and written at least, input and output once each; None where unknown.
        risks: what to look at, in words; ``check`` says more.
    """

    name: str
    scope: tuple[str, ...]
    op_type: str
    opset: int
    version: int
    mode: str | None
    coordinate_transformation_mode: str | None
    nearest_mode: str | None
    antialias: bool
    given: str | None
    values: tuple[int | float, ...] | None
    source: str | None
    axes: tuple[int, ...] | None
    element_type: str | None
    in_shape: Shape | None
    out_shape: Shape | None
    multiply_adds: int | None
    bytes: int | None
    risks: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """The same as plain data, fit for JSON."""
        return asdict(self)


def ls(source: Source, shapes: Mapping[str, Sequence[int]] | None = None) -> list[Entry]:
    """List the resize-like nodes of a model: main graph, subgraphs and local functions, in the order of the file.

    Args:
        source: as ``halfpixel.models.load`` takes it. Of a model with more than 20,000 nodes only these nodes and what
            their scales and sizes are computed from is looked at closely.
        shapes: input name -> lengths, for inputs that the model leaves open: what follows from them is then known.
    Raises:
        ModelError: as load; HP404 shapes for an input that the model does not have, HP417.

    Example:
        >>> [entry.out_shape for entry in halfpixel.models.ls("double.onnx", {"X": (1, 3, 32, 32)})]
        [(1, 3, 64, 64)]
    """
    model = load_for_sites(source)
    return [entry_of(site) for site in find_sites(_with_shapes(model, shapes) if shapes else model)]


def _with_shapes(model: Model, shapes: Mapping[str, Sequence[int]]) -> Model:
    """A copy of a model with lengths of its inputs."""
    import onnx_ir

    graph = model.ir.graph.clone()
    inputs = {value.name: value for value in graph.inputs}
    for name, lengths in shapes.items():
        if name not in inputs:
            raise ModelError(
                "HP404",
                "the inputs are not those of the model",
                given=f"a shape for {name!r}",
                allowed=", ".join(str(one) for one in inputs) or "none: the model has no inputs",
                do="name an input of the model",
            )
        inputs[name].shape = onnx_ir.Shape(list(lengths))
    functions = list(model.ir.functions.values())
    return Model(onnx_ir.Model(graph, ir_version=model.ir.ir_version, functions=functions), model.path)


def entry_of(site: Site) -> Entry:
    """Describe one node."""
    defaults = {name: attribute.default for name, attribute in site.operator.attributes.items()}
    attributes = defaults | site.attributes
    given, values = _given(site)
    spec = _spec_or_error(site)
    computed = None if isinstance(spec, HalfpixelError) else spec.out_shape
    mode = attributes.get("mode", "DCR" if site.op_type in ("DepthToSpace", "SpaceToDepth") else None)
    axes = attributes.get("axes")
    return Entry(
        name=site.name,
        scope=site.scope,
        op_type=site.op_type,
        opset=site.opset,
        version=site.version,
        mode=_text(mode),
        coordinate_transformation_mode=_text(attributes.get("coordinate_transformation_mode")),
        nearest_mode=_text(attributes.get("nearest_mode")),
        antialias=attributes.get("antialias") == 1,
        given=given,
        values=values,
        source=None if given is None else "attribute" if given == "blocksize" else site.source(given),
        axes=tuple(axes) if isinstance(axes, list) else None,
        element_type=site.element_type,
        in_shape=site.in_shape,
        out_shape=computed if computed is not None else site.out_shape,
        multiply_adds=None if isinstance(spec, HalfpixelError) else multiply_adds(spec),
        bytes=None if isinstance(spec, HalfpixelError) else _bytes(spec, site.element_type),
        risks=tuple(_risks(site, spec, given, values)),
    )


def multiply_adds(spec: ResizeSpec | RearrangeSpec) -> int:
    """Return how many products the passes of a request add up: samples after each pass times its taps.

    taps = 2 * radius, of an antialiased axis that shrinks ceil(2 * radius * in / out); the axes in the order that makes
    the fewest. Taps that fall together at the border are counted one by one. 0 for what only moves samples.
    """
    if isinstance(spec, RearrangeSpec) or spec.mode not in _RADIUS or 0 in spec.in_shape:
        return 0
    # An axis that shrinks goes first and the widest filter last: every pass then works on as few samples as it can.
    axes = sorted(spec.axes, key=lambda axis: Fraction(axis.out_size, axis.in_size))
    shape, total = list(spec.in_shape), 0
    for axis in axes:
        scale, width = Fraction(*axis.scale), 2 * _RADIUS[spec.mode]
        taps = ceil(width / scale) if spec.antialias and scale < 1 else width
        shape[axis.axis] = axis.out_size
        total += prod(shape) * taps
    return total


def _bytes(spec: ResizeSpec | RearrangeSpec, element_type: str | None) -> int | None:
    element = ELEMENT_TYPES.get(element_type or "")
    if element is None or element.bits == 0:
        return None
    return (prod(spec.in_shape) + prod(spec.out_shape)) * element.bits // 8


def _text(value: object) -> str | None:
    return value.decode(errors="replace") if isinstance(value, bytes) else None if value is None else str(value)


def _given(site: Site) -> tuple[str | None, tuple[int | float, ...] | None]:
    """Which of scales, sizes and blocksize a node has, and its numbers where they are known."""
    if "blocksize" in site.operator.attributes:
        value = site.attributes.get("blocksize")
        return "blocksize", (value,) if isinstance(value, int) else None
    for name in ("sizes", "scales"):
        if site.given(name):
            constant = site.constant(name)
            return name, None if constant is None else tuple(np.asarray(constant).reshape(-1).tolist())
    return None, None


def _spec_or_error(site: Site) -> ResizeSpec | RearrangeSpec | HalfpixelError:
    """The request of a node, or why there is none: something is unknown, or it breaks a rule."""
    try:
        return site.spec()
    except HalfpixelError as error:
        return error


def _risks(
    site: Site,
    spec: ResizeSpec | RearrangeSpec | HalfpixelError,
    given: str | None,
    values: tuple[int | float, ...] | None,
) -> Iterator[str]:
    newest = _newest_opset()
    if site.opset > newest:
        yield f"opset {site.opset} is newer than {newest}, the newest known: read as {site.operator.label}"
    if site.operator.deprecated:
        yield f"{site.op_type} is deprecated since opset {site.version}"
    for name in site.references:
        yield f"{name} comes from the caller of the function"
    if values is None and given in ("scales", "sizes"):
        yield f"{given} of the run"
    yield from _broken_rules(site, spec)
    if isinstance(spec, ResizeSpec):
        yield from _risks_of_lengths(site, spec, given, values)
        yield from _shrinking(spec)


def _broken_rules(site: Site, spec: ResizeSpec | RearrangeSpec | HalfpixelError) -> Iterator[str]:
    """What the operator's text does not allow; a strict reader refuses the node."""
    if isinstance(spec, HalfpixelError) and not isinstance(spec, ModelError):
        yield f"{spec.sentence} ({spec.code})"
    else:
        try:
            read_attributes(site.operator, site.attributes)
        except HalfpixelError as error:
            yield f"{error.sentence} ({error.code})"
    if site.element_type is not None:
        try:
            mode = _text(site.attributes.get("mode", "nearest")) or "nearest"
            check_element_type(site.op_type, site.version, site.element_type, mode)
        except HalfpixelError as error:
            yield f"{error.sentence} ({error.code})"


def _risks_of_lengths(
    site: Site, spec: ResizeSpec, given: str | None, values: tuple[int | float, ...] | None
) -> Iterator[str]:
    declared = site.out_shape
    if declared is not None and len(declared) == len(spec.out_shape):
        pairs = zip(declared, spec.out_shape, strict=True)
        if any(isinstance(one, int) and one != two for one, two in pairs):
            yield f"the model declares {_by(declared)}, the standard gives {_by(spec.out_shape)}"
    if given == "scales" and values is not None and len(values) == len(spec.in_shape) and not _crops(site):
        rounded = output_sizes(spec.in_shape, values, rule="float32_floor")
        if rounded != spec.out_shape:
            yield f"a product in float32 gives {_by(rounded)}, the exact one {_by(spec.out_shape)}"


def _crops(site: Site) -> bool:
    return site.attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize"


def _shrinking(spec: ResizeSpec) -> Iterator[str]:
    if spec.antialias or spec.mode == "nearest":
        return
    most = max((axis.in_size / axis.out_size for axis in spec.axes if axis.out_size), default=1.0)
    if most > 2:
        yield f"shrinks by {most:.4g} without antialias"


def _by(shape: Shape) -> str:
    return "x".join("?" if length is None else str(length) for length in shape)


def _newest_opset() -> int:
    import onnx.defs

    return int(onnx.defs.onnx_opset_version())
