"""Gradients of every order and torch.func, nested, against the matrix of the map."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

pytestmark = pytest.mark.needs("module:torch")

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
    "crop with extrapolation": ("resize", (None, [3, 4]), CROP, (1, 2, 3, 4)),
    "upsample": ("upsample", ([1, 2, 2],), {"mode": "linear"}, (2, 2, 3)),
    "upsample 1": ("upsample", (), {"height_scale": 2.0, "width_scale": 1.5, "version": 1}, (1, 2, 2, 3)),
    "interpolate": ("interpolate", (), {"scale_factor": 1.3, "mode": "bicubic"}, (1, 2, 3, 4)),
    "nearest": ("resize", ([1, 1, 1.5, 0.6],), {}, (1, 2, 3, 5)),
    "nearest-exact": ("interpolate", (), {"size": (5, 2), "mode": "nearest-exact"}, (1, 1, 3, 4)),
    "antialias": ("interpolate", (), {"size": (2, 3), "mode": "bilinear", "antialias": True}, (1, 1, 5, 3)),
    "aligned volume": (
        "interpolate",
        (),
        {"size": (1, 2, 3), "mode": "trilinear", "align_corners": True},
        (1, 1, 2, 3, 2),
    ),
    "area": ("interpolate", (), {"size": (2, 3), "mode": "area"}, (1, 1, 3, 2)),
    "area of one axis": ("interpolate", (), {"size": 3, "mode": "area"}, (1, 2, 5)),
    "depth_to_space": ("depth_to_space", (2,), {"mode": "CRD"}, (1, 8, 1, 2)),
    "space_to_depth": ("space_to_depth", (2,), {}, (1, 2, 2, 4)),
}


def function_of(name: str) -> tuple[Callable[[Any], Any], Any]:
    """The map as a function of one tensor, and a tensor for it."""
    import torch

    import halfpixel.torch as ht

    function, arguments, keywords, shape = MAPS[name]
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(shape, dtype=torch.float64, generator=generator)
    return lambda x: getattr(ht, function)(x, *arguments, **keywords), x


def affine_map(function: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    """Matrix and constant of y = A x + b, from values of the function alone."""
    import torch

    b = function(torch.zeros_like(x)).reshape(-1)
    units = torch.eye(x.numel(), dtype=x.dtype)
    return torch.stack([function(unit.reshape(x.shape)).reshape(-1) - b for unit in units], 1), b


@pytest.mark.parametrize("name", MAPS)
def test_gradcheck(name: str) -> None:
    """Backward, forward mode and both batched, to second order."""
    from torch.autograd import gradcheck, gradgradcheck

    function, x = function_of(name)
    x.requires_grad_()
    assert gradcheck(function, (x,), check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True)
    assert gradgradcheck(function, (x,), check_fwd_over_rev=True, check_rev_over_rev=True)


@pytest.mark.parametrize("name", MAPS)
def test_derivatives_to_third_order_in_every_nesting(name: str) -> None:
    """h(x) = sum (A x + b)^3 has the Hessian 6 A' diag(y) A, and 6 sum (A v)^3 as third derivative along v."""
    import torch
    from torch.func import grad, jacfwd, jacrev, jvp

    function, x = function_of(name)
    matrix, b = affine_map(function, x)
    v = torch.linspace(-1, 1, x.numel(), dtype=x.dtype).reshape(x.shape)
    y, w = matrix @ x.reshape(-1) + b, matrix @ v.reshape(-1)

    def cubed(a: Any) -> Any:
        return (function(a) ** 3).sum()

    hessian = 6 * matrix.T @ torch.diag(y) @ matrix
    for outer, inner in product((jacfwd, jacrev), repeat=2):
        found = outer(inner(cubed))(x).reshape(hessian.shape)
        torch.testing.assert_close(found, hessian, rtol=0, atol=1e-9, msg=f"{outer.__name__} of {inner.__name__}")

    def forward(h: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda a: jvp(h, (a,), (v,))[1]

    def backward(h: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda a: (grad(h)(a) * v).sum()

    for ways in product((forward, backward), repeat=3):
        h = cubed
        for way in ways:
            h = way(h)
        torch.testing.assert_close(h(x), 6 * (w**3).sum(), msg=str([way.__name__ for way in ways]))


@pytest.mark.parametrize("name", MAPS)
def test_vmap(name: str) -> None:
    """The map of each part, bit for bit, wherever the new axis lies; with grad inside and outside."""
    import torch
    from torch.func import grad, vmap

    function, x = function_of(name)
    stack = torch.stack([x, 2 * x, -x])
    expected = torch.stack([function(part) for part in stack])
    assert torch.equal(vmap(function)(stack), expected)
    assert torch.equal(vmap(function, in_dims=1, out_dims=1)(stack.movedim(0, 1)), expected.movedim(0, 1))

    def squared(a: Any) -> Any:
        return (function(a) ** 2).sum()

    parts = torch.stack([grad(squared)(part) for part in stack])
    torch.testing.assert_close(vmap(grad(squared))(stack), parts)
    torch.testing.assert_close(grad(lambda a: vmap(squared)(a).sum())(stack), parts)


@pytest.mark.parametrize("name", MAPS)
def test_forward_mode_without_a_recorded_gradient(name: str) -> None:
    import torch
    from torch.autograd import forward_ad

    function, x = function_of(name)
    matrix, _ = affine_map(function, x)
    with torch.no_grad(), forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(function(forward_ad.make_dual(x, x + 1))).tangent
    torch.testing.assert_close(tangent.reshape(-1), matrix @ (x + 1).reshape(-1))


def test_gradients_of_complex_and_short_floats() -> None:
    """[1, 2] doubled: weights 1, 3/4, 1/4, 0 of the first sample; complex by parts, conjugates resolved."""
    import torch

    import halfpixel.torch as ht

    for dtype in (torch.float16, torch.bfloat16, torch.complex64):
        x = torch.tensor([1, 2], dtype=dtype).requires_grad_()
        y = ht.resize(x, [2], mode="linear")
        dy = torch.tensor([1, 2, 3, 4], dtype=dtype) * (1j if dtype.is_complex else 1)
        (dx,) = torch.autograd.grad(y, x, dy.conj())
        factor = -1j if dtype.is_complex else 1
        assert dx.tolist() == [3.25 * factor, 6.75 * factor]


def test_integers_have_no_gradient() -> None:
    """torch refuses to ask for one; the result asks for none; a derivative by integers is an error, never zero."""
    import torch

    import halfpixel.torch as ht

    x = torch.arange(4)
    with pytest.raises(RuntimeError, match="floating point"):
        x.requires_grad_()
    assert not ht.resize(x, [2], mode="linear").requires_grad
    with pytest.raises(RuntimeError):
        torch.func.grad(lambda a: ht.resize(a, [2]).sum())(x)
    with pytest.raises((RuntimeError, ValueError)):
        torch.func.jvp(lambda a: ht.resize(a, [2]), (x,), (x,))
    with pytest.raises(RuntimeError, match="HP225"):
        torch.ops.halfpixel.interpolate_grad(torch.arange(4)[None, None], [1, 1, 2], [4], None, "linear", False, False)
