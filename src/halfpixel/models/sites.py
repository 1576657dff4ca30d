"""The resize-like nodes of a model: Resize, Upsample, DepthToSpace, SpaceToDepth, wherever they stand."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel._errors import HalfpixelError, ModelError, SpecError
from halfpixel.models.model import Model
from halfpixel.models.shapes import Shape, element_type_of, infer_shapes, note_shape, shape_of
from halfpixel.models.values import constant_value, source_of
from halfpixel.ops.node import read_attributes
from halfpixel.plan.elements import dtype_of
from halfpixel.plan.plan import Plan, plan_from_spec
from halfpixel.spec.operators import OPERATORS, Operator, operator_of, since_version
from halfpixel.spec.rearrange import RearrangeSpec, depth_to_space_spec, space_to_depth_spec
from halfpixel.spec.resize import ResizeSpec, resize_spec
from halfpixel.spec.upsample import upsample_spec

if TYPE_CHECKING:
    import onnx_ir

OP_TYPES = frozenset(op_type for op_type, _ in OPERATORS)
_DATA = "X"


@dataclass(frozen=True, eq=False)
class Site:
    """One resize-like node.

    Attributes:
        node: the node in the model.
        name: unique in the model: the node's own name, else its operator and a running number ("Resize#2").
        scope: where it stands: () in the main graph, ("If_3.then_branch",) in a subgraph, ("function pkg::name",) in a
            local function.
        op_type: "Resize", "Upsample", "DepthToSpace" or "SpaceToDepth".
        opset: of the default domain where the node stands; functions have their own.
        version: the since-version that the opset picks.
        attributes: as the node gives them, plain Python values without defaults. A reference to an attribute of the
            function around it is that attribute's default, and is left out where there is none.
        element_type: of the data, "float32" and so on; None where unknown.
        in_shape, out_shape: an entry an axis: a length, the name of an unknown length, None for an unknown one without
            a name; None where even the rank is unknown. As the model declares, as onnx's shape inference says, or as
            the node itself computes.
        references: names of the attributes that refer to one of the function around the node.
    """

    node: onnx_ir.Node
    name: str
    scope: tuple[str, ...]
    op_type: str
    opset: int
    version: int
    attributes: dict[str, Any]
    element_type: str | None
    in_shape: Shape | None
    out_shape: Shape | None
    references: tuple[str, ...] = field(default=())

    @property
    def operator(self) -> Operator:
        """What the node's version of the operator says."""
        return operator_of(self.op_type, self.version)

    def value(self, name: str) -> onnx_ir.Value | None:
        """Return an input by its ONNX name ("X", "roi", "scales", "sizes"), None where it is left out or there is none.

        "X" is the data of every operator, also where ONNX calls it "input".
        """
        names = [_DATA, *(entry.name for entry in self.operator.inputs[1:])]
        position = names.index(name) if name in names else len(self.node.inputs)
        value = self.node.inputs[position] if position < len(self.node.inputs) else None
        return value if value is not None and value.name != "" else None

    def constant(self, name: str) -> np.ndarray[Any, Any] | None:
        """Return an input that is the same in every run, None where it is left out or depends on the run.

        The scales of Upsample 1 and 7, which are attributes there, count as the input "scales": float32, one an axis
        (for Upsample-1 four: 1, 1, height_scale, width_scale).
        """
        if name == "scales" and "scales" not in {entry.name for entry in self.operator.inputs}:
            return self._scales_of_attributes()
        return constant_value(self.value(name))

    def given(self, name: str) -> bool:
        """True where an input is connected and no empty constant (which ONNX reads as left out)."""
        value, constant = self.value(name), self.constant(name)
        return (value is not None or constant is not None) and (constant is None or constant.size > 0)

    def source(self, name: str) -> str:
        """Say in words where an input comes from: "initializer", "constant", "computed: Concat of Shape(x), ..."."""
        value = self.value(name)
        if value is None:
            return "attribute" if self.constant(name) is not None else "absent"
        return source_of(value)

    def plan(
        self,
        in_shape: tuple[int, ...] | None = None,
        dtype: Any = None,
        scales: Any = None,
        sizes: Any = None,
        roi: Any = None,
        **length_rule: Any,
    ) -> Plan | RearrangeSpec:
        """Return the plan of the node, for a DepthToSpace or SpaceToDepth its RearrangeSpec.

        Args:
            in_shape: of the data; None takes the model's, if every length of it is known.
            dtype: of the data; None takes the model's.
            scales, sizes, roi: None takes the node's, if they are constant.
            **length_rule: ``length_rule=`` of a Resize, as in ``halfpixel.plan_resize``.
        Raises:
            ModelError: HP415, one of these is unknown and not passed.
            HalfpixelError: the node breaks a rule of the operator.
        """
        spec = self.spec(in_shape, scales, sizes, roi, **length_rule)
        if isinstance(spec, RearrangeSpec):
            return spec
        if dtype is None and self.element_type is None:
            raise self._unknown("dtype", "the element type of X")
        return plan_from_spec(spec, dtype_of(self.element_type if dtype is None else dtype))

    def spec(
        self,
        in_shape: tuple[int, ...] | None = None,
        scales: Any = None,
        sizes: Any = None,
        roi: Any = None,
        **length_rule: Any,
    ) -> ResizeSpec | RearrangeSpec:
        """Return the normalised request of the node: as plan, for which the element type need not be known."""
        shape = in_shape if in_shape is not None else self._known_shape()
        attributes = read_attributes(self.operator, self.attributes, strict=False)
        if self.op_type == "DepthToSpace":
            return depth_to_space_spec(shape, **attributes, version=self.version, strict=False)
        if self.op_type == "SpaceToDepth":
            return space_to_depth_spec(shape, **attributes, version=self.version, strict=False)
        inputs = self._inputs({"scales": scales, "sizes": sizes, "roi": roi})
        if self.op_type == "Upsample":
            return upsample_spec(shape, **(attributes | inputs), version=self.version, strict=False)
        return resize_spec(shape, **inputs, **attributes, version=self.version, strict=False, **length_rule)

    def _inputs(self, passed: dict[str, Any]) -> dict[str, Any]:
        """The inputs behind the data by name, as lists of numbers; those left out are not among them.

        A passed scales or sizes takes the place of both that the node has.
        """
        instead = passed["scales"] is not None or passed["sizes"] is not None
        inputs: dict[str, Any] = {name: value for name, value in passed.items() if value is not None}
        for entry in self.operator.inputs[1:]:
            replaced = instead and entry.name in ("scales", "sizes")
            if entry.name in inputs or replaced or not self.given(entry.name):
                continue
            constant = self.constant(entry.name)
            if constant is not None:
                inputs[entry.name] = constant.tolist()
            elif entry.name != "roi" or self._reads_roi():
                raise self._unknown(entry.name, f"{entry.name}, {self.source(entry.name)}")
        return inputs

    def _reads_roi(self) -> bool:
        return self.attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize"

    def _known_shape(self) -> tuple[int, ...]:
        lengths = self.in_shape
        if lengths is None or not all(isinstance(length, int) for length in lengths):
            raise self._unknown("in_shape", f"the shape of X, {'unknown' if lengths is None else lengths}")
        return tuple(length for length in lengths if isinstance(length, int))

    def _scales_of_attributes(self) -> np.ndarray[Any, Any] | None:
        attributes = self.attributes
        if "scales" in self.operator.attributes and "scales" in attributes:
            return np.array(attributes["scales"], np.float32)
        if {"height_scale", "width_scale"} <= set(self.operator.attributes) & set(attributes):
            return np.array([1, 1, attributes["height_scale"], attributes["width_scale"]], np.float32)
        return None

    def _unknown(self, argument: str, given: str) -> ModelError:
        return ModelError(
            "HP415",
            f"{argument} of the node {self.name!r} is not known before the model runs",
            given=given,
            allowed="a node whose shapes, scales and sizes are constants of the model",
            do=f"pass {argument}",
        )


def find_sites(model: Model) -> list[Site]:
    """Return the resize-like nodes of the main graph, its subgraphs and the local functions, in the order of the file.

    Raises:
        ModelError: HP417, a node stands where no opset that has its operator is imported.
    """
    found = list(_walk(model.ir))
    infer_shapes(model, [value for node, *_ in found for value in (*node.inputs[:1], *node.outputs[:1])])
    names, numbers = set[str](), Counter[str]()
    sites = []
    for node, scope, opset, defaults in found:
        numbers[node.op_type] += 1
        name = _unique(node.name or f"{node.op_type}#{numbers[node.op_type]}", names)
        sites.append(_with_lengths(_site(node, name, scope, opset, defaults)))
    return sites


def find_site(model: Model, name: str) -> Site:
    """Return the resize-like node of a name.

    Raises:
        ModelError: HP414 with the names that there are; HP417 as find_sites.
    """
    sites = find_sites(model)
    for site in sites:
        if site.name == name:
            return site
    names = [site.name for site in sites]
    close = difflib.get_close_matches(name, names, 1)
    raise ModelError(
        "HP414",
        f"the model has no resize-like node {name!r}",
        given=name,
        allowed=", ".join(names[:50]) + (f" and {len(names) - 50} more" if len(names) > 50 else "")
        or "none: it has none",
        do=f"did you mean {close[0]!r}?" if close else "take one of these names; halfpixel ls lists them",
    )


_Found = tuple["onnx_ir.Node", tuple[str, ...], int, dict[str, Any]]
"""A node, its scope, the opset there, the defaults of the attributes of the function around it."""


def _walk(model: onnx_ir.Model) -> Iterator[_Found]:
    """Every resize-like node; subgraphs directly behind the node that holds them, functions at the end."""
    yield from _walk_graph(model.graph, (), _default_opset(model.graph.opset_imports), {})
    for function in model.functions.values():
        label = f"{function.domain}::{function.name}" + (f":{function.overload}" if function.overload else "")
        defaults = {name: attribute.value for name, attribute in function.attributes.items()}
        opset = _default_opset(function.opset_imports)
        yield from _walk_graph(function.graph, (f"function {label}",), opset, defaults)


def _walk_graph(
    graph: onnx_ir.Graph, scope: tuple[str, ...], opset: int | None, defaults: dict[str, Any]
) -> Iterator[_Found]:
    """The resize-like nodes of a graph and its subgraphs, without recursion: an IR in memory can be nested deeply."""
    stack = [(iter(graph), scope)]
    while stack:
        nodes, place = stack[-1]
        node = next(nodes, None)
        if node is None:
            stack.pop()
            continue
        if node.domain == "" and node.op_type in OP_TYPES:
            if opset is None:
                raise _no_opset(node, "no opset of the default domain")
            yield node, place, opset, defaults
        for label, subgraph in reversed(list(_subgraphs(node))):
            stack.append((iter(subgraph), (*place, label)))


def _subgraphs(node: onnx_ir.Node) -> Iterator[tuple[str, onnx_ir.Graph]]:
    """The graphs that a node holds, each with its place: "If_3.then_branch"."""
    holder = node.name or f"{node.op_type}({next((out.name for out in node.outputs if out.name), '')})"
    for name, attribute in node.attributes.items():
        if attribute.type.name == "GRAPH" and not attribute.is_ref():
            yield f"{holder}.{name}", attribute.as_graph()
        elif attribute.type.name == "GRAPHS" and not attribute.is_ref():
            for number, graph in enumerate(attribute.as_graphs()):
                yield f"{holder}.{name}[{number}]", graph


def _default_opset(imports: dict[str, int]) -> int | None:
    return imports.get("", imports.get("ai.onnx"))


def _site(node: onnx_ir.Node, name: str, scope: tuple[str, ...], opset: int, defaults: dict[str, Any]) -> Site:
    try:
        version = since_version(node.op_type, opset)
    except SpecError as error:
        raise _no_opset(node, f"opset {opset}") from error
    attributes, references = {}, []
    for attribute in node.attributes.values():
        value = attribute.value
        if attribute.is_ref():
            references.append(attribute.name)
            value = defaults.get(attribute.ref_attr_name or "")
        if value is not None:
            attributes[attribute.name] = list(value) if isinstance(value, tuple) else value
    data = node.inputs[0] if node.inputs else None
    out = node.outputs[0] if node.outputs else None
    element_type = element_type_of(data) or element_type_of(out)
    return Site(
        node,
        name,
        scope,
        node.op_type,
        opset,
        version,
        attributes,
        element_type,
        shape_of(data),
        shape_of(out),
        tuple(references),
    )


def _with_lengths(site: Site) -> Site:
    """The site with lengths of its output that follow from the node, where model and inference leave them open.

    They are kept beside the value as inference's are, so that a node behind it knows them.
    """
    if not site.node.outputs or (site.out_shape is not None and all(isinstance(n, int) for n in site.out_shape)):
        return site
    try:
        lengths: Shape = site.spec().out_shape
    except HalfpixelError:
        return site
    note_shape(site.node.outputs[0], lengths)
    return replace(site, out_shape=shape_of(site.node.outputs[0]))


def _unique(name: str, names: set[str]) -> str:
    """The name, or where an earlier node has it, with a number behind it."""
    unique, number = name, 1
    while unique in names:
        number += 1
        unique = f"{name}#{number}"
    names.add(unique)
    return unique


def _no_opset(node: onnx_ir.Node, given: str) -> ModelError:
    first = min(version for op_type, version in OPERATORS if op_type == node.op_type)
    return ModelError(
        "HP417",
        f"there is no {node.op_type} where the node {node.name or node.op_type!r} stands",
        given=given,
        allowed=f"a graph or function that imports opset {first} or later of the default domain",
        do="correct the opset imports of the model or of the function",
    )
