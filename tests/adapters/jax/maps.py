"""Calls of every operator that the tests of transforms go through."""

from collections.abc import Callable
from typing import Any

import numpy as np

CROP = {
    "axes": [2, -1],
    "mode": "linear",
    "coordinate_transformation_mode": "tf_crop_and_resize",
    "roi": [0.1, -0.3, 0.9, 1.2],
    "extrapolation_value": 3.0,
}
# name -> (function, positional arguments, keywords, shape of the input)
MAPS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any], tuple[int, ...]]] = {
    "resize by scales": ("resize", ([1, 1, 1.5, 0.6],), {"mode": "cubic", "antialias": True}, (1, 2, 3, 5)),
    "resize 11": ("resize", (None, [1, 2, 4, 3]), {"mode": "linear", "version": 11}, (1, 2, 3, 5)),
    "nearest": ("resize", ([1.4, 0.7],), {}, (3, 4)),
    "crop with extrapolation": ("resize", (None, [3, 4]), CROP, (1, 2, 3, 4)),
    "upsample": ("upsample", ([1, 2, 2],), {"mode": "linear"}, (2, 2, 3)),
    "upsample 1": ("upsample", (), {"height_scale": 2.0, "width_scale": 1.5, "version": 1}, (1, 2, 2, 3)),
    "depth_to_space": ("depth_to_space", (2,), {"mode": "CRD"}, (1, 8, 1, 2)),
    "depth_to_space 11": ("depth_to_space", (2,), {"mode": "CRD", "version": 11}, (1, 4, 1, 2)),
    "space_to_depth": ("space_to_depth", (2,), {}, (1, 2, 2, 4)),
}


def function_of(name: str) -> tuple[Callable[[Any], Any], Any]:
    """The map as a function of one array, and a NumPy array for it."""
    import halfpixel.jax as hj

    function, arguments, keywords, shape = MAPS[name]
    x = np.random.default_rng(1).standard_normal(shape)
    return lambda x: getattr(hj, function)(x, *arguments, **keywords), x


def numpy_function_of(name: str) -> Callable[[Any], Any]:
    """The same function of halfpixel on NumPy arrays."""
    import halfpixel as hp

    function, arguments, keywords, _ = MAPS[name]
    return lambda x: getattr(hp, function)(x, *arguments, **keywords)


def affine_map(name: str) -> tuple[Any, Any]:
    """Matrix and constant of y = A x + b in float64, from values of halfpixel on NumPy arrays."""
    function, shape = numpy_function_of(name), MAPS[name][3]
    b = function(np.zeros(shape)).reshape(-1)
    units = np.eye(int(np.prod(shape)))
    return np.stack([function(unit.reshape(shape)).reshape(-1) - b for unit in units], 1), b
