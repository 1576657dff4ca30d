"""ONNX Resize, Upsample, DepthToSpace and SpaceToDepth on the CPU: every version, attribute and element type.

>>> import halfpixel as hp
>>> hp.resize(numpy.array([[1, 2], [3, 4]], numpy.float32), scales=[2, 2], mode="linear")
array([[1.  , 1.25, 1.75, 2.  ],
       [1.5 , 1.75, 2.25, 2.5 ],
       [2.5 , 2.75, 3.25, 3.5 ],
       [3.  , 3.25, 3.75, 4.  ]], dtype=float32)
"""

from halfpixel._errors import (
    ElementTypeError,
    HalfpixelError,
    MediaError,
    MissingExtraError,
    ModelError,
    ResourceError,
    SpecError,
)
from halfpixel.ops import (
    Box,
    build_info,
    crop_and_resize,
    crop_and_resize_grad,
    crop_grad,
    depth_to_space,
    letterbox,
    plan_resize,
    resize,
    resize_grad,
    run_node,
    space_to_depth,
    upsample,
    upsample_grad,
)
from halfpixel.spec.sizes import output_sizes

__version__ = "0.1.0"

__all__ = [
    "Box",
    "ElementTypeError",
    "HalfpixelError",
    "MediaError",
    "MissingExtraError",
    "ModelError",
    "ResourceError",
    "SpecError",
    "build_info",
    "crop_and_resize",
    "crop_and_resize_grad",
    "crop_grad",
    "depth_to_space",
    "letterbox",
    "output_sizes",
    "plan_resize",
    "resize",
    "resize_grad",
    "run_node",
    "space_to_depth",
    "upsample",
    "upsample_grad",
]
