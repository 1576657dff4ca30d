"""Tensors without memory, opcheck, torch.compile, torch.export."""

from typing import Any

import pytest

pytestmark = pytest.mark.needs("module:torch")

CUBIC = ("cubic", "half_pixel", "round_prefer_floor", -0.75, True, False, 0.0, "stretch", "floor", 19, None)


def operator_calls(layout: Any, grad: bool) -> dict[str, tuple[Any, ...]]:
    """Operator -> arguments."""
    import torch

    def tensor(*shape: int) -> Any:
        return torch.randn(shape).to(memory_format=layout).requires_grad_(grad)

    x, dy, deep = tensor(2, 3, 5, 6), tensor(2, 3, 10, 3), tensor(2, 8, 4, 6)
    scales, shape = [1.0, 1.0, 2.0, 0.5], [2, 3, 5, 6]
    return {
        "resize": (x, scales, None, None, None, *CUBIC),
        "resize_grad": (dy, shape, scales, None, None, None, *CUBIC),
        "upsample": (x, [1.0, 1.0, 2.0, 2.0], None, None, "linear", 9, None),
        "upsample_grad": (dy, [2, 3, 5, 3], [1.0, 1.0, 2.0, 1.0], None, None, "linear", 9, None),
        "interpolate": (x, [10, 3], None, "linear", False, False),
        "interpolate_grad": (dy, shape, [10, 3], None, "linear", False, False),
        "depth_to_space": (deep, 2, "CRD", 13, None),
        "space_to_depth": (deep, 2, "DCR", 13, None),
    }


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("layout", ["contiguous_format", "channels_last"])
def test_opcheck(layout: str, grad: bool) -> None:
    """Schema, gradients' registration, shapes, strides and tracing with symbolic lengths."""
    import torch

    import halfpixel.torch  # noqa: F401

    for name, arguments in operator_calls(getattr(torch, layout), grad).items():
        torch.library.opcheck(getattr(torch.ops.halfpixel, name).default, arguments)


def chain(x: Any) -> Any:
    """Every function, one after the other."""
    import torch

    import halfpixel.torch as ht

    y = ht.resize(x * 2, [1, 1, 2, 0.5], mode="cubic", antialias=True)
    y = ht.upsample(ht.space_to_depth(y.sin(), 2), [1, 1, 2, 2], mode="linear")
    y = ht.interpolate(ht.depth_to_space(y, 2, mode="CRD"), scale_factor=1.5, mode="bilinear")
    return torch.cos(ht.resize(y, None, [y.shape[2] + 1, 5], axes=[2, 3]))


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile_in_one_graph(dynamic: bool) -> None:
    """fullgraph, with gradients, for lengths that change, both layouts."""
    import torch

    torch._dynamo.reset()
    compiled = torch.compile(chain, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for shape, layout in (((1, 3, 8, 8), torch.contiguous_format), ((2, 3, 6, 12), torch.channels_last)):
        x = torch.randn(shape).to(memory_format=layout).requires_grad_()
        y, expected = compiled(x), chain(x)
        torch.testing.assert_close(y, expected)
        dy = torch.randn_like(expected)
        torch.testing.assert_close(torch.autograd.grad(y, x, dy), torch.autograd.grad(expected, x, dy))


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
        operators = ("resize", "space_to_depth", "upsample", "depth_to_space", "interpolate", "resize")
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
