"""torch.onnx.export: one node of the standard for each call, and onnxruntime's numbers are ours."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.needs("module:torch", "module:onnxscript", "module:onnxruntime")

CALLS: list[Callable[[Any, Any], Any]] = [
    lambda ht, x: ht.resize(x, [1, 1, 2, 0.5], mode="cubic", cubic_coeff_a=-0.6),
    lambda ht, x: ht.resize(x, None, [5, 9], axes=[2, 3], mode="linear", antialias=True, exclude_outside=True),
    lambda ht, x: ht.resize(x, [1, 1, 1.7, 0.6], mode="linear", coordinate_transformation_mode="half_pixel_symmetric"),
    lambda ht, x: ht.resize(x, [1, 1, 1.7, 3], version=10),
    lambda ht, x: ht.resize(
        x, [1, 1, 0.6, 1.5], coordinate_transformation_mode="tf_half_pixel_for_nn", nearest_mode="floor", version=11
    ),
    lambda ht, x: ht.upsample(x, height_scale=2, width_scale=3, mode="bilinear", version=1),
    lambda ht, x: ht.interpolate(x, scale_factor=1.5),
    lambda ht, x: ht.interpolate(x, scale_factor=(0.5, 1.25), mode="nearest-exact"),
    lambda ht, x: ht.interpolate(x, size=(5, 7), mode="bicubic"),
    lambda ht, x: ht.interpolate(x, size=(9, 7), mode="bilinear", align_corners=True),
    lambda ht, x: ht.interpolate(x, scale_factor=2, mode="bilinear"),
    lambda ht, x: ht.interpolate(x, size=(3, 7), mode="bilinear", antialias=True),
    lambda ht, x: ht.interpolate(x, scale_factor=0.5, mode="bicubic", antialias=True),
    lambda ht, x: ht.resize(x, [1, 1, 2, 3], like="opencv", mode="cubic"),
    lambda ht, x: ht.depth_to_space(x, 2, mode="CRD"),
    lambda ht, x: ht.space_to_depth(x, 2),
]


def exported(calls: list[Callable[[Any, Any], Any]], x: Any, dynamic: Any = None) -> Any:
    """The ONNX model of a module that returns the result of each call."""
    import torch

    import halfpixel.torch as ht

    class Model(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return tuple(call(ht, x) for call in calls)

    program: Any = torch.onnx.export(
        Model(),
        (x,),
        dynamo=True,
        opset_version=19,
        custom_translation_table=ht.onnx_translation_table(),
        dynamic_shapes=dynamic,
        verbose=False,
    )
    return program.model_proto


@pytest.mark.parametrize("dynamic", [False, True])
def test_one_node_a_call_and_the_same_numbers(dynamic: bool) -> None:
    import onnx
    import onnxruntime
    import torch
    from torch.export import Dim

    import halfpixel.torch as ht

    x = torch.randn(1, 4, 8, 12)
    symbolic = {"x": {2: 2 * Dim("h", min=2, max=32), 3: 4 * Dim("w", min=2, max=32)}} if dynamic else None
    model = exported(CALLS, x, symbolic)
    onnx.checker.check_model(model, full_check=True)
    names = [node.op_type for node in model.graph.node if node.op_type not in ("Constant",)]
    assert names == ["Resize"] * 14 + ["DepthToSpace", "SpaceToDepth"]
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for tensor in [x, torch.randn(1, 4, 6, 16)] if dynamic else [x]:
        results = session.run(None, {"x": tensor.numpy()})
        for number, (call, result) in enumerate(zip(CALLS, results, strict=True)):
            ours = call(ht, tensor).numpy()
            np.testing.assert_allclose(result, ours, rtol=1e-5, atol=1e-5, err_msg=f"call {number}")


def run(model: Any, x: Any) -> Any:
    """onnxruntime's result."""
    import onnxruntime

    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x.numpy()})


ELEMENTS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("float16", lambda ht, x: ht.interpolate(x, scale_factor=2, mode="bilinear")),
    ("float16", lambda ht, x: ht.resize(x, [1, 1, 0.5, 1.5])),
    ("int32", lambda ht, x: ht.interpolate(x, size=(3, 5))),
    ("uint8", lambda ht, x: ht.resize(x, [1, 1, 0.5, 1.5])),
    ("uint8", lambda ht, x: ht.depth_to_space(x, 2)),
    ("float64", lambda ht, x: ht.space_to_depth(x, 2)),
]


@pytest.mark.parametrize(("dtype", "call"), ELEMENTS)
def test_other_elements(dtype: str, call: Callable[[Any, Any], Any]) -> None:
    """One node too; these are the elements and modes for which onnxruntime has exact kernels."""
    import torch

    import halfpixel.torch as ht

    x = (torch.randn(1, 4, 6, 4, generator=torch.Generator().manual_seed(1)) * 40).to(getattr(torch, dtype))
    model = exported([call], x)
    assert [node.op_type for node in model.graph.node if node.op_type != "Constant"][1:] == []
    (result,) = run(model, x)
    np.testing.assert_allclose(result, call(ht, x).numpy(), rtol=1e-3, atol=0)


# shape, size, dtype, nodes
AREAS: list[tuple[tuple[int, ...], tuple[int, ...], str, list[str]]] = [
    ((1, 2, 8, 12), (4, 3), "float32", ["AveragePool"]),
    ((1, 2, 8, 12), (5, 17), "float32", ["Einsum"]),
    ((2, 1, 7, 5, 9), (3, 5, 12), "float64", ["Einsum"]),
    ((1, 1, 2, 3, 4, 4), (2, 3, 2, 2), "float32", ["Einsum"]),
    ((1, 2, 10), (4,), "float16", ["Cast", "Einsum", "Cast"]),
    ((1, 2, 10), (4,), "int16", ["Cast", "Einsum", "Round", "Cast"]),
    ((1, 2, 10), (4,), "bool", ["Cast", "Einsum", "GreaterOrEqual"]),
]


@pytest.mark.parametrize(("shape", "size", "dtype", "nodes"), AREAS)
def test_area(shape: tuple[int, ...], size: tuple[int, ...], dtype: str, nodes: list[str]) -> None:
    """One node, and conversions around it where torch has no mean of the element type."""
    import torch

    import halfpixel.torch as ht

    def call(ht: Any, x: Any) -> Any:
        return ht.interpolate(x, size, mode="area")

    x = (torch.randn(shape, generator=torch.Generator().manual_seed(1)) * 40).to(getattr(torch, dtype))
    model = exported([call], x)
    assert [node.op_type for node in model.graph.node if node.op_type != "Constant"] == nodes
    (result,) = run(model, x)
    ours = call(ht, x).numpy()
    assert result.dtype == ours.dtype
    np.testing.assert_allclose(result, ours, rtol=1e-5, atol=1e-5)


def test_area_of_lengths_that_stay_open() -> None:
    """The weights are computed in the graph, as the kernel computes them."""
    import torch
    from torch.export import Dim

    import halfpixel.torch as ht

    calls: list[Callable[[Any, Any], Any]] = [
        lambda ht, x: ht.interpolate(x, scale_factor=(0.5, 0.75), mode="area"),
        lambda ht, x: ht.interpolate(x, size=(3, 5), mode="area"),
        lambda ht, x: ht.interpolate(x, size=(x.shape[2] + 1, 20), mode="area"),
    ]
    x = torch.randn(1, 2, 8, 12)
    model = exported(calls, x, {"x": {2: 2 * Dim("h", min=2, max=32), 3: 4 * Dim("w", min=2, max=32)}})
    for tensor in (x, torch.randn(1, 2, 6, 16)):
        for call, result in zip(calls, run(model, tensor), strict=True):
            np.testing.assert_allclose(result, call(ht, tensor).numpy(), rtol=1e-5, atol=1e-6)


def test_space_to_depth_in_crd_needs_one_more_node() -> None:
    """SpaceToDepth has no mode before opset 28."""
    import onnxruntime
    import torch

    x = torch.randn(1, 3, 4, 4)
    model = exported([lambda ht, x: ht.space_to_depth(x, 2, mode="CRD")], x)
    assert [node.op_type for node in model.graph.node] == ["SpaceToDepth", "Gather"]
    (result,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x.numpy()})
    np.testing.assert_array_equal(result, torch.nn.functional.pixel_unshuffle(x, 2).numpy())


def test_a_trained_net_runs_in_onnxruntime() -> None:
    """A small super-resolution net learns to double a picture, is exported, and gives the same numbers."""
    import onnxruntime
    import torch

    import halfpixel.torch as ht

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.details = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3, padding=1), ht.PixelShuffle(2))
            self.smooth = ht.Resize([1, 1, 2, 2], mode="linear")

        def forward(self, x: Any) -> Any:
            return self.smooth(x) + self.details(x)

    torch.manual_seed(0)
    net = Net()
    large = torch.randn(4, 1, 12, 12).cumsum(2).cumsum(3) / 8
    small = ht.interpolate(large, scale_factor=0.5, mode="bilinear", antialias=True)
    optimizer = torch.optim.Adam(net.parameters(), 0.02)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = ((net(small) - large) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2
    table = ht.onnx_translation_table()
    program: Any = torch.onnx.export(
        net.eval(), (small,), dynamo=True, opset_version=19, custom_translation_table=table, verbose=False
    )
    model = program.model_proto
    assert sorted(node.op_type for node in model.graph.node) == ["Add", "Conv", "DepthToSpace", "Resize"]
    (result,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": small.numpy()})
    np.testing.assert_allclose(result, net(small).detach().numpy(), rtol=1e-5, atol=1e-5)


NO_NODE: dict[str, Callable[[Any, Any], Any]] = {
    "align_corners": lambda ht, x: ht.interpolate(x, 3, mode="bilinear", align_corners=True, antialias=True),
    "rounds growing axes down": lambda ht, x: ht.resize(x, [1, 1, 2, 0.5], version=10),
    "tf_half_pixel_for_nn": lambda ht, x: ht.resize(
        x, [1, 1, 2, 2], mode="linear", coordinate_transformation_mode="tf_half_pixel_for_nn", version=11
    ),
    "in float32": lambda ht, x: ht.interpolate(x, scale_factor=(0.7, 0.75), mode="bilinear"),
    "a length rule 'round'": lambda ht, x: ht.resize(x, [1, 1, 1, 0.7], like="opencv"),
}


@pytest.mark.parametrize("case", NO_NODE)
def test_what_no_node_can_say_is_refused(case: str) -> None:
    """10 * 0.7 is 7 for torch and 6 for ONNX; 11 * 0.75 keeps sizes from saying the same."""
    import torch

    with pytest.raises(torch.onnx.OnnxExporterError) as caught:
        exported([NO_NODE[case]], torch.zeros(1, 1, 10, 11))
    cause: BaseException = caught.value
    while cause.__cause__ is not None:
        cause = cause.__cause__
    assert isinstance(cause, NotImplementedError)
    assert "HP197" in str(cause)
    assert case in str(cause)


def test_the_exporter_s_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    import halfpixel
    import halfpixel.torch as ht

    monkeypatch.setitem(sys.modules, "onnxscript", None)
    with pytest.raises(halfpixel.MissingExtraError, match="pip install onnxscript"):
        ht.onnx_translation_table()
