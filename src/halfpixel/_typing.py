"""The attribute values of the four operators as types, and the kinds of argument that the public functions take.

Source: the ONNX texts of Resize, Upsample, DepthToSpace and SpaceToDepth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, SupportsFloat, SupportsIndex, TypeAlias

OpType: TypeAlias = Literal["Resize", "Upsample", "DepthToSpace", "SpaceToDepth"]

Mode: TypeAlias = Literal["nearest", "linear", "cubic"]
UpsampleMode: TypeAlias = Literal["nearest", "linear", "bilinear"]
CoordinateTransformationMode: TypeAlias = Literal[
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
]
NearestMode: TypeAlias = Literal["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
KeepAspectRatioPolicy: TypeAlias = Literal["stretch", "not_larger", "not_smaller"]
RearrangeMode: TypeAlias = Literal["DCR", "CRD"]

LengthRule: TypeAlias = Literal["floor", "round", "ceil", "float32_floor"]

Like: TypeAlias = Literal[
    "pytorch",
    "torchvision",
    "tensorflow",
    "opencv",
    "pillow",
    "jax",
    "scikit-image",
    "onnxruntime",
    "openvino",
]

Integers: TypeAlias = Iterable[SupportsIndex]
RealNumbers: TypeAlias = Iterable[SupportsFloat | SupportsIndex]
