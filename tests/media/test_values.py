"""Which pixels come out: literals that can be worked out on paper, through files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from halfpixel.media import ResizeRequest, resize_file


def saved(path: Path, samples: object, dtype: str = "uint8") -> Path:
    Image.fromarray(np.array(samples, dtype)).save(path)
    return path


def resized(source: Path, target: Path, **request: Any) -> list[Any]:
    resize_file(source, target, ResizeRequest(**request))
    with Image.open(target) as image:
        values: list[Any] = np.array(image).tolist()
        return values


def test_default_is_linear_with_antialias(tmp_path: Path) -> None:
    # Weights 1/8, 3/8, 3/8, 1/8, those outside on the edge pixel: 37.5 + 25 = 62.5, and 12.5 + 75 + 127.5 = 215.
    source = saved(tmp_path / "in.png", [[0, 100, 200, 255]])
    assert resized(source, tmp_path / "out.png", size=(2, 1)) == [[62, 215]]


def test_attributes_are_passed_on(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[0, 100, 200, 255]])
    plain = {"antialias": False}
    # (0 + 100) / 2 and (200 + 255) / 2 = 227.5, half to even.
    assert resized(source, tmp_path / "a.png", size=(2, 1), attributes=plain) == [[50, 228]]
    assert resized(source, tmp_path / "b.png", size=(2, 1), attributes={"mode": "nearest"}) == [[0, 200]]
    ceil = {"mode": "nearest", "nearest_mode": "ceil"}
    assert resized(source, tmp_path / "c.png", size=(2, 1), attributes=ceil) == [[100, 255]]
    # exclude_outside: 1/8 falls away, (3 * 100 + 200) / 7 = 71.43, (100 + 3 * 200 + 3 * 255) / 7 = 209.29.
    inside = {"exclude_outside": True}
    assert resized(source, tmp_path / "d.png", size=(2, 1), attributes=inside) == [[71, 209]]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"scale": (0.5, 1.0)}, [[10, 30], [50, 70]]),
        ({"size": (2, 2)}, [[10, 30], [50, 70]]),
        ({"size": (2, None)}, [[10, 30]]),
        ({"size": (None, 1)}, [[10, 30]]),
        ({"fit": (2, 2)}, [[10, 30]]),
        ({"fill": (2, 2)}, [[20, 30], [60, 70]]),
        ({"fill": (2, 1)}, [[10, 30]]),
        ({"sizes": (1, 2)}, [[10, 30]]),
        ({"scales": (0.5, 0.5)}, [[10, 30]]),
        ({"scales": (0.5,), "axes": (1,)}, [[10, 30], [50, 70]]),
        ({"sizes": (2, 1), "axes": (-2, 0)}, [[10, 30]]),
        ({"scale": (0.5, 1.0), "axes": (0, 1)}, [[10, 30], [50, 70]]),
    ],
)
def test_ways_to_say_how_large(tmp_path: Path, request_: dict[str, Any], expected: list[Any]) -> None:
    source = saved(tmp_path / "in.png", [[10, 20, 30, 40], [50, 60, 70, 80]])
    attributes = {"mode": "nearest"}
    assert resized(source, tmp_path / "out.png", **request_, attributes=attributes) == expected


def test_versions_without_axes_get_a_number_an_axis(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[[0, 9], [100, 9]], [[200, 9], [40, 9]]], "uint8")
    attributes = {"version": 11}
    # (0 + 100 + 200 + 40) / 4; antialias is not asked of a version that lacks it.
    assert resized(source, tmp_path / "out.png", size=(1, 1), attributes=attributes, premultiply=False) == [[[85, 9]]]


def test_roi_of_a_picture_is_for_height_and_width(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[0, 10, 20], [30, 40, 50], [60, 70, 80]])
    crop = {"coordinate_transformation_mode": "tf_crop_and_resize", "roi": (0.5, 0.0, 1.0, 1.0), "antialias": False}
    assert resized(source, tmp_path / "new.png", size=(2, 2), attributes=crop) == [[30, 50], [60, 80]]
    assert resized(source, tmp_path / "old.png", size=(2, 2), attributes=crop | {"version": 11}) == [[30, 50], [60, 80]]


def test_length_rule(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[7] * 10])
    assert resized(source, tmp_path / "a.png", scale=(0.7, 1.0)) == [[7] * 6]
    assert resized(source, tmp_path / "b.png", scale=(0.7, 1.0), attributes={"length_rule": "round"}) == [[7] * 7]


def test_alpha_weighs_colours(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[[255, 0, 0, 255], [0, 255, 0, 0]]])
    # Alpha 127.5, half to even; the colour that nobody sees does not count.
    assert resized(source, tmp_path / "a.png", size=(1, 1)) == [[[255, 0, 0, 128]]]
    assert resized(source, tmp_path / "b.png", size=(1, 1), premultiply=False) == [[[128, 128, 0, 128]]]


def test_alpha_weighs_grey(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[[100, 200], [40, 100]]])
    # (100 * 200 + 40 * 100) / (200 + 100) = 80.
    assert resized(source, tmp_path / "out.png", size=(1, 1)) == [[[80, 150]]]


def test_transparent_result_is_black(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[[9, 8, 7, 0], [9, 8, 7, 0]]])
    assert resized(source, tmp_path / "out.png", size=(1, 1)) == [[[0, 0, 0, 0]]]


def test_nearest_leaves_pixels_as_they_are(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[[9, 8, 7, 0], [1, 2, 3, 4]]])
    nearest = {"mode": "nearest"}
    assert resized(source, tmp_path / "a.png", size=(1, 1), attributes=nearest) == [[[9, 8, 7, 0]]]
    assert resized(source, tmp_path / "b.png", size=(1, 1), attributes=nearest, linear_light=True) == [[[9, 8, 7, 0]]]


def test_linear_light(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [[[0, 0, 255], [255, 0, 255]]])
    # Half the light is 1.055 * 0.5 ** (1 / 2.4) - 0.055 = 0.73536 of 255.
    assert resized(source, tmp_path / "a.png", size=(1, 1), linear_light=True) == [[[188, 0, 255]]]
    assert resized(source, tmp_path / "b.png", size=(1, 1)) == [[[128, 0, 255]]]


def test_linear_light_of_dark_values_is_straight(tmp_path: Path) -> None:
    # Up to 10 of 255 the curve is a line: the mean of 2 and 8 is 5.
    source = saved(tmp_path / "in.png", [[2, 8]])
    assert resized(source, tmp_path / "out.png", size=(1, 1), linear_light=True) == [[5]]


def test_linear_light_keeps_every_value(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", [list(range(256))])
    assert resized(source, tmp_path / "out.png", scale=(1.0, 2.0), linear_light=True) == [list(range(256))] * 2


def test_linear_light_with_alpha(tmp_path: Path) -> None:
    # Light 0 and 1 with alpha 255 and 85: 85 / 340 = 1/4; 1.055 * 0.25 ** (1 / 2.4) - 0.055 = 0.53710 of 255.
    source = saved(tmp_path / "in.png", [[[0, 0, 0, 255], [255, 255, 255, 85]]])
    assert resized(source, tmp_path / "out.png", size=(1, 1), linear_light=True) == [[[137, 137, 137, 170]]]


def test_cubic_overshoot_saturates_with_alpha(tmp_path: Path) -> None:
    row = [[0, 0, 0, 255], [0, 0, 0, 255], [255, 255, 255, 255], [255, 255, 255, 255]]
    source = saved(tmp_path / "in.png", [row])
    out = np.array(resized(source, tmp_path / "out.png", scale=(2.0, 1.0), attributes={"mode": "cubic"}))
    # A quarter of a pixel past the second 0: the weights of the 255 are 0.26171875 - 0.03515625, so 57.8.
    assert out[0, :, 0].tolist() == [0, 0, 0, 58, 197, 255, 255, 255]
    assert out[0, :, 3].tolist() == [255] * 8


@pytest.mark.parametrize("linear_light", [False, True])
def test_extrapolated_pixels_take_the_value_as_it_is(tmp_path: Path, linear_light: bool) -> None:
    source = saved(tmp_path / "in.png", [[[200, 100, 50, 255]] * 3] * 2)
    crop = {
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "roi": (0.0, 0.5, 1.0, 1.5),
        "extrapolation_value": 77.0,
        "antialias": False,
    }
    out = resized(source, tmp_path / "out.png", size=(3, 2), attributes=crop, linear_light=linear_light)
    assert out == [[[200, 100, 50, 255], [200, 100, 50, 255], [77, 77, 77, 77]]] * 2


def test_strips_give_the_same_pixels_as_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from halfpixel.media import resize

    random = np.random.default_rng(0)
    source = saved(tmp_path / "in.png", random.integers(0, 256, (40, 30, 4)))
    whole = resized(source, tmp_path / "whole.png", fill=(20, 33), linear_light=True)
    monkeypatch.setattr(resize, "SAMPLES_AT_ONCE", 500)
    assert resized(source, tmp_path / "strips.png", fill=(20, 33), linear_light=True) == whole
