"""The operators as layers of a trainable model: ``forward``, ``backward``, ``to_onnx_node``.

``Sequential`` chains them. Importing this package loads no framework; ``to_onnx_node`` alone needs onnx, and only when
it is called.
"""

from halfpixel.layers.rearrange import DepthToSpace, SpaceToDepth
from halfpixel.layers.resize import Resize, Upsample
from halfpixel.layers.sequential import Sequential

__all__ = ["DepthToSpace", "Resize", "Sequential", "SpaceToDepth", "Upsample"]
