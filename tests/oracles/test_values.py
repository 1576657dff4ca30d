"""The oracle's samples, weights, element types and gradients, on arrays small enough to check by hand."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from .lengths import RefusedError
from .nodes import run_node
from .rearrange import depth_to_space, space_to_depth
from .resize import Attributes, resize, resize_grad
from .weights import clamp_border

NAN, INF = math.nan, math.inf


def one_axis(
    values: list[Any],
    *,
    element: str = "float32",
    scales: float | None = None,
    sizes: int | None = None,
    roi: list[float] | None = None,
    **attributes: Any,
) -> list[Any]:
    """Resize one axis and return the rounded values."""
    x = np.array(values, object if element == "string" else element)
    listed_scales = None if scales is None else [scales]
    listed_sizes = None if sizes is None else [sizes]
    return list(resize(x, listed_scales, listed_sizes, Attributes(**attributes), roi).rounded().tolist())


def test_nearest_ties_and_clamping() -> None:
    """20 to 6: coordinates 4.5 and 14.5 are ties. Growing by ceil and floor clamps into the input."""
    x = list(range(20))
    assert one_axis(x, sizes=6) == [1, 4, 8, 11, 14, 18]
    assert one_axis(x, sizes=6, nearest_mode="round_prefer_ceil") == [1, 5, 8, 11, 15, 18]
    assert one_axis(x, sizes=6, nearest_mode="floor") == [1, 4, 7, 11, 14, 17]
    assert one_axis(x, sizes=6, nearest_mode="ceil") == [2, 5, 8, 12, 15, 18]
    assert one_axis([1, 2, 3, 4], sizes=8, nearest_mode="floor", exclude_outside=True) == [1, 1, 1, 2, 2, 3, 3, 4]
    assert one_axis([1, 2], sizes=4, nearest_mode="ceil", antialias=True) == [1, 2, 2, 2]


def test_scale_is_the_float32_that_was_given() -> None:
    """3 / float32(0.6) is 4.9999998, so floor takes sample 4 (value 5)."""
    x = [1, 2, 3, 4, 5, 6, 7]
    assert one_axis(x, scales=0.6, coordinate_transformation_mode="asymmetric", nearest_mode="floor") == [1, 2, 4, 5]


def test_an_axis_of_scale_1_is_copied_any_other_is_resampled() -> None:
    """1.2 keeps four samples but moves them; tf_half_pixel_for_nn would move even an axis of scale 1."""
    assert one_axis([1, 2, 3, 4], element="float64", scales=1.25, mode="linear") == pytest.approx([1, 1.7, 2.5, 3.3, 4])
    moved = [1, 1.75, 2.58333337, 3.41666670]
    assert one_axis([1, 2, 3, 4], element="float64", scales=1.2, mode="linear") == pytest.approx(moved, abs=2e-7)
    shifted: dict[str, Any] = {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "ceil"}
    assert one_axis([1, 2], sizes=2, **shifted) == [1, 2]
    assert one_axis([1, 2], sizes=4, **shifted) == [2, 2, 2, 2]
    crop: dict[str, Any] = {"coordinate_transformation_mode": "tf_crop_and_resize", "mode": "linear"}
    assert one_axis([1, 2, 3, 4], sizes=4, roi=[0.25, 0.75], **crop) == [1.75, 2.25, 2.75, 3.25]


def test_old_nearest_is_floor_growing_and_ceil_shrinking() -> None:
    """Resize-10 and Upsample, axis by axis."""
    x = np.arange(1, 15, dtype=np.float32).reshape(2, 7)
    y = run_node("Resize", [x, np.array([1.5, 0.6], np.float32)], {}, opset=10).rounded()
    assert y.tolist() == [[1, 3, 5, 6], [1, 3, 5, 6], [8, 10, 12, 13]]
    y = run_node("Upsample", [x[:, :3], np.array([1, 1.7], np.float32)], {"mode": "nearest"}, opset=9).rounded()
    assert y[0].tolist() == [1, 1, 2, 2, 3]


def test_upsample_1_scales_height_and_width() -> None:
    """height_scale is for axis 2, width_scale for axis 3; "bilinear" is linear."""
    x = np.array([[[[1, 2]]]], np.float32)
    attributes: dict[str, Any] = {"height_scale": 2.0, "width_scale": 1.5}
    assert run_node("Upsample", [x], attributes, opset=1).rounded().tolist() == [[[[1, 1, 2], [1, 1, 2]]]]
    attributes = {"height_scale": 1.0, "width_scale": 2.0, "mode": "bilinear"}
    assert run_node("Upsample", [x], attributes, opset=6).rounded().tolist() == [[[[1, 1.5, 2, 2]]]]
    with pytest.raises(RefusedError):
        run_node("Upsample", [x[0]], attributes, opset=1)


def test_zero_weights_are_no_taps() -> None:
    """Clamped weights that cancel leave no tap; 12 to 4 has the cubic's zeros 3 samples from 1, 4, 7, 10."""
    half = Fraction(1, 2)
    assert clamp_border([(-1, half), (0, -half), (1, Fraction(1))], 3) == [(1, Fraction(1))]
    x = [NAN if i in (1, 7) else 0.0 for i in range(12)]
    widened = one_axis(x, sizes=4, mode="cubic", antialias=True)
    assert [math.isnan(y) for y in widened] == [True, False, True, False]


def test_antialias_border_rules() -> None:
    """8 to 4 with the triangle of half-width 2: weights 1 3 3 1 over 8; at the border clamped, or dropped and 3 3 1."""
    x = [8, 0, 0, 0, 0, 0, 0, 8]
    assert one_axis(x, sizes=4, mode="linear", antialias=True) == [4, 0, 0, 4]
    dropped = one_axis(x, element="float64", sizes=4, mode="linear", antialias=True, exclude_outside=True)
    assert dropped == pytest.approx([24 / 7, 0, 0, 24 / 7])
    assert one_axis([0, 4], sizes=4, mode="linear", antialias=True) == [0, 1, 3, 4]


def test_cubic_outside_coordinate() -> None:
    """align_corners under not_larger reaches coordinate 4 of 3 samples: all four taps outside, the edge sample."""
    x = np.array([[1, 2, 3], [1, 2, 3]], np.float32)
    attributes = Attributes(
        mode="cubic",
        coordinate_transformation_mode="align_corners",
        keep_aspect_ratio_policy="not_larger",
        exclude_outside=True,
    )
    assert resize(x, None, [1, 9], attributes).rounded().tolist() == [[1, 3]]


def test_extrapolation() -> None:
    """Outside [0, in - 1] in every mode, when any axis is outside; converted like a result."""
    crop: dict[str, Any] = {"coordinate_transformation_mode": "tf_crop_and_resize", "roi": [-0.5, 1.5], "sizes": 5}
    x = [0, 1, 2, 3]
    for mode in ("linear", "cubic"):
        assert one_axis(x, mode=mode, extrapolation_value=10.0, **crop) == [10, 0, 1.5, 3, 10]
    assert one_axis(x, extrapolation_value=10.0, **crop) == [10, 0, 1, 3, 10]
    assert one_axis(x, element="uint8", extrapolation_value=300.0, mode="linear", **crop) == [255, 0, 2, 3, 255]
    assert one_axis(x, element="uint8", extrapolation_value=-3.0, **crop) == [0, 0, 1, 3, 0]
    assert one_axis(x, element="int32", extrapolation_value=10.5, **crop) == [10, 0, 1, 3, 10]
    assert one_axis([0, 1, 1, 0], element="bool", extrapolation_value=0.5, **crop) == [True, False, True, False, True]
    assert one_axis(x, element="float16", extrapolation_value=70000.0, **crop)[0] == INF
    assert one_axis([1j, 1, 2, 3], element="complex64", extrapolation_value=2.5, mode="linear", **crop)[:2] == [2.5, 1j]
    with pytest.raises(RefusedError):
        one_axis(["a", "b", "c", "d"], element="string", **crop)
    square = np.arange(4, dtype=np.float32).reshape(2, 2)
    attributes = Attributes(mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9.0)
    y = resize(square, None, [2, 2], attributes, [0.0, 0.0, 2.0, 1.0]).rounded()
    assert y.tolist() == [[0, 1], [9, 9]]
    y = resize(np.full_like(square, NAN), None, [2, 2], attributes, [0.0, 2.0, 1.0, 3.0]).rounded()
    assert y.tolist() == [[9, 9], [9, 9]]


@pytest.mark.parametrize(
    ("values", "mode", "coordinates_", "expected"),
    [
        ([1, NAN, 3, 4], "linear", "half_pixel", [1, NAN, NAN, NAN, NAN, 3.25, 3.75, 4]),
        ([1, INF, 3, 4], "linear", "asymmetric", [1, INF, INF, INF, 3, 3.5, 4, 4]),
        ([INF, 1, -INF, 1], "linear", "asymmetric", [INF, INF, 1, -INF, -INF, -INF, 1, 1]),
        ([NAN, 1, 3, NAN], "linear", "asymmetric", [NAN, NAN, 1, 2, 3, NAN, NAN, NAN]),
        ([INF, -INF], "linear", "half_pixel", [INF, NAN, NAN, -INF]),
        ([INF, 1, 2, 3], "cubic", "half_pixel", [INF, INF, INF, -INF, -INF, 2.33203125, 2.80859375, 3.10546875]),
    ],
)
def test_nan_and_infinity(values: list[float], mode: str, coordinates_: str, expected: list[float]) -> None:
    """A tap of weight 0 is none; otherwise NaN spreads, infinity stays, opposite infinities give NaN."""
    request: dict[str, Any] = {"scales": 2.0, "mode": mode, "coordinate_transformation_mode": coordinates_}
    np.testing.assert_array_equal(one_axis(values, **request), expected)
    if mode == "linear":
        np.testing.assert_array_equal(one_axis(values, exclude_outside=True, **request), expected)


def test_element_types() -> None:
    """Integers half to even and saturated, bool from one half up, complex by parts, float16 overflow, 64 bits exact."""
    assert one_axis(
        [0, 1, 2, 3], element="uint8", scales=2.0, mode="linear", coordinate_transformation_mode="asymmetric"
    ) == [0, 0, 1, 2, 2, 2, 3, 3]
    assert one_axis([0, 0, 255, 255], element="uint8", sizes=8, mode="cubic") == [0, 0, 0, 58, 197, 255, 255, 255]
    assert one_axis(
        [True, False, True], element="bool", sizes=6, mode="linear", coordinate_transformation_mode="asymmetric"
    ) == [True, True, False, True, True, True]
    parts = one_axis([1 + 2j, 3 - 2j], element="complex128", sizes=4, mode="linear")
    assert parts == [1 + 2j, 1.5 + 1j, 2.5 - 1j, 3 - 2j]
    big = 2**53 + 1
    assert one_axis([big, -5], element="int64", sizes=4) == [big, big, -5, -5]
    assert one_axis([big, big + 2], element="int64", sizes=4, mode="linear") == [big, big + 1, big + 1, big + 2]
    assert one_axis(["a", "bb"], element="string", sizes=4) == ["a", "a", "bb", "bb"]
    overflow = one_axis([65504, 65504, -65504], element="float16", sizes=6, mode="cubic")
    assert overflow == [65504, INF, INF, 35808, -35808, -INF]


def test_rearrangements() -> None:
    """Two channels of 2 x 2 to eight: CRD keeps the channel slow, DCR the block offset; each inverts itself."""
    x = np.arange(8).reshape(1, 2, 2, 2)
    assert space_to_depth(x, 2, "CRD").ravel().tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert space_to_depth(x, 2).ravel().tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    deep = np.arange(18 * 4).reshape(1, 18, 2, 2)
    for mode in ("DCR", "CRD"):
        assert (space_to_depth(depth_to_space(deep, 3, mode), 3, mode) == deep).all()
    for wrong in (
        {"x": x, "blocksize": 0},
        {"x": x, "blocksize": 2},
        {"x": x[0], "blocksize": 1},
        {"x": x, "blocksize": 1, "mode": "dcr"},
    ):
        with pytest.raises(RefusedError):
            depth_to_space(**wrong)
    with pytest.raises(RefusedError):
        space_to_depth(x, 3)


def test_gradient_is_the_transpose() -> None:
    """Linear doubling has the rows 1; 3/4 1/4; 1/4 3/4; 1: each input sample gets its column."""
    dy = np.array([1, 10, 100, 1000], np.float32)
    assert resize_grad(dy, [2], [2.0], None, Attributes(mode="linear")).rounded().tolist() == [33.5, 1077.5]
    assert resize_grad(dy, [2], [2.0], None, Attributes()).rounded().tolist() == [11, 1100]
    crop = Attributes(mode="linear", coordinate_transformation_mode="tf_crop_and_resize")
    assert resize_grad(dy, [2], None, [4], crop, [0.0, 3.0]).rounded().tolist() == [1, 10]
    copied = resize_grad(dy, [4], None, [4], Attributes(mode="cubic")).array
    assert copied is not None
    assert copied.tolist() == dy.tolist()
    assert resize_grad(dy[:0], [3], None, [0], Attributes(mode="linear")).rounded().tolist() == [0, 0, 0]
