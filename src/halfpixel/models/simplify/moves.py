"""Nodes that only move samples: what they take is read off by moving the numbers of the places themselves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel._errors import HalfpixelError
from halfpixel.models.simplify.regions import Region, region_of, users_that_read
from halfpixel.ops.node import run_node
from halfpixel.spec.operators import operator_of, since_version

if TYPE_CHECKING:
    import onnx_ir

Array = np.ndarray[Any, Any]

MOVES = frozenset(
    {"Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Gather", "GatherND", "Expand", "Slice"}
    | {"Resize", "Upsample", "DepthToSpace", "SpaceToDepth", "Tile"}
)
"""Operators that move samples of their first input; Resize and Upsample if their mode is nearest."""

_LONGEST_CHAIN = 12
_MOST_VALUES = 1 << 22
_MOST_TRIED = 1 << 18
"""Elements of one of the many arrays that stand for open lengths."""
_TRIED_LENGTHS = 48
_FEWEST_TRIALS = 8

_NEAREST = (
    ("asymmetric", "floor"),
    ("half_pixel", "round_prefer_floor"),
    ("half_pixel", "round_prefer_ceil"),
    ("align_corners", "round_prefer_floor"),
    ("asymmetric", "ceil"),
    ("half_pixel", "floor"),
    ("half_pixel", "ceil"),
    ("asymmetric", "round_prefer_floor"),
)
"""Coordinates and nearest modes that are tried, the most common first."""


@dataclass(frozen=True)
class Move:
    """One node that moves the same samples.

    Attributes:
        op_type: "Resize", "DepthToSpace", "SpaceToDepth"; "Identity" where nothing moves.
        attributes: of the node.
        scales, sizes: of a Resize, one of them.
        seen: how it was compared: "all samples compared", or "all samples of 40 shapes compared".
    """

    op_type: str
    attributes: dict[str, Any]
    scales: tuple[float, ...] | None
    sizes: tuple[int, ...] | None
    seen: str

    def run(self, x: Array, opset: int) -> Array | None:
        """Run the one node by our operators, None where it does not take the shape."""
        if self.op_type == "Identity":
            return x
        inputs: list[Any] = [x]
        if self.op_type == "Resize":
            scales = None if self.scales is None else np.array(self.scales, np.float32)
            sizes = None if self.sizes is None else np.array(self.sizes, np.int64)
            inputs += [None, scales, sizes]
        try:
            return np.asarray(run_node(self.op_type, inputs, self.attributes, opset=opset))
        except HalfpixelError:
            return None


def chains(end: onnx_ir.Node, opset: int) -> Iterator[Region]:
    """The chains of moves that end with a node, the longest first. Between them nobody else reads a sample."""
    starts: list[onnx_ir.Value] = []
    node: onnx_ir.Node | None = end
    while node is not None and _moves(node) and len(starts) < _LONGEST_CHAIN:
        data = node.inputs[0]
        if data is None:
            break
        starts.append(data)
        node = data.producer() if len(users_that_read(data)) == 1 and not data.is_graph_output() else None
    for x in reversed(starts):
        region = region_of(end.outputs[0], x, opset)
        if region is not None and _only_lengths(region, starts):
            yield region


def is_end(node: onnx_ir.Node) -> bool:
    """True if a node moves samples and what reads its output is no further move of it alone."""
    if not _moves(node):
        return False
    readers = users_that_read(node.outputs[0])
    one_move = len(readers) == 1 and _moves(readers[0]) and readers[0].inputs[0] is node.outputs[0]
    return not one_move or node.outputs[0].is_graph_output()


def _moves(node: onnx_ir.Node) -> bool:
    if node.domain != "" or node.op_type not in MOVES or not node.inputs:
        return False
    mode = node.attributes.get("mode")
    if node.op_type in ("Resize", "Upsample"):
        return mode is None or (not mode.is_ref() and mode.value == "nearest")
    return True


def _only_lengths(region: Region, data: Sequence[onnx_ir.Value]) -> bool:
    """True if nodes off the chain read x and what lies on the chain for its lengths only."""
    on_chain = {id(value) for value in data} | {id(region.y)}
    for node in region.nodes:
        for place, value in enumerate(node.inputs):
            if value is not None and id(value) in on_chain:
                moves = place == 0 and id(node.outputs[0]) in on_chain
                if not moves and node.op_type not in ("Shape", "Size"):
                    return False
    return True


def one_move(region: Region) -> Move | None:
    """Return one node that moves the same samples as a region, None if none is found."""
    shape = region.in_shape
    if shape is None:
        return None
    run = region.runner("int64")
    if None not in shape:
        whole = [n for n in shape if n is not None]
        return _of_known(region, whole, run)
    return _of_unknown(region, shape, run)


def _numbered(shape: Sequence[int]) -> Array:
    return np.arange(int(np.prod(shape)), dtype=np.int64).reshape(tuple(shape))


def _of_known(region: Region, shape: Sequence[int], run: Callable[[Array], Array | None]) -> Move | None:
    if not 0 < np.prod(shape, dtype=float) <= _MOST_VALUES:
        return None
    x = _numbered(shape)
    y = run(x)
    if y is None or y.size == 0 or y.size > _MOST_VALUES:
        return None
    for move in _candidates(x.shape, y.shape, region.opset, "all samples compared"):
        taken = move.run(x, region.opset)
        if taken is not None and np.array_equal(taken, y):
            return move
    return None


def _candidates(in_shape: tuple[int, ...], out_shape: tuple[int, ...], opset: int, seen: str) -> Iterator[Move]:
    """Nodes that could give an output shape."""
    if in_shape == out_shape:
        yield Move("Identity", {}, None, None, seen)
    yield from _rearrangements(in_shape, out_shape, opset, seen)
    if len(in_shape) == len(out_shape) and in_shape != out_shape and opset >= _FIRST_SIZES:
        ratios = [Fraction(out, n) for out, n in zip(out_shape, in_shape, strict=True)]
        whole = all(_power_of_two(ratio) for ratio in ratios)
        for attributes in _nearest_attributes():
            if whole:
                yield Move("Resize", attributes, tuple(float(ratio) for ratio in ratios), None, seen)
            else:
                yield Move("Resize", attributes, None, out_shape, seen)


_FIRST_SIZES = 11
"""Resize-10 has neither sizes nor coordinates."""


def _nearest_attributes() -> Iterator[dict[str, Any]]:
    for coordinates, nearest_mode in _NEAREST:
        yield {"mode": "nearest", "coordinate_transformation_mode": coordinates, "nearest_mode": nearest_mode}


def _power_of_two(ratio: Fraction) -> bool:
    """True for ..., 1/4, 1/2, 1, 2, 4, ...: as exact in float32 as in the quotient of lengths."""
    return all(n & (n - 1) == 0 for n in (ratio.numerator, ratio.denominator)) and 1 in (
        ratio.numerator,
        ratio.denominator,
    )


def _rearrangements(in_shape: tuple[int, ...], out_shape: tuple[int, ...], opset: int, seen: str) -> Iterator[Move]:
    if len(in_shape) != 4 or len(out_shape) != 4 or 0 in in_shape or 0 in out_shape:
        return
    for op_type, wide, narrow in (("DepthToSpace", out_shape, in_shape), ("SpaceToDepth", in_shape, out_shape)):
        b = Fraction(wide[2], narrow[2])
        if b.denominator != 1 or b <= 1 or wide[3] != narrow[3] * b:
            continue
        modes = operator_of(op_type, since_version(op_type, opset)).attributes.get("mode")
        for mode in ("DCR", "CRD") if modes is not None else ("DCR",):
            attributes: dict[str, Any] = {"blocksize": int(b)}
            if modes is not None:
                attributes["mode"] = mode
            yield Move(op_type, attributes, None, None, seen)


def _of_unknown(region: Region, shape: tuple[int | None, ...], run: Callable[[Array], Array | None]) -> Move | None:
    """Compare on many lengths. A Resize must have scales that are powers of two: others round by length."""
    trials = [(x, y) for x, y in ((x, run(x)) for x in _trials(shape)) if y is not None]
    nonempty = [(x, y) for x, y in trials if y.size]
    if len(nonempty) < _FEWEST_TRIALS:
        return None
    x, y = max(nonempty, key=lambda pair: (_in_powers(pair[0].shape, pair[1].shape), pair[0].size))
    for move in _candidates(x.shape, y.shape, region.opset, f"all samples of {len(trials)} shapes compared"):
        if move.sizes is None and all(_same(move.run(one, region.opset), other) for one, other in trials):
            return move
    return None


def _in_powers(in_shape: tuple[int, ...], out_shape: tuple[int, ...]) -> bool:
    """True if every axis grows or shrinks by a power of two exactly."""
    pairs = zip(out_shape, in_shape, strict=True) if len(in_shape) == len(out_shape) else ()
    return all(_power_of_two(Fraction(out, n)) for out, n in pairs)


def _same(one: Array | None, other: Array) -> bool:
    return one is not None and np.array_equal(one, other)


def _trials(shape: tuple[int | None, ...]) -> Iterator[Array]:
    """x with the places' own numbers, for 48 lengths of each unknown axis and a few long ones."""
    unknown = [axis for axis, length in enumerate(shape) if length is None]
    lengths = [[(n * (7 * at + 1) - 1) % 53 + 1 for at in range(len(unknown))] for n in range(1, _TRIED_LENGTHS + 1)]
    for each in itertools.chain(lengths, [[64] * len(unknown), [60] * len(unknown), [128, *[33] * len(unknown)]]):
        filled = list(shape)
        for axis, length in zip(unknown, each, strict=False):
            filled[axis] = length
        whole = [n for n in filled if n is not None]
        if len(whole) == len(shape) and np.prod(whole, dtype=float) <= _MOST_TRIED:
            yield _numbered(whole)
