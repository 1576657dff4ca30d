"""Upsample of every version."""

import pytest

from halfpixel._errors import ResourceError, SpecError
from halfpixel.spec.resize import upsample_spec


def refusal(shape=(1, 1, 2, 2), **request):
    with pytest.raises(SpecError) as info:
        upsample_spec(shape, **request)
    return info.value


def lines(spec):
    return [(axis.axis, axis.line.step, axis.line.start, axis.line.divisor) for axis in spec.axes]


@pytest.mark.rule("R-UPS-04", "R-UPS-08", "R-CRD-19")
@pytest.mark.parametrize("version", [7, 9, 10])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_scales_one_an_axis(version, mode):
    spec = upsample_spec((1, 1, 2, 2), [1.0, 1.0, 2.0, 3.0], mode=mode, version=version)
    assert (spec.op_type, spec.version, spec.mode, spec.out_shape) == ("Upsample", version, mode, (1, 1, 4, 6))
    assert lines(spec) == [(2, 1, 0, 2), (3, 1, 0, 3)]  # i / scale
    assert (spec.cubic_coeff_a, spec.antialias, spec.exclude_outside) == (-0.75, False, False)
    assert spec.extrapolation_value == 0.0
    assert [axis.extrapolate for axis in spec.axes] == [False, False]


@pytest.mark.rule("R-CRD-20")
def test_nearest_is_floor():
    assert [axis.nearest_mode for axis in upsample_spec((2, 3), [1.5, 2.0]).axes] == ["floor", "floor"]


@pytest.mark.rule("R-UPS-08")
def test_lengths_are_the_floor_of_the_product():
    assert upsample_spec((3, 10), [1.3, 1.25]).out_shape == (3, 12)


@pytest.mark.rule("R-UPS-02", "R-UPS-03")
@pytest.mark.parametrize(("mode", "read_as"), [("nearest", "nearest"), ("bilinear", "linear")])
def test_version_1_has_two_scales_for_rank_4(mode, read_as):
    spec = upsample_spec((1, 1, 2, 2), height_scale=2.0, width_scale=3, mode=mode, version=1)
    assert (spec.version, spec.mode, spec.out_shape) == (1, read_as, (1, 1, 4, 6))
    assert lines(spec) == [(2, 1, 0, 2), (3, 1, 0, 3)]


@pytest.mark.rule("R-UPS-05")
def test_version_10_is_read_as_9():
    ten = upsample_spec((2, 2), [2.0, 3.0], version=10)
    nine = upsample_spec((2, 2), [2.0, 3.0], version=9)
    assert (ten.out_shape, ten.axes, ten.mode) == (nine.out_shape, nine.axes, nine.mode)


@pytest.mark.rule("R-UPS-01")
@pytest.mark.parametrize("version", [7, 9, 10])
def test_scales_below_1(version):
    error = refusal(scales=[1.0, 1.0, 0.5, 2.0], version=version)
    assert (error.code, error.sentence) == ("HP108", f"Upsample-{version} only grows: a scale is below 1")
    assert (error.given, error.do) == ("scales=[1.0, 1.0, 0.5, 2.0]", "use Resize to shrink")
    assert refusal(height_scale=0.5, width_scale=2.0, version=1).code == "HP108"


@pytest.mark.rule("R-UPS-07")
@pytest.mark.parametrize("scales", [[2.0], [2.0] * 5])
def test_a_wrong_number_of_scales(scales):
    assert refusal(scales=scales).code == "HP105"


@pytest.mark.parametrize("scales", [None, []])
@pytest.mark.parametrize("version", [7, 9, 10])
def test_scales_are_needed(scales, version):
    error = refusal(scales=scales, version=version)
    assert (error.code, error.sentence) == ("HP122", f"Upsample-{version} needs 'scales'")


@pytest.mark.parametrize("missing", ["height_scale", "width_scale"])
def test_version_1_needs_both_scales(missing):
    error = refusal(**({"height_scale": 2.0, "width_scale": 2.0, "version": 1} | {missing: None}))
    assert (error.code, error.sentence) == ("HP122", f"Upsample-1 needs {missing!r}")


@pytest.mark.rule("R-UPS-02")
@pytest.mark.parametrize("shape", [(2, 2), (1, 2, 2), (1, 1, 1, 2, 2)])
def test_version_1_takes_rank_4(shape):
    error = refusal(shape, height_scale=2.0, width_scale=2.0, version=1)
    assert (error.code, error.sentence) == ("HP123", f"Upsample-1 takes rank 4, not {len(shape)}")


@pytest.mark.rule("R-UPS-04")
def test_each_version_has_its_own_scales():
    error = refusal(scales=[1.0, 1.0, 2.0, 2.0], height_scale=2.0, width_scale=2.0, version=1)
    assert (error.code, error.sentence) == ("HP113", "Upsample-1 has no 'scales': it came with Upsample-7")
    error = refusal(scales=[1.0, 1.0, 2.0, 2.0], height_scale=2.0, version=7)
    assert (error.code, error.sentence) == ("HP113", "Upsample-7 has no 'height_scale': it belongs to Upsample-1")
    error = refusal(scales=[1.0, 1.0, 2.0, 2.0], width_scale=2.0, version=9)
    assert (error.code, error.sentence) == ("HP113", "Upsample-9 has no 'width_scale': it belongs to Upsample-1")


@pytest.mark.rule("R-UPS-03")
def test_each_version_has_its_own_words():
    error = refusal(height_scale=2.0, width_scale=2.0, mode="linear", version=1)
    assert (error.code, error.sentence) == ("HP113", "Upsample-1 has no mode='linear': it came with Upsample-7")
    error = refusal(scales=[1.0, 1.0, 2.0, 2.0], mode="bilinear")
    assert (error.code, error.sentence) == ("HP113", "Upsample-9 has no mode='bilinear': it belongs to Upsample-1")
    assert refusal(scales=[1.0, 1.0, 2.0, 2.0], mode="cubic").code == "HP112"


@pytest.mark.rule("R-VER-08")
def test_not_strict_takes_the_other_word():
    assert upsample_spec((2,), [2.0], mode="bilinear", strict=False).mode == "linear"
    spec = upsample_spec((1, 1, 2, 2), height_scale=2, width_scale=2, mode="linear", version=1, strict=False)
    assert spec.mode == "linear"


@pytest.mark.parametrize("scale", [0.0, -2.0, float("nan"), float("inf")])
def test_scales_that_are_not_finite_and_positive(scale):
    assert refusal(scales=[1.0, 1.0, scale, 2.0]).code == "HP107"
    assert refusal(height_scale=scale, width_scale=2.0, version=1).code == "HP107"


def test_the_text_of_numbers_is_no_list_of_scales():
    error = refusal(scales="1122")
    assert (error.code, error.sentence) == ("HP116", "'scales' cannot be read as real numbers")


@pytest.mark.parametrize("scale", ["2", True, [2.0], 2j])
def test_scales_that_are_no_numbers(scale):
    assert refusal(scales=[1.0, 1.0, scale, 2.0]).code == "HP116"
    assert refusal(height_scale=scale, width_scale=2.0, version=1).code == "HP116"


@pytest.mark.rule("R-INP-04")
def test_rank_0():
    assert upsample_spec((), []).out_shape == ()


@pytest.mark.rule("R-LEN-14")
def test_too_many_elements():
    with pytest.raises(ResourceError, match="HP300") as info:
        upsample_spec((2, 2), [1e15, 1e15])
    assert info.value.given.startswith("scales=[1000000000000000.0, 1000000000000000.0], which is an output of shape (")
