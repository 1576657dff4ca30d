"""Arrays in and out: what comes in decides what goes out, without a copy.

Frameworks are recognised among the modules that are already loaded; none is imported.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from halfpixel._errors import ElementTypeError
from halfpixel.plan.elements import BFLOAT16_BITS, Array

Export: TypeAlias = Callable[[Array], Any]
"""Turns a result into the kind of array that came in."""

_CPU_DEVICES = (1, 3, 11)
"""DLPack device types whose memory the CPU can read: CPU, CUDA pinned host, ROCm pinned host."""

_ONNX_BFLOAT16 = 16


def import_array(x: object, name: str = "x") -> tuple[Array, Export]:
    """Return a NumPy view of an array of any library, and the function that turns a result into its kind.

    Args:
        x: a NumPy array or scalar, a torch tensor, an onnxruntime OrtValue, anything with ``__dlpack__`` (memory that
            the CPU can read), or anything with the buffer protocol, whose results are NumPy arrays.
        name: what messages call it.

    Returns:
        The view, which shares memory with x; bfloat16 of other libraries has the dtype BFLOAT16_BITS.

    Raises:
        ElementTypeError: HP221 no array, HP222 not readable here (GPU, sparse, unknown to NumPy), HP223 a mask or a
            gradient would be lost.
    """
    if type(x) is np.ndarray:
        return x, export_numpy
    if isinstance(x, np.ndarray | np.generic):
        return _from_numpy_kind(x, name), export_numpy
    torch = sys.modules.get("torch")
    if isinstance(x, getattr(torch, "Tensor", ())):
        return _from_torch(x, name), export_torch
    runtime = sys.modules.get("onnxruntime")
    if isinstance(x, getattr(runtime, "OrtValue", ())):
        return _from_ort_value(x, name), export_ort_value
    if hasattr(type(x), "__dlpack__"):
        return _from_dlpack(x, name), _dlpack_export(x)
    return _from_buffer(x, name), export_numpy


def export_array(y: Array, kind: Export) -> Any:
    """Return y as the kind of array that import_array saw."""
    return kind(y)


def export_numpy(y: Array) -> Array:
    """Return y itself."""
    return y


def export_torch(y: Array) -> Any:
    """Return a torch tensor on the same memory."""
    torch = sys.modules["torch"]
    if y.dtype == BFLOAT16_BITS:
        return torch.from_numpy(y.view(np.uint16)).view(torch.bfloat16)
    return torch.from_numpy(y)


def export_ort_value(y: Array) -> Any:
    """Return an onnxruntime OrtValue; it holds C order only."""
    ort_value = sys.modules["onnxruntime"].OrtValue
    dense = np.ascontiguousarray(y).reshape(y.shape)
    if y.dtype == BFLOAT16_BITS:
        return ort_value.ortvalue_from_numpy_with_onnx_type(dense.view(np.uint16), _ONNX_BFLOAT16)
    return ort_value.ortvalue_from_numpy(dense)


def _from_numpy_kind(x: Array | np.generic, name: str) -> Array:
    """Subclasses and scalars as plain arrays; a masked array would lose its mask."""
    masked = sys.modules.get("numpy.ma")
    if isinstance(x, getattr(masked, "MaskedArray", ())):
        raise ElementTypeError(
            "HP223",
            f"{name} has a mask, which an average of its samples would ignore",
            given=f"{name} of type {type(x).__name__}",
            allowed="arrays without a mask",
            do=f"pass {name}.filled(value), and resize the mask with mode='nearest' if you need it",
        )
    return np.asarray(x)


def _from_torch(x: Any, name: str) -> Array:
    torch = sys.modules["torch"]
    if x.device.type != "cpu":
        raise _not_here(name, x, f"a tensor on {x.device}", f"pass {name}.cpu()")
    if x.layout is not torch.strided or x.is_quantized:
        raise _not_here(name, x, "a sparse or quantized tensor", f"pass {name}.to_dense() or {name}.dequantize()")
    if x.requires_grad:
        raise ElementTypeError(
            "HP223",
            f"{name} requires a gradient, which NumPy code would cut off",
            given=f"{name}, a tensor with requires_grad=True",
            allowed="tensors that require no gradient",
            do=f"pass {name}.detach()",
        )
    x = x.resolve_conj().resolve_neg()
    try:
        if x.dtype is torch.bfloat16:
            bits: Array = x.view(torch.uint16).numpy()
            return bits.view(BFLOAT16_BITS)
        array: Array = x.numpy()
        return array
    except (TypeError, RuntimeError) as error:
        raise _unreadable(name, x, error) from error


def _from_ort_value(x: Any, name: str) -> Array:
    if x.device_name() != "cpu":
        raise _not_here(name, x, f"an OrtValue on {x.device_name()}", f"pass {name}.numpy()")
    if x.data_type() == "tensor(bfloat16)":
        shape = tuple(x.shape())
        memory = (ctypes.c_uint16 * int(np.prod(shape, dtype=np.int64))).from_address(x.data_ptr())
        return np.ctypeslib.as_array(memory).view(BFLOAT16_BITS).reshape(shape)
    try:
        if x.data_type() == "tensor(string)":
            strings: Array = x.numpy()
            return strings
        return np.from_dlpack(x)
    except (TypeError, RuntimeError, BufferError) as error:
        raise _unreadable(name, x, error) from error


def _from_dlpack(x: Any, name: str) -> Array:
    try:
        device = x.__dlpack_device__()
        if int(device[0]) not in _CPU_DEVICES:
            raise _not_here(name, x, f"an array on DLPack device {device}", "copy it to the CPU")
        return np.from_dlpack(x)
    except ElementTypeError:
        raise
    except Exception as error:  # whatever a foreign exporter raises
        if hasattr(type(x), "__array__") and "dtype" in str(error):
            return np.asarray(x)  # types that DLPack has and NumPy has not, such as JAX's bfloat16
        raise _unreadable(name, x, error) from error


def _dlpack_export(x: Any) -> Export:
    """The array library's own constructor: its array-API namespace, else its top module; NumPy where it has none."""
    namespace = getattr(x, "__array_namespace__", None)
    library = namespace() if callable(namespace) else sys.modules.get(type(x).__module__.partition(".")[0])
    constructor: Export | None = getattr(library, "from_dlpack", None)
    if constructor is None:
        return export_numpy

    def export(y: Array) -> Any:
        try:
            return constructor(y)
        except (TypeError, ValueError, RuntimeError, BufferError, AttributeError):
            return library.asarray(y)  # type: ignore[union-attr]  # a type or layout that DLPack cannot carry

    return export


def _from_buffer(x: Any, name: str) -> Array:
    try:
        view = memoryview(x)
    except TypeError:
        raise ElementTypeError(
            "HP221",
            f"{name} is not an array",
            given=f"{name} of type {type(x).__name__}",
            allowed="a NumPy array, or an object with __dlpack__ or the buffer protocol",
            do=f"pass numpy.asarray({name}, dtype=...), which makes its element type explicit",
        ) from None
    try:
        return np.asarray(view)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise _unreadable(name, x, error) from error


def _not_here(name: str, x: object, given: str, do: str) -> ElementTypeError:
    return ElementTypeError(
        "HP222",
        f"{name} is not dense memory that the CPU can read",
        given=given,
        allowed="arrays in CPU memory",
        do=do,
    )


def _unreadable(name: str, x: object, error: Exception) -> ElementTypeError:
    return ElementTypeError(
        "HP222",
        f"NumPy cannot read {name}",
        given=f"{name} of type {type(x).__name__}: {error}",
        allowed="arrays whose element type NumPy has, and bfloat16",
        do="convert it first",
    )
