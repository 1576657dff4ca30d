"""Tensors without memory, opcheck, torch.compile, torch.export."""

from typing import Any

import pytest

pytestmark = pytest.mark.needs("module:torch")

RESIZE = ("half_pixel", "round_prefer_floor", -0.75)
KEPT = (0.0, "stretch", "floor", 19, None)
SHAPES = {"x": (2, 3, 5, 6), "y": (2, 3, 10, 3), "deep": (2, 8, 4, 6), "row": (2, 3, 7)}
SCALES, SIZES = [1.0, 1.0, 2.0, 0.5], [10, 3]
# name -> (operator, which of the shapes, the other arguments)
CALLS: dict[str, tuple[str, str, tuple[Any, ...]]] = {
    "nearest": ("resize", "x", (SCALES, None, None, None, "nearest", *RESIZE, False, False, *KEPT)),
    "linear": ("resize", "x", (None, SIZES, None, [2, 3], "linear", *RESIZE, False, True, *KEPT)),
    "cubic antialias": ("resize", "x", (SCALES, None, None, None, "cubic", *RESIZE, True, False, *KEPT)),
    "crop": (
        "resize",
        "x",
        (None, [4], [0.2, 1.4], [3], "linear", "tf_crop_and_resize", "floor", -0.75, False, False, 2.0, *KEPT[1:]),
    ),
    "lengths rounded": (
        "resize",
        "row",
        ([1.0, 1.0, 0.5], *(None,) * 3, "linear", *RESIZE, False, False, 0.0, "stretch", "round", 19, 1),
    ),
    "resize 10": (
        "resize",
        "x",
        (SCALES, None, None, None, "nearest", *RESIZE, False, False, 0.0, "stretch", "floor", 10, None),
    ),
    "gradient": ("resize_grad", "y", ([2, 3, 5, 6], SCALES, None, None, None, "cubic", *RESIZE, True, False, *KEPT)),
    "upsample": ("upsample", "x", ([1.0, 1.0, 2.0, 2.0], None, None, "linear", 9, None)),
    "upsample 1": ("upsample", "x", (None, 2.0, 1.5, "nearest", 1, None)),
    "upsample gradient": ("upsample_grad", "y", ([2, 3, 5, 3], [1.0, 1.0, 2.0, 1.0], None, None, "linear", 9, None)),
    **{
        f"interpolate {mode}{' by factors' * bool(factors)}{' antialias' * antialias}": (
            "interpolate",
            "x",
            (SIZES, factors, mode, False, antialias),
        )
        for mode, factors, antialias in (
            ("nearest", None, False),
            ("nearest-exact", [2.0, 0.5], False),
            ("linear", None, False),
            ("linear", None, True),
            ("cubic", [2.0, 0.5], False),
            ("cubic", None, True),
            ("area", None, False),
        )
    },
    "interpolate linear aligned": ("interpolate", "row", ([4], None, "linear", True, False)),
    "interpolate gradient": ("interpolate_grad", "y", ([2, 3, 5, 6], SIZES, None, "area", False, False)),
    "depth_to_space": ("depth_to_space", "deep", (2, "CRD", 13, None)),
    "space_to_depth": ("space_to_depth", "deep", (2, "DCR", 13, None)),
}


def tensor_for(name: str, dtype: str, layout: str = "contiguous_format", grad: bool = False) -> Any:
    """The tensor of a call."""
    import torch

    shape = SHAPES[CALLS[name][1]]
    x = (torch.randn(shape, generator=torch.Generator().manual_seed(2)) * 20).to(getattr(torch, dtype))
    return (x.to(memory_format=getattr(torch, layout)) if len(shape) == 4 else x).requires_grad_(grad)


def operator_of(name: str) -> Any:
    import torch

    import halfpixel.torch  # noqa: F401

    return getattr(torch.ops.halfpixel, CALLS[name][0]).default


@pytest.mark.parametrize("layout", ["contiguous_format", "channels_last"])
@pytest.mark.parametrize("name", CALLS)
def test_opcheck(name: str, layout: str) -> None:
    """Schema, gradients' registration, shapes, strides and tracing with symbolic lengths."""
    import torch

    torch.library.opcheck(operator_of(name), (tensor_for(name, "float32", layout, True), *CALLS[name][2]))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "complex64"])
@pytest.mark.parametrize("name", [name for name in CALLS if "gradient" not in name and name != "upsample 1"])
def test_opcheck_of_every_kind_of_element(name: str, dtype: str) -> None:
    """Without a gradient: the same checks."""
    import torch

    x = tensor_for(name, dtype)
    torch.library.opcheck(operator_of(name), (x, *CALLS[name][2]))
    assert operator_of(name)(x, *CALLS[name][2]).dtype == x.dtype


def chain(x: Any) -> Any:
    """Every function, one after the other."""
    import torch

    import halfpixel.torch as ht

    y = ht.resize(x * 2, [1, 1, 2, 0.5], mode="cubic", antialias=True)
    y = ht.upsample(ht.space_to_depth(y.sin(), 2), [1, 1, 2, 2], mode="linear")
    y = ht.interpolate(ht.depth_to_space(y, 2, mode="CRD"), scale_factor=1.5, mode="bilinear")
    y = ht.interpolate(y, size=(5, 6), mode="area")
    return torch.cos(ht.resize(y, None, [y.shape[2] + 1, 5], axes=[2, 3]))


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compile_in_one_graph(backend: str, dynamic: bool) -> None:
    """fullgraph, with gradients, for lengths that change, both layouts; inductor compiles what stands between."""
    import torch
    from torch._inductor import config, metrics

    torch._dynamo.reset()
    metrics.reset()
    compiled = torch.compile(chain, fullgraph=True, dynamic=dynamic, backend=backend)
    # Processes that compile beside this one cost more than they save, and a cache would let nothing be compiled.
    with config.patch(compile_threads=1, force_disable_caches=True):
        for shape, layout in (((1, 3, 8, 8), torch.contiguous_format), ((2, 3, 6, 12), torch.channels_last)):
            x = torch.randn(shape).to(memory_format=layout).requires_grad_()
            y, expected = compiled(x), chain(x)
            torch.testing.assert_close(y, expected)
            assert y.stride() == expected.stride()
            dy = torch.randn_like(expected)
            torch.testing.assert_close(torch.autograd.grad(y, x, dy), torch.autograd.grad(expected, x, dy))
    assert (metrics.generated_kernel_count > 0) == (backend == "inductor")


def test_dynamic_lengths_compile_once() -> None:
    """Other lengths run what the first call compiled."""
    import torch
    from torch._dynamo.testing import CompileCounterWithBackend

    torch._dynamo.reset()
    counter: Any = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(chain, fullgraph=True, dynamic=True, backend=counter)
    counts = []
    for height, width in ((8, 12), (6, 16), (10, 20)):
        x = torch.randn(2, 3, height, width)
        torch.testing.assert_close(compiled(x), chain(x))
        counts.append(counter.frame_count)
    assert counts[1:] == counts[:-1]


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float16"])
def test_compiled_by_inductor_without_gradients(dtype: str) -> None:
    """Every mode in one graph, on elements that have no gradient in torch; the same bits."""
    import torch
    from torch._inductor import config

    import halfpixel.torch as ht

    def modes(x: Any) -> Any:
        results = [ht.interpolate(x, (3, 9), mode=mode) for mode in ("nearest", "nearest-exact", "area", "bicubic")]
        results += [ht.interpolate(x, (3, 9), mode=mode, antialias=True) for mode in ("bilinear", "bicubic")]
        return [*results, ht.resize(x, [1, 1, 2, 2], mode="linear"), ht.upsample(x, [1, 1, 2, 3])]

    x = (torch.randn(1, 2, 7, 6, generator=torch.Generator().manual_seed(3)) * 50).to(getattr(torch, dtype))
    torch._dynamo.reset()
    with config.patch(compile_threads=1):
        compiled = torch.compile(modes, fullgraph=True)(x)
    assert all(torch.equal(y, expected) for y, expected in zip(compiled, modes(x), strict=True))


def test_a_length_rule_holds_for_symbolic_lengths() -> None:
    """5, 6 and 7 by 3/4 are 3.75, 4.5 and 5.25: rounded half up 4, 5, 5, where the standard's floor has 3, 4, 5."""
    import torch

    import halfpixel.torch as ht

    def length(x: Any) -> Any:
        y = ht.resize(x, [0.75], axes=[1], like="opencv")
        return y[0, 0] * 0 + y.shape[1]

    torch._dynamo.reset()
    compiled = torch.compile(length, fullgraph=True, dynamic=True, backend="aot_eager")
    for count, expected in ((5, 4), (6, 5), (7, 5)):
        assert compiled(torch.ones(2, count)) == length(torch.ones(2, count)) == expected


def test_compile_of_torch_func() -> None:
    import torch

    def loss(x: Any) -> Any:
        return chain(x).sum()

    x = torch.randn(1, 3, 8, 8)
    compiled = torch.compile(torch.func.grad(loss), backend="aot_eager")
    torch.testing.assert_close(compiled(x), torch.func.grad(loss)(x))


def test_export_keeps_the_operators() -> None:
    """Static and with lengths that stay symbolic."""
    import torch
    from torch.export import Dim, export

    class Model(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return chain(x)

    x, other = torch.randn(1, 3, 8, 8), torch.randn(1, 3, 6, 12)
    symbolic = {2: 2 * Dim("h", min=2, max=32), 3: 4 * Dim("w", min=2, max=32)}
    for dynamic, inputs in ((None, [x]), ({"x": symbolic}, [x, other])):
        program = export(Model(), (x,), dynamic_shapes=dynamic)
        names = [str(node.target) for node in program.graph.nodes if "halfpixel" in str(node.target)]
        operators = ("resize", "space_to_depth", "upsample", "depth_to_space", "interpolate", "interpolate", "resize")
        assert names == [f"halfpixel.{name}.default" for name in operators]
        for tensor in inputs:
            torch.testing.assert_close(program.module()(tensor), chain(tensor))


def test_meta_tensors_have_shapes() -> None:
    """Policies and crops too; a wrong request is refused as on the CPU."""
    import torch

    import halfpixel.torch as ht

    x = torch.empty(1, 3, 10, 20, device="meta")
    fit = {"axes": [2, 3], "keep_aspect_ratio_policy": "not_larger"}
    crop = {"coordinate_transformation_mode": "tf_crop_and_resize", "axes": [3], "roi": [0.0, 0.5]}
    assert ht.resize(x, None, [5, 5], **fit).shape == (1, 3, 3, 5)
    assert ht.resize(x, [2.0], **crop).shape == (1, 3, 10, 20)
    assert ht.upsample(x, height_scale=2, width_scale=1.5, version=1).shape == (1, 3, 20, 30)
    assert ht.interpolate(x, scale_factor=0.7).shape == (1, 3, 7, 14)
    with pytest.raises(ValueError, match="HP105"):
        ht.resize(x, [2.0])


def test_jit_trace_does_not_freeze_the_result() -> None:
    import torch

    import halfpixel.torch as ht

    with pytest.warns(DeprecationWarning, match="torch.jit.trace"):
        traced: Any = torch.jit.trace(lambda x: ht.resize(x, [2], mode="linear"), torch.zeros(2))
    assert traced(torch.tensor([1.0, 2.0])).tolist() == [1, 1.25, 1.75, 2]


def test_out_cannot_be_compiled() -> None:
    import torch

    import halfpixel.torch as ht

    def call(x: Any) -> Any:
        return ht.resize(x, [2], out=torch.empty(4))

    with pytest.raises(Exception, match="HP223"):
        torch.compile(call, fullgraph=True, backend="eager")(torch.zeros(2))


def test_a_wrong_call_keeps_its_text_when_compiled() -> None:
    """torch wraps what an operator refuses while it is traced."""
    import torch

    import halfpixel.torch as ht

    x = torch.zeros(1, 1, 4)
    for call, code in ((lambda x: ht.resize(x, [2]), "HP105"), (lambda x: ht.interpolate(x, 2, 2), "HP104")):
        with pytest.raises(Exception, match=code):
            torch.compile(call, fullgraph=True, backend="eager")(x)
