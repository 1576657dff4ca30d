"""Calls on tensors by DLPack's table of functions: the bits of calls on arrays, the layout of x."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import halfpixel as hp

pytestmark = pytest.mark.needs("module:torch")

CROP: dict[str, Any] = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 7}
ROI = [0, 0, -0.5, 0.1, 1, 1, 1.5, 0.9]
ELEMENTS = ("bool", "uint8", "uint16", "int64", "float16", "bfloat16", "float32", "float64")


def layouts(x: Any) -> dict[str, Any]:
    import torch

    last = torch.channels_last if x.dim() == 4 else torch.channels_last_3d
    return {"rows": x.contiguous(), "channels last": x.contiguous(memory_format=last)}


def bits(x: Any) -> bytes:
    """The elements of a tensor in C order."""
    import torch

    whole: bytes = x.contiguous().view(torch.uint8).numpy().tobytes()
    return whole


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("extra", [{}, {**CROP, "roi": ROI}])
def test_the_bits_of_a_call_on_arrays(element: str, mode: Any, extra: dict[str, Any]) -> None:
    import torch

    from halfpixel.plan.dense import dense_call, dense_gradient
    from halfpixel.torch.tensors import array_of, run_dense

    x = (torch.rand(2, 3, 6, 7, generator=torch.Generator().manual_seed(5)) * 200).to(getattr(torch, element))
    plan = hp.plan_resize(x.shape, element, sizes=[2, 3, 9, 4], mode=mode, **extra)
    call = dense_call(plan)
    assert call is not None
    assert dense_call(plan) is call
    for name, laid in layouts(x).items():
        y = run_dense(call, laid, 1)
        assert y is not None, name
        assert (y.dtype, y.shape, y.data_ptr() % 64) == (x.dtype, (2, 3, 9, 4), 0)
        assert y.stride() == layouts(y)[name].stride()
        assert bits(y) == plan(array_of(x.contiguous())).tobytes(), name
        if x.is_floating_point():
            back = dense_gradient(plan)
            assert back is not None
            dx = run_dense(back, y, 2)
            assert dx is not None, name
            assert dx.stride() == laid.stride()
            assert bits(dx) == plan.grad(array_of(y.contiguous())).tobytes(), name


def test_values_of_channels_last() -> None:
    """Two channels of a row, side by side in memory; linear at (i + 1/2) / 2 - 1/2."""
    import torch

    import halfpixel.torch as ht

    x = torch.tensor([[[[1.0, 2.0]], [[3.0, 7.0]]]]).contiguous(memory_format=torch.channels_last).requires_grad_()
    for _ in range(2):  # a plan is made, and found
        y = ht.interpolate(x, size=(1, 4), mode="bilinear")
        assert y.tolist() == [[[[1, 1.25, 1.75, 2]], [[3, 4, 6, 7]]]]
        assert y.stride() == (8, 1, 8, 2)
        weights = torch.tensor([1.0, 2.0, 4.0, 8.0]).reshape(1, 1, 1, 4).expand(1, 2, 1, 4)
        (dx,) = torch.autograd.grad(y, x, weights.contiguous(memory_format=torch.channels_last))
        assert dx.tolist() == [[[[3.5, 11.5]], [[3.5, 11.5]]]]
        assert dx.stride() == x.stride()


def test_volumes() -> None:
    import torch

    from halfpixel.plan.dense import dense_call
    from halfpixel.torch.tensors import run_dense

    x = torch.arange(16.0).reshape(1, 2, 2, 2, 2)
    call = dense_call(hp.plan_resize(x.shape, "float32", [1, 1, 2, 2, 2]))
    assert call is not None
    for name, laid in layouts(x).items():
        y = run_dense(call, laid, 1)
        assert y is not None, name
        assert y.stride() == layouts(y)[name].stride()
        assert y[0, 1, 3, 3].tolist() == [14, 14, 15, 15]


def test_a_result_owns_its_memory() -> None:
    """It outlives x and the plan, and can be written."""
    import gc

    import torch

    import halfpixel.torch as ht

    results = [ht.resize(torch.full((1, 1, 8, 8), float(i)), [1, 1, 2, 2]) for i in range(50)]
    gc.collect()
    for i, y in enumerate(results):
        y += 1
        assert y.flatten().tolist() == [i + 1] * 256


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("element", ["bool", "int16", "float64"])
def test_rearrangements(element: str, mode: str) -> None:
    """DepthToSpace and back."""
    import torch

    from halfpixel.plan.dense import dense_rearrangement
    from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec
    from halfpixel.torch.tensors import run_dense

    x = (torch.arange(2 * 8 * 3 * 2).reshape(2, 8, 3, 2) % 251).to(getattr(torch, element))
    deep = dense_rearrangement(depth_to_space_spec(tuple(x.shape), 2, mode=mode, version=28), element)
    assert deep is not None
    y = run_dense(deep, x, 1)
    assert y is not None
    assert y.shape == (2, 2, 6, 4)
    assert y[0, 0, 0, :2].tolist() == x[0, [0, 2 if mode == "DCR" else 1], 0, 0].tolist()
    back = dense_rearrangement(space_to_depth_spec(tuple(y.shape), 2, mode=mode, version=28), element)
    assert back is not None
    z = run_dense(back, y, 1)
    assert z is not None
    assert torch.equal(z, x)
    assert run_dense(deep, layouts(x)["channels last"], 1) is None
    assert dense_rearrangement(depth_to_space_spec(tuple(x.shape), 2, mode=mode, version=28), "string") is None


def test_requests_without_such_a_call() -> None:
    """Scalars, strings, complex numbers, empty results, and those beside which an array costs nothing."""
    from halfpixel.plan.dense import MOST_BYTES, dense_call, dense_gradient

    assert dense_call(hp.plan_resize((), "float32", [])) is None
    assert dense_call(hp.plan_resize((2,), "string", [2])) is None
    assert dense_call(hp.plan_resize((2,), "complex64", [2])) is None
    assert dense_gradient(hp.plan_resize((2,), "complex64", [2])) is None
    assert dense_call(hp.plan_resize((2,), "float32", [0.3])) is None
    longest = MOST_BYTES // 4
    for length, small in ((longest, True), (longest + 1, False)):
        assert (dense_call(hp.plan_resize((2,), "float32", sizes=[length])) is not None) is small
        assert (dense_gradient(hp.plan_resize((length,), "float32", sizes=[2])) is not None) is small
    with pytest.raises(hp.ElementTypeError, match="HP225"):
        dense_gradient(hp.plan_resize((2,), "uint8", [2]))


def test_tensors_without_such_a_call() -> None:
    """Another shape, type or layout than the call's, and memory that does not hold the elements as they are."""
    import torch

    from halfpixel.plan.dense import dense_call
    from halfpixel.torch.tensors import run_dense

    x = torch.zeros(1, 2, 3, 4)
    call = dense_call(hp.plan_resize(x.shape, "float32", [1, 1, 2, 2]))
    assert call is not None
    shifted = torch.frombuffer(bytearray(97), dtype=torch.float32, offset=1).reshape(x.shape)
    others = {
        "shape": torch.zeros(1, 2, 4, 3),
        "rank": torch.zeros(2, 3, 4),
        "dtype": x.int(),
        "width": x.double(),
        "strided": torch.zeros(1, 2, 3, 8)[..., ::2],
        "columns": torch.zeros(1, 2, 4, 3).transpose(2, 3),
        "broadcast": torch.zeros(1, 1, 1, 1).expand(x.shape),
        "negated": torch._neg_view(x),
        "not stored": torch._efficientzerotensor(x.shape),
        "sparse": x.to_sparse(),
        "unaligned": shifted,
        "meta": x.to("meta"),
    }
    assert run_dense(call, x, 1) is not None
    for name, other in others.items():
        assert run_dense(call, other, 1) is None, name
    channels = dense_call(hp.plan_resize(x.shape, "float32", [1, 2, 2, 2], mode="linear"))
    assert channels is not None
    assert run_dense(channels, layouts(x)["rows"], 1) is not None
    assert run_dense(channels, layouts(x)["channels last"], 1) is None  # would be averaged in another order


def test_threads_are_checked() -> None:
    import torch

    import halfpixel.torch as ht

    x = torch.tensor([1.0, 2.0])
    for _ in range(2):
        for threads in (0, True, 1.5):
            with pytest.raises(ValueError, match="HP166"):
                ht.resize(x, [2], threads=threads)  # type: ignore[arg-type]
        for count in (1, 2, np.int64(2), 10**20):
            assert ht.resize(x, [2], threads=count).tolist() == [1, 1, 2, 2]  # type: ignore[arg-type]


def test_a_request_made_before_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second call finds the result by the bytes of its arguments; a list that changed is another request."""
    import torch

    import halfpixel.torch as ht
    from halfpixel.ops import resizing
    from halfpixel.torch import interpolation

    def refuse(*arguments: Any) -> None:
        raise AssertionError("looked for a plan")

    x = torch.zeros(1, 2, 3, 5)
    size, scales = [6, 5], [1.0, 1, 1, 2]
    sized = torch.zeros(1, 1, 6, 5).shape[2:]
    calls: list[Callable[[], Any]] = [
        lambda: ht.interpolate(x, size),
        lambda: ht.interpolate(x, sized),
        lambda: ht.resize(x, scales),
    ]
    shapes = [call().shape for call in calls]
    assert shapes == [(1, 2, 6, 5), (1, 2, 6, 5), (1, 2, 3, 10)]
    with monkeypatch.context() as patched:
        patched.setattr(interpolation, "_planned", refuse)
        patched.setattr(resizing, "resize_plan", refuse)
        for last in (x, x.contiguous(memory_format=torch.channels_last)):
            x = last
            assert [call().shape for call in calls] == shapes
        size[0] = 7
        with pytest.raises(AssertionError, match="plan"):
            calls[0]()
    assert calls[0]().shape == (1, 2, 7, 5)


def test_a_torch_without_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then arrays carry the calls: the same values, layouts and gradients."""
    import torch

    import halfpixel.torch as ht
    from halfpixel.torch import functions, interpolation, tensors

    def all_of(x: Any) -> list[Any]:
        y = ht.resize(x, [1, 1, 2, 3], mode="linear")
        z = ht.interpolate(x.requires_grad_(), scale_factor=2, mode="bilinear")
        (dx,) = torch.autograd.grad(z, x, torch.ones_like(z))
        return [y, z, dx, ht.depth_to_space(x.detach(), 2)]

    x = torch.arange(48.0).reshape(2, 4, 2, 3)
    expected = {name: all_of(laid.clone()) for name, laid in layouts(x).items()}
    for module in (functions, interpolation, tensors):
        for name in ("run_dense", "run_kept", "short_call"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, tensors._no_call)
    for name, laid in layouts(x).items():
        for found, wanted in zip(all_of(laid.clone()), expected[name], strict=True):
            assert torch.equal(found, wanted)
            assert found.stride() == wanted.stride()


class Table(ctypes.Structure):
    """The head of a table of functions: its version and where an older one lies."""

    _fields_ = (("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p))


def test_only_a_table_of_version_1_is_used() -> None:
    """A later table may name an older one."""
    import torch

    from halfpixel._core import tensor_calls

    make, read = ctypes.pythonapi.PyCapsule_New, ctypes.pythonapi.PyCapsule_GetPointer
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    read.restype, read.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    name = b"dlpack_exchange_api"
    own: Any = torch.Tensor.__dlpack_c_exchange_api__
    for previous, known in ((None, False), (read(own, name), True)):
        table = Table(2, 0, previous)
        calls = tensor_calls(make(ctypes.addressof(table), name, None))
        assert (calls is not None) is known
    with pytest.raises(ValueError, match="incorrect name"):
        tensor_calls(make(ctypes.addressof(table), b"dltensor", None))
