"""An execution provider for onnxruntime: the four operators of unchanged models, run by our kernels.

>>> import onnxruntime, halfpixel.onnxruntime
>>> halfpixel.onnxruntime.register()
>>> providers = ["HalfpixelExecutionProvider", "CPUExecutionProvider"]
>>> session = onnxruntime.InferenceSession("model.onnx", providers=providers)

Raises:
    MissingExtraError: HP900 on import, where the package ``onnxruntime`` is not installed; HP901 where it is older than
        1.24.
"""

from halfpixel._errors import MissingExtraError

try:
    import onnxruntime as _onnxruntime
except ModuleNotFoundError as error:
    if error.name != "onnxruntime":
        raise
    raise MissingExtraError(
        "HP900",
        "halfpixel.onnxruntime needs the package 'onnxruntime'",
        given="an environment in which 'import onnxruntime' finds no module",
        allowed="onnxruntime 1.24 or later",
        do="pip install 'halfpixel[onnxruntime]'",
    ) from error

from halfpixel.onnxruntime.registration import PROVIDER, add_to, check_version, register

check_version(_onnxruntime.__version__)

__all__ = ["PROVIDER", "add_to", "register"]
