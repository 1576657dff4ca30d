"""OpenCV, Pillow and scikit-image: the resizes that have an ONNX counterpart."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import halfpixel as hp

from .outcome import check, unused
from .picture_cases import FLOOR, HALF_PIXEL_UP, LIKE_AREA, SIZES, SIZES_OF_UINT8, Array, picture

Resize = Callable[[Array, tuple[int, int]], Array]


def opencv(interpolation: str) -> Resize:
    """cv2.resize, which takes width before height."""

    def resize(x: Array, size: tuple[int, int]) -> Array:
        import cv2

        return np.asarray(cv2.resize(x, size[::-1], interpolation=getattr(cv2, f"INTER_{interpolation}")))

    return resize


def pillow(resampling: str) -> Resize:
    """Image.resize on a picture of one channel, mode L or F."""

    def resize(x: Array, size: tuple[int, int]) -> Array:
        from PIL import Image

        picture_ = Image.fromarray(x)
        return np.asarray(picture_.resize(size[::-1], getattr(Image.Resampling, resampling)))

    return resize


def scikit_image(order: int) -> Resize:
    """skimage.transform.resize by splines of an order, edges repeated, no Gaussian before."""

    def resize(x: Array, size: tuple[int, int]) -> Array:
        from skimage import transform

        function: Any = transform.resize

        return np.asarray(function(x, size, order=order, mode="edge", anti_aliasing=False, preserve_range=True))

    return resize


# peer -> name -> (theirs, our keywords, element types)
PEERS: dict[str, dict[str, tuple[Resize, dict[str, Any], list[str]]]] = {
    "opencv": {
        "NEAREST": (opencv("NEAREST"), FLOOR, ["float32", "uint8"]),
        "NEAREST_EXACT": (opencv("NEAREST_EXACT"), HALF_PIXEL_UP, ["float32", "uint8"]),
        "LINEAR": (opencv("LINEAR"), {"mode": "linear"}, ["float32", "float64", "uint8"]),
        "LINEAR_EXACT": (opencv("LINEAR_EXACT"), {"mode": "linear"}, ["uint8"]),
        "CUBIC": (opencv("CUBIC"), {"mode": "cubic"}, ["float32", "float64", "uint8"]),
    },
    "pillow": {
        "NEAREST": (pillow("NEAREST"), HALF_PIXEL_UP, ["float32", "uint8"]),
        "BILINEAR": (pillow("BILINEAR"), {"mode": "linear", **LIKE_AREA}, ["float32", "uint8"]),
        "BICUBIC": (
            pillow("BICUBIC"),
            {"mode": "cubic", "cubic_coeff_a": -0.5, **LIKE_AREA},
            ["float32", "uint8"],
        ),
    },
    "scikit-image": {
        "order 0": (scikit_image(0), HALF_PIXEL_UP, ["float64"]),
        "order 1": (scikit_image(1), {"mode": "linear"}, ["float32", "float64"]),
    },
}
MODULES = {"opencv": "module:cv2", "pillow": "module:PIL", "scikit-image": "module:skimage"}
CASES = [
    pytest.param(peer, name, size, element, marks=pytest.mark.needs(MODULES[peer]))
    for peer, functions in PEERS.items()
    for name, (_, _, elements) in functions.items()
    for size in SIZES
    for element in elements
    if element != "uint8" or "NEAREST" in name or size in SIZES_OF_UINT8
]


@pytest.mark.parametrize(("peer", "name", "size", "element"), CASES)
def test_resize(peer: str, name: str, size: str, element: str) -> None:
    """One picture of one channel, every function, size and element type."""
    in_size, out_size = SIZES[size]
    theirs, keywords, _ = PEERS[peer][name]
    x = picture(in_size, element)
    check(
        peer, f"{name} {size} {element}", lambda: hp.resize(x, sizes=out_size, **keywords), lambda: theirs(x, out_size)
    )


@pytest.mark.parametrize("peer", PEERS)
def test_no_deviation_is_stale(peer: str) -> None:
    """Every listed case exists."""
    names = [" ".join(map(str, case.values[1:])) for case in CASES if case.values[0] == peer]
    assert unused(peer, names) == []
