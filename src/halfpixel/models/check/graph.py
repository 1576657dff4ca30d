"""Rules about a node among others: conventions that do not go together, orders, and what the result is joined with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from halfpixel.models.check.finding import Trap
from halfpixel.models.check.subject import Subject, Surroundings
from halfpixel.models.check.words import number
from halfpixel.models.reports import NOTE, WARNING
from halfpixel.models.shapes import Shape, shape_of

if TYPE_CHECKING:
    import onnx_ir

_ACTIVATIONS = ("Clip", "Elu", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Mish", "Relu", "Sigmoid", "Tanh")
_OTHERS = ("Abs", "BatchNormalization", "Cast", "DequantizeLinear", "Dropout", "Identity", "Neg", "QuantizeLinear")
_KEEPS_SHAPE = frozenset((*_ACTIVATIONS, *_OTHERS))
_ARITHMETIC = ("Add", "Div", "Max", "Mean", "Min", "Mod", "Mul", "Pow", "PRelu", "Sub", "Sum", "Where")
_BROADCASTS = frozenset((*_ARITHMETIC, "And", "Equal", "Greater", "Less", "Or", "Xor"))
_MOST_PARTNERS = 64
"""Inputs of a join that are looked at: thousands of nodes may feed one Concat."""
_FARTHEST = 8
"""Steps behind the node at which a join still counts as its own."""


def half_pixel_against_asymmetric(subject: Subject, around: Surroundings) -> Iterator[Trap]:
    """HPM013: averages whose first samples are aligned, where others align the middle of the picture."""
    if not subject.averages or subject.coordinates != "asymmetric" or _keeps_lengths(subject):
        return
    partner = around.half_pixel_average
    if partner is not None:
        reason = f"{partner.site.name} has {partner.coordinates}, this node asymmetric: their results are shifted"
    elif around.producer == "pytorch":
        reason = "the model comes from PyTorch, which has no asymmetric average: the result is shifted against it"
    else:
        reason = "asymmetric averages are shifted against half_pixel, which PyTorch, TensorFlow 2 and OpenCV take"
    yield Trap(
        reason,
        given=f"{subject.mode} with asymmetric coordinates{_shift(subject)}",
        allowed="half_pixel for all averages of a model; asymmetric for a model of TensorFlow 1 or of opset 7 to 10",
        do='set coordinate_transformation_mode="half_pixel" if the model was trained so (from opset 11 on)',
        severity=WARNING if partner is not None or around.producer == "pytorch" else NOTE,
    )


def _keeps_lengths(subject: Subject) -> bool:
    """Nothing is resampled, as far as that is known."""
    return subject.spec is not None and not subject.spec.axes


def _shift(subject: Subject) -> str:
    """The distance between the two conventions, (1 / scale - 1) / 2 input samples, on the axis where it is largest."""
    scales = [axis.scale[0] / axis.scale[1] for axis in subject.spec.axes] if subject.spec else []
    scales = scales or [float(scale) for scale in subject.request.scales or () if scale > 0]
    if not scales:
        return ""
    scale = max(scales, key=lambda one: abs(1 / one - 1))
    return f", scale {number(scale)}: {number(abs(1 / scale - 1) / 2)} input samples apart"


def order_of_channels(subject: Subject, around: Surroundings) -> Iterator[Trap]:
    """HPM018: PyTorch's pixel shuffle is CRD, TensorFlow's depth_to_space is DCR."""
    if subject.site.op_type != "DepthToSpace" or subject.has_one_order:
        return
    mode = subject.mode
    other = around.orders.get("CRD" if mode == "DCR" else "DCR")
    if around.producer == "pytorch" and mode == "DCR":
        reason, wanted = "the model comes from PyTorch, whose pixel_shuffle is CRD, and the node has DCR", "CRD"
    elif around.producer == "tensorflow" and mode == "CRD":
        reason, wanted = "the model comes from TensorFlow, whose depth_to_space is DCR, and the node has CRD", "DCR"
    elif other is not None:
        wanted = other.mode
        reason = f"{other.site.name} has the order {wanted}, this node {mode}"
    else:
        return
    written = "" if "mode" in subject.site.attributes else " (not written: the default)"
    yield Trap(
        f"{reason}: channels come out in another order",
        given=f"DepthToSpace, mode {mode}{written}",
        allowed=f"mode {wanted}, or weights in front that were permuted to fit",
        do=f'set mode="{wanted}", unless a converter has permuted the channels in front',
    )


def joined_with_another_length(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM019: the result goes into Add or Concat beside a tensor of another length."""
    ours = _result(subject)
    if ours is None or not subject.site.node.outputs:
        return
    for join, value in _joins(subject.site.node.outputs[0]):
        for partner in join.inputs[:_MOST_PARTNERS]:
            theirs = shape_of(partner)
            if partner is None or partner is value or theirs is None:
                continue
            axis = _conflict(ours, theirs, join)
            if axis is not None:
                yield Trap(
                    f"{join.op_type} {join.name or ''}".rstrip()
                    + f" joins the result with a tensor of another length on axis {axis}",
                    given=f"result [{_words(ours)}], {partner.name} [{_words(theirs)}]",
                    allowed="equal lengths",
                    do="compute sizes from the shape of the other tensor, or crop or pad one of the two",
                )
                return


def _result(subject: Subject) -> Shape | None:
    """The output shape; a named length that a scale multiplies is written "2 * H", which no other length is called."""
    if subject.spec is not None:
        return subject.spec.out_shape
    shape, given = subject.site.out_shape, subject.site.in_shape
    if shape is None or given is None or len(shape) != len(given):
        return shape
    scales = {axis: scale for axis, scale in subject.of_axes("scales").items() if scale != 1}
    pairs = enumerate(zip(shape, given, strict=True))
    return tuple(
        f"{number(scales[axis])} * {one}" if axis in scales and isinstance(one, str) else out
        for axis, (out, one) in pairs
    )


def _joins(value: onnx_ir.Value) -> Iterator[tuple[onnx_ir.Node, onnx_ir.Value]]:
    """Nodes that join the value, or the value behind operators that keep its shape, with others; and what they join."""
    at_hand, steps = [value], 0
    while at_hand and steps < _FARTHEST:
        steps += 1
        behind = []
        for one in at_hand:
            for node in dict.fromkeys(use.node for use in islice(one.uses(), _MOST_PARTNERS)):
                if node.op_type == "Concat" or node.op_type in _BROADCASTS:
                    yield node, one
                elif node.op_type in _KEEPS_SHAPE and node.outputs and node.inputs[0] is one:
                    behind.append(node.outputs[0])
        at_hand = behind[:_MOST_PARTNERS]


def _conflict(ours: Shape, theirs: Shape, join: onnx_ir.Node) -> int | None:
    """The axis, of our shape, on which two shapes cannot be joined."""
    rank = len(ours)
    if join.op_type == "Concat":
        attribute = join.attributes.get("axis")
        if len(theirs) != rank or attribute is None or not rank:
            return None
        free = int(attribute.value) % rank
        pairs = [(axis, ours[axis], theirs[axis]) for axis in range(rank) if axis != free]
        return next((axis for axis, a, b in pairs if _unlike(a, b)), None)
    shared = min(rank, len(theirs))
    tails = zip(range(rank - shared, rank), ours[rank - shared :], theirs[len(theirs) - shared :], strict=True)
    return next((axis for axis, a, b in tails if _unlike(a, b) and 1 not in (a, b)), None)


def _unlike(ours: int | str | None, theirs: int | str | None) -> bool:
    """Two lengths that are known to differ: numbers, or a named length and a multiple of it."""
    if isinstance(ours, int) and isinstance(theirs, int):
        return ours != theirs
    return isinstance(ours, str) and isinstance(theirs, str) and ours.endswith(f" * {theirs}")


def _words(shape: Shape) -> str:
    return ", ".join("?" if length is None else str(length) for length in shape)
