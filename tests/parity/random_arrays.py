"""Random tensors of every element type, with the values and layouts that break careless code."""

import math
from random import Random
from typing import Any

import numpy as np

from tests.oracles.rounding import INTEGERS, PARTS, dtype_of

Array = np.ndarray[Any, Any]

# decimal exponents: from subnormal numbers to what leaves room for cubic overshoot (float16 may overflow)
EXPONENTS = {"float16": (-7, 4), "bfloat16": (-42, 30), "float32": (-42, 30), "float64": (-320, 200)}
WORDS = ["", "a", "bb", "Grüße", "日本", "x" * 40, "0"]
SPECIALS = [math.nan, math.inf, -math.inf, -0.0]


def random_integer(random: Random, element: str) -> int:
    """A small number, any number of the type, or one of its ends."""
    low, high = INTEGERS[element]
    kind = random.randrange(4)
    if kind == 0:
        return random.choice([low, high])
    return random.randint(low, high) if kind == 1 else random.randint(max(low, -9), 9)


def random_floats(random: Random, count: int, element: str) -> list[float]:
    """Numbers of one magnitude; now and then subnormal ones, and a few NaN, infinities and negative zeros."""
    low, high = EXPONENTS[element]
    scale = 10.0 ** (random.uniform(low, high) if random.random() < 0.2 else random.uniform(-2, 2))
    values = [random.choice([random.gauss(0, scale), float(random.randint(-9, 9))]) for _ in range(count)]
    if random.random() < 0.15:
        for index in random.sample(range(count), min(count, random.randint(1, 3))):
            values[index] = random.choice(SPECIALS)
    return values


def random_flat(random: Random, count: int, element: str) -> list[Any]:
    """count values of an element type, as Python objects."""
    if element == "string":
        return [random.choice(WORDS) for _ in range(count)]
    if element == "bool":
        return [random.random() < 0.5 for _ in range(count)]
    if element in INTEGERS:
        return [random_integer(random, element) for _ in range(count)]
    if element in PARTS:
        real, imaginary = (random_floats(random, count, PARTS[element]) for _ in range(2))
        return [complex(*pair) for pair in zip(real, imaginary, strict=True)]
    return random_floats(random, count, element)


def random_layout(random: Random, array: Array) -> Array:
    """The same values in another memory order: strides of any sign, gaps, an offset, another byte order."""
    kind = random.randrange(8)
    if array.ndim and kind == 0:
        order = random.sample(range(array.ndim), array.ndim)
        return np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order))
    if array.ndim and kind == 1:
        axis = random.randrange(array.ndim)
        return np.flip(np.flip(array, axis).copy(), axis)
    if array.ndim and kind == 2:
        wide = np.repeat(array, 3, axis=-1)
        return wide[..., 1::3]
    if kind == 3 and array.dtype.kind in "iufc" and array.dtype.name != "bfloat16":
        return array.astype(array.dtype.newbyteorder())
    if kind == 4:
        array = array.copy()
        array.flags.writeable = False
    return array


def random_array(random: Random, shape: tuple[int, ...], element: str) -> Array:
    """A random tensor in a random layout; strings in any of their three carriers."""
    flat = random_flat(random, math.prod(shape), element)
    if element == "string":
        carrier: Any = random.choice([object, "U40", np.dtypes.StringDType()])
        return random_layout(random, np.array(flat, carrier).reshape(shape))
    with np.errstate(over="ignore"):
        carried = np.array(flat, "float64" if element == "bfloat16" else dtype_of(element)).astype(dtype_of(element))
    return random_layout(random, carried.reshape(shape))
