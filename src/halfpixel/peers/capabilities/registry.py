"""The libraries by name: what is imported, where it is asked, and what it means by a mode."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import Any

from halfpixel._typing import Like
from halfpixel.ops import presets


@dataclass(frozen=True, slots=True)
class Library:
    """A library.

    Attributes:
        name: of its column.
        module, distribution: what is imported, and what to install for it.
        place: module and function that answer, "module:function".
        like: the preset that says what it means by a mode; None for Resize's own defaults.
    """

    name: str
    module: str
    distribution: str
    place: str
    like: Like | None

    def version(self) -> str | None:
        """The version that is installed, None if it is not."""
        return metadata.version(self.distribution) if find_spec(self.module) is not None else None

    def attributes(self, mode: str) -> dict[str, Any]:
        """What it means by a mode, as attributes of Resize."""
        if self.like is None:
            return {"mode": mode}
        coordinates, nearest = presets.COORDINATE_TRANSFORMATION_MODE, presets.NEAREST_MODE
        a, antialias, excludes = presets.CUBIC_COEFF_A, presets.ANTIALIAS, presets.EXCLUDE_OUTSIDE
        given: Any = mode
        names = ("mode", "coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a", "antialias")
        chosen = presets.attributes_like(
            self.like, given, coordinates, nearest, a, antialias, excludes, presets.LENGTH_RULE
        )
        attributes: dict[str, Any] = dict(zip((*names, "exclude_outside"), chosen[:6], strict=True))
        flags = {name: int(attributes[name]) for name in ("antialias", "exclude_outside")}
        return {**attributes, "cubic_coeff_a": float(attributes["cubic_coeff_a"]), **flags}


_PLACE = "halfpixel.peers.capabilities.libraries"

LIBRARIES: dict[str, Library] = {
    library.name: library
    for library in (
        Library("halfpixel", "halfpixel", "halfpixel", f"{_PLACE}.halfpixel_resize:answer", None),
        Library("onnx reference", "onnx", "onnx", f"{_PLACE}.nodes:by_onnx_reference", None),
        Library("onnxruntime", "onnxruntime", "onnxruntime", f"{_PLACE}.nodes:by_onnxruntime", None),
        Library("OpenVINO", "openvino", "openvino", f"{_PLACE}.nodes:by_openvino", None),
        Library("PyTorch", "torch", "torch", f"{_PLACE}.pytorch:answer", "pytorch"),
        Library("OpenCV", "cv2", "opencv-python-headless", f"{_PLACE}.opencv:answer", "opencv"),
        Library("Pillow", "PIL", "pillow", f"{_PLACE}.pillow:answer", "pillow"),
        Library("JAX", "jax", "jax", f"{_PLACE}.jax:answer", "jax"),
        Library("scikit-image", "skimage", "scikit-image", f"{_PLACE}.scikit_image:answer", "scikit-image"),
    )
}
"""Name -> library, in the order of the columns."""
