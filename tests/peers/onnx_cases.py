"""Nodes to run in ONNX's own runtimes. X holds squares, so that each pair of neighbours differs in its own way."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
CROP = "tf_crop_and_resize"


@dataclass(frozen=True)
class Case:
    """One node: shape and element type of X, other inputs, attributes, opset."""

    shape: tuple[int, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    scales: list[float] | None = None
    sizes: list[int] | None = None
    roi: list[float] | None = None
    element: str = "float32"
    opset: int = 19
    op_type: str = "Resize"
    roi_element: str = "float32"

    @property
    def x(self) -> Array:
        """0, 3, 12, 27, ... modulo 97 in the case's shape; times 1 - 2i for complex, as words for strings."""
        values = np.arange(int(np.prod(self.shape)), dtype=np.int64).reshape(self.shape) ** 2 * 3 % 97
        if self.element == "string":
            return values.astype(str).astype(object)
        return (values * (1 - 2j if self.element.startswith("complex") else 1)).astype(self.element)

    @property
    def inputs(self) -> list[Array | None]:
        """X, roi, scales, sizes (Resize from 11 on); X, scales (Resize-10, Upsample-9); X."""
        scales = None if self.scales is None else np.array(self.scales, np.float32)
        if self.op_type in ("DepthToSpace", "SpaceToDepth"):
            return [self.x]
        if self.op_type == "Upsample" or self.opset < 11:
            return [self.x] if scales is None else [self.x, scales]
        absent = np.empty(0, np.float32) if self.opset < 13 else None
        roi = absent if self.roi is None else np.array(self.roi, self.roi_element)
        scales = absent if scales is None else scales
        return [self.x, roi, scales, None if self.sizes is None else np.array(self.sizes, np.int64)]


def grow(mode: str, **attributes: Any) -> Case:
    """4 x 5 to 8 x 15 on the last two of four axes."""
    return Case((1, 2, 4, 5), {"mode": mode, **attributes}, scales=[1, 1, 2, 3])


def shrink(mode: str, **attributes: Any) -> Case:
    """9 x 12 to 4 x 7 on the last two of four axes."""
    return Case((1, 1, 9, 12), {"mode": mode, **attributes}, sizes=[1, 1, 4, 7])


def line(length: int, **request: Any) -> Case:
    """One resized axis, the last of four."""
    for name in ("scales", "sizes"):
        if name in request:
            request[name] = [1, 1, 1, request[name]]
    if "roi" in request:
        request["roi"] = [0, 0, 0, request["roi"][0], 1, 1, 1, request["roi"][1]]
    return Case((1, 1, 1, length), **request)


def coordinates(mode: str, coordinate: str) -> dict[str, str]:
    """Attributes of a filter and a coordinate mode."""
    return {"mode": mode, "coordinate_transformation_mode": coordinate}


CASES: dict[str, Case] = {
    **{f"grow_{mode}": grow(mode) for mode in ("nearest", "linear", "cubic")},
    **{f"shrink_{mode}": shrink(mode) for mode in ("nearest", "linear", "cubic")},
    **{f"antialias_{mode}": shrink(mode, antialias=1) for mode in ("linear", "cubic")},
    **{f"antialias_{mode}_excluded": shrink(mode, antialias=1, exclude_outside=1) for mode in ("linear", "cubic")},
    "antialias_nearest": shrink("nearest", antialias=1),
    "antialias_like_torch": shrink("cubic", antialias=1, exclude_outside=1, cubic_coeff_a=-0.5),
    "floor_by_3": grow("nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    "nearest_exact": shrink("nearest", nearest_mode="round_prefer_ceil"),
    "excluded_cubic": grow("cubic", exclude_outside=1, cubic_coeff_a=-0.5),
    "excluded_linear": grow("linear", exclude_outside=1),
    "excluded_nearest": grow("nearest", exclude_outside=1, nearest_mode="floor"),
    **{
        f"{coordinate}_{mode}": shrink(**coordinates(mode, coordinate))
        for coordinate in ("align_corners", "asymmetric", "half_pixel_symmetric", "pytorch_half_pixel")
        for mode in ("nearest", "linear", "cubic")
    },
    # lengths
    "length_of_0.7": line(10, attributes={"mode": "nearest"}, scales=0.7),
    "length_of_256/86": line(86, attributes={"mode": "linear"}, scales=256 / 86),
    "length_with_roi": line(8, attributes=coordinates("linear", CROP), scales=1.5, roi=[0.25, 0.75]),
    "not_larger_half": Case((6, 15), {"mode": "linear", "keep_aspect_ratio_policy": "not_larger"}, sizes=[25, 10000]),
    "not_larger_58.5": Case((6, 27), {"mode": "linear", "keep_aspect_ratio_policy": "not_larger"}, sizes=[13, 10000]),
    "not_smaller_axes": Case((2, 3, 4), {"axes": [1, 2], "keep_aspect_ratio_policy": "not_smaller"}, sizes=[4, 7]),
    "not_smaller_negative_axes": Case(
        (2, 3, 4), {"axes": [-2, -1], "keep_aspect_ratio_policy": "not_smaller"}, sizes=[4, 7]
    ),
    "policy_with_scales": Case((2, 3), {"keep_aspect_ratio_policy": "not_larger"}, scales=[2, 2]),
    "policy_stretch": Case((2, 3), {"keep_aspect_ratio_policy": "stretch", "mode": "linear"}, sizes=[4, 7]),
    "empty_axis": Case((1, 1, 0, 2), {"mode": "linear"}, scales=[1, 1, 2, 2]),
    "shrunk_to_nothing": Case((1, 1, 3, 4), {"mode": "linear"}, scales=[1, 1, 0.3, 0.5]),
    "size_0": Case((1, 1, 3, 4), {"mode": "linear"}, sizes=[1, 1, 0, 3]),
    "negative_axis": Case((1, 3, 4), {"mode": "linear", "axes": [-1]}, scales=[2]),
    "no_axes": Case((1, 3, 4), {"mode": "linear", "axes": []}, scales=[]),
    "permuted_axes": Case((1, 3, 4), {"mode": "linear", "axes": [2, 1]}, sizes=[8, 2]),
    # coordinates
    "same_length_1.2": line(4, attributes={"mode": "linear"}, scales=1.2),
    "same_length_crop": line(4, attributes=coordinates("linear", CROP), sizes=4, roi=[0.25, 0.75]),
    "crop": line(6, attributes=coordinates("linear", CROP), sizes=9, roi=[0.1, 0.7]),
    "crop_beside_a_length_that_stays": Case(
        (3, 4), coordinates("linear", CROP), sizes=[3, 5], roi=[0.25, 0.25, 0.75, 0.75]
    ),
    "crop_with_a_roi_of_float64": line(
        6, attributes=coordinates("linear", CROP), sizes=9, roi=[0.1, 0.7], roi_element="float64"
    ),
    "crop_outside": line(4, attributes=coordinates("cubic", CROP), sizes=7, roi=[-0.5, 1.5]),
    "crop_last_sample": line(3, attributes=coordinates("linear", CROP), sizes=9, roi=[-0.1, 1.0]),
    "crop_by_0.6": line(4, attributes=coordinates("linear", CROP), scales=0.6, roi=[0.0, 1.0]),
    "align_corners_by_0.6": line(4, attributes=coordinates("linear", "align_corners"), scales=0.6),
    "align_corners_by_0.6_of_5": line(5, attributes=coordinates("linear", "align_corners"), scales=0.6),
    "align_corners_by_2.3": line(3, attributes=coordinates("linear", "align_corners"), scales=2.3),
    "align_corners_by_2": line(4, attributes=coordinates("linear", "align_corners"), scales=2),
    "half_pixel_symmetric_by_1.7": line(4, attributes=coordinates("linear", "half_pixel_symmetric"), scales=1.7),
    "pytorch_half_pixel_to_1": line(5, attributes=coordinates("cubic", "pytorch_half_pixel"), sizes=1),
    "tf_half_pixel_for_nn": line(4, attributes=coordinates("nearest", "tf_half_pixel_for_nn"), sizes=6, opset=11),
    "nearest_7_to_17": line(7, attributes={}, sizes=17),
    "linear_7_to_17": line(7, attributes={"mode": "linear"}, sizes=17),
    "floor_14_to_2": line(14, attributes=coordinates("nearest", "asymmetric") | {"nearest_mode": "floor"}, sizes=2),
    "floor_7_to_1": line(7, attributes={"nearest_mode": "floor"}, sizes=1),
    "floor_by_0.6": line(7, attributes=coordinates("nearest", "asymmetric") | {"nearest_mode": "floor"}, scales=0.6),
    "ties_20_to_6": line(20, attributes={"nearest_mode": "round_prefer_ceil"}, sizes=6),
    # element types
    **{
        f"{mode}_{element}": line(9, attributes=coordinates(mode, "asymmetric"), scales=2, element=element)
        for mode in ("nearest", "linear")
        for element in ("float16", "float64", "int8", "uint8", "int32", "int64", "bool")
    },
    "cubic_float64": line(8, attributes={"mode": "cubic"}, scales=1.7, element="float64"),
    "cubic_int8": line(8, attributes={"mode": "cubic"}, scales=1.7, element="int8"),
    "nearest_string": line(4, attributes={"mode": "nearest"}, scales=2, element="string"),
    "nearest_complex64": line(4, attributes={"mode": "nearest"}, scales=2, element="complex64"),
    "antialias_uint8": Case((1, 1, 9, 12), {"mode": "linear", "antialias": 1}, sizes=[1, 1, 4, 7], element="uint8"),
    "batch_axis": Case((3, 2, 4, 5), {"mode": "linear"}, sizes=[5, 2, 4, 5]),
    "channel_axis": Case((1, 4, 4, 5), {"mode": "linear"}, sizes=[1, 2, 7, 9]),
    "channels_last_linear": Case((1, 4, 5, 3), {"mode": "linear"}, sizes=[1, 7, 9, 3]),
    "channels_last_cubic": Case((1, 4, 5, 3), {"mode": "cubic"}, sizes=[1, 7, 9, 3]),
    "rank_3_linear": Case((2, 3, 4), {"mode": "linear"}, sizes=[2, 5, 7]),
    "rank_5_linear": Case((1, 1, 3, 4, 5), {"mode": "linear"}, sizes=[1, 1, 5, 6, 7]),
    "rank_1": Case((7,), {"mode": "linear"}, scales=[2]),
    "rank_5_cubic": Case((1, 1, 3, 4, 5), {"mode": "cubic"}, sizes=[1, 1, 5, 6, 7]),
    # other versions and operators
    "resize_10_nearest": line(7, attributes={"mode": "nearest"}, scales=1.7, opset=10),
    "resize_10_nearest_by_0.6": line(7, attributes={"mode": "nearest"}, scales=0.6, opset=10),
    "resize_10_linear": line(7, attributes={"mode": "linear"}, scales=1.7, opset=10),
    "upsample_9_nearest": line(7, attributes={"mode": "nearest"}, scales=3, opset=9, op_type="Upsample"),
    "upsample_9_nearest_1.7": line(3, attributes={"mode": "nearest"}, scales=1.7, opset=9, op_type="Upsample"),
    "upsample_9_linear": line(3, attributes={"mode": "linear"}, scales=2, opset=9, op_type="Upsample"),
    "upsample_7_linear": Case(
        (1, 1, 2, 3), {"mode": "linear", "scales": [1.0, 1.0, 2.0, 2.0]}, opset=7, op_type="Upsample"
    ),
    "upsample_1_bilinear": Case(
        (1, 1, 2, 3),
        {"mode": "bilinear", "height_scale": 2.0, "width_scale": 2.0},
        opset=1,
        op_type="Upsample",
    ),
    **{
        f"{op_type}_{mode}": Case(shape, {"blocksize": 2, "mode": mode}, opset=opset, op_type=op_type)
        for op_type, shape, opset in (
            ("DepthToSpace", (2, 12, 2, 3), 13),
            ("SpaceToDepth", (2, 3, 4, 6), 28),
        )
        for mode in ("DCR", "CRD")
    },
    "DepthToSpace_28": Case((2, 12, 2, 3), {"blocksize": 2, "mode": "CRD"}, opset=28, op_type="DepthToSpace"),
    "SpaceToDepth_13": Case((2, 3, 4, 6), {"blocksize": 2}, opset=13, op_type="SpaceToDepth"),
    "DepthToSpace_int16": Case((2, 12, 2, 3), {"blocksize": 2}, opset=13, op_type="DepthToSpace", element="int16"),
}
