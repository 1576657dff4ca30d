"""Export to ONNX: each operator becomes one node of the standard, for torch.onnx.export(dynamo=True)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from halfpixel._errors import MissingExtraError
from halfpixel.spec.sizes import float32, length_of
from halfpixel.torch import kernels
from halfpixel.torch.errors import refusal
from halfpixel.torch.interpolation_spec import step_of
from halfpixel.torch.onnx_area import area

_ANTIALIASED = {"antialias": 1, "exclude_outside": 1}


def onnx_translation_table() -> dict[Any, Callable[..., Any]]:
    """Return what torch.onnx.export takes as custom_translation_table. Nodes are of opset 18 (19 where they must be).

    Example:
        >>> torch.onnx.export(
        ...     model, (x,), "model.onnx", dynamo=True, opset_version=19,
        ...     custom_translation_table=halfpixel.torch.onnx_translation_table(),
        ... )

    The export raises torch's OnnxExporterError, caused by a NotImplementedError that says why, where no node of the
    standard gives the same numbers: antialias with align_corners, Resize-10 in mode nearest on axes that grow and
    others that shrink, a scale_factor whose length in ONNX is another one.

    Raises:
        MissingExtraError: HP900 the package onnxscript, which the exporter needs, is not installed.
    """
    try:
        import onnxscript  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "HP900",
            "torch's exporter needs the package 'onnxscript'",
            given="an environment in which 'import onnxscript' finds no module",
            allowed="onnxscript 0.7 or later",
            do="pip install onnxscript",
        ) from error
    return {
        kernels.resize: _resize,
        kernels.upsample: _upsample,
        kernels.interpolate: _interpolate,
        kernels.depth_to_space: _depth_to_space,
        kernels.space_to_depth: _space_to_depth,
    }


def _node(x: Any, scales: Any, sizes: Any, roi: Any = None, newest: bool = False, **attributes: Any) -> Any:
    """One Resize. Lists may hold values of the graph."""
    from onnxscript import opset18, opset19

    given = {name: value for name, value in attributes.items() if value is not None}
    return (opset19 if newest else opset18).Resize(x, roi, scales, sizes, **given)


def _resize(
    x: Any,
    scales: Any,
    sizes: Any,
    roi: Any,
    axes: Any,
    mode: Any,
    coordinates: Any,
    nearest: Any,
    a: Any,
    antialias: Any,
    exclude_outside: Any,
    value: Any,
    policy: Any,
    rule: Any,
    version: Any,
    threads: Any,
) -> Any:
    _check_length_rule(x, scales, axes, rule)
    if version == 10:
        coordinates, nearest = "asymmetric", _nearest_of_version_10(mode, scales)
    elif coordinates == "tf_half_pixel_for_nn":
        coordinates, nearest = _without_half_pixel_for_nn(mode, nearest)
    return _node(
        x,
        scales,
        sizes,
        roi if coordinates == "tf_crop_and_resize" else None,
        coordinates == "half_pixel_symmetric",
        axes=axes,
        mode=mode,
        coordinate_transformation_mode=coordinates,
        nearest_mode=nearest,
        cubic_coeff_a=a,
        antialias=int(antialias),
        exclude_outside=int(exclude_outside),
        extrapolation_value=value,
        keep_aspect_ratio_policy=policy,
    )


def _check_length_rule(x: Any, scales: Any, axes: Any, rule: str) -> None:
    """Another rule than the standard's passes where both are known to give the same lengths."""
    if rule == "floor" or scales is None:
        return
    listed = range(len(x.shape)) if axes is None else axes
    for axis, scale in zip(listed, scales, strict=True):
        length, ratio = x.shape[axis], float32(scale).as_integer_ratio()
        known = isinstance(length, int) or ratio[1] == 1
        if known and (ratio[1] == 1 or length_of(length, ratio, rule) == length_of(length, ratio, "floor")):
            continue
        raise _no_node("the standard takes floor(length * scale)", f"a length rule {rule!r}, {length} * {scale}")


def _nearest_of_version_10(mode: str, scales: Sequence[float]) -> str:
    """Resize-10: floor where an axis grows, ceil where it shrinks; one node of today has one of them."""
    grows, shrinks = any(scale > 1 for scale in scales), any(scale < 1 for scale in scales)
    if mode == "nearest" and grows and shrinks:
        raise _no_node("Resize-10 in mode 'nearest' rounds growing axes down and shrinking axes up", f"scales={scales}")
    return "ceil" if shrinks else "floor"


def _without_half_pixel_for_nn(mode: str, nearest: str) -> tuple[str, str]:
    """(i + 1/2) / scale is half_pixel plus 1/2: floor of it rounds half_pixel half up, and so on."""
    same = {"floor": "round_prefer_ceil", "round_prefer_floor": "ceil"}
    if mode != "nearest" or nearest not in same:
        raise _no_node("'tf_half_pixel_for_nn' left Resize with version 13", f"mode={mode!r}, nearest_mode={nearest!r}")
    return "half_pixel", same[nearest]


def _upsample(x: Any, scales: Any, height: Any, width: Any, mode: Any, version: Any, threads: Any) -> Any:
    """x / scale, and no scale is below 1, so that nearest is floor."""
    factors = [1.0, 1.0, height, width] if scales is None else scales
    return _node(
        x,
        factors,
        None,
        mode=mode.removeprefix("bi"),
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


def _interpolate(x: Any, size: Any, factors: Any, mode: Any, align_corners: Any, antialias: Any) -> Any:
    if align_corners and antialias:
        raise _no_node("antialias with align_corners has positions of its own", "align_corners=True, antialias=True")
    if mode == "area":
        return area(x, size)
    rank = len(x.shape)
    axes = list(range(rank - len(size), rank))
    scales = _scales(x, size, factors)
    attributes: dict[str, Any] = {"coordinate_transformation_mode": "align_corners" if align_corners else "half_pixel"}
    if mode == "nearest":
        attributes = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    elif mode == "nearest-exact":
        attributes["nearest_mode"] = "round_prefer_ceil"
    elif mode == "cubic":
        attributes["cubic_coeff_a"] = -0.5 if antialias else -0.75
    attributes |= _ANTIALIASED if antialias else {}
    name = "nearest" if mode.startswith("nearest") else mode
    return _node(x, scales, None if scales else list(size), axes=axes, mode=name, **attributes)


def _scales(x: Any, size: Sequence[Any], factors: Sequence[float] | None) -> list[float] | None:
    """Return the node's scales, or None where its sizes say the same, or where there are no factors."""
    if factors is None:
        return None
    if all(factor == int(factor) for factor in factors):
        return list(factors)
    lengths = list(x.shape)[len(x.shape) - len(size) :]
    known = all(isinstance(length, int) for length in (*lengths, *size))
    if known and all(Fraction(n, m) == step_of(f) for n, m, f in zip(lengths, size, factors, strict=True)):
        return None
    for length, out_length, factor in zip(lengths, size, factors, strict=True):
        if isinstance(length, int) and length_of(length, float32(factor).as_integer_ratio(), "floor") != out_length:
            raise _no_node("ONNX takes floor(length * scale) with the scale in float32", f"{length} * {factor}")
    return list(factors)


def _depth_to_space(x: Any, blocksize: Any, mode: Any, version: Any, threads: Any) -> Any:
    from onnxscript import opset18

    return opset18.DepthToSpace(x, blocksize=blocksize, mode=mode)


def _space_to_depth(x: Any, blocksize: Any, mode: Any, version: Any, threads: Any) -> Any:
    """SpaceToDepth has no mode before version 28: the order of channels of "CRD" is a Gather behind it."""
    from onnxscript import opset18

    y = opset18.SpaceToDepth(x, blocksize=blocksize)
    if mode == "DCR":
        return y
    channels, block = int(x.shape[1]), blocksize**2
    order = [part * channels + channel for channel in range(channels) for part in range(block)]
    gather: Any = opset18.Gather
    return gather(y, order, axis=1)


def _no_node(reason: str, given: str) -> Exception:
    return refusal(
        "HP197",
        f"no node of ONNX gives these numbers: {reason}",
        given=given,
        allowed="requests that a Resize of opset 18 or later can express",
        do="export with other arguments, or compute this step outside the exported model",
        kind=NotImplementedError,
    )
