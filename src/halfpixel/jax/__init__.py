"""Resize, Upsample, DepthToSpace and SpaceToDepth as primitives of JAX, with gradients and all of its transforms.

- ``resize``, ``upsample``, ``depth_to_space``, ``space_to_depth``: the operators with ONNX's arguments.
- ``image_resize``: the signature and results of ``jax.image.resize``.

On the CPU a compiled program calls our passes directly; where this installation was built without jaxlib it calls back
into Python. On other platforms the tables become gathers and sums of jax.numpy.

Mistakes raise the exceptions that JAX raises (ValueError, TypeError, RuntimeError) with the text of halfpixel's own
error family.

Raises:
    MissingExtraError: HP900 on import, where the package ``jax`` is not installed.
"""

from halfpixel._errors import MissingExtraError

try:
    import jax as _jax  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "jax":
        raise
    raise MissingExtraError(
        "HP900",
        "halfpixel.jax needs the package 'jax'",
        given="an environment in which 'import jax' finds no module",
        allowed="jax 0.8 or later",
        do="pip install 'halfpixel[jax]'",
    ) from error

from halfpixel.jax.functions import depth_to_space, resize, space_to_depth, upsample
from halfpixel.jax.image import image_resize

__all__ = ["depth_to_space", "image_resize", "resize", "space_to_depth", "upsample"]
