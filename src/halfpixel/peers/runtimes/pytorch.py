"""PyTorch's counterparts of single nodes: interpolate, pixel_shuffle, pixel_unshuffle."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.peers.work import Array

_LINEAR = {1: "linear", 2: "bilinear", 3: "trilinear"}
_KEYS = -0.75  # cubic_coeff_a of bicubic without antialias


class NoCounterpartError(Exception):
    """PyTorch has no function that does what the node does."""


class PyTorchNodes:
    """Functions of torch, on tensors that share no memory with the caller's arrays."""

    def __init__(self) -> None:
        self._torch = import_module("torch")
        self._torch.set_grad_enabled(False)

    def run_node(self, call: NodeCall) -> tuple[Mapping[str, Any], str]:
        """Call the function that the node is exported from."""
        if call.op_type in ("DepthToSpace", "SpaceToDepth"):
            return self._shuffle(call)
        return self._interpolate(call)

    def run_model(self, model: bytes | str, feeds: Mapping[str, Array]) -> Mapping[str, Any]:
        """Refuse: PyTorch reads no ONNX models."""
        raise NoCounterpartError("PyTorch runs no ONNX models; its functions are compared node by node")

    def _shuffle(self, call: NodeCall) -> tuple[Mapping[str, Any], str]:
        mode = _text(call.attributes.get("mode", "DCR"))
        name = "pixel_shuffle" if call.op_type == "DepthToSpace" else "pixel_unshuffle"
        if mode != "CRD":
            raise NoCounterpartError(f"{name} is mode CRD, not {mode}")
        blocksize = int(call.attributes["blocksize"])
        result = getattr(self._torch.nn.functional, name)(self._tensor(call.inputs[0]), blocksize)
        return {"Y": self._array(result)}, f"{name}(x, {blocksize})"

    def _interpolate(self, call: NodeCall) -> tuple[Mapping[str, Any], str]:
        x, arguments = call.inputs[0], keywords(call)
        result = self._torch.nn.functional.interpolate(self._tensor(x), **arguments)
        words = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return {"Y": self._array(result)}, f"interpolate(x, {words})"

    def _tensor(self, x: Array | None) -> Any:
        if x is None or x.dtype.kind in "OUT":
            raise NoCounterpartError("PyTorch has no tensors of strings")
        if x.dtype.name == "bfloat16":
            return self._torch.from_numpy(x.view(np.int16).copy()).view(self._torch.bfloat16)
        return self._torch.from_numpy(np.array(x, order="C"))

    def _array(self, result: Any) -> Array:
        if result.dtype == self._torch.bfloat16:
            import ml_dtypes

            return np.asarray(result.contiguous().view(self._torch.int16).numpy()).view(ml_dtypes.bfloat16)
        return np.asarray(result.contiguous().numpy())


def keywords(call: NodeCall) -> dict[str, Any]:
    """Return the keywords with which interpolate means the node, or what comes closest to it in a named mode.

    With antialias torch always renormalises at the border, and its cubic filter has a = -0.5: differences there are
    what a comparison is for, so they refuse nothing.

    Raises:
        NoCounterpartError: the node is no call of interpolate.
    """
    attributes = {name: _text(value) for name, value in call.attributes.items()}
    old = call.op_type == "Upsample" or call.names == ("X", "scales")
    coordinates = "asymmetric" if old else attributes.get("coordinate_transformation_mode", "half_pixel")
    mode = attributes.get("mode", "nearest")
    if attributes.get("keep_aspect_ratio_policy", "stretch") != "stretch":
        raise NoCounterpartError("interpolate keeps no aspect ratio")
    where, space = _where(call, attributes)
    chosen: dict[str, Any] = {**where}
    antialias = bool(attributes.get("antialias", 0))
    if mode == "nearest":
        chosen["mode"] = _nearest(old, coordinates, attributes.get("nearest_mode", "round_prefer_floor"), where)
        return chosen
    aligned = coordinates == "align_corners"
    if coordinates not in ("half_pixel", "pytorch_half_pixel", "align_corners"):
        raise NoCounterpartError(f"interpolate has no coordinates of {coordinates}")
    if mode == "cubic":
        a = float(attributes.get("cubic_coeff_a", _KEYS))
        if space != 2 or (not antialias and a != _KEYS):
            raise NoCounterpartError("bicubic is for two axes, with cubic_coeff_a=-0.75")
        chosen["mode"] = "bicubic"
    else:
        chosen["mode"] = _LINEAR[space]
    if antialias and space != 2:
        raise NoCounterpartError("interpolate antialiases two axes")
    if attributes.get("exclude_outside") and not antialias:
        raise NoCounterpartError("interpolate has no exclude_outside without antialias")
    return {**chosen, "align_corners": aligned, **({"antialias": True} if antialias else {})}


def _nearest(old: bool, coordinates: str, nearest_mode: str, where: Mapping[str, Any]) -> str:
    grows = all(scale >= 1 for scale in where.get("scale_factor", ()))
    if coordinates == "asymmetric" and (nearest_mode == "floor" or (old and grows)):
        return "nearest"
    if coordinates == "half_pixel" and nearest_mode == "round_prefer_ceil":
        return "nearest-exact"
    raise NoCounterpartError(f"interpolate has no nearest with {coordinates} and {nearest_mode}")


def _where(call: NodeCall, attributes: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """size= or scale_factor= of the axes behind batch and channels, and how many these are."""
    x = call.inputs[0]
    rank = 0 if x is None else x.ndim
    space = rank - 2
    if x is None or space not in _LINEAR:
        raise NoCounterpartError(f"interpolate resizes arrays of rank 3, 4 and 5, not {rank}")
    named = dict(zip(call.names, call.inputs, strict=True))
    scales, sizes = (_list(named.get(name)) for name in ("scales", "sizes"))
    if call.op_type == "Upsample" and scales is None:
        scales = list(attributes.get("scales", ())) or [1, 1, attributes["height_scale"], attributes["width_scale"]]
    axes = [int(axis) % rank for axis in attributes.get("axes", range(rank))]
    if scales is not None:
        by_axis = {**dict.fromkeys(range(rank), 1.0), **dict(zip(axes, scales, strict=True))}
        kept = all(by_axis[axis] == 1 for axis in (0, 1))
        where: dict[str, Any] = {"scale_factor": tuple(float(by_axis[axis]) for axis in range(2, rank))}
    else:
        lengths = {**dict(enumerate(x.shape)), **dict(zip(axes, sizes or (), strict=True))}
        kept = all(lengths[axis] == x.shape[axis] for axis in (0, 1))
        where = {"size": tuple(int(lengths[axis]) for axis in range(2, rank))}
    if not kept:
        raise NoCounterpartError("interpolate leaves batch and channels as they are")
    return where, space


def _list(value: Array | None) -> list[Any] | None:
    return None if value is None or value.size == 0 else value.tolist()


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def runtime() -> PyTorchNodes:
    """Return the runtime."""
    return PyTorchNodes()
