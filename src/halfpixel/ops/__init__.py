"""The operators as functions on arrays."""

from halfpixel.ops.crop import crop_and_resize, crop_and_resize_grad
from halfpixel.ops.crop_gradient import crop_grad
from halfpixel.ops.info import build_info
from halfpixel.ops.letterbox import Box, letterbox
from halfpixel.ops.node import run_node
from halfpixel.ops.rearrange import depth_to_space, space_to_depth
from halfpixel.ops.resizing import plan_resize, resize, resize_grad
from halfpixel.ops.upsampling import upsample, upsample_grad

__all__ = [
    "Box",
    "build_info",
    "crop_and_resize",
    "crop_and_resize_grad",
    "crop_grad",
    "depth_to_space",
    "letterbox",
    "plan_resize",
    "resize",
    "resize_grad",
    "run_node",
    "space_to_depth",
    "upsample",
    "upsample_grad",
]
