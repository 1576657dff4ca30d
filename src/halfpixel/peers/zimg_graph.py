"""zimg's C interface (API 2.4) through ctypes: formats, a filter graph, aligned planes."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from halfpixel.peers.work import Array

API_VERSION = 2 << 8 | 4
ALIGNMENT = 64
POINT, BILINEAR, BICUBIC = 0, 1, 2
BYTE, WORD, HALF, FLOAT = 0, 1, 2, 3
_GREY, _RGB = 0, 1
_FULL_RANGE = 1
_AUTO_64_BYTES = 2
_WHOLE_IMAGE = 2**32 - 1
_MOST_PLANES = 4

_UNSIGNED, _ENUM, _DOUBLE = ctypes.c_uint, ctypes.c_int, ctypes.c_double


class _Plane(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("stride", ctypes.c_ssize_t), ("mask", _UNSIGNED)]


class _Buffer(ctypes.Structure):
    _fields_ = [("version", _UNSIGNED), ("plane", _Plane * _MOST_PLANES)]


class _Region(ctypes.Structure):
    _fields_ = [(name, _DOUBLE) for name in ("left", "top", "width", "height")]


class _Format(ctypes.Structure):
    _fields_ = [
        ("version", _UNSIGNED),
        ("width", _UNSIGNED),
        ("height", _UNSIGNED),
        ("pixel_type", _ENUM),
        ("subsample_w", _UNSIGNED),
        ("subsample_h", _UNSIGNED),
        ("color_family", _ENUM),
        ("matrix_coefficients", _ENUM),
        ("transfer_characteristics", _ENUM),
        ("color_primaries", _ENUM),
        ("depth", _UNSIGNED),
        ("pixel_range", _ENUM),
        ("field_parity", _ENUM),
        ("chroma_location", _ENUM),
        ("active_region", _Region),
        ("alpha", _ENUM),
    ]


class _Parameters(ctypes.Structure):
    _fields_ = [
        ("version", _UNSIGNED),
        ("resample_filter", _ENUM),
        ("filter_param_a", _DOUBLE),
        ("filter_param_b", _DOUBLE),
        ("resample_filter_uv", _ENUM),
        ("filter_param_a_uv", _DOUBLE),
        ("filter_param_b_uv", _DOUBLE),
        ("dither_type", _ENUM),
        ("cpu_type", _ENUM),
        ("nominal_peak_luminance", _DOUBLE),
        ("allow_approximate_gamma", ctypes.c_char),
    ]


@functools.cache
def library() -> Any:
    """libzimg with the types of what is called; None if it is not installed."""
    path = ctypes.util.find_library("zimg")
    if path is None:
        return None
    zimg = ctypes.CDLL(path)
    zimg.zimg_filter_graph_build.restype = ctypes.c_void_p
    zimg.zimg_filter_graph_build.argtypes = [ctypes.c_void_p] * 3
    zimg.zimg_filter_graph_free.argtypes = [ctypes.c_void_p]
    zimg.zimg_filter_graph_get_tmp_size.argtypes = [ctypes.c_void_p] * 2
    zimg.zimg_filter_graph_process.argtypes = [ctypes.c_void_p] * 8
    return zimg


def library_version() -> str | None:
    """zimg's version, None if it is not installed."""
    zimg = library()
    if zimg is None:
        return None
    numbers = [_UNSIGNED() for _ in range(3)]
    zimg.zimg_get_version_info(*map(ctypes.byref, numbers))
    return ".".join(str(number.value) for number in numbers)


def aligned(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """An array whose rows begin on a multiple of 64 bytes, as zimg's widest vectors want them."""
    *outer, width = shape
    pitch = -(-width * dtype.itemsize // ALIGNMENT) * ALIGNMENT
    rows = int(np.prod(outer))
    memory = np.empty(rows * pitch + ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    padded = memory[begin : begin + rows * pitch].view(dtype).reshape(*outer, pitch // dtype.itemsize)
    return padded[..., :width]


class Graph:
    """A resize of one plane or of three, for some of the output's rows.

    Args:
        source, target: arrays of (planes, height, width) from aligned(); one plane or three.
        rows: the output rows to compute, first and one past the last.
        filter_: POINT, BILINEAR or BICUBIC.
        a: the cubic coefficient as ONNX has it.

    Raises:
        ValueError: zimg refuses.
    """

    def __init__(self, source: Array, target: Array, rows: tuple[int, int], pixel: int, filter_: int, a: float) -> None:
        zimg = self._zimg = library()
        first, last = rows
        share = source.shape[1] / target.shape[1]
        wanted = self._format(source, pixel)
        wanted.active_region = _Region(0, first * share, source.shape[2], (last - first) * share)
        part = target[:, first:last]
        parameters = _Parameters()
        zimg.zimg_graph_builder_params_default(ctypes.byref(parameters), API_VERSION)
        parameters.resample_filter = parameters.resample_filter_uv = filter_
        parameters.cpu_type = _AUTO_64_BYTES
        if filter_ == BICUBIC:
            # Mitchell and Netravali's family: b = 0 is Keys' filter with a = -c.
            parameters.filter_param_a = parameters.filter_param_a_uv = 0.0
            parameters.filter_param_b = parameters.filter_param_b_uv = -a
        formats = (wanted, self._format(part, pixel))
        self._graph = zimg.zimg_filter_graph_build(*map(ctypes.addressof, (*formats, parameters)))
        if not self._graph:
            raise ValueError(self._error())
        size = ctypes.c_size_t()
        zimg.zimg_filter_graph_get_tmp_size(self._graph, ctypes.addressof(size))
        self._held = [source, target, aligned((1, max(1, size.value)), np.dtype(np.uint8))]
        self._buffers = [_buffer(source), _buffer(part)]
        addresses = map(ctypes.addressof, self._buffers)
        self._arguments = (self._graph, *addresses, self._held[2].ctypes.data, None, None, None, None)
        self._process = zimg.zimg_filter_graph_process

    def __call__(self) -> None:
        """Compute the rows.

        Raises:
            ValueError: zimg refuses.
        """
        if self._process(*self._arguments):
            raise ValueError(self._error())

    def __del__(self) -> None:
        if getattr(self, "_graph", None):
            self._zimg.zimg_filter_graph_free(self._graph)

    def _format(self, planes: Array, pixel: int) -> _Format:
        made = _Format()
        self._zimg.zimg_image_format_default(ctypes.byref(made), API_VERSION)
        made.height, made.width = planes.shape[1:]
        made.pixel_type = pixel
        made.color_family = _GREY if len(planes) == 1 else _RGB
        made.matrix_coefficients = 2 if len(planes) == 1 else 0
        made.depth = planes.dtype.itemsize * 8
        made.pixel_range = _FULL_RANGE
        return made

    def _error(self) -> str:
        text = ctypes.create_string_buffer(1024)
        self._zimg.zimg_get_last_error(text, len(text))
        return text.value.decode()


def _buffer(planes: Array) -> _Buffer:
    made = _Buffer(version=API_VERSION)
    for index, plane in enumerate(planes):
        made.plane[index] = _Plane(plane.ctypes.data, plane.strides[0], _WHOLE_IMAGE)
    return made
