"""torch.nn.functional: interpolate in every mode with an ONNX counterpart, its gradients, pixel_shuffle."""

from typing import Any

import numpy as np
import pytest

import halfpixel as hp

from .outcome import check, unused
from .picture_cases import FLOOR, HALF_PIXEL_UP, LIKE_AREA, SIZES, SIZES_OF_UINT8, Array, picture

pytestmark = pytest.mark.needs("module:torch")

ALIGNED = {"coordinate_transformation_mode": "align_corners"}
# name -> (torch's keywords, ours)
MODES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nearest": ({"mode": "nearest"}, FLOOR),
    "nearest-exact": ({"mode": "nearest-exact"}, HALF_PIXEL_UP),
    "bilinear": ({"mode": "bilinear"}, {"mode": "linear"}),
    "bilinear aligned": ({"mode": "bilinear", "align_corners": True}, {"mode": "linear", **ALIGNED}),
    "bilinear antialias": ({"mode": "bilinear", "antialias": True}, {"mode": "linear", **LIKE_AREA}),
    "bicubic": ({"mode": "bicubic"}, {"mode": "cubic"}),
    "bicubic aligned": ({"mode": "bicubic", "align_corners": True}, {"mode": "cubic", **ALIGNED}),
    "bicubic antialias": (
        {"mode": "bicubic", "antialias": True},
        {"mode": "cubic", "cubic_coeff_a": -0.5, **LIKE_AREA},
    ),
}
ELEMENTS = ["float32", "float64", "uint8"]
CASES = {
    f"{mode} {size} {element}": (mode, size, element)
    for mode in MODES
    for size in SIZES
    for element in ELEMENTS
    if element != "uint8" or "nearest" in mode or size in SIZES_OF_UINT8
}
GRADIENTS = {f"gradient {mode} {size}": (mode, size) for mode in MODES for size in SIZES}
VOLUMES = {"linear": (1, 2, 9), "trilinear": (1, 2, 5, 6, 7)}
OTHERS = [*VOLUMES, "scale 1.25", "scale 1.2 keeps the length", "pixel_shuffle", "pixel_unshuffle"]


def interpolate(x: Array, **keywords: Any) -> Array:
    """F.interpolate on the last axes of a NumPy array of rank 3 to 5."""
    import torch

    return torch.nn.functional.interpolate(torch.from_numpy(x), **keywords).numpy()


@pytest.mark.parametrize("case", CASES)
def test_interpolate(case: str) -> None:
    """One channel, every mode, size and element type."""
    mode, size, element = CASES[case]
    in_size, out_size = SIZES[size]
    theirs, ours = MODES[mode]
    x = picture((1, 1, *in_size), element)
    check(
        "torch",
        case,
        lambda: hp.resize(x, sizes=[1, 1, *out_size], **ours),
        lambda: interpolate(x, size=out_size, **theirs),
    )


@pytest.mark.parametrize("case", GRADIENTS)
def test_gradient(case: str) -> None:
    """autograd's gradient in float64 against resize_grad."""
    mode, size = GRADIENTS[case]
    in_size, out_size = SIZES[size]
    theirs, ours = MODES[mode]
    dy = picture((1, 1, *out_size), "float64")

    def gradient() -> Array:
        import torch

        x = torch.zeros((1, 1, *in_size), dtype=torch.float64, requires_grad=True)
        y: Any = torch.nn.functional.interpolate(x, size=out_size, **theirs)
        y.backward(torch.from_numpy(dy))
        assert x.grad is not None
        return x.grad.numpy()

    check("torch", case, lambda: hp.resize_grad(dy, (1, 1, *in_size), sizes=[1, 1, *out_size], **ours), gradient)


@pytest.mark.parametrize("case", VOLUMES)
def test_other_ranks(case: str) -> None:
    """linear on one axis, trilinear on three."""
    shape = VOLUMES[case]
    sizes = [2 * n + 1 for n in shape[2:]]
    x = picture(shape, "float32")
    check(
        "torch",
        case,
        lambda: hp.resize(x, sizes=[*shape[:2], *sizes], mode="linear"),
        lambda: interpolate(x, size=sizes, mode=case),
    )


@pytest.mark.parametrize(("case", "scale"), [("scale 1.25", 1.25), ("scale 1.2 keeps the length", 1.2)])
def test_scale_factor(case: str, scale: float) -> None:
    """scale_factor is the scale of the coordinates, unless the length stays."""
    x = picture((1, 1, 4), "float32")
    check(
        "torch",
        case,
        lambda: hp.resize(x, [1, 1, scale], mode="linear"),
        lambda: interpolate(x, scale_factor=scale, mode="linear"),
    )


@pytest.mark.parametrize("case", ["pixel_shuffle", "pixel_unshuffle"])
def test_rearrangements(case: str) -> None:
    """pixel_shuffle is DepthToSpace in mode CRD, pixel_unshuffle its inverse."""
    import torch

    x = picture((2, 18, 6, 9), "float32")
    ours = hp.depth_to_space if case == "pixel_shuffle" else hp.space_to_depth
    theirs = getattr(torch.nn.functional, case)
    check("torch", case, lambda: ours(x, 3, mode="CRD"), lambda: theirs(torch.from_numpy(x), 3).numpy())


def test_tensors_of_torch_come_back() -> None:
    """A torch tensor in gives a torch tensor out, with the values of the array; bfloat16 too."""
    import torch

    x = torch.arange(6, dtype=torch.bfloat16).reshape(2, 3)
    y: Any = hp.resize(x, [2, 2], mode="linear")
    assert isinstance(y, torch.Tensor)
    expected = interpolate(np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3), scale_factor=2, mode="bilinear")
    assert y.dtype == torch.bfloat16
    np.testing.assert_array_equal(y.float().numpy(), expected[0, 0])


def test_no_deviation_is_stale() -> None:
    """Every listed case exists."""
    assert unused("torch", [*CASES, *GRADIENTS, *OTHERS]) == []
