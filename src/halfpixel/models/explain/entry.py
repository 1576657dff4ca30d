"""explain(): for a node of a model, or for attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from halfpixel._errors import ModelError, SpecError
from halfpixel.models.explain.explanation import Explanation, explanation_of
from halfpixel.models.explain.rearrangement import RearrangeExplanation, rearrangement_of
from halfpixel.models.explain.request import Request
from halfpixel.ops.node import read_attributes
from halfpixel.spec.arguments import elements, integer, real, shape_of, whole
from halfpixel.spec.operators import operator_of
from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec

if TYPE_CHECKING:
    from halfpixel.models.reading import Source
    from halfpixel.models.sites import Site

_REARRANGE = {"DepthToSpace": depth_to_space_spec, "SpaceToDepth": space_to_depth_spec}
_NEWEST = {"Resize": 19, "Upsample": 9, "DepthToSpace": 28, "SpaceToDepth": 28}


def explain(
    model: Source | None = None,
    node: str | None = None,
    *,
    at: Sequence[int] | None = None,
    x_shape: Sequence[int] | None = None,
    scales: Sequence[float] | None = None,
    sizes: Sequence[int] | None = None,
    roi: Sequence[float] | None = None,
    op_type: str | None = None,
    version: int | None = None,
    length_rule: str = "floor",
    beside: Sequence[str] = (),
    **attributes: Any,
) -> Explanation | RearrangeExplanation:
    """Explain where one output sample of a Resize, Upsample, DepthToSpace or SpaceToDepth comes from.

    Examples:
        >>> found = explain(x_shape=(5, 7), scales=[2, 2], mode="linear", at=(5, 7))
        >>> found.axes[0].sample.coordinate, found.axes[0].sample.weights
        (Fraction(9, 4), (0.75, 0.25))
        >>> print(found.text())  # found.data(), found.svg(), found.html()

    Args:
        model: what halfpixel.models.load takes; None explains the attributes alone.
        node: name of a node; not needed if the model has one resize-like node.
        at: the output sample, an index for each axis; None is the middle one, or none if the output has no samples.
        x_shape: of the input; with a model only where the model does not say it, or to try another.
        scales, sizes, roi: as the operator takes them; with a model where they are computed at run time, or instead.
        op_type, version: of attributes alone; default: Resize, the newest version.
        length_rule: how scales become lengths: "floor" (the standard's), "round", "ceil", "float32_floor".
        beside: names of conventions in which the same sample is shown too: "pytorch", "opencv", ..., or "all".
        **attributes: of the operator by their ONNX names; with a model in the place of the node's.

    Raises:
        ModelError: HP425 the shape of X is not known, HP426 scales, sizes or roi are computed at run time, HP427 no
            node is chosen; HP414 no such node; as halfpixel.models.load.
        SpecError: HP122 neither a model nor x_shape; HP173 no such output sample; HP174 no such convention; HP1xx, the
            request breaks a rule of the operator.
    """
    inputs = {
        "scales": None if scales is None else tuple(real("scales", one) for one in elements("scales", scales)),
        "sizes": None if sizes is None else tuple(whole("sizes", one) for one in elements("sizes", sizes)),
        "roi": None if roi is None else tuple(real("roi", one) for one in elements("roi", roi)),
    }
    names = beside.split(",") if isinstance(beside, str) else list(beside)
    index = None if at is None else tuple(integer("at", one) for one in elements("at", at))
    shape = None if x_shape is None else shape_of(x_shape)
    if model is None:
        request = _of_attributes(op_type or "Resize", version, shape, inputs, attributes, length_rule)
    else:
        request = _of_site(_site(model, node), shape, inputs, attributes, length_rule)
    if request.op_type in _REARRANGE:
        spec = _REARRANGE[request.op_type](
            request.in_shape, **request.attributes, version=request.version, strict=request.strict
        )
        return rearrangement_of(spec, request.subject, index)
    return explanation_of(request, index, names)


def _of_attributes(
    op_type: str,
    version: int | None,
    shape: tuple[int, ...] | None,
    inputs: Mapping[str, Any],
    attributes: Mapping[str, Any],
    length_rule: str,
) -> Request:
    if shape is None:
        raise SpecError(
            "HP122",
            "there is nothing to explain",
            given="neither a model nor the shape of X",
            allowed="a model, or x_shape (--shape) with scales or sizes",
            do="pass a model and a node, or x_shape and attributes",
        )
    operator = operator_of(op_type, version or _NEWEST.get(op_type, 19))
    given = {name: value for name, value in attributes.items() if value is not None}
    if "scales" in operator.attributes and inputs["scales"] is not None:
        given["scales"] = list(inputs["scales"])
    read = read_attributes(operator, given)
    values = {} if op_type in _REARRANGE else dict(inputs)
    return Request(op_type, operator.version, shape, **values, attributes=read, length_rule=length_rule)


def _site(model: Source, node: str | None) -> Site:
    """The node to explain."""
    from halfpixel.models.reading import load
    from halfpixel.models.sites import find_site, find_sites

    loaded = load(model)
    if node is not None:
        return find_site(loaded, node)
    sites = find_sites(loaded)
    if len(sites) == 1:
        return sites[0]
    names = [site.name for site in sites]
    raise ModelError(
        "HP427",
        "no node is chosen, and the model has not exactly one that could be meant",
        given=f"a model with {len(sites)} nodes of Resize, Upsample, DepthToSpace, SpaceToDepth",
        allowed=", ".join(names[:50]) + (f" and {len(names) - 50} more" if len(names) > 50 else "")
        or "none: it has none",
        do="pass node (--node) with one of these names" if sites else "pass another model, or attributes alone",
    )


def _of_site(
    site: Site,
    shape: tuple[int, ...] | None,
    inputs: Mapping[str, Any],
    attributes: Mapping[str, Any],
    length_rule: str,
) -> Request:
    """The request of a node, with what was passed in the place of what it has."""
    changed = {name: value for name, value in attributes.items() if value is not None}
    if "scales" in site.operator.attributes and inputs["scales"] is not None:
        changed["scales"] = list(inputs["scales"])
    read = read_attributes(site.operator, {**site.attributes, **changed}, strict=False)
    scope = "".join(f" in {place}" for place in site.scope)
    values, origins = ({}, {}) if site.op_type in _REARRANGE else _site_inputs(site, inputs, read)
    return Request(
        site.op_type,
        site.version,
        _site_shape(site) if shape is None else shape,
        site.element_type or "float32",
        **values,
        attributes=read,
        length_rule=length_rule,
        strict=False,
        subject=f"node {site.name!r}{scope}",
        origins=origins | dict.fromkeys(changed, "passed, not the node's"),
    )


def _site_shape(site: Site) -> tuple[int, ...]:
    lengths = site.in_shape
    known = [length for length in lengths or () if isinstance(length, int)]
    if lengths is not None and len(known) == len(lengths):
        return tuple(known)
    raise ModelError(
        "HP425",
        f"the shape of the input of node {site.name!r} is not known",
        given="X of unknown rank" if lengths is None else f"X of shape {_shape_text(lengths)}",
        allowed="a shape without unknown lengths",
        do="pass x_shape (--shape), such as 1,3,224,224",
    )


def _shape_text(lengths: Sequence[int | str | None]) -> str:
    return "(" + ", ".join("?" if length is None else str(length) for length in lengths) + ")"


def _site_inputs(
    site: Site, inputs: Mapping[str, Any], attributes: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """scales, sizes and roi, and where each comes from. A passed scales or sizes takes the place of both."""
    values = {name: value for name, value in inputs.items() if value is not None}
    origins = dict.fromkeys(values, "passed, not the node's")
    names = {entry.name for entry in site.operator.inputs}
    crops = attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize"
    wanted = [] if {"scales", "sizes"} & set(values) else ["scales", "sizes"]
    for name in [*wanted, *(["roi"] if crops and "roi" not in values else [])]:
        if name not in names or not site.given(name):
            continue
        constant = site.constant(name)
        origins[name] = site.source(name)
        if constant is None:
            raise _at_run_time(site, name)
        values[name] = tuple(constant.tolist())
    return values, origins


def _at_run_time(site: Site, name: str) -> ModelError:
    return ModelError(
        "HP426",
        f"{name!r} of node {site.name!r} is not known before the model runs",
        given=f"{name}: {site.source(name)}",
        allowed="a constant, or values that are passed",
        do="pass scales (--scales) or sizes (--sizes)" if name != "roi" else "pass roi (--roi)",
    )
