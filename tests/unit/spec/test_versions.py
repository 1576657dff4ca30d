"""What each version of Resize has, and what it says of a later one's things."""

import pytest

from halfpixel._errors import SpecError
from halfpixel.spec.resize import resize_spec

COORDINATES = {
    "half_pixel": (11, 13, 18, 19),
    "pytorch_half_pixel": (11, 13, 18, 19),
    "align_corners": (11, 13, 18, 19),
    "asymmetric": (11, 13, 18, 19),
    "tf_crop_and_resize": (11, 13, 18, 19),
    "tf_half_pixel_for_nn": (11, 13),
    "half_pixel_symmetric": (19,),
}


def refusal(**request):
    with pytest.raises(SpecError) as info:
        resize_spec((4,), **request)
    return info.value


@pytest.mark.rule("R-VER-02", "R-VER-06", "R-VER-10")
@pytest.mark.parametrize("version", [11, 13, 18, 19])
@pytest.mark.parametrize("mode", COORDINATES)
def test_coordinate_modes_by_version(mode, version):
    request = {"sizes": [8], "roi": [0.0, 1.0], "coordinate_transformation_mode": mode, "version": version}
    if version in COORDINATES[mode]:
        spec = resize_spec((4,), **request)
        assert (spec.op_type, spec.version) == ("Resize", version)
    else:
        assert refusal(**request).code == "HP113"
        assert resize_spec((4,), **request, strict=False).out_shape == (8,)


@pytest.mark.rule("R-VER-01", "R-CRD-19")
def test_resize_10_divides_by_the_scale():
    spec = resize_spec((4, 4), [2.0, 0.5], mode="linear", version=10)
    assert [(axis.line.step, axis.line.start, axis.line.divisor) for axis in spec.axes] == [(1, 0, 2), (2, 0, 1)]


@pytest.mark.rule("R-CRD-20")
def test_resize_10_nearest_is_floor_growing_and_ceil_shrinking():
    spec = resize_spec((4, 4, 2), [2.0, 0.6, 1.25], version=10)
    assert [axis.nearest_mode for axis in spec.axes] == ["floor", "ceil", "floor"]


@pytest.mark.rule("R-VER-01")
@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("mode", {"mode": "cubic"}),
        ("coordinate_transformation_mode", {"coordinate_transformation_mode": "align_corners"}),
        ("nearest_mode", {"nearest_mode": "floor"}),
        ("cubic_coeff_a", {"cubic_coeff_a": -0.5}),
        ("exclude_outside", {"exclude_outside": 1}),
        ("extrapolation_value", {"extrapolation_value": 1.0}),
        ("roi", {"roi": [0.0, 1.0]}),
        ("sizes", {"scales": None, "sizes": [8]}),
    ],
)
def test_resize_10_names_version_11(name, request_):
    error = refusal(**({"scales": [2.0], "version": 10} | request_))
    assert error.code == "HP113"
    assert error.sentence.startswith("Resize-10 has no ")
    assert error.sentence.endswith("came with Resize-11")
    assert error.do == f"use version=11, or leave {name!r} as it is by default"


@pytest.mark.rule("R-VER-05", "R-VER-07")
@pytest.mark.parametrize("version", [10, 11, 13])
@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("antialias", {"antialias": True}),
        ("axes", {"axes": [0]}),
        ("keep_aspect_ratio_policy", {"keep_aspect_ratio_policy": "not_larger"}),
    ],
)
def test_what_came_with_18_names_it(name, request_, version):
    error = refusal(scales=[2.0], version=version, **request_)
    assert error.code == "HP113"
    assert error.sentence.startswith(f"Resize-{version} has no ")
    assert error.sentence.endswith("came with Resize-18")
    assert f"version={version}" in error.given
    assert error.do == f"use version=18, or leave {name!r} as it is by default"
    assert resize_spec((4,), [2.0], version=18, **request_).out_shape == (8,)


@pytest.mark.rule("R-VER-06", "R-VER-07")
def test_what_came_with_19_names_it():
    error = refusal(scales=[2.0], version=18, coordinate_transformation_mode="half_pixel_symmetric")
    assert error.sentence == (
        "Resize-18 has no coordinate_transformation_mode='half_pixel_symmetric': it came with Resize-19"
    )
    assert error.allowed == (
        "coordinate_transformation_mode from half_pixel, pytorch_half_pixel, align_corners, asymmetric, "
        "tf_crop_and_resize"
    )


@pytest.mark.rule("R-VER-10")
def test_what_left_the_text_is_said_to_belong_to_the_older_versions():
    error = refusal(scales=[2.0], version=19, coordinate_transformation_mode="tf_half_pixel_for_nn")
    assert error.sentence == (
        "Resize-19 has no coordinate_transformation_mode='tf_half_pixel_for_nn': it belongs to Resize-11 and Resize-13"
    )
    assert error.do == "use version=13, or leave 'coordinate_transformation_mode' as it is by default"


@pytest.mark.rule("R-VER-11")
@pytest.mark.parametrize("version", [10, 11, 13, 18, 19])
def test_the_default_of_a_later_attribute_passes(version):
    defaults = {
        "coordinate_transformation_mode": "half_pixel",
        "nearest_mode": "round_prefer_floor",
        "cubic_coeff_a": -0.75,
        "exclude_outside": 0,
        "extrapolation_value": 0.0,
        "antialias": False,
        "axes": None,
        "keep_aspect_ratio_policy": "stretch",
        "roi": None,
        "sizes": [],
    }
    assert resize_spec((4,), [2.0], version=version, **defaults) == resize_spec((4,), [2.0], version=version)


@pytest.mark.rule("R-VER-08")
@pytest.mark.parametrize("version", [10, 11, 13])
def test_not_strict_takes_what_came_later(version):
    later = {"antialias": 1, "axes": [-1], "exclude_outside": 1, "cubic_coeff_a": -0.5, "mode": "cubic"}
    spec = resize_spec((4, 4), sizes=[2], version=version, strict=False, keep_aspect_ratio_policy="not_larger", **later)
    assert (spec.out_shape, spec.antialias, spec.exclude_outside) == ((4, 2), True, True)
    assert (spec.mode, spec.cubic_coeff_a, spec.axes[0].scale) == ("cubic", -0.5, (1, 2))


@pytest.mark.rule("R-VER-08")
def test_not_strict_on_resize_10_takes_its_own_coordinates_and_a_nearest_mode():
    spec = resize_spec((4,), [2.0], version=10, strict=False, coordinate_transformation_mode="asymmetric")
    assert spec == resize_spec((4,), [2.0], version=10)
    spec = resize_spec((4,), [2.0], version=10, strict=False, nearest_mode="ceil")
    assert spec.axes[0].nearest_mode == "ceil"


@pytest.mark.rule("R-VER-08")
def test_not_strict_refuses_what_resize_10_could_only_guess():
    # Resize-10 has coordinates of its own: nobody can say whether these should replace them.
    error = refusal(scales=[2.0], version=10, strict=False, coordinate_transformation_mode="align_corners")
    assert error.code == "HP113"


def test_not_strict_still_refuses_what_no_version_has():
    assert refusal(scales=[2.0], strict=False, mode="lanczos").code == "HP112"


def test_a_numpy_integer_is_a_version():
    import numpy as np

    assert resize_spec((4,), [2.0], version=np.int64(19)) == resize_spec((4,), [2.0])
