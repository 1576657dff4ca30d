"""interpolate: torch's own numbers, shapes and gradients; what torch lacks; what it refuses."""

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.needs("module:torch")

SMOOTH = {1: ("linear",), 2: ("bilinear", "bicubic"), 3: ("trilinear",)}
FACTORS = (0.4, 0.6, 0.75, 1.0, 1.1, 1.25, 1.5, 1.7, 2.0, 2.5, 3.0)


def random_call(seed: int) -> tuple[Any, dict[str, Any]]:
    """A tensor and keywords of interpolate, as different as they come."""
    import torch

    random = np.random.default_rng(seed)
    rank = int(random.integers(1, 4))
    lengths = [int(n) for n in random.integers(2, 9, rank)]
    mode = str(random.choice(["nearest", "nearest-exact", "area", *SMOOTH[rank]]))
    keywords: dict[str, Any] = {"mode": mode}
    if random.random() < 0.5:
        keywords["size"] = [int(n) for n in random.integers(2, 12, rank)]
    else:
        keywords["scale_factor"] = [max(float(random.choice(FACTORS)), 2.0 / n) for n in lengths]
        keywords["recompute_scale_factor"] = [None, False, True][random.integers(3)]
    if mode == "nearest" and _has_two_readings(lengths, keywords):
        keywords["recompute_scale_factor"] = True
    if mode in SMOOTH[rank]:
        keywords["align_corners"] = [None, False, True][random.integers(3)]
        keywords["antialias"] = bool(rank == 2 and random.random() < 0.5)
    layout = torch.channels_last if rank == 2 and random.random() < 0.5 else torch.contiguous_format
    dtype = torch.float32 if random.random() < 0.5 else torch.float64
    x = torch.from_numpy(random.standard_normal((2, 3, *lengths))).to(dtype).to(memory_format=layout)
    return x.requires_grad_(), keywords


def _has_two_readings(lengths: list[int], keywords: dict[str, Any]) -> bool:
    """A factor that leaves a length, or doubles it, without being 1 or 2: see test_nearest_has_the_gradient_..."""
    pairs = zip(lengths, keywords.get("scale_factor", lengths), strict=True)
    return any(factor not in (1.0, 2.0) and int(n * factor) in (n, 2 * n) for n, factor in pairs)


@pytest.mark.parametrize("seed", range(100))
def test_numbers_shapes_layout_and_gradients_of_torch(seed: int) -> None:
    import torch

    import halfpixel.torch as ht

    x, keywords = random_call(seed)
    theirs = torch.nn.functional.interpolate(x, **keywords)
    for ours in (ht.interpolate(x, **keywords), ht.interpolate(x.detach(), **keywords)):
        assert ours.dtype == theirs.dtype
        torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)
        last = torch.channels_last if x.dim() == 4 else torch.contiguous_format
        assert ours.is_contiguous(memory_format=last) == theirs.is_contiguous(memory_format=last)
    dy = torch.randn_like(theirs)
    (expected,) = torch.autograd.grad(theirs, x, dy)
    (found,) = torch.autograd.grad(ht.interpolate(x, **keywords), x, dy)
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=2e-5)


def test_one_value_for_every_axis() -> None:
    import torch

    import halfpixel.torch as ht

    x = torch.arange(4.0).reshape(1, 1, 2, 2)
    assert ht.interpolate(x, 3).tolist() == [[[[0, 0, 1], [0, 0, 1], [2, 2, 3]]]]
    assert ht.interpolate(x, scale_factor=0.5, mode="bilinear").tolist() == [[[[1.5]]]]
    assert ht.interpolate(x, size=torch.Size([1, 2]), mode="area").tolist() == [[[[1.0, 2.0]]]]


def test_numbers_of_any_kind_and_when_they_change() -> None:
    """NumPy's integers and tensors; a tensor that has changed asks for another result."""
    import torch

    import halfpixel.torch as ht

    x = torch.arange(4.0).reshape(1, 1, 4)
    for size in (np.int64(2), [np.int32(2)], torch.tensor(2), [torch.tensor(2)], [2], (2,)):
        assert ht.interpolate(x, size).tolist() == [[[0, 2]]]
    size, factor = torch.tensor(2), torch.tensor(0.5)
    for expected in ([[[0, 2]]], [[[0, 1, 2, 3]]]):
        assert ht.interpolate(x, [size]).tolist() == expected
        assert ht.interpolate(x, scale_factor=factor).tolist() == expected
        size *= 2
        factor *= 2


def test_a_subclass_of_tensor_stays_one() -> None:
    import torch

    import halfpixel.torch as ht

    class Picture(torch.Tensor):
        pass

    x = torch.tensor([[[1.0, 2.0]]]).as_subclass(Picture)
    for y in (ht.interpolate(x, 4), ht.resize(x, [1, 1, 2])):
        assert type(y) is Picture
        assert y.tolist() == [[[1, 1, 2, 2]]]


def test_decimal_factors_mean_what_they_say() -> None:
    """1 / 1.1 in float64 lies below 10/11, and floor(11 / 1.1) would be 9; 10 * 0.7 is 7, also with 0.7 in binary."""
    import torch

    import halfpixel.torch as ht

    x = torch.arange(20.0).reshape(1, 1, 20)
    assert ht.interpolate(x, scale_factor=1.1)[0, 0, 11] == 10
    assert ht.interpolate(x[..., :10], scale_factor=0.7).shape[-1] == 7
    assert ht.interpolate(x, scale_factor=0.1).flatten().tolist() == [0, 10]


def test_nearest_is_exact_where_torch_is_not() -> None:
    """2 -> 82: output 41 lies at 41 * 2 / 82 = 1. torch's float32 takes sample 0, its float64 sample 1."""
    import torch

    import halfpixel.torch as ht

    for dtype, torchs in ((torch.float32, 0), (torch.float64, 1)):
        x = torch.tensor([[[0, 1]]], dtype=dtype)
        assert ht.interpolate(x, 82)[0, 0, 41] == 1
        assert torch.nn.functional.interpolate(x, 82)[0, 0, 41] == torchs


def test_nearest_has_the_gradient_of_its_own_map() -> None:
    """4 * 1.22 stays 4: torch reads samples 0, 0, 1, 2, but its gradient (and its channels last) copies all four."""
    import torch

    import halfpixel.torch as ht

    x = torch.arange(8.0).reshape(1, 2, 4).requires_grad_()
    dy = torch.tensor([1.0, 2.0, 4.0, 8.0]).expand(1, 2, 4)
    for function, gradient in ((ht.interpolate, [3, 4, 8, 0]), (torch.nn.functional.interpolate, [1, 2, 4, 8])):
        y = function(x, scale_factor=1.22)
        assert y[0, 0].tolist() == [0, 0, 1, 2]
        assert torch.autograd.grad(y, x, dy)[0][0, 0].tolist() == gradient


def test_antialias_to_one_column() -> None:
    """The mean of three columns of equal weight; torch mixes rows up here unless channels come last."""
    import torch

    import halfpixel.torch as ht

    x = torch.tensor([[0.0, 3.0, 0.0], [4.0, 4.0, 4.0], [0.0, 6.0, 0.0], [8.0, 8.0, 8.0]]).reshape(1, 1, 4, 3)
    # Weights of the triangle over three samples to one: 2/9, 3/9, 2/9, divided by their sum: 2/7, 3/7, 2/7.
    y = ht.interpolate(x, (4, 1), mode="bilinear", antialias=True)
    torch.testing.assert_close(y.flatten(), torch.tensor([9 / 7, 4.0, 18 / 7, 8.0]))


def test_element_types_that_torch_refuses() -> None:
    import torch

    import halfpixel.torch as ht

    row = torch.tensor([0, 4]).reshape(1, 1, 2)
    for dtype in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint64):
        y = ht.interpolate(row.to(dtype), scale_factor=2, mode="linear")
        assert (y.dtype, y.flatten().tolist()) == (dtype, [0, 1, 3, 4])
    flags = torch.tensor([False, True]).reshape(1, 1, 2)
    assert ht.interpolate(flags, scale_factor=2, mode="linear").flatten().tolist() == [False, False, True, True]
    half = ht.interpolate(row.to(torch.float16), scale_factor=2, mode="linear")
    assert (half.dtype, half.flatten().tolist()) == (torch.float16, [0, 1, 3, 4])
    volume = torch.tensor([0, 4], dtype=torch.uint8).reshape(1, 1, 1, 1, 2)
    y = ht.interpolate(volume, (1, 1, 4), mode="trilinear")
    assert (y.dtype, y.flatten().tolist()) == (torch.uint8, [0, 1, 3, 4])


def test_antialias_on_one_and_three_axes() -> None:
    """Four to two with the triangle of twice the width: weights 1/8, 3/8, 3/8, 1/8, at the border 3/7, 3/7, 1/7."""
    import torch

    import halfpixel.torch as ht

    row = torch.tensor([7.0, 0.0, 0.0, 14.0]).reshape(1, 1, 4)
    torch.testing.assert_close(
        ht.interpolate(row, 2, mode="linear", antialias=True).flatten(), torch.tensor([3.0, 6.0])
    )
    cube = row.reshape(1, 1, 1, 1, 4).expand(1, 1, 4, 4, 4)
    y = ht.interpolate(cube, 2, mode="trilinear", antialias=True)
    torch.testing.assert_close(y, torch.tensor([3.0, 6.0]).expand(1, 1, 2, 2, 2))


def test_area_of_every_type() -> None:
    """Windows 0 1, 1 2, 3 4, 4 5. Means are rounded half to even; bool is true from one half up."""
    import torch

    import halfpixel.torch as ht

    row = torch.tensor([1, 2, 3, 4, 120, 123]).reshape(1, 1, 6)
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.uint16, torch.int32, torch.uint32, torch.uint64):
        y = ht.interpolate(row.to(dtype), 4, mode="area")
        assert (y.dtype, y.flatten().tolist()) == (dtype, [2, 2, 62, 122])
    assert ht.interpolate(row * 2**40, 4, mode="area").flatten().tolist() == [n * 2**39 for n in (3, 5, 124, 243)]
    for dtype in (torch.float16, torch.float32, torch.float64, torch.complex64):
        y = ht.interpolate(row.to(dtype), 4, mode="area")
        assert (y.dtype, y.flatten().tolist()) == (dtype, [1.5, 2.5, 62, 121.5])
    assert ht.interpolate(row.bfloat16(), 4, mode="area").flatten().tolist() == [1.5, 2.5, 62, 121.5]
    flags = torch.tensor([True, False, False, False]).reshape(1, 1, 4)
    assert ht.interpolate(flags, 2, mode="area").flatten().tolist() == [True, False]


def test_area_of_four_axes() -> None:
    """Any rank from 3 on; torch stops at 5. Each axis has windows 0 1 and 1 2."""
    import torch

    import halfpixel.torch as ht

    x = torch.zeros(1, 1, 3, 3, 3, 3, dtype=torch.float64)
    x[0, 0, 1, 1, 1, 1] = 16
    assert ht.interpolate(x, 2, mode="area").flatten().tolist() == [1.0] * 16
    with pytest.raises(NotImplementedError):
        torch.nn.functional.interpolate(x, 2, mode="area")


WRONG: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "both": ({"size": 2, "scale_factor": 2}, ValueError, "HP104"),
    "neither": ({}, ValueError, "HP103"),
    "sizes": ({"size": (2, 2, 2)}, ValueError, "HP106"),
    "factors": ({"scale_factor": (2.0,)}, ValueError, "HP105"),
    "fraction": ({"size": (2.5, 2)}, TypeError, "HP116"),
    "a fraction like an integer": ({"size": 2.0}, TypeError, "HP116"),
    "factor 0": ({"scale_factor": 0.0}, ValueError, "HP107"),
    "infinite": ({"scale_factor": float("inf")}, ValueError, "HP107"),
    "length 0": ({"size": 0}, RuntimeError, "HP196"),
    "rounds to 0": ({"scale_factor": 0.1}, RuntimeError, "HP196"),
    "mode": ({"size": 2, "mode": "lanczos"}, ValueError, "HP112"),
    "rank": ({"size": 2, "mode": "linear"}, NotImplementedError, "HP123"),
    "align": ({"size": 2, "align_corners": False}, ValueError, "HP195"),
    "antialias": ({"size": 2, "mode": "area", "antialias": True}, ValueError, "HP195"),
    "recompute": ({"size": 2, "recompute_scale_factor": True}, ValueError, "HP195"),
    "memory": ({"size": 2**31}, RuntimeError, "HP30"),
    "memory of area": ({"size": 2**31, "mode": "area"}, RuntimeError, "HP30"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("watched", [False, True])
def test_refusals(case: str, watched: bool) -> None:
    """torch's exception, our text, with and without a gradient."""
    import torch

    import halfpixel.torch as ht

    keywords, kind, code = WRONG[case]
    x = torch.zeros(1, 1, 4, 4, requires_grad=watched)
    ht.interpolate(x, 2)  # a size of 2.0 must not find the plan of 2
    with pytest.raises(kind, match=code) as caught:
        ht.interpolate(x, **keywords)
    assert type(caught.value) is kind
    assert "allowed:" in str(caught.value)


def test_no_tensor_and_no_kernel_for_the_device() -> None:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    import halfpixel.torch as ht

    wrong: Any = np.zeros((1, 1, 2))
    with pytest.raises(TypeError, match="HP221"):
        ht.interpolate(wrong, 2)
    with FakeTensorMode():
        there = torch.empty(1, 1, 2, device="cuda")
    for call in (lambda: ht.interpolate(there, 2), lambda: ht.resize(there, [1, 1, 2])):
        with pytest.raises(NotImplementedError, match=r"HP222[^\n]*cuda"):
            call()


def test_patch_replaces_and_restores() -> None:
    """Upsample calls whatever functional.interpolate is; an exception inside restores it too."""
    import torch

    import halfpixel.torch as ht

    functional = torch.nn.functional
    before = functional.interpolate
    layer = torch.nn.Upsample(scale_factor=2, mode="linear")
    whole = torch.tensor([[[0, 4]]])
    with pytest.raises(NotImplementedError, match="not implemented for"):
        layer(whole)
    with ht.patch():
        with ht.patch():
            assert layer(whole).flatten().tolist() == [0, 1, 3, 4]
        assert functional.interpolate is ht.interpolate
        with pytest.raises(ValueError, match="HP112"):
            functional.interpolate(whole, 2, mode="unknown")
    assert functional.interpolate is before
    with pytest.raises(ValueError, match="HP112"), ht.patch():
        functional.interpolate(whole, 2, mode="unknown")
    assert functional.interpolate is before
