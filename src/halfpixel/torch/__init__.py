"""Resize, Upsample, DepthToSpace and SpaceToDepth on torch's CPU tensors, with gradients and all of torch's transforms.

- ``resize``, ``upsample``, ``depth_to_space``, ``space_to_depth``: the operators with ONNX's arguments.
- ``interpolate``: the signature, shapes and numbers of ``torch.nn.functional.interpolate``; ``patch()`` puts it there.
- ``Resize``, ``DepthToSpace``, ``SpaceToDepth``, ``PixelShuffle``, ``PixelUnshuffle``: modules.
- ``onnx_translation_table()``: export to ONNX as one exact node.

Mistakes raise the exceptions that torch raises (ValueError, TypeError, RuntimeError, NotImplementedError) with the text
of halfpixel's own error family.

Raises:
    MissingExtraError: HP900 on import, where the package ``torch`` is not installed.
"""

from halfpixel._errors import MissingExtraError

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise MissingExtraError(
        "HP900",
        "halfpixel.torch needs the package 'torch'",
        given="an environment in which 'import torch' finds no module",
        allowed="torch 2.10 or later",
        do="pip install 'halfpixel[torch]'",
    ) from error

from halfpixel.torch.functions import depth_to_space, resize, space_to_depth, upsample
from halfpixel.torch.interpolation import interpolate, patch
from halfpixel.torch.modules import DepthToSpace, PixelShuffle, PixelUnshuffle, Resize, SpaceToDepth
from halfpixel.torch.onnx_export import onnx_translation_table

__all__ = [
    "DepthToSpace",
    "PixelShuffle",
    "PixelUnshuffle",
    "Resize",
    "SpaceToDepth",
    "depth_to_space",
    "interpolate",
    "onnx_translation_table",
    "patch",
    "resize",
    "space_to_depth",
    "upsample",
]
