"""One resize-like node of a model -> the nodes that say the same in another opset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel._errors import HalfpixelError, ModelError
from halfpixel.models.editing import Names, Patch
from halfpixel.models.rearranging import rearranged_by_reshape
from halfpixel.models.refusals import NoEqualError
from halfpixel.models.sites import Site
from halfpixel.models.upgrade.forms import Bounded, Fixed, Given, OldNode, Operand, Spread, Step, Taken
from halfpixel.models.upgrade.reading import as_today
from halfpixel.models.upgrade.writing import as_version
from halfpixel.spec.operators import OPERATORS, operator_of, since_version

if TYPE_CHECKING:
    import onnx_ir

_FIRST_RESIZE = min(version for op_type, version in OPERATORS if op_type == "Resize")


@dataclass(frozen=True)
class Target:
    """Where a node goes: the opset, its operator there, and what the caller assumes of unknown nearest scales."""

    opset: int
    assume: str | None = None

    def operator(self, op_type: str) -> tuple[str, int]:
        """Return the operator and since-version that stand for an operator: Resize for Upsample where there is one."""
        if op_type == "Upsample" and self.opset >= _FIRST_RESIZE:
            op_type = "Resize"
        elif op_type == "Resize" and self.opset < _FIRST_RESIZE:
            op_type = "Upsample"
        return op_type, since_version(op_type, self.opset)


def patch_of(site: Site, target: Target, names: Names) -> tuple[Patch, onnx_ir.Value] | None:
    """Return the nodes for a site and their output; None where the node stays as it is.

    Raises:
        NoEqualError, ChoiceError: why there are none.
    """
    op_type, version = target.operator(site.op_type)
    if (op_type, version) == (site.op_type, site.version):
        return None
    patch = Patch(names, site.node.name or site.node.outputs[0].name or site.name)
    if site.op_type in ("DepthToSpace", "SpaceToDepth"):
        return patch, _rearrangement(site, version, patch)
    _check_references(site, op_type)
    _check_rules(site)
    old = old_node(site)
    value = _data(site)
    for number, step in enumerate(as_today(old, target.assume), 1):
        if isinstance(step, Taken):
            value = _take(step, value, patch)
        else:
            written = as_version(step, op_type, version, old)
            value = _resize(site, written, value, patch, version, str(number))
    return patch, value


def old_node(site: Site) -> OldNode:
    """Return what the table of conversions needs to know of a site."""
    inputs: dict[str, tuple[Any, ...] | None] = {}
    for name in ("roi", "scales", "sizes"):
        value = site.value(name)
        if value is None or not site.given(name) or _is_empty(value):
            continue
        constant = site.constant(name)
        inputs[name] = None if constant is None else tuple(constant.tolist())
    shape = None if site.in_shape is None else tuple(n if isinstance(n, int) else None for n in site.in_shape)
    return OldNode(site.op_type, site.version, site.attributes, inputs, shape, site.element_type)


def _is_empty(value: onnx_ir.Value) -> bool:
    """True for an input that is declared to have no element, which counts as left out."""
    return value.shape is not None and list(value.shape) == [0]


def _data(site: Site) -> onnx_ir.Value:
    value = site.value("X")
    if value is None:
        raise NoEqualError(f"{site.op_type} without data has no meaning")
    return value


def _check_references(site: Site, op_type: str) -> None:
    """A function's attribute may be anything, so that only what is passed on as it is may refer to one."""
    kept = op_type == "Resize" and "coordinate_transformation_mode" in site.operator.attributes
    changed = [name for name in site.references if not kept or name == "coordinate_transformation_mode"]
    if changed:
        raise NoEqualError(f"its {changed[0]!r} is an attribute of the function around it: inline the function first")


def _check_rules(site: Site) -> None:
    """Refuse a node that breaks a rule of its own version, as far as the model tells before it runs."""
    try:
        site.spec()
    except ModelError:
        return  # something is known at run time only
    except HalfpixelError as error:
        raise NoEqualError(f"{error.sentence} ({error.given})") from error


def _attributes(site: Site, attributes: dict[str, Any]) -> dict[str, Any]:
    """The node's own attribute objects where their values stay, so that references stay references."""
    own = site.node.attributes
    return {
        name: own[name] if name in own and value == site.attributes.get(name) else value
        for name, value in attributes.items()
    } | {name: own[name] for name in site.references}


def _resize(site: Site, step: Step, x: onnx_ir.Value, patch: Patch, version: int, number: str) -> onnx_ir.Value:
    """Add the node of a step."""
    operator = operator_of(step.op_type, version)
    operands = {"roi": step.roi, "scales": step.scales, "sizes": step.sizes}
    inputs: list[onnx_ir.Value | None] = [x]
    for entry in operator.inputs[1:]:
        operand = operands[entry.name]
        if operand is not None:
            inputs.append(_value(site, entry.name, operand, patch))
        elif entry.optional:
            inputs.append(None)
        else:  # Resize-11 wants roi and scales connected, to an empty tensor where they are not given
            inputs.append(patch.constant(np.zeros(0, np.float32), entry.name))
    while inputs[-1] is None:
        inputs.pop()
    return patch.add(step.op_type, inputs, _attributes(site, dict(step.attributes)), number)[0]


def _value(site: Site, name: str, operand: Operand, patch: Patch) -> onnx_ir.Value:
    """The tensor of an operand, with the nodes that compute it where it depends on the run."""
    if isinstance(operand, Fixed):
        return patch.constant(np.array(operand.values, _dtype(site, name)), name)
    value = site.value(operand.name)
    assert value is not None
    if isinstance(operand, Given):
        return value
    if isinstance(operand, Bounded):
        one = patch.constant(np.ones((), np.float32), "one")
        return patch.add(operand.bound, [value, one], {}, name)[0]
    return _spread(site, name, operand, value, patch)


def _spread(site: Site, name: str, operand: Spread, value: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    """Pick for every axis its listed value, else scale 1, its own length, or the roi from 0 to 1."""
    count, rank = len(operand.axes), operand.rank
    if name == "sizes":
        others = patch.add("Shape", [_data(site)], {}, "shape")[0]
        places = [operand.axes.index(axis) if axis in operand.axes else count + axis for axis in range(rank)]
    elif name == "scales":
        others = patch.constant(np.ones(1, np.float32), "unlisted")
        places = [operand.axes.index(axis) if axis in operand.axes else count for axis in range(rank)]
    else:
        others = patch.constant(np.array([0, 1], _dtype(site, name)), "unlisted")
        starts = [operand.axes.index(axis) if axis in operand.axes else 2 * count for axis in range(rank)]
        places = starts + [count + at if at < count else 2 * count + 1 for at in starts]
    joined = patch.add("Concat", [value, others], {"axis": 0}, "all")[0]
    indices = patch.constant(np.array(places, np.int64), "places")
    return patch.add("Gather", [joined, indices], {"axis": 0}, name)[0]


def _dtype(site: Site, name: str) -> Any:
    if name == "roi":
        constant = site.constant("roi")
        return np.float32 if constant is None else constant.dtype
    return np.int64 if name == "sizes" else np.float32


def _take(step: Taken, x: onnx_ir.Value, patch: Patch) -> onnx_ir.Value:
    indices = patch.constant(np.array(step.indices, np.int64), "indices")
    return patch.add("Gather", [x, indices], {"axis": step.axis}, "take")[0]


def _rearrangement(site: Site, version: int, patch: Patch) -> onnx_ir.Value:
    """DepthToSpace and SpaceToDepth: the same words; CRD by Reshape and Transpose in a version without modes."""
    operator = operator_of(site.op_type, version)
    if site.element_type is not None and site.element_type not in operator.element_types:
        raise NoEqualError(f"{operator.label} does not take {site.element_type}")
    attributes = dict(site.attributes)
    if "mode" not in operator.attributes and ("mode" in attributes or "mode" in site.references):
        if "mode" in site.references:
            raise NoEqualError("its 'mode' is an attribute of the function around it: inline the function first")
        if attributes.pop("mode") == "CRD":
            return rearranged_by_reshape(site, _data(site), patch)
    return patch.add(site.op_type, [_data(site)], _attributes(site, attributes), "1")[0]
