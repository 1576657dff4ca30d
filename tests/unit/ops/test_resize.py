"""resize on arrays: element types, strides, shapes, and what its cache tells apart."""

import tracemalloc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

INTEGERS = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
FLOATS: list[Any] = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def linear(x: Any, **request: Any) -> Any:
    return hp.resize(x, mode="linear", **request)


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_are_averaged(dtype: Any) -> None:
    y = linear(np.array([1, 5], dtype), scales=[2])
    assert y.dtype == dtype
    assert y.tolist() == [1, 2, 4, 5]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_round_half_to_even(dtype: str) -> None:
    x = np.array([[0, 1], [1, 2], [2, 3], [3, 4]], dtype)  # averages 0.5, 1.5, 2.5, 3.5
    y = linear(x, sizes=[4, 1])
    assert y.dtype == dtype
    assert y.tolist() == [[0], [2], [2], [4]]


def test_negative_integers_round_half_to_even() -> None:
    x = np.array([[0, -1], [-1, -2], [-2, -3]], np.int8)
    assert linear(x, sizes=[3, 1]).tolist() == [[0], [-2], [-2]]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_saturate(dtype: str) -> None:
    # Cubic with a = -3/4 at 0.75 and 2.25: -27/256 and 283/256 of the step from lowest to highest.
    lowest, highest = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    y = hp.resize(np.array([lowest, lowest, highest, highest], dtype), scales=[2], mode="cubic")
    assert y[2] == lowest
    assert y[5] == highest


def test_bool_is_true_from_one_half_up() -> None:
    assert linear(np.array([False, True]), scales=[2]).tolist() == [False, False, True, True]
    assert linear(np.array([False, True]), sizes=[1]).tolist() == [True]
    y = linear(np.array([[False, False], [False, True]]), sizes=[1, 1])
    assert (y.dtype, y.tolist()) == (np.bool_, [[False]])


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_is_averaged_by_parts(dtype: Any) -> None:
    y = linear(np.array([[1 + 10j, 5 + 50j]], dtype), scales=[1, 2])
    assert y.dtype == dtype
    assert y.tolist() == [[1 + 10j, 2 + 20j, 4 + 40j, 5 + 50j]]


def test_float16_overflows_to_infinity() -> None:
    y = hp.resize(np.array([0, 0, 65504, 65504], np.float16), scales=[2], mode="cubic")
    assert y[5] == np.inf
    assert np.isfinite(y[4])


def test_nearest_moves_every_bit() -> None:
    bits = np.array([0x7FC12345, 0xFFA00001, 0x80000000, 0x00000001], np.uint32)  # NaNs with payload, -0.0, a denormal
    y = hp.resize(bits.view(np.float32), scales=[2])
    assert y.view(np.uint32).tolist() == np.repeat(bits, 2).tolist()
    large = np.array([2**63 - 1, 2**63 - 2], np.int64)
    assert hp.resize(large, scales=[2]).tolist() == [2**63 - 1, 2**63 - 1, 2**63 - 2, 2**63 - 2]


@pytest.mark.parametrize("dtype", ["U3", ">U3", np.dtypes.StringDType(), object])
def test_strings_are_copied(dtype: Any) -> None:
    x = np.array([["a", "bcd"], ["", "\u00e9"]], dtype)
    y = hp.resize(x, scales=[1, 2])
    assert y.dtype == x.dtype
    assert y.tolist() == [["a", "a", "bcd", "bcd"], ["", "", "\u00e9", "\u00e9"]]
    out = np.empty((3, 1), dtype)
    assert hp.resize(x[::-1, 1:], sizes=[3, 1], nearest_mode="floor", out=out) is out
    assert out.tolist() == [["\u00e9"], ["\u00e9"], ["bcd"]]


def test_strings_that_roi_keeps_inside_are_cropped() -> None:
    request = {"coordinate_transformation_mode": "tf_crop_and_resize", "sizes": [2]}
    assert hp.resize(np.array(["a", "b", "c"]), roi=[0.5, 1], **request).tolist() == ["b", "c"]
    nothing = hp.resize(np.array([["a", "b"]]), [0.5, 2], roi=[0, 0, 1, 9], **{**request, "sizes": None})
    assert nothing.shape == (0, 36)  # no sample lies outside where there is none
    with pytest.raises(hp.SpecError) as caught:
        hp.resize(np.array(["a", "b", "c"]), roi=[0.5, 1.5], **request)
    assert str(caught.value) == (
        "[HP171] a string cannot be extrapolated: roi reaches outside X\n"
        "  given:   strings, coordinate_transformation_mode='tf_crop_and_resize' with output samples outside X\n"
        "  allowed: a roi whose samples all lie in X\n"
        "  do:      keep roi within 0 and 1"
    )


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        ("uint8", 2.5, 2),
        ("uint8", 300, 255),
        ("int8", -1e9, -128),
        ("bool", 0.5, True),
        ("float16", 1e9, np.inf),
        (">i4", 258, 258),
        (">f8", 0.1, 0.1),
        ("complex64", -2, -2),
        (ml_dtypes.bfloat16, 1 + 2**-8, 1),
    ],
)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_extrapolation_value_is_converted_like_a_result(mode: Any, dtype: Any, value: float, expected: Any) -> None:
    x = np.zeros((2, 3), dtype)
    y = hp.resize(
        x,
        sizes=[2, 5],
        mode=mode,
        coordinate_transformation_mode="tf_crop_and_resize",
        roi=[0, 0, 1, 2],
        extrapolation_value=value,
    )
    assert y.dtype == x.dtype
    assert y.tolist() == [[0, 0, 0, expected, expected]] * 2


def test_a_sample_outside_on_any_axis_is_extrapolated() -> None:
    y = hp.resize(
        np.ones((2, 2), np.float32),
        sizes=[3, 3],
        coordinate_transformation_mode="tf_crop_and_resize",
        roi=[0, 0, 2, 2],
        extrapolation_value=7,
    )
    assert y.tolist() == [[1, 1, 7], [1, 1, 7], [7, 7, 7]]


def test_byte_order_is_kept() -> None:
    for dtype in (">f4", ">i2", ">c8", ">f2"):
        x = np.array([0, 4], dtype)
        for y in (linear(x, scales=[2]), hp.resize(x, scales=[2])):
            assert y.dtype == np.dtype(dtype)
        assert linear(x, scales=[2]).tolist() == [0, 1, 3, 4]
        assert hp.resize(x, scales=[2]).tolist() == [0, 0, 4, 4]


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "complex64", "float64", ">f4"])
def test_strides_change_no_bit(dtype: str, mode: Any) -> None:
    rng = np.random.default_rng(3)
    x = (rng.standard_normal((2, 3, 8, 9)) * 100).astype(np.int8).astype(dtype)
    request = {"sizes": [2, 3, 5, 17], "mode": mode}
    plain = hp.resize(x, **request)
    other = np.zeros((5, 7, 17, 19), dtype)
    other[1::2, ::-3, ::2, 1::2][:, :, :8, :9] = x
    spread = other[1::2, ::-3, ::2, 1::2][:, :, :8, :9]
    assert not spread.flags.c_contiguous
    views = [
        np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
        spread,
        np.ascontiguousarray(x[:, :, ::-1, ::-1])[:, :, ::-1, ::-1],
        np.ndarray(x.shape, dtype, bytearray(b"\0" + x.tobytes()), 1),
    ]
    for view in views:
        assert np.array_equal(view, x)
        assert hp.resize(view, **request).tobytes() == plain.tobytes()


def test_broadcast_input() -> None:
    x = np.broadcast_to(np.array([1, 5], np.float32), (3, 2))
    assert linear(x, scales=[1, 2]).tolist() == [[1, 2, 4, 5]] * 3
    assert linear(x.T, scales=[2, 1]).tolist() == [[1] * 3, [2] * 3, [4] * 3, [5] * 3]


def test_result_has_the_memory_order_of_the_input() -> None:
    x = np.zeros((2, 8, 9, 3), np.float32).transpose(0, 3, 1, 2)
    y = linear(x, scales=[1, 1, 2, 2])
    assert y.shape == (2, 3, 16, 18)
    assert y.transpose(0, 2, 3, 1).flags.c_contiguous
    assert linear(np.zeros((8, 9), order="F"), scales=[2, 2]).flags.f_contiguous


@pytest.mark.parametrize("layout", ["C", "channels last", "outer strides"])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32"])
def test_nothing_of_the_size_of_the_input_is_copied(dtype: str, layout: str) -> None:
    x = np.ones((4, 512, 512), dtype)
    if layout == "channels last":
        x = np.ones((512, 512, 4), dtype).transpose(2, 0, 1)
    if layout == "outer strides":
        x = np.ones((8, 1024, 512), dtype)[::2, ::-2]
    out = linear(x, sizes=[4, 64, 64], antialias=True, threads=1)
    tracemalloc.start()
    linear(x, sizes=[4, 64, 64], antialias=True, out=out, threads=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < x.nbytes / 50
    assert (out == 1).all()


def test_input_that_no_pass_reads_in_place_is_copied_once_in_its_own_type() -> None:
    x = np.ones((2, 512, 1024), np.uint8)[:, :, ::2]
    linear(x, sizes=[2, 64, 64], threads=1)
    tracemalloc.start()
    linear(x, sizes=[2, 64, 64], threads=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert x.nbytes <= peak < 1.1 * x.nbytes


def test_read_only_input() -> None:
    x = np.array([1, 5], np.float32)
    x.flags.writeable = False
    assert linear(x, scales=[2]).tolist() == [1, 2, 4, 5]
    assert linear(x, scales=[2]).flags.writeable


def test_misaligned_input_is_never_read_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.ndarray((3,), np.float64, bytearray(b"\0" + np.array([1.0, 2.0, 4.0]).tobytes()), 1)
    assert not x.flags.aligned
    plan = hp.plan_resize((3,), np.float64, scales=[2], mode="linear")
    assert plan.direct is not None
    assert plan.direct(x, None, 1) is None
    assert plan(x).tolist() == [1, 1.25, 1.75, 2.5, 3.5, 4]


def test_element_types_of_other_versions_are_refused() -> None:
    with pytest.raises(hp.ElementTypeError) as caught:
        hp.resize(np.zeros(2, ml_dtypes.bfloat16), scales=[2], version=11)
    assert caught.value.code == "HP201"
    with pytest.raises(hp.ElementTypeError) as caught:
        hp.resize(np.array(["a", "b"]), scales=[2], mode="linear")
    assert caught.value.code == "HP202"
    with pytest.raises(hp.ElementTypeError) as caught:
        hp.resize(np.array(["a", 1], object), scales=[2])
    assert caught.value.code == "HP224"


def test_the_sign_of_a_zero_belongs_to_a_request() -> None:
    request: Any = {"sizes": [2], "coordinate_transformation_mode": "tf_crop_and_resize", "roi": [0, 9]}
    x = np.ones(2, np.float32)
    assert not np.signbit(hp.resize(x, extrapolation_value=0.0, **request)).any()
    assert np.signbit(hp.resize(x, extrapolation_value=-0.0, **request)).tolist() == [False, True]


def test_rank_0_is_a_copy() -> None:
    x = np.array(3, np.int16)
    for y in (hp.resize(x, scales=[]), hp.resize(x, sizes=[]), hp.upsample(x, [])):
        assert (y.shape, y.dtype, y.item()) == ((), np.int16, 3)
        assert y is not x
    out = np.array(0, np.int16)
    assert hp.resize(x, scales=[], out=out) is out
    assert out == 3


def test_nothing_resampled_is_a_copy() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    y = linear(x, scales=[1, 1])
    assert np.array_equal(y, x)
    assert not np.shares_memory(y, x)
    assert hp.resize(x, scales=[], axes=[]).tolist() == x.tolist()


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_zero_size(mode: Any) -> None:
    assert hp.resize(np.zeros((0, 3), np.float32), scales=[2, 2], mode=mode).shape == (0, 6)
    assert hp.resize(np.zeros((2, 3), np.float32), sizes=[0, 5], mode=mode, antialias=True).shape == (0, 5)
    assert hp.resize(np.zeros((2, 3), np.float32), scales=[0.4, 1], mode=mode).shape == (0, 3)
    assert hp.resize(np.zeros((0, 3), object), scales=[2, 2]).shape == (0, 6)
    out = np.zeros((0, 6), np.float32)
    assert hp.resize(np.zeros((0, 3), np.float32), scales=[2, 2], mode=mode, out=out) is out


def test_rank_6() -> None:
    x = np.arange(64, dtype=np.float32).reshape((2,) * 6)
    y = linear(x, sizes=[1] * 6)
    assert y.tolist() == [[[[[[31.5]]]]]]


def test_numbers_may_come_as_lists_tuples_arrays_and_iterators() -> None:
    x = np.array([1, 5], np.float32)
    for scales in ([2], (2.0,), np.array([2], np.float32), np.array([2]), iter([2]), range(2, 3)):
        assert hp.resize(x, scales=scales).tolist() == [1, 1, 5, 5]  # type: ignore[arg-type]
    assert hp.resize(x, sizes=np.array([4], np.int32)).tolist() == [1, 1, 5, 5]  # type: ignore[arg-type]


def test_numbers_that_change_between_two_calls() -> None:
    x, scales = np.array([1, 5], np.float32), np.array([2.0])
    assert hp.resize(x, scales=scales).shape == (4,)
    scales[0] = 3
    assert hp.resize(x, scales=scales).shape == (6,)


X23 = np.zeros((2, 3), np.float32)


@pytest.mark.parametrize(
    ("legal", "wrong"),
    [
        ({"sizes": [4, 6], "axes": [0, 1]}, {"sizes": [4, 6], "axes": [0.0, 1.0]}),
        ({"sizes": [4, 6], "axes": [0, 1]}, {"sizes": [4, 6], "axes": [False, True]}),
        ({"sizes": [1, 6]}, {"sizes": [True, 6]}),
        ({"scales": [1, 2]}, {"scales": [True, 2]}),
        ({"scales": [1, 2], "version": 19}, {"scales": [1, 2], "version": 19.0}),
        ({"scales": [1, 2], "cubic_coeff_a": 0.0}, {"scales": [1, 2], "cubic_coeff_a": False}),
        ({"scales": [1, 2], "extrapolation_value": 1.0}, {"scales": [1, 2], "extrapolation_value": True}),
    ],
)
def test_what_equals_a_legal_request_is_not_let_through(legal: Any, wrong: Any) -> None:
    hp.resize(X23, **legal)
    for _ in range(2):
        with pytest.raises(hp.SpecError):
            hp.resize(X23, **wrong)


def test_unhashable_and_hostile_arguments_are_checked_like_others() -> None:
    class Hostile:
        def __hash__(self) -> int:
            raise RuntimeError("no")

    for request in ({"mode": ["linear"]}, {"mode": Hostile()}, {"nearest_mode": {}}, {"version": [19]}):
        with pytest.raises(hp.SpecError):
            hp.resize(X23, scales=[1, 2], **request)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "sentence", "do"),
    [
        (
            lambda: hp.resize(X23, scales=[1, 2], coordinate_transform_mode="asymmetric"),  # type: ignore[arg-type]
            "resize has no attribute 'coordinate_transform_mode'",
            "did you mean 'coordinate_transformation_mode'?",
        ),
        (
            lambda: hp.resize_grad(X23, (2, 3), scales=[1, 1], zzz=1),  # type: ignore[arg-type]
            "resize_grad has no attribute 'zzz'",
            "leave it out",
        ),
        (
            lambda: hp.plan_resize((2,), "int8", scales=[1], lenght_rule="ceil"),  # type: ignore[arg-type]
            "plan_resize has no attribute 'lenght_rule'",
            "did you mean 'length_rule'?",
        ),
        (
            lambda: hp.upsample(X23, [1, 1], antialias=True),  # type: ignore[arg-type]
            "upsample has no attribute 'antialias'",
            "leave it out",
        ),
        (
            lambda: hp.upsample_grad(X23, (2, 3), [1, 1], antialias=True),  # type: ignore[arg-type]
            "upsample_grad has no attribute 'antialias'",
            "leave it out",
        ),
        (
            lambda: hp.depth_to_space(X23, 2, block=2),  # type: ignore[arg-type]
            "depth_to_space has no attribute 'block'",
            "did you mean 'blocksize'?",
        ),
        (
            lambda: hp.space_to_depth(X23, 2, Mode="DCR"),  # type: ignore[arg-type]
            "space_to_depth has no attribute 'Mode'",
            "did you mean 'mode'?",
        ),
    ],
)
def test_unknown_attributes_are_named(call: Any, sentence: str, do: str) -> None:
    with pytest.raises(hp.SpecError) as caught:
        call()
    assert (caught.value.code, caught.value.sentence, caught.value.do) == ("HP172", sentence, do)


@pytest.mark.parametrize(("rule", "length"), [("floor", 6), ("round", 7), ("ceil", 7), ("float32_floor", 7)])
def test_length_rule_of_a_plan_changes_the_length_not_the_scale(rule: Any, length: int) -> None:
    plan = hp.plan_resize((10,), "float32", scales=[0.7], mode="linear", length_rule=rule)
    assert plan.output_shape == (length,)
    step = 1 / float(np.float32(0.7))
    assert plan.affine() == ((step, step / 2 - 0.5),)


def test_plan_for_another_array_is_refused() -> None:
    plan = hp.plan_resize((2, 3), "float32", scales=[1, 2])
    with pytest.raises(hp.SpecError) as caught:
        plan(np.zeros((3, 2), np.float32))
    assert str(caught.value) == (
        "[HP160] x has another shape than the plan was made for\n"
        "  given:   x of shape (3, 2)\n"
        "  allowed: shape (2, 3)\n"
        "  do:      make a plan for this shape"
    )
    with pytest.raises(hp.SpecError) as caught:
        plan(np.zeros((2, 3), np.float64))
    assert str(caught.value) == (
        "[HP161] the plan was made for another element type than x has\n"
        "  given:   x of float64\n"
        "  allowed: float32\n"
        "  do:      make a plan for float64, or convert x"
    )


def test_slab_that_lacks_samples_is_refused() -> None:
    plan = hp.plan_resize((4,), "float32", scales=[2], mode="linear")
    with pytest.raises(hp.SpecError) as caught:
        plan.run(np.zeros(2, np.float32), at=(slice(0, 2),), box=(slice(2, 5),))
    assert str(caught.value) == (
        "[HP170] the slab lacks input samples that the output box needs\n"
        "  given:   at=[0:2]\n"
        "  allowed: a box that contains [0:3]\n"
        "  do:      read at least plan.source(box)"
    )
