"""A node as the one call of PyTorch that says the same, where there is one."""

from typing import Any

import numpy as np

from .onnx_cases import Array, Case

AVERAGES = {"linear": {3: "linear", 4: "bilinear", 5: "trilinear"}, "cubic": {4: "bicubic"}}


class NoCounterpartError(Exception):
    """PyTorch has no call that says what the node says."""


def run_torch(case: Case) -> Array:
    """Y by F.interpolate, F.pixel_shuffle or F.pixel_unshuffle.

    Raises:
        NoCounterpartError: none of them says it.
    """
    import torch

    x = torch.from_numpy(case.x)
    if case.op_type in ("DepthToSpace", "SpaceToDepth"):
        function: Any = torch.nn.functional.pixel_shuffle
        if case.op_type == "SpaceToDepth":
            function = torch.nn.functional.pixel_unshuffle
        if case.attributes.get("mode", "DCR") != "CRD":
            raise NoCounterpartError("DCR")
        return np.asarray(function(x, case.attributes["blocksize"]).numpy())
    y: Any = torch.nn.functional.interpolate(x, **_lengths(case), **_filter(case))
    return np.asarray(y.numpy())


def _lengths(case: Case) -> dict[str, Any]:
    """size= or scale_factor= of the axes behind batch and channels, in the order of X."""
    rank = len(case.shape)
    axes = [axis % rank for axis in case.attributes.get("axes", range(rank))]
    if case.attributes.get("keep_aspect_ratio_policy", "stretch") != "stretch" and case.sizes is not None:
        raise NoCounterpartError("policy")
    scales = case.scales if case.scales is not None else case.attributes.get("scales")
    if "height_scale" in case.attributes:
        scales = [1, 1, case.attributes["height_scale"], case.attributes["width_scale"]]
    if scales is not None:
        scales = [float(np.float32(scale)) for scale in scales]  # as the model holds them
    given = scales if scales is not None else case.sizes
    unchanged = [1.0] * rank if scales is not None else list(case.shape)
    lengths = list(unchanged)
    for axis, value in zip(axes, given or [], strict=True):
        lengths[axis] = value
    if not 3 <= rank <= 5 or lengths[:2] != unchanged[:2]:
        raise NoCounterpartError("rank or axes")
    return {"scale_factor" if scales is not None else "size": lengths[2:]}


def _filter(case: Case) -> dict[str, Any]:
    """mode=, align_corners= and antialias=."""
    given = case.attributes
    mode = {"bilinear": "linear"}.get(given.get("mode", "nearest"), given.get("mode", "nearest"))
    early = case.op_type == "Upsample" or case.opset < 11
    coordinates = "asymmetric" if early else given.get("coordinate_transformation_mode", "half_pixel")
    if mode == "nearest":
        shrinks = any(scale < 1 for scale in case.scales or [])
        nearest = given.get("nearest_mode", "round_prefer_floor")
        nearest = ("ceil" if shrinks else "floor") if early else nearest
        kinds = {("asymmetric", "floor"): "nearest", ("half_pixel", "round_prefer_ceil"): "nearest-exact"}
        if (coordinates, nearest) not in kinds:
            raise NoCounterpartError("nearest")
        return {"mode": kinds[coordinates, nearest]}
    antialias, excluded = bool(given.get("antialias", 0)), bool(given.get("exclude_outside", 0))
    name = AVERAGES[mode].get(len(case.shape))
    coefficient = given.get("cubic_coeff_a", -0.75)
    if name is None or coordinates not in ("half_pixel", "pytorch_half_pixel", "align_corners"):
        raise NoCounterpartError("rank or coordinates")
    if mode == "cubic" and (coefficient != (-0.5 if antialias else -0.75) or excluded != antialias):
        raise NoCounterpartError("cubic")
    if antialias and (not excluded or len(case.shape) != 4):
        raise NoCounterpartError("antialias")
    return {"mode": name, "align_corners": coordinates == "align_corners", "antialias": antialias}
