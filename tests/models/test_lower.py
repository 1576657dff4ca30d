"""Nodes said with other operators: the same bits, or the difference that rounding makes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from halfpixel._errors import ModelError
from halfpixel.models.lower import Lowered, lower
from halfpixel.onnx import Evaluator
from tests.cli.commands import halfpixel
from tests.models.builders import Node, chain, in_function, in_if, model_of, rearrange, resize, upsample
from tests.models.test_upgrade import data, operators, session

OURS = {"Resize", "Upsample", "DepthToSpace", "SpaceToDepth"}


def lowered(built: Node, to: str) -> tuple[Lowered, onnx.ModelProto]:
    """The result and its model, checked and free of our operators."""
    result = lower(model_of(built), to=to)
    proto = result.model.proto()
    onnx.checker.check_model(proto, full_check=True)
    assert not OURS & set(operators(proto))
    assert all(change.proof.outcomes[0].inputs for change in result.changes)
    return result, proto


def run(model: onnx.ModelProto, x: Any) -> Any:
    return np.asarray(session(model).run(None, {"X": x})[0])


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("lengths", [(1, 8, 2, 3), (None, 8, None, None), (1, None, None, None), (None,) * 4])
def test_depth_to_space_is_reshape_transpose_reshape(mode: str, lengths: tuple[int | None, ...]) -> None:
    built = rearrange("DepthToSpace", 13, mode=mode, x_shape=lengths)
    result, proto = lowered(built, "reshape")
    assert result.as_promised
    assert [name for name in operators(proto) if name in ("Reshape", "Transpose")] == [
        "Reshape",
        "Transpose",
        "Reshape",
    ]
    x = np.arange(48, dtype=np.float32).reshape(1, 8, 2, 3)
    y = run(proto, x)
    assert y.shape == (1, 2, 4, 6)
    # The operator's text: row r, column q of a block of channel c is channel (2 r + q) * 2 + c, or 4 c + 2 r + q.
    for c, r, q in np.ndindex(2, 2, 2):
        channel = (2 * r + q) * 2 + c if mode == "DCR" else 4 * c + 2 * r + q
        assert (y[0, c, r::2, q::2] == x[0, channel]).all()


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("lengths", [(1, 2, 4, 6), (None, 2, None, None), (None,) * 4])
def test_space_to_depth_is_reshape_transpose_reshape(mode: str, lengths: tuple[int | None, ...]) -> None:
    _, proto = lowered(rearrange("SpaceToDepth", 28, mode=mode, x_shape=lengths), "reshape")
    x = np.arange(48, dtype=np.float32).reshape(1, 2, 4, 6)
    y = np.asarray(Evaluator(proto).run(None, {"X": x})[0])
    for c, r, q in np.ndindex(2, 2, 2):
        channel = (2 * r + q) * 2 + c if mode == "DCR" else 4 * c + 2 * r + q
        assert (y[0, channel] == x[0, c, r::2, q::2]).all()


def test_whole_nearest_scales_are_expand() -> None:
    x = np.array([[[[1, 2], [3, 4]]]], np.float32)
    for lengths in ((1, 1, 2, 2), (1, 1, None, None)):
        for coordinates, nearest_mode in (("half_pixel", "round_prefer_floor"), ("asymmetric", "floor")):
            built = resize(13, scales=(1, 1, 2, 3), x_shape=lengths, nearest_mode=nearest_mode,
                           coordinate_transformation_mode=coordinates)  # fmt: skip
            result, proto = lowered(built, "reshape")
            assert "Expand" in operators(proto)
            assert result.as_promised
            assert run(proto, x)[0, 0].tolist() == [[1, 1, 1, 2, 2, 2]] * 2 + [[3, 3, 3, 4, 4, 4]] * 2


def test_nearest_is_gather() -> None:
    _, proto = lowered(resize(13, sizes=(1, 1, 1, 3), x_shape=(1, 1, 1, 5), nearest_mode="floor"), "gather")
    assert operators(proto) == ["Gather"]
    # Coordinates (i + 1/2) 5/3 - 1/2: 1/3, 2, 11/3.
    assert run(proto, np.array([[[[10, 11, 12, 13, 14]]]], np.float32)).ravel().tolist() == [10, 12, 13]


@pytest.mark.parametrize("to", ["gather", "matmul"])
def test_extrapolated_samples_take_their_value(to: str) -> None:
    mode = "nearest" if to == "gather" else "linear"
    built = resize(13, sizes=(1, 1, 1, 3), roi=(0, 0, 0, 0, 1, 1, 1, 2), mode=mode, x_shape=(1, 1, 1, 3),
                   coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9.0)  # fmt: skip
    _, proto = lowered(built, to)
    # The roi from 0 to 2 of the axis: coordinates 0, 2, 4; the last is outside.
    assert run(proto, np.array([[[[1, 2, 3]]]], np.float32)).ravel().tolist() == [1, 3, 9]


def test_extrapolated_samples_of_bfloat16() -> None:
    """NumPy carries its bits: they are no numbers to cast."""
    built = resize(13, sizes=(1, 1, 1, 3), roi=(0, 0, 0, 0, 1, 1, 1, 2), mode="linear", x_shape=(1, 1, 1, 3),
                   coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=2.5,
                   x_type=TensorProto.BFLOAT16)  # fmt: skip
    _, proto = lowered(built, "matmul")
    x = np.array([[[[1, 2, 3]]]], helper.tensor_dtype_to_np_dtype(TensorProto.BFLOAT16))
    y = np.asarray(Evaluator(proto).run(None, {"X": x})[0])
    assert y.astype(np.float32).ravel().tolist() == [1, 3, 2.5]


@pytest.mark.parametrize(
    "make",
    [
        lambda: resize(19, scales=(1, 1, 2, 2), mode="linear"),
        lambda: resize(19, scales=(1, 1, 0.6, 1.7), mode="cubic"),
        lambda: resize(19, sizes=(1, 2, 2, 3), mode="linear", antialias=1),
        lambda: resize(19, sizes=(1, 2, 3, 11), mode="cubic", antialias=1, exclude_outside=1, cubic_coeff_a=-0.5),
        lambda: resize(18, sizes=(3, 2), axes=[0, 1], mode="linear", x_shape=(4, 5, 2)),
        lambda: resize(18, sizes=(3,), axes=[0], mode="linear", x_shape=(4, 5, 2, 3)),
        lambda: resize(13, scales=(2.5,), mode="linear", x_shape=(4,)),
        lambda: upsample(9, scales=(1, 1, 1.5, 2), mode="linear"),
        lambda: resize(13, scales=(1, 1, 2, 2), mode="linear", x_shape=(None, None, 4, 6)),
    ],
)
def test_any_separable_average_is_matmuls(make: Callable[[], Node]) -> None:
    built = make()
    result, proto = lowered(built, "matmul")
    assert "MatMul" in operators(proto)
    x = data([n if isinstance(n, int) else 2 for n in built.x_shape], 5)
    expected = np.asarray(Evaluator(model_of(built)).run(None, {"X": x})[0])
    # Weights and sums in float32: a few units in the last place of the largest value.
    assert np.abs(run(proto, x) - expected).max() <= 8 * 2.0**-24 * np.abs(x).max() * 4
    assert result.changes[0].proof.difference < 1e-4


def test_integers_round_half_to_even_and_saturate() -> None:
    built = resize(13, scales=(1, 1, 1, 2), mode="linear", x_shape=(1, 1, 1, 3), x_type=TensorProto.UINT8)
    _, proto = lowered(built, "matmul")
    # 0.25 * 2 + 0.75 * 0 = 0.5 rounds to 0, 0.75 * 2 = 1.5 to 2.
    y = run(proto, np.array([[[[0, 2, 255]]]], np.uint8))
    assert y.dtype == np.uint8
    assert y.ravel().tolist() == [0, 0, 2, 65, 192, 255]
    # At -1/4 the cubic overshoots to -27, at 1/4 it is 255 (0.2617 - 0.0352).
    cubic = resize(13, scales=(1, 1, 1, 2), mode="cubic", x_shape=(1, 1, 1, 4), x_type=TensorProto.UINT8)
    _, proto = lowered(cubic, "matmul")
    assert run(proto, np.array([[[[0, 255, 255, 0]]]], np.uint8)).ravel().tolist()[:2] == [0, 58]
    bools = resize(13, scales=(1, 1, 1, 2), mode="linear", x_shape=(1, 1, 1, 2), x_type=TensorProto.BOOL)
    _, proto = lowered(bools, "matmul")
    assert run(proto, np.array([[[[True, False]]]])).ravel().tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    "make",
    [
        lambda: resize(13, scales=(1, 1, 2, 2), mode="linear"),
        lambda: resize(13, scales=(1, 1, 3, 2), mode="linear", coordinate_transformation_mode="asymmetric"),
        lambda: resize(13, scales=(1, 1, 2, 4), mode="cubic"),
        lambda: resize(13, scales=(1, 1, 3, 1), mode="nearest"),
        lambda: resize(13, scales=(1, 1, 2, 2), mode="linear", x_shape=(None, 2, None, None)),
        lambda: resize(13, scales=(1, 1, 3), mode="linear", x_shape=(2, 3, 5)),
        lambda: resize(13, sizes=(1, 2, 8, 18), mode="linear"),
        lambda: upsample(9, scales=(1, 1, 2, 2), mode="linear"),
    ],
)
def test_growth_by_whole_scales_is_a_transposed_convolution(make: Callable[[], Node]) -> None:
    built = make()
    _, proto = lowered(built, "convtranspose")
    assert operators(proto) in (["Pad", "ConvTranspose", "Slice"], ["ConvTranspose", "Slice"])
    x = data([n if isinstance(n, int) else 7 for n in built.x_shape], 6)
    expected = np.asarray(Evaluator(model_of(built)).run(None, {"X": x})[0])
    got = run(proto, x)
    assert got.shape == expected.shape
    assert np.abs(got - expected).max() <= 1e-6 * np.abs(x).max() * 4


REFUSED: list[tuple[str, Callable[[], Node], str]] = [
    ("gather", lambda: resize(13, mode="linear"), "Gather copies samples"),
    ("gather", lambda: resize(13, sizes="passed"), "not known before the model runs"),
    ("gather", lambda: rearrange("DepthToSpace"), "moves blocks"),
    ("matmul", lambda: resize(13, mode="linear", x_shape=(1, 2, None, None)), "the length of axis 2"),
    ("matmul", lambda: resize(13, mode="linear", x_type=TensorProto.INT64), "no floating-point type carries int64"),
    ("matmul", lambda: resize(10, mode="linear", x_type=TensorProto.UINT8), "upgrade the model first"),
    ("matmul", lambda: resize(13, sizes=(1, 2, 0, 6), mode="linear"), "its output is empty"),
    ("matmul", lambda: resize(13, sizes=(1, 2, 40000, 6), mode="linear", x_shape=(1, 2, 4000, 6)), "too large"),
    ("matmul", lambda: upsample(7), "no constants of integers"),
    ("reshape", lambda: resize(13, scales=(1, 1, 1.5, 2)), "does not repeat each sample equally often"),
    ("reshape", lambda: rearrange("DepthToSpace", x_shape=(1, 8, 0, 3)), "an axis of length 0"),
    ("convtranspose", lambda: resize(13, scales=(1, 1, 1.5, 2), mode="linear"), "the same between any two"),
    ("convtranspose", lambda: resize(13, coordinate_transformation_mode="align_corners", mode="linear"), "the same"),
    ("convtranspose", lambda: resize(13, mode="cubic", exclude_outside=1), "exclude_outside"),
    ("convtranspose", lambda: resize(13, scales=(2, 1, 2, 2), mode="linear"), "behind batch and channels"),
    ("convtranspose", lambda: resize(13, mode="linear", x_shape=(1, None, 4, 6)), "number of channels"),
]  # fmt: skip


@pytest.mark.parametrize(("to", "make", "reason"), REFUSED)
def test_what_a_target_cannot_say_is_refused(to: str, make: Callable[[], Node], reason: str, tmp_path: Path) -> None:
    out = tmp_path / "out.onnx"
    with pytest.raises(ModelError, match=f"cannot be said with {to}") as caught:
        lower(model_of(make()), out, to=to)
    assert caught.value.code == "HP439"
    assert reason in caught.value.given
    assert not out.exists()


def test_the_first_target_that_can_say_a_node_takes_it() -> None:
    model = chain(
        resize(13, scales=(1, 1, 2, 2), name="repeat"),
        resize(13, sizes=(1, 2, 5, 9), name="pick", x_shape=(1, 2, 8, 12)),
        resize(13, sizes=(1, 2, 3, 3), mode="linear", name="mix", x_shape=(1, 2, 5, 9)),
    )
    result = lower(model, to=["reshape", "gather", "matmul"])
    assert [change.to for change in result.changes] == ["reshape", "gather", "matmul"]
    assert not OURS & set(operators(result.model.proto()))


def test_only_the_named_nodes() -> None:
    model = chain(resize(13, name="first"), resize(13, name="second", x_shape=(1, 2, 8, 12)))
    result = lower(model, to="reshape", nodes=["second"])
    assert [change.name for change in result.changes] == ["second"]
    assert operators(result.model.proto()).count("Resize") == 1
    with pytest.raises(ModelError, match="no resize-like node 'third'"):
        lower(model, to="reshape", nodes=["third"])


@pytest.mark.parametrize("to", ["conv", "", []])
def test_a_target_that_is_none(to: Any) -> None:
    with pytest.raises(ModelError, match="no target that nodes are lowered to") as caught:
        lower(model_of(resize(13)), to=to)
    assert caught.value.code == "HP443"


def test_subgraphs() -> None:
    old = in_if(resize(13, scales=(1, 1, 2, 2), mode="linear"))
    proto = lower(old, to="matmul").model.proto()
    onnx.checker.check_model(proto, full_check=True)
    feeds = {"X": data((1, 2, 4, 6)), "condition": np.array(True)}
    expected, got = (session(model).run(None, feeds)[0] for model in (old, proto))
    assert np.abs(got - expected).max() < 1e-5


def test_functions() -> None:
    """In a function no length is known: a rearrangement computes them when the model runs."""
    old = in_function(rearrange("DepthToSpace", 13, mode="CRD"))
    proto = lower(old, to="reshape").model.proto()
    onnx.checker.check_model(proto, full_check=True)
    assert not OURS & {node.op_type for node in proto.functions[0].node}
    expected, got = (run(model, data((1, 8, 2, 3))) for model in (old, proto))
    assert got.tobytes() == expected.tobytes()


def test_a_resize_that_changes_nothing_becomes_a_name() -> None:
    proto = lower(model_of(resize(13, scales=(1, 1, 1, 1))), to="gather").model.proto()
    assert operators(proto) == ["Identity"]


def test_the_command(tmp_path: Path) -> None:
    source, out = tmp_path / "old.onnx", tmp_path / "new.onnx"
    onnx.save(model_of(resize(13, scales=(1, 1, 2, 2), mode="linear", name="grow")), source)
    ran = halfpixel("lower", source, out, "--to", "reshape,matmul")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "grow   Resize-13   2 x MatMul" in ran.stdout
    assert "differs by" in ran.stdout
    as_json = json.loads(halfpixel("lower", source, out, "--to", "convtranspose", "--node", "grow", "--json").stdout)
    assert as_json["changes"][0]["after"] == ["Pad", "ConvTranspose", "Slice"]
    assert as_json["changes"][0]["exact"] is False
    refused = halfpixel("lower", source, tmp_path / "none.onnx", "--to", "gather")
    assert (refused.returncode, "[HP439]" in refused.stderr) == (3, True)
    assert not (tmp_path / "none.onnx").exists()
