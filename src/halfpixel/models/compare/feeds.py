"""What a model is fed with: arrays that the caller gives, and random data for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from halfpixel._errors import ModelError
from halfpixel.models.model import Model
from halfpixel.models.shapes import Shape, element_type_of, shape_of
from halfpixel.models.sites import Site
from halfpixel.plan.elements import Array, dtype_of
from halfpixel.spec.element_types import ELEMENT_TYPES

BATCH, CHANNELS, LENGTH = 1, 3, 64
"""Lengths taken for those that the model leaves open: of the first axis, of the second, of the others."""

_WORDS = ("red", "green", "blue", "sky", "road", "tree", "")
_MOST_INTEGER = 2**20


def random_array(shape: Sequence[int], element: str, seed: int) -> Array:
    """Return random data of an ONNX element type, the same for the same arguments.

    Floats lie in [0, 1), 8- and 16-bit integers in their whole range, longer ones within 2^20.
    """
    random = np.random.default_rng([seed, *shape])
    kind = ELEMENT_TYPES[element].kind
    if kind == "string":
        return np.array(random.choice(_WORDS, tuple(shape)), object)
    if kind == "bool":
        return random.random(tuple(shape)) < 0.5
    if element == "bfloat16":
        import ml_dtypes

        return random.random(tuple(shape)).astype(ml_dtypes.bfloat16)
    dtype = dtype_of(element)
    if kind == "complex":
        return (random.random(tuple(shape)) + 1j * random.random(tuple(shape))).astype(dtype)
    if kind == "float":
        return random.random(tuple(shape)).astype(dtype)
    limits = np.iinfo(dtype)
    low, high = max(int(limits.min), -_MOST_INTEGER), min(int(limits.max), _MOST_INTEGER)
    return random.integers(low, high, tuple(shape), dtype, endpoint=True)


def known_shape(shape: Shape | None, given: Sequence[int] | None, name: str) -> tuple[int, ...]:
    """Return a shape with every length known: given ones, else declared ones, else those above.

    Raises:
        ModelError: HP431 the rank is unknown or another one than given.
    """
    if given is not None and (shape is None or len(shape) == len(given)):
        return tuple(int(length) for length in given)
    if shape is None or given is not None:
        raise ModelError(
            "HP431",
            f"the shape of {name!r} is not known",
            given=f"declared {'without a rank' if shape is None else list(shape)}, --shape {given}",
            allowed="a shape of the declared rank",
            do=f"pass --shape {name}=1,3,64,64, or --input {name}=file.npy",
        )
    defaults = (BATCH, CHANNELS)
    return tuple(
        length if isinstance(length, int) else defaults[axis] if axis < 2 and len(shape) > 2 else LENGTH
        for axis, length in enumerate(shape)
    )


def feeds_of(
    model: Model,
    sites: Sequence[Site],
    inputs: Mapping[str, Any],
    shapes: Mapping[str, Sequence[int]],
    seed: int,
) -> dict[str, Array]:
    """Return a value for every input of the main graph.

    Args:
        sites: an input that is the scales or sizes of one doubles the axes behind the second.
        inputs: name -> array that the caller gives.
        shapes: name -> shape of random data.

    Raises:
        ModelError: HP431 a shape is not known; HP432 a name that is no input, or an input of no known element type.
    """
    graph = model.ir.graph
    wanted = {value.name or "": value for value in graph.inputs if value.name not in graph.initializers}
    for name in (*inputs, *shapes):
        if name not in wanted:
            raise ModelError(
                "HP432",
                f"the model has no input {name!r}",
                given=name,
                allowed=", ".join(wanted) or "none: it has no inputs",
                do="pass one of these names",
            )
    feeds: dict[str, Array] = {name: np.asarray(array) for name, array in inputs.items()}
    later = []
    for name, value in wanted.items():
        if name in feeds:
            continue
        roles = [(site, role) for site in sites for role in ("scales", "sizes", "roi") if site.value(role) is value]
        if roles:
            later.append((name, *roles[0]))
            continue
        element = element_type_of(value) if type(value.type).__name__ == "TensorType" else None
        if element not in ELEMENT_TYPES:
            raise ModelError(
                "HP432",
                f"the input {name!r} is no tensor of a type that can be made up",
                given=f"{name} of {element or 'an unknown type'}",
                allowed=", ".join(ELEMENT_TYPES),
                do=f"pass --input {name}=file.npy",
            )
        feeds[name] = random_array(known_shape(shape_of(value), shapes.get(name), name), element, seed)
    for name, site, role in later:
        feeds[name] = _request(site, role, feeds)
    return feeds


def _request(site: Site, role: str, feeds: Mapping[str, Array]) -> Array:
    """scales, sizes or roi that the caller did not give: twice as long behind the second axis, the whole input."""
    data = site.value("X")
    x = feeds.get(data.name or "") if data is not None else None
    shape = x.shape if x is not None else known_shape(site.in_shape, None, f"X of {site.name}")
    axes = [int(axis) % len(shape) for axis in site.attributes.get("axes", range(len(shape)))]
    factors = [2 if axis >= min(2, len(shape) - 1) else 1 for axis in axes]
    if role == "scales":
        return np.array(factors, np.float32)
    if role == "roi":
        return np.array([0.0] * len(axes) + [1.0] * len(axes), np.float32)
    return np.array([shape[axis] * factor for axis, factor in zip(axes, factors, strict=True)], np.int64)
