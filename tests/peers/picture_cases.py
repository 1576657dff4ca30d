"""What other libraries call a resize, and the keywords of hp.resize that mean the same. Pictures are H x W."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LIKE_AREA: dict[str, Any] = {"antialias": True, "exclude_outside": True}
HALF_PIXEL_UP: dict[str, Any] = {"mode": "nearest", "nearest_mode": "round_prefer_ceil"}
FLOOR: dict[str, Any] = {
    "mode": "nearest",
    "coordinate_transformation_mode": "asymmetric",
    "nearest_mode": "floor",
}
# (height, width) of the picture, (height, width) asked for
SIZES: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "double": ((12, 17), (24, 34)),
    "grow": ((12, 17), (31, 40)),
    "halve": ((24, 34), (12, 17)),
    "shrink": ((31, 40), (11, 9)),
    "mixed": ((20, 20), (6, 50)),
    "to_width_1": ((4, 3), (2, 1)),
    "14_to_19": ((14, 14), (19, 19)),
    "14_to_2": ((14, 14), (2, 2)),
    "same": ((9, 10), (9, 10)),
}


# the fixed-point arithmetic of 8-bit filters is compared at these, nearest at every size
SIZES_OF_UINT8 = ("double", "shrink", "same")


def picture(shape: tuple[int, ...], element: str) -> Array:
    """The same noise in every run: 0 to 255 for uint8, around 0 for floats."""
    generator = np.random.default_rng(11)
    if element == "uint8":
        return generator.integers(0, 256, shape, dtype=np.uint8)
    return generator.normal(0, 10, shape).astype(element)
