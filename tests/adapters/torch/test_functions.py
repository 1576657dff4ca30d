"""The four functions and the modules: values, memory, out=, errors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.needs("module:torch")


def test_values() -> None:
    import torch

    import halfpixel.torch as ht

    row = torch.tensor([1.0, 2.0])
    assert ht.resize(row, [2], mode="linear").tolist() == [1, 1.25, 1.75, 2]
    assert ht.resize(row, torch.tensor([2.0])).tolist() == [1, 1, 2, 2]
    assert ht.resize(row, sizes=torch.Size([3])).tolist() == [1, 1, 2]
    assert ht.upsample(row, [2], mode="linear").tolist() == [1, 1.5, 2, 2]
    assert ht.resize(torch.tensor(3.0), []).tolist() == 3
    deep = torch.arange(4).reshape(1, 4, 1, 1)
    assert ht.depth_to_space(deep, 2).tolist() == [[[[0, 1], [2, 3]]]]
    assert ht.space_to_depth(ht.depth_to_space(deep, 2), 2).flatten().tolist() == [0, 1, 2, 3]


def test_the_watched_call_gives_the_same_bits() -> None:
    """With a gradient every argument goes through torch's dispatcher."""
    import torch

    import halfpixel.torch as ht

    x = torch.randn(2, 8, 6, 5)
    crop = {"coordinate_transformation_mode": "tf_crop_and_resize", "roi": [0.1, 0, 1.2, 0.8]}
    calls: list[Callable[[Any], Any]] = [
        lambda x: ht.resize(x, np.array([0.5, 2.0]), axes=[2, 3], mode="linear", antialias=True, exclude_outside=True),
        lambda x: ht.resize(x, None, [7, 9], axes=[-2, -1], extrapolation_value=2.5, mode="cubic", threads=1, **crop),
        lambda x: ht.resize(x, None, [7, 9], axes=[-1, -2], keep_aspect_ratio_policy="not_larger", nearest_mode="ceil"),
        lambda x: ht.resize(x, [1, 1, 0.7, 2], mode="nearest", version=10),
        lambda x: ht.resize(x, torch.tensor([1.0, 1, 2, 2]), mode="cubic", cubic_coeff_a=-0.5),
        lambda x: ht.upsample(x, height_scale=2, width_scale=1.5, mode="bilinear", version=1),
        lambda x: ht.depth_to_space(x, 2, mode="CRD", version=11),
        lambda x: ht.space_to_depth(x[:, :, :, :4], 2, mode="CRD"),
    ]
    for number, call in enumerate(calls):
        watched = call(x.clone().requires_grad_())
        assert watched.requires_grad
        assert torch.equal(watched, call(x)), number


def test_a_plain_call_goes_past_the_dispatcher(monkeypatch: pytest.MonkeyPatch) -> None:
    """No gradient, no transform: nothing of torch's machinery is paid for. Parameters under no_grad as well.

    resize and interpolate go past it with a gradient of reverse mode too.
    """
    import torch

    import halfpixel.torch as ht
    from halfpixel.torch import kernels, linear

    def refuse(*arguments: Any) -> None:
        raise AssertionError("went through the dispatcher")

    parameter = torch.nn.Parameter(torch.zeros(1, 4, 2, 2))
    calls: list[Callable[[], Any]] = [
        lambda: ht.interpolate(parameter, 4),
        lambda: ht.resize(parameter, [1, 1, 2, 2]),
        lambda: ht.upsample(parameter, [1, 1, 2, 2]),
        lambda: ht.depth_to_space(parameter, 2),
        lambda: ht.space_to_depth(parameter, 2),
    ]
    for operator in ("RESIZE", "UPSAMPLE", "INTERPOLATE", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH"):
        watched = linear.LinearMap(refuse, getattr(linear, operator).transposed, None)
        monkeypatch.setattr(linear, operator, watched)
    assert kernels.resize is not refuse
    for call in calls:
        with torch.no_grad():
            call()
        with torch.autograd.forward_ad.dual_level(), pytest.raises(AssertionError, match="dispatcher"):
            call()
    for call in calls[:2]:  # where reverse mode alone watches; backward too
        call().sum().backward()
    assert torch.equal(parameter.grad, torch.full((1, 4, 2, 2), 8.0))


def test_a_plain_call_on_dense_memory_makes_no_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """It hands addresses to the passes; making two arrays would take half as long again. Other memory needs arrays."""
    import torch

    import halfpixel.torch as ht
    from halfpixel.torch import functions, tensors

    def refuse(x: Any) -> None:
        raise AssertionError("made an array")

    monkeypatch.setattr(tensors, "array_of", refuse)
    monkeypatch.setattr(functions, "array_of", refuse)
    x = torch.arange(16.0).reshape(1, 4, 2, 2)
    for dense in (x, x.to(torch.uint8), x.half(), x > 7):
        for name, call in everything(ht, dense).items():
            assert call().dtype == dense.dtype, name
    shifted = torch.frombuffer(bytearray(65), dtype=torch.float32, offset=1).reshape(x.shape)
    last = x.to(memory_format=torch.channels_last)
    for name in ("resize", "upsample", "interpolate", "area", "Resize", "patch"):
        assert everything(ht, last)[name]().is_contiguous(memory_format=torch.channels_last), name
    for other in (x.to(torch.complex64), shifted):
        for call in everything(ht, other).values():
            with pytest.raises(AssertionError, match="made an array"):
                call()


def test_no_copy_of_the_input() -> None:
    """The array that the passes read is the tensor's own memory, in any layout and type."""
    import torch

    from halfpixel.torch.tensors import array_of

    dense = torch.zeros(2, 3, 4, 4)
    for x in (dense, dense.to(memory_format=torch.channels_last), dense[:, 1:, ::2], dense.bfloat16(), dense.bool()):
        array = array_of(x)
        assert array.__array_interface__["data"][0] == x.data_ptr()
        assert array.strides == tuple(stride * x.element_size() for stride in x.stride())


def test_channels_last_stays() -> None:
    """Also where an axis of length 1 hides the layout in the strides, forwards and backwards."""
    import torch

    import halfpixel.torch as ht

    for shape in ((2, 3, 4, 5), (2, 3, 4, 1), (1, 3, 1, 5)):
        for grad in (False, True):
            x = torch.randn(shape).to(memory_format=torch.channels_last).requires_grad_(grad)
            y = ht.resize(x, [1, 1, 2, 3], mode="linear")
            assert y.is_contiguous(memory_format=torch.channels_last), shape
            assert not y.is_contiguous(), shape
            assert torch.equal(y, ht.resize(x.detach().contiguous(), [1, 1, 2, 3], mode="linear"))
    volume = torch.randn(1, 2, 3, 4, 1).to(memory_format=torch.channels_last_3d)
    assert ht.interpolate(volume, 2).is_contiguous(memory_format=torch.channels_last_3d)


def test_out() -> None:
    import torch

    import halfpixel.torch as ht

    x, out = torch.tensor([1.0, 2.0]), torch.empty(4)
    assert ht.resize(x, [2], mode="linear", out=out) is out
    assert out.tolist() == [1, 1.25, 1.75, 2]
    with pytest.raises(ValueError, match="HP162"):
        ht.resize(x, [2], out=torch.empty(5))
    x.requires_grad_()
    with pytest.raises(RuntimeError, match="HP223"):
        ht.resize(x, [2], out=out)
    with torch.no_grad():
        assert ht.resize(x, [2], out=out).tolist() == [1, 1, 2, 2]


WRONG: dict[str, tuple[Callable[[Any, Any], Any], type[Exception], str]] = {
    "both": (lambda ht, x: ht.resize(x, [1, 1, 2, 2], [1, 1, 4, 4]), ValueError, "HP104"),
    "count": (lambda ht, x: ht.resize(x, [2]), ValueError, "HP105"),
    "keyword": (lambda ht, x: ht.resize(x, [1, 1, 2, 2], antialas=True), ValueError, "'antialias'"),
    "below 1": (lambda ht, x: ht.upsample(x, [1, 1, 0.5, 1]), ValueError, "HP108"),
    "upsample's keyword": (lambda ht, x: ht.upsample(x, [1, 1, 2, 2], size=2), ValueError, "HP172"),
    "blocksize": (lambda ht, x: ht.depth_to_space(x, 3), ValueError, "HP125"),
    "a list": (lambda ht, x: ht.depth_to_space(x, [2]), ValueError, "HP124"),
    "a fraction": (lambda ht, x: ht.depth_to_space(x, 2.0), ValueError, "HP124"),
    "order": (lambda ht, x: ht.space_to_depth(x, 2, mode="RCD"), ValueError, "HP112"),
    "depth's keyword": (lambda ht, x: ht.depth_to_space(x, 2, block=2), ValueError, "HP172"),
    "space's blocksize": (lambda ht, x: ht.space_to_depth(x, 0), ValueError, "HP124"),
    "too large": (lambda ht, x: ht.resize(x, [1, 1, 2**31, 2**31]), RuntimeError, "HP300"),
    "an array": (lambda ht, x: ht.resize(x.detach().numpy(), [1, 1, 2, 2]), TypeError, "HP221"),
    "shuffle of rank 2": (lambda ht, x: ht.PixelShuffle(2)(x[0, 0]), ValueError, "HP123"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("watched", [False, True])
def test_refusals(case: str, watched: bool) -> None:
    """torch's exception with our text, on the short way and on the watched one."""
    import torch

    import halfpixel.torch as ht

    call, kind, text = WRONG[case]
    ht.depth_to_space(torch.zeros(1, 4, 2, 2), 2)  # a blocksize of 2.0 must not find what was kept for 2
    with pytest.raises(kind, match=text) as caught:
        call(ht, torch.zeros(1, 4, 2, 2, requires_grad=watched))
    assert type(caught.value) is kind


def test_memory_that_is_not_as_it_seems() -> None:
    """A negated view, zeros that are not stored, elements off their alignment: right values, though all look dense."""
    import torch

    import halfpixel.torch as ht

    plain = torch.tensor([1.0, 2.0])
    negated: Any = torch._neg_view(plain)
    bytes_ = bytearray(9)
    shifted = torch.frombuffer(bytes_, dtype=torch.float32, offset=1)
    shifted.copy_(plain)
    zeros = torch._efficientzerotensor(2)  # type: ignore[attr-defined]
    conjugated = torch.tensor([1 + 1j, 2 - 2j]).conj()
    for x in (negated, shifted, zeros, conjugated, conjugated.imag, plain[:0]):
        twice = [value for value in x.clone().tolist() for _ in range(2)]
        assert ht.resize(x, [2]).tolist() == twice
        assert ht.upsample(x, [2]).tolist() == twice
        assert not twice or ht.interpolate(x[None, None], scale_factor=2).tolist() == [[twice]]


def test_like() -> None:
    """The attributes of another library and its rule for lengths, on the short way, watched, compiled."""
    import torch

    import halfpixel as hp
    import halfpixel.torch as ht

    x = torch.tensor([[0.0, 1.0, 2.0, 9.0, 4.0]])

    def shrunk(x: Any) -> Any:
        return ht.resize(x, [0.75], axes=[1], like="opencv")

    # 5 * 0.75 = 3.75 becomes 4; linear at (i + 1/2) / 0.75 - 1/2.
    expected = hp.resize(x.numpy(), [0.75], axes=[1], like="opencv")
    assert expected.shape == (1, 4)
    for call in (shrunk, torch.compile(shrunk, fullgraph=True, backend="eager")):
        assert call(x).tolist() == expected.tolist()
        assert call(x.clone().requires_grad_()).tolist() == expected.tolist()
    stack = torch.stack([x, -x])
    assert torch.equal(torch.func.vmap(shrunk)(stack), torch.stack([shrunk(part) for part in stack]))
    assert shrunk(torch.empty(1, 5, device="meta")).shape == (1, 4)
    assert ht.Resize(sizes=[1, 2], like="pillow", mode="linear")(x).equal(
        torch.from_numpy(hp.resize(x.numpy(), sizes=[1, 2], like="pillow", mode="linear"))
    )
    # A given attribute wins, also when it is the default of Resize.
    assert ht.resize(x, sizes=[1, 2], like="pillow", mode="nearest").tolist() == [[1, 9]]
    assert ht.resize(x, sizes=[1, 2], like="pillow", antialias=False).equal(
        torch.from_numpy(hp.resize(x.numpy(), sizes=[1, 2], like="pillow", antialias=False))
    )
    with pytest.raises(ValueError, match="HP174"):
        ht.resize(x, [1, 2], like="unknown")  # type: ignore[arg-type]


def test_unsupported_memory_and_types() -> None:
    import torch

    import halfpixel.torch as ht

    with pytest.raises(NotImplementedError, match="HP222"):
        ht.resize(torch.eye(2).to_sparse(), [2, 2])
    with pytest.raises(NotImplementedError, match="HP222"):
        ht.resize(torch.zeros(2).to(torch.float8_e4m3fn), [2])


def everything(ht: Any, x: Any) -> dict[str, Callable[[], Any]]:
    """Each function and module on a tensor of shape (1, 4, 2, 2)."""
    import torch

    def patched() -> Any:
        with ht.patch():
            return torch.nn.Upsample(scale_factor=2)(x)

    return {
        "resize": lambda: ht.resize(x, [1, 1, 2, 2]),
        "upsample": lambda: ht.upsample(x, [1, 1, 2, 2]),
        "depth_to_space": lambda: ht.depth_to_space(x, 2),
        "space_to_depth": lambda: ht.space_to_depth(x, 2),
        "interpolate": lambda: ht.interpolate(x, 4, mode="bicubic"),
        "area": lambda: ht.interpolate(x, 4, mode="area"),
        "Resize": lambda: ht.Resize(sizes=[1, 4, 1, 1])(x),
        "DepthToSpace": lambda: ht.DepthToSpace(2)(x),
        "SpaceToDepth": lambda: ht.SpaceToDepth(2)(x),
        "PixelShuffle": lambda: ht.PixelShuffle(2)(x),
        "PixelUnshuffle": lambda: ht.PixelUnshuffle(2)(x),
        "patch": patched,
    }


@pytest.mark.parametrize("grad", [False, True])
def test_no_tensor_of_another_device_is_taken(grad: bool) -> None:
    """Every function names the device; a fake tensor stands for one on a GPU, which this needs no GPU to see."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    import halfpixel.torch as ht

    with FakeTensorMode():
        there = torch.empty(1, 4, 2, 2, device="cuda:1", requires_grad=grad)
    for name, call in everything(ht, there).items():
        with pytest.raises(NotImplementedError, match=r"HP222[^\n]*cuda:1") as caught:
            call()
        assert type(caught.value) is NotImplementedError, name


def test_tensors_without_memory_have_shapes_only() -> None:
    """A meta tensor gives one; nothing mixes memory and none."""
    import torch

    import halfpixel.torch as ht

    x = torch.zeros(1, 4, 2, 2)
    for name, call in everything(ht, x.to("meta")).items():
        y = call()
        assert y.is_meta, name
        assert y.shape == everything(ht, x)[name]().shape, name
    for out, kind in ((torch.empty(1, 4, 4, 4, device="meta"), NotImplementedError), ("here", TypeError)):
        with pytest.raises(kind, match="HP22"):
            ht.resize(x, [1, 1, 2, 2], out=out)  # type: ignore[arg-type]
    y = ht.resize(x.requires_grad_(), [1, 1, 2, 2])
    with pytest.raises(RuntimeError, match="device"):
        torch.autograd.grad(y, x, torch.ones(1, 4, 4, 4, device="meta"))


def test_gradients_that_do_not_fit() -> None:
    """dy of another shape, or of integers: torch's exception, never a gradient of zeros."""
    import torch

    import halfpixel.torch as ht

    x = torch.zeros(1, 4, 2, 2, requires_grad=True)
    operators = torch.ops.halfpixel
    for name, call in everything(ht, x).items():
        with pytest.raises(RuntimeError, match="shape"):
            torch.autograd.grad(call(), x, torch.ones(1, 1, 3, 3))
        assert torch.autograd.grad(call().sum(), x)[0].any(), name
    for dy, code in ((torch.ones(1, 4, 3, 3), "HP160"), (torch.ones(1, 4, 4, 4, dtype=torch.int64), "HP225")):
        with pytest.raises(RuntimeError, match=code):
            operators.interpolate_grad(dy, [1, 4, 2, 2], [4, 4], None, "area", False, False)
        with pytest.raises(RuntimeError, match=code):
            operators.upsample_grad(dy, [1, 4, 2, 2], [1.0, 1.0, 2.0, 2.0], None, None, "nearest", 9, None)


def test_modules() -> None:
    import torch

    import halfpixel.torch as ht

    x = torch.randn(2, 3, 8, 4, 6)
    for factor in (1, 2):
        ours, theirs = ht.PixelShuffle(factor), torch.nn.PixelShuffle(factor)
        assert torch.equal(ours(x), theirs(x))
        assert torch.equal(ours(x[0, 0]), theirs(x[0, 0]))
        assert torch.equal(ht.PixelUnshuffle(factor)(x), torch.nn.PixelUnshuffle(factor)(x))
    double = ht.Resize([1, 1, 2, 2], mode="linear")
    assert torch.equal(double(x[0]), ht.resize(x[0], [1, 1, 2, 2], mode="linear"))
    assert repr(double) == "Resize(scales=[1.0, 1.0, 2.0, 2.0], mode='linear')"
    assert ht.Resize(sizes=[5], axes=[-1])(x).shape == (2, 3, 8, 4, 5)
    y = ht.DepthToSpace(2, mode="CRD")(x[0])
    assert torch.equal(y, torch.nn.functional.pixel_shuffle(x[0], 2))
    assert torch.equal(ht.SpaceToDepth(2, mode="CRD")(y), x[0])
    layers = [ht.DepthToSpace(2), ht.SpaceToDepth(2, mode="CRD"), ht.PixelShuffle(3), ht.PixelUnshuffle(3)]
    assert repr(torch.nn.Sequential(*layers)).splitlines()[1:5] == [
        "  (0): DepthToSpace(blocksize=2, mode='DCR')",
        "  (1): SpaceToDepth(blocksize=2, mode='CRD')",
        "  (2): PixelShuffle(upscale_factor=3)",
        "  (3): PixelUnshuffle(downscale_factor=3)",
    ]
