"""Every version of the four operators: which inputs, attributes, values and element types it knows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .lengths import RefusedError, as_float32
from .rearrange import depth_to_space, space_to_depth
from .resize import Array, Attributes, Result, resize
from .rounding import element_of

VERSIONS = {
    "Resize": (10, 11, 13, 18, 19),
    "Upsample": (1, 7, 9, 10),
    "DepthToSpace": (1, 11, 13, 28),
    "SpaceToDepth": (1, 13, 28),
}

UPSAMPLE_1_TYPES = frozenset({"bool", "int32", "int64", "float16", "float32", "float64"})
OLD_TYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
    | {"float16", "float32", "float64", "complex64", "complex128", "string"}
)
ALL_TYPES = OLD_TYPES | {"bfloat16"}

RESIZE_10 = {"mode": ("nearest", "linear")}
RESIZE_13: dict[str, tuple[str, ...] | None] = {
    "mode": ("nearest", "linear", "cubic"),
    "coordinate_transformation_mode": (
        "half_pixel",
        "pytorch_half_pixel",
        "align_corners",
        "asymmetric",
        "tf_half_pixel_for_nn",
        "tf_crop_and_resize",
    ),
    "nearest_mode": ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
    "cubic_coeff_a": None,
    "exclude_outside": None,
    "extrapolation_value": None,
}
MODES_18 = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize")
RESIZE_18 = RESIZE_13 | {
    "coordinate_transformation_mode": MODES_18,
    "antialias": None,
    "axes": None,
    "keep_aspect_ratio_policy": ("stretch", "not_larger", "not_smaller"),
}
RESIZE_19 = RESIZE_18 | {"coordinate_transformation_mode": (*MODES_18, "half_pixel_symmetric")}
MODE = {"blocksize": None, "mode": ("DCR", "CRD")}

# attributes of each version, with their values where they are names
ATTRIBUTES: dict[tuple[str, int], Mapping[str, tuple[str, ...] | None]] = {
    ("Resize", 10): RESIZE_10,
    ("Resize", 11): RESIZE_13,
    ("Resize", 13): RESIZE_13,
    ("Resize", 18): RESIZE_18,
    ("Resize", 19): RESIZE_19,
    ("Upsample", 1): {"mode": ("nearest", "bilinear"), "height_scale": None, "width_scale": None},
    ("Upsample", 7): {"mode": ("nearest", "linear"), "scales": None},
    ("Upsample", 9): RESIZE_10,
    ("Upsample", 10): RESIZE_10,
    ("DepthToSpace", 1): {"blocksize": None},
    ("DepthToSpace", 11): MODE,
    ("DepthToSpace", 13): MODE,
    ("DepthToSpace", 28): MODE,
    ("SpaceToDepth", 1): {"blocksize": None},
    ("SpaceToDepth", 13): {"blocksize": None},
    ("SpaceToDepth", 28): MODE,
}


def since_version(op_type: str, opset: int) -> int:
    """The version of the operator that an opset uses."""
    known = [version for version in VERSIONS.get(op_type, ()) if version <= opset]
    if not known:
        raise RefusedError(f"no {op_type} in opset {opset}")
    return known[-1]


def element_types(op_type: str, version: int) -> frozenset[str]:
    """The element types of X in a version."""
    if (op_type, version) == ("Upsample", 1):
        return UPSAMPLE_1_TYPES
    return OLD_TYPES if version < 13 or op_type == "Upsample" else ALL_TYPES


def check_node(op_type: str, version: int, x: Array, attributes: Mapping[str, Any]) -> None:
    """Refuse unknown attributes, unknown values and element types that the version does not list."""
    known = ATTRIBUTES[op_type, version]
    for name, value in attributes.items():
        if name not in known:
            raise RefusedError(f"{op_type}-{version} has no attribute {name}")
        allowed = known[name]
        if allowed is not None and value not in allowed:
            raise RefusedError(f"{op_type}-{version} has no {name} {value!r}")
    if element_of(x) not in element_types(op_type, version):
        raise RefusedError(f"{op_type}-{version} does not take {element_of(x)}")


def typed(array: Array | None, element: str) -> list[Any] | None:
    """The values of a scales or sizes input, which must have one element type."""
    if array is None:
        return None
    if array.ndim != 1 or element_of(array) != element:
        raise RefusedError(f"a 1-D {element} tensor is wanted, not {array.dtype} of shape {array.shape}")
    return list(array.tolist())


def run_resize(version: int, inputs: Sequence[Array | None], attributes: Mapping[str, Any]) -> Result:
    """Resize-10: X, scales. Later: X, roi, scales, sizes, any of the last three None or empty."""
    x = given(inputs)
    if version == 10:
        return run_asymmetric(x, typed(inputs[1], "float32"), attributes.get("mode", "nearest"))
    roi, scales, sizes = [*inputs[1:], None, None, None][:3]
    converted = dict(attributes)
    if "axes" in converted:
        converted["axes"] = tuple(converted["axes"])
    region = None if roi is None else roi.astype(np.float64).tolist()
    return resize(x, typed(scales, "float32"), typed(sizes, "int64"), Attributes(**converted), region)


def run_asymmetric(x: Array, scales: Sequence[float] | None, mode: str) -> Result:
    """Resize-10 and Upsample: coordinates x / scale, nearest by floor (growing) or ceil (shrinking)."""
    attributes = Attributes(mode=mode, coordinate_transformation_mode="asymmetric", nearest_mode="by_scale")
    return resize(x, scales, None, attributes)


def run_upsample(version: int, inputs: Sequence[Array | None], attributes: Mapping[str, Any]) -> Result:
    """Upsample: scales of at least 1, from two attributes (1: four scales, so rank 4), one (7) or an input (9, 10)."""
    x = given(inputs)
    mode = attributes.get("mode", "nearest")
    if version == 1:
        if not {"height_scale", "width_scale"} <= attributes.keys():
            raise RefusedError("Upsample-1 needs height_scale and width_scale")
        scales = [1.0, 1.0, attributes["height_scale"], attributes["width_scale"]]
        mode = "linear" if mode == "bilinear" else mode
    elif version == 7:
        if "scales" not in attributes:
            raise RefusedError("Upsample-7 needs the attribute scales")
        scales = list(attributes["scales"])
    else:
        scales = typed(inputs[1], "float32") or []
    if any(as_float32(scale) < 1 for scale in scales):
        raise RefusedError(f"Upsample takes scales of at least 1: {scales}")
    return run_asymmetric(x, scales, mode)


def given(inputs: Sequence[Array | None]) -> Array:
    """The first input, which no operator can miss."""
    if not inputs or inputs[0] is None:
        raise RefusedError("the first input is missing")
    return inputs[0]


def run_node(op_type: str, inputs: Sequence[Array | None], attributes: Mapping[str, Any], *, opset: int) -> Result:
    """The exact result of one node; RefusedError where the version's text does not allow it."""
    version = since_version(op_type, opset)
    x = given(inputs)
    check_node(op_type, version, x, attributes)
    if op_type == "Resize":
        return run_resize(version, inputs, attributes)
    if op_type == "Upsample":
        return run_upsample(version, inputs, attributes)
    if "blocksize" not in attributes:
        raise RefusedError(f"{op_type} needs a blocksize")
    rearrange = depth_to_space if op_type == "DepthToSpace" else space_to_depth
    return Result(element_of(x), rearrange(x, attributes["blocksize"], attributes.get("mode", "DCR")))
