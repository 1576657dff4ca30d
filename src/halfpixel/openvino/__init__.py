"""Operators for OpenVINO: its CPU runs Resize, Upsample, DepthToSpace and SpaceToDepth of ONNX models by our kernels.

>>> import openvino, halfpixel.openvino
>>> core = openvino.Core()
>>> halfpixel.openvino.register(core)
>>> compiled = core.compile_model(core.read_model("model.onnx"), "CPU")

Raises:
    MissingExtraError: HP900 on import, where the package ``openvino`` is not installed.
"""

from halfpixel._errors import MissingExtraError

try:
    import openvino as _openvino  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "openvino":
        raise
    raise MissingExtraError(
        "HP900",
        "halfpixel.openvino needs the package 'openvino'",
        given="an environment in which 'import openvino' finds no module",
        allowed="openvino 2026.4 or later",
        do="pip install 'halfpixel[openvino]'",
    ) from error

from halfpixel.openvino.conversion import register

__all__ = ["register"]
