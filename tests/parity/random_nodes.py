"""Random legal nodes of the four operators: every version, attribute, element type, ranks 0 to 5."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from tests.oracles.nodes import ATTRIBUTES, VERSIONS, element_types

from .random_arrays import Array, random_array

LARGEST_INPUT, LARGEST_OUTPUT = 400, 1200
SCALES = [0.2, 0.25, 1 / 3, 0.4, 0.5, 0.6, 2 / 3, 0.75, 0.8, 1.0, 1.2, 1.25, 1.3, 1.5, 1.7, 2.0, 2.3, 2.5, 3.0, 4.0]
COEFFICIENTS = [-0.75, -0.5, -1.0, 0.0, -0.6, 0.3]
EXTRAPOLATIONS = [0.0, 1.0, -3.0, 2.5, 300.0, 0.5, 100000.0, -0.1]


@dataclass(frozen=True)
class Node:
    """One node as a model holds it, with the since-version that its opset picks."""

    op_type: str
    version: int
    opset: int
    inputs: list[Array | None]
    attributes: dict[str, Any]

    def __str__(self) -> str:
        x, *others = self.inputs
        assert x is not None
        values = [None if other is None else f"{other.dtype}{other.tolist()}" for other in others]
        return (
            f"{self.op_type}-{self.version} (opset {self.opset}) {self.attributes}\n"
            f"X: {x.dtype} {x.shape} strides {x.strides}; other inputs: {values}"
        )


def random_opset(random: Random, op_type: str, version: int) -> int:
    """Any opset that picks the version."""
    later = [other for other in VERSIONS[op_type] if other > version]
    return random.randint(version, later[0] - 1 if later else max(version, 28))


def random_shape(random: Random, rank: int, largest: int) -> tuple[int, ...]:
    """Lengths from 1, with a product of at most largest."""
    shape: list[int] = []
    for _ in range(rank):
        room = max(1, largest // math.prod(shape))
        shape.append(min(room, random.choice([1, 2, 3, 4, 5, 7, 8, random.randint(1, 40)])))
    random.shuffle(shape)
    if random.random() < 0.02 and rank:
        shape[random.randrange(rank)] = 0
    return tuple(shape)


def random_scales(random: Random, in_sizes: Sequence[int], least: float, room: float) -> list[float]:
    """A scale for each axis whose lengths keep the product below room; about half of them 1."""
    scales = []
    for in_size in in_sizes:
        scale = 1.0
        if random.random() < 0.6:
            scale = random.choice([*SCALES, random.uniform(0.15, 3.5)])
        scale = max(scale, least)
        scale = min(scale, max(1.0, room))
        room /= max(scale, 1e-9) if in_size * scale >= 1 else 1
        scales.append(float(np.float32(scale)))
    return scales


def random_sizes(random: Random, in_sizes: Sequence[int], room: float) -> list[int]:
    """A size for each axis, never growing from 0; now and then 0."""
    scales = random_scales(random, in_sizes, 0.0, room)
    sizes = [max(1, round(in_size * scale)) if in_size else 0 for in_size, scale in zip(in_sizes, scales, strict=True)]
    if sizes and random.random() < 0.02:
        sizes[random.randrange(len(sizes))] = 0
    return sizes


def random_roi(random: Random, count: int, ordered: bool) -> Array:
    """Starts and ends around [0, 1]; ordered ones have start < end, so that scales give a length."""
    starts, ends = [], []
    for _ in range(count):
        low = random.choice([0.0, 0.25, -0.25, random.uniform(-0.4, 0.7)])
        high = random.choice([1.0, 0.75, 1.25, random.uniform(0.3, 1.4)])
        low, high = (min(low, high - 0.1), high) if ordered or random.random() < 0.8 else (high, low)
        starts.append(low)
        ends.append(high)
    return np.array(starts + ends, random.choice(["float16", "float32", "float64"]))


def random_value(random: Random, name: str, allowed: Sequence[str] | None) -> Any:
    """A value for an attribute that names a mode, a number or a flag."""
    if allowed is not None:
        return random.choice(allowed)
    if name == "cubic_coeff_a":
        return random.choice([*COEFFICIENTS, round(random.uniform(-1.2, 0.2), 3)])
    return random.choice(EXTRAPOLATIONS) if name == "extrapolation_value" else random.randint(0, 1)


def random_attributes(random: Random, op_type: str, version: int, absent: Sequence[str]) -> dict[str, Any]:
    """Each attribute of the version with even chances, but for the absent ones."""
    known = ATTRIBUTES[op_type, version]
    chosen = [name for name in known if name not in absent and random.random() < 0.6]
    return {name: random_value(random, name, known[name]) for name in chosen}


def random_axes(random: Random, rank: int) -> list[int]:
    """Some axes in any order, counted from either end."""
    axes = random.sample(range(rank), random.randint(1, rank))
    return [axis - rank if random.random() < 0.4 else axis for axis in axes]


def random_element(random: Random, op_type: str, version: int, averaged: bool) -> str:
    """Any element type that the version takes in this mode."""
    types = sorted(element_types(op_type, version) - ({"string"} if averaged else set()))
    return random.choice(types)


def random_resize(random: Random, version: int) -> Node:
    """A node of Resize-11 or later."""
    rank = random.choice([0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5]) if random.random() < 0.2 else random.randint(1, 5)
    attributes = random_attributes(random, "Resize", version, ["axes", "keep_aspect_ratio_policy"])
    shape = random_shape(random, rank, LARGEST_INPUT)
    listed = list(range(rank))
    if version >= 18 and rank and random.random() < 0.5:
        attributes["axes"] = listed = random_axes(random, rank)
    in_sizes = [shape[axis] for axis in listed]
    crop = attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize"
    by_scales = random.random() < 0.5 or not rank
    room = LARGEST_OUTPUT / max(1, math.prod(shape))
    scales = random_scales(random, in_sizes, 0.0, room / 2 if crop else room) if by_scales else None
    sizes = None if by_scales else random_sizes(random, in_sizes, room)
    if version >= 18 and 0 not in in_sizes and random.random() < (0.1 if by_scales else 0.4):
        attributes["keep_aspect_ratio_policy"] = random_policy(random, in_sizes, sizes, room)
    roi = random_roi(random, len(listed), by_scales) if crop or random.random() < 0.1 else None
    absent = None if version >= 13 and random.random() < 0.7 else np.empty(0, np.float32)
    inputs: list[Array | None] = [
        random_array(
            random, shape, random_element(random, "Resize", version, attributes.get("mode") in ("linear", "cubic"))
        ),
        absent if roi is None else roi,
        absent if scales is None else np.array(scales, np.float32),
    ]
    if sizes is not None:
        inputs.append(np.array(sizes, np.int64))
    return Node("Resize", version, random_opset(random, "Resize", version), inputs, attributes)


def random_policy(random: Random, in_sizes: Sequence[int], sizes: Sequence[int] | None, room: float) -> str:
    """A policy whose common scale does not make the output too large."""
    ratios = [size / in_size for in_size, size in zip(in_sizes, sizes or [], strict=False)]
    largest = max(ratios, default=1.0) ** len(ratios)
    return random.choice(["stretch", "not_larger", "not_smaller"] if largest <= room else ["stretch", "not_larger"])


def random_asymmetric(random: Random, op_type: str, version: int) -> Node:
    """A node of Resize-10 or Upsample: scales only."""
    rank = 4 if (op_type, version) == ("Upsample", 1) else random.randint(1, 5)
    absent = ["scales", "height_scale", "width_scale"]
    attributes = random_attributes(random, op_type, version, absent)
    shape = random_shape(random, rank, LARGEST_INPUT)
    room = LARGEST_OUTPUT / max(1, math.prod(shape))
    scales = random_scales(random, shape, 0.0 if op_type == "Resize" else 1.0, room)
    averaged = attributes.get("mode", "nearest") != "nearest"
    inputs: list[Array | None] = [random_array(random, shape, random_element(random, op_type, version, averaged))]
    if (op_type, version) == ("Upsample", 1):
        attributes |= {"height_scale": scales[2], "width_scale": scales[3]}
    elif (op_type, version) == ("Upsample", 7):
        attributes["scales"] = scales
    else:
        inputs.append(np.array(scales, np.float32))
    return Node(op_type, version, random_opset(random, op_type, version), inputs, attributes)


def random_rearrangement(random: Random, op_type: str, version: int) -> Node:
    """A node of DepthToSpace or SpaceToDepth."""
    blocksize = random.choice([1, 2, 2, 3, 4, 5])
    attributes = random_attributes(random, op_type, version, ["blocksize"]) | {"blocksize": blocksize}
    batch, channels, height, width = (random.randint(0 if random.random() < 0.05 else 1, 4) for _ in range(4))
    shape = (batch, channels, height * blocksize, width * blocksize)
    if op_type == "DepthToSpace":
        shape = (batch, channels * blocksize**2, height, width)
    x = random_array(random, shape, random_element(random, op_type, version, False))
    return Node(op_type, version, random_opset(random, op_type, version), [x], attributes)


def random_node(index: int) -> Node:
    """Node number index, the same in every run."""
    random = Random(f"node {index}")
    op_type = random.choices(list(VERSIONS), [7, 2, 1, 1])[0]
    version = random.choice(VERSIONS[op_type])
    if op_type in ("DepthToSpace", "SpaceToDepth"):
        return random_rearrangement(random, op_type, version)
    if op_type == "Upsample" or version == 10:
        return random_asymmetric(random, op_type, version)
    return random_resize(random, version)
