"""run_node: the version that the opset picks, and inputs and attributes as a model holds them."""

from typing import Any

import numpy as np
import pytest

import halfpixel as hp

X = np.array([1, 2], np.float32)
IMAGE = np.array([[[[1, 2], [3, 4]]]], np.float32)
TWO = np.array([2], np.float32)
NOTHING = np.empty(0, np.float32)
DOUBLED = np.array([1, 1, 2, 2], np.float32)
# 1 2 / 3 4 doubled in linear mode by x / 2.
ASYMMETRIC = [1, 1.5, 2, 2, 2, 2.5, 3, 3, 3, 3.5, 4, 4, 3, 3.5, 4, 4]


def resize(*inputs: Any, opset: int = 19, strict: bool = True, **attributes: Any) -> Any:
    return hp.run_node("Resize", list(inputs), attributes, opset=opset, strict=strict)


@pytest.mark.parametrize(
    ("opset", "expected"), [(10, [1, 1.5, 2, 2]), (11, [1, 1.25, 1.75, 2]), (12, [1, 1.25, 1.75, 2])]
)
def test_the_opset_picks_the_version(opset: int, expected: list[float]) -> None:
    """Resize-10 is x / scale, Resize-11 is half_pixel; there is no Resize-12."""
    inputs = [X, TWO] if opset == 10 else [X, NOTHING, TWO]
    assert resize(*inputs, opset=opset, mode="linear").tolist() == expected


def test_an_opset_of_the_future_picks_the_newest_version() -> None:
    assert resize(X, None, TWO, opset=1000).tolist() == [1, 1, 2, 2]


def test_none_and_empty_tensors_are_absent() -> None:
    """An empty tensor is absent whatever it would be made of."""
    size = np.array([4])
    assert resize(X, np.empty(0, np.int8), np.empty(0), size).tolist() == [1, 1, 2, 2]
    for roi in (None, NOTHING):
        for scales in (None, NOTHING):
            assert resize(X, roi, scales, size).tolist() == [1, 1, 2, 2]
        for sizes in (None, np.empty(0, np.int64)):
            assert resize(X, roi, TWO, sizes).tolist() == [1, 1, 2, 2]


def test_inputs_at_the_end_may_be_left_out() -> None:
    assert resize(X, None, TWO).tolist() == [1, 1, 2, 2]
    with pytest.raises(hp.SpecError, match="HP103"):
        resize(X)


def test_for_rank_0_an_empty_tensor_is_the_value() -> None:
    x = np.array(7, np.float32)
    y = resize(x, None, NOTHING)
    assert (y.shape, y.item()) == ((), 7)
    with pytest.raises(hp.SpecError, match="HP103"):
        resize(x, None, None)


def test_an_explicit_empty_axes_is_no_axis() -> None:
    """A copy, whatever the mode; scales has no value to give."""
    y = resize(IMAGE, None, NOTHING, mode="cubic", axes=[])
    assert y.tolist() == IMAGE.tolist()
    assert not np.shares_memory(y, IMAGE)
    with pytest.raises(hp.SpecError, match="HP105"):
        resize(IMAGE, None, DOUBLED, axes=[])


def test_resize_11_lists_roi_and_scales() -> None:
    """They may be empty there, not missing; with 13 they became optional."""
    assert resize(X, NOTHING, TWO, opset=11).tolist() == [1, 1, 2, 2]
    assert resize(X, None, TWO, opset=11).tolist() == [1, 1, 2, 2]
    with pytest.raises(hp.SpecError, match="HP182") as caught:
        resize(X, NOTHING, opset=11)
    assert caught.value.sentence == "Resize-11 takes 3 to 4 inputs"


def test_upsample_1_has_two_attributes() -> None:
    attributes = {"mode": "bilinear", "height_scale": 2.0, "width_scale": 2.0}
    assert hp.run_node("Upsample", [IMAGE], attributes, opset=6).ravel().tolist() == ASYMMETRIC


def test_upsample_7_has_scales_as_an_attribute() -> None:
    attributes = {"mode": "linear", "scales": [1.0, 1.0, 2.0, 2.0]}
    assert hp.run_node("Upsample", [IMAGE], attributes, opset=8).ravel().tolist() == ASYMMETRIC


@pytest.mark.parametrize("opset", [9, 10, 28])
def test_upsample_9_has_scales_as_an_input(opset: int) -> None:
    """Version 10 is deprecated and read as 9."""
    assert hp.run_node("Upsample", [IMAGE, DOUBLED], {"mode": "linear"}, opset=opset).ravel().tolist() == ASYMMETRIC


def test_the_rearrangements() -> None:
    deep = np.arange(8, dtype=np.int16).reshape(1, 8, 1, 1)
    wide = hp.run_node("DepthToSpace", [deep], {"blocksize": 2, "mode": "CRD"}, opset=11)
    assert wide.tolist() == [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]
    wide = hp.run_node("DepthToSpace", [deep], {"blocksize": 2}, opset=1)
    assert wide.tolist() == [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]]
    assert hp.run_node("SpaceToDepth", [wide], {"blocksize": 2}, opset=13).tolist() == deep.tolist()
    crd = hp.run_node("SpaceToDepth", [wide], {"blocksize": 2, "mode": "CRD"}, opset=28)
    assert crd.ravel().tolist() == [0, 2, 4, 6, 1, 3, 5, 7]


def test_attributes_as_a_model_holds_them() -> None:
    """bytes for text, NumPy scalars for numbers, booleans and integers for flags, any sequence for a list."""
    assert resize(X, None, TWO, mode=b"linear").tolist() == [1, 1.25, 1.75, 2]
    assert resize(X, None, TWO, mode=np.str_("linear"), exclude_outside=np.int64(0), antialias=True).tolist() == [
        1,
        1.25,
        1.75,
        2,
    ]
    assert resize(X[None], None, TWO, axes=(np.int64(-1),)).tolist() == [[1, 1, 2, 2]]
    assert resize(X[None], None, TWO, axes=np.array([1])).tolist() == [[1, 1, 2, 2]]
    cropped = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 9}
    roi = np.array([0, 2], np.float64)
    assert resize(X, roi, None, np.array([3]), **cropped).tolist() == [1, 2, 9]


def test_no_attributes() -> None:
    assert hp.run_node("Resize", [X, None, TWO], None, opset=19).tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize("roi_type", [np.float16, np.float32, np.float64])
def test_the_types_of_roi(roi_type: Any) -> None:
    roi = np.array([0, 1], roi_type)
    y = resize(X, roi, None, np.array([3]), mode="linear", coordinate_transformation_mode="tf_crop_and_resize")
    assert y.tolist() == [1, 1.5, 2]


@pytest.mark.needs("module:torch")
def test_what_comes_in_decides_what_goes_out() -> None:
    import torch

    y = hp.run_node("Resize", [torch.tensor([1.0, 2.0]), None, torch.tensor([2.0])], {}, opset=19)
    assert isinstance(y, torch.Tensor)
    assert y.tolist() == [1, 1, 2, 2]


def test_strict_refuses_an_attribute_of_a_later_version() -> None:
    """Even at its default: a node of version 13 that has it is not valid."""
    with pytest.raises(hp.SpecError, match="Resize-18") as caught:
        resize(X, None, TWO, opset=13, antialias=0)
    assert caught.value.code == "HP113"
    with pytest.raises(hp.SpecError, match=r"HP113.*Resize-19"):
        resize(X, None, TWO, opset=18, coordinate_transformation_mode="half_pixel_symmetric")
    with pytest.raises(hp.SpecError, match=r"HP113.*SpaceToDepth-28"):
        hp.run_node("SpaceToDepth", [IMAGE], {"blocksize": 2, "mode": "DCR"}, opset=13)
    with pytest.raises(hp.SpecError, match=r"HP113.*Resize-11"):
        resize(X, TWO, opset=10, coordinate_transformation_mode="asymmetric")


def test_not_strict_takes_what_has_a_plain_meaning() -> None:
    x = np.arange(4, dtype=np.float32)
    half = np.array([0.5], np.float32)
    assert resize(x, None, half, opset=13, strict=False, mode="linear", antialias=1).tolist() == [0.625, 2.375]
    symmetric = {"coordinate_transformation_mode": "half_pixel_symmetric"}
    assert resize(x, None, half, opset=18, strict=False, mode="linear", **symmetric).tolist() == [0.5, 2.5]
    for_nn = {"coordinate_transformation_mode": "tf_half_pixel_for_nn"}
    assert resize(x, None, half, opset=19, strict=False, **for_nn).tolist() == [1, 3]
    assert resize(x[None], None, half, opset=11, strict=False, axes=[1]).tolist() == [[0, 2]]
    crd = hp.run_node("SpaceToDepth", [IMAGE], {"blocksize": 2, "mode": "CRD"}, opset=13, strict=False)
    assert crd.ravel().tolist() == [1, 2, 3, 4]


def test_not_strict_is_not_blind() -> None:
    """Unknown names, and attributes that contradict the version's inputs, stay errors."""
    with pytest.raises(hp.SpecError, match="HP180"):
        resize(X, None, TWO, strict=False, scale=2)
    with pytest.raises(hp.SpecError, match="HP113"):
        hp.run_node("Upsample", [X, TWO], {"scales": [2.0]}, opset=9, strict=False)


def error(call: Any) -> hp.HalfpixelError:
    with pytest.raises(hp.HalfpixelError) as caught:
        call()
    return caught.value


def test_message_of_an_unknown_operator() -> None:
    found = error(lambda: hp.run_node("Rescale", [X], {}, opset=19))
    assert (type(found), found.code) == (hp.SpecError, "HP100")


@pytest.mark.parametrize("opset", [0, -1, 9, 19.0, "19", True, None])
def test_message_of_an_opset_without_the_operator(opset: Any) -> None:
    """Resize came with opset 10."""
    found = error(lambda: resize(X, None, TWO, opset=opset))
    assert (type(found), found.code) == (hp.SpecError, "HP102")


def test_message_of_an_unknown_attribute() -> None:
    found = error(lambda: resize(X, None, TWO, modus="linear"))
    assert str(found) == (
        "[HP180] Resize-19 has no attribute 'modus'\n"
        "  given:   'modus'='linear'\n"
        "  allowed: mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, exclude_outside, "
        "extrapolation_value, antialias, axes, keep_aspect_ratio_policy\n"
        "  do:      drop it, or correct its spelling"
    )


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("mode", 1, "a string"),
        ("mode", b"\xff", "a string"),
        ("mode", ["linear"], "a string"),
        ("antialias", 1.0, "an integer"),
        ("antialias", "1", "an integer"),
        ("antialias", [1], "an integer"),
        ("antialias", None, "an integer"),
        ("cubic_coeff_a", "-0.5", "a real number"),
        ("cubic_coeff_a", True, "a real number"),
        ("cubic_coeff_a", [0.5], "a real number"),
        ("axes", 0, "a list of integers"),
        ("axes", [0.0], "a list of integers"),
        ("axes", "0", "a list of integers"),
    ],
)
def test_message_of_an_attribute_of_another_type(name: str, value: Any, kind: str) -> None:
    found = error(lambda: resize(X, None, TWO, **{name: value}))
    assert (type(found), found.code) == (hp.SpecError, "HP181")
    assert found.sentence == f"the attribute {name!r} of Resize-19 is {kind}"
    assert f"of type {type(value).__name__}" in found.given


@pytest.mark.parametrize(("scales", "code"), [(2.0, "HP181"), (["2"], "HP181"), ([0.5], "HP108"), ([], "HP122")])
def test_message_of_upsample_7_scales(scales: Any, code: str) -> None:
    found = error(lambda: hp.run_node("Upsample", [X], {"scales": scales}, opset=7))
    assert (type(found), found.code) == (hp.SpecError, code)


@pytest.mark.parametrize("attributes", [[("mode", "linear")], "mode", 3])
def test_message_of_attributes_without_names(attributes: Any) -> None:
    found = error(lambda: hp.run_node("Resize", [X, None, TWO], attributes, opset=19))
    assert (type(found), found.code) == (hp.SpecError, "HP181")


def test_message_of_an_attribute_without_a_name() -> None:
    found = error(lambda: hp.run_node("Resize", [X, None, TWO], {3: 4}, opset=19))
    assert (type(found), found.code) == (hp.SpecError, "HP180")


@pytest.mark.parametrize(
    ("op_type", "opset", "attributes", "missing"),
    [
        ("DepthToSpace", 13, {}, "blocksize"),
        ("SpaceToDepth", 28, {"mode": "DCR"}, "blocksize"),
        ("Upsample", 1, {"height_scale": 2.0}, "width_scale"),
        ("Upsample", 7, {}, "scales"),
    ],
)
def test_message_of_a_missing_attribute(op_type: str, opset: int, attributes: dict[str, Any], missing: str) -> None:
    found = error(lambda: hp.run_node(op_type, [IMAGE], attributes, opset=opset))
    assert (type(found), found.code) == (hp.SpecError, "HP122")
    assert repr(missing) in found.sentence


@pytest.mark.parametrize(
    ("op_type", "opset", "inputs", "count"),
    [
        ("Resize", 10, [X], "2"),
        ("Resize", 10, [X, TWO, TWO], "2"),
        ("Resize", 11, [X, None], "3 to 4"),
        ("Resize", 19, [], "1 to 4"),
        ("Resize", 19, [X, None, TWO, None, None], "1 to 4"),
        ("Resize", 19, X, "1 to 4"),
        ("Resize", 19, None, "1 to 4"),
        ("Upsample", 7, [X, TWO], "1"),
        ("Upsample", 9, [X], "2"),
        ("DepthToSpace", 13, [], "1"),
    ],
)
def test_message_of_a_wrong_number_of_inputs(op_type: str, opset: int, inputs: Any, count: str) -> None:
    needed = {"DepthToSpace": {"blocksize": 2}, "Upsample": {"scales": [2.0]} if opset == 7 else {}}
    found = error(lambda: hp.run_node(op_type, inputs, needed.get(op_type, {}), opset=opset))
    assert (type(found), found.code) == (hp.SpecError, "HP182")
    assert found.sentence == f"{op_type}-{opset} takes {count} input{'' if count == '1' else 's'}"


def test_message_of_no_data() -> None:
    found = error(lambda: resize(None, None, TWO))
    assert (type(found), found.code) == (hp.SpecError, "HP183")
    assert found.sentence == "Resize-19 needs its first input, 'X'"


@pytest.mark.parametrize("scales", [np.float32(2), np.array(2, np.float32), np.array([[2]], np.float32)])
def test_message_of_an_input_of_another_rank(scales: Any) -> None:
    found = error(lambda: resize(X, None, scales))
    assert (type(found), found.code) == (hp.SpecError, "HP184")
    assert found.sentence == "the input 'scales' of Resize-19 is one-dimensional"


@pytest.mark.parametrize(
    ("inputs", "name"),
    [
        ([X, None, np.array([2], np.float64)], "scales"),
        ([X, None, np.array([2], np.float16)], "scales"),
        ([X, None, np.array([2], np.int64)], "scales"),
        ([X, None, None, np.array([4], np.int32)], "sizes"),
        ([X, None, None, np.array([4], np.float32)], "sizes"),
        ([X, np.array([0, 1], np.int64), TWO], "roi"),
    ],
)
def test_message_of_an_input_of_another_element_type(inputs: list[Any], name: str) -> None:
    found = error(lambda: resize(*inputs))
    assert (type(found), found.code) == (hp.ElementTypeError, "HP230")
    assert found.sentence.startswith(f"the input {name!r} of Resize-19 is not made of")


@pytest.mark.parametrize("scales", [[2.0], "2", 2.0, {"scales": 2}])
def test_message_of_an_input_that_is_no_tensor(scales: Any) -> None:
    """A list has no element type."""
    assert isinstance(error(lambda: resize(X, None, scales)), hp.ElementTypeError)


@pytest.mark.needs("module:ml_dtypes")
def test_element_types_of_the_data_depend_on_the_version() -> None:
    import ml_dtypes

    bfloat16 = X.astype(ml_dtypes.bfloat16)
    assert resize(bfloat16, None, TWO, opset=13).dtype == bfloat16.dtype
    found = error(lambda: resize(bfloat16, NOTHING, TWO, opset=11))
    assert (type(found), found.code) == (hp.ElementTypeError, "HP201")
    found = error(lambda: hp.run_node("DepthToSpace", [IMAGE.astype(bfloat16.dtype)], {"blocksize": 1}, opset=1))
    assert (type(found), found.code) == (hp.ElementTypeError, "HP201")
