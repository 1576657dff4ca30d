"""Upsample: on an array, and its gradient."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Never

from halfpixel._typing import RealNumbers, UpsampleMode
from halfpixel.ops.request import PLANS, planned, remembered, short_call, unknown_keyword
from halfpixel.plan.arrays import import_array
from halfpixel.plan.plan import Plan, plan_from_spec
from halfpixel.spec.arguments import shape_of
from halfpixel.spec.upsample import upsample_spec

KEYWORDS = ("scales", "height_scale", "width_scale", "mode", "version", "out", "threads")


def upsample(
    x: Any,
    scales: RealNumbers | None = None,
    *,
    height_scale: float | None = None,
    width_scale: float | None = None,
    mode: UpsampleMode = "nearest",
    version: int = 9,
    out: Any = None,
    threads: int | None = None,
    **unknown: Never,
) -> Any:
    """Enlarge an array as ONNX Upsample does: output sample i lies at i / scale.

    Example:
        >>> hp.upsample(numpy.array([1, 2], numpy.float32), [2], mode="linear")
        array([1. , 1.5, 2. , 2. ], dtype=float32)

    Args:
        x: NumPy array, or anything with ``__dlpack__`` or the buffer protocol; any strides and byte order.
        scales: output length / input length, one an axis, >= 1 (versions 7, 9, 10).
        height_scale, width_scale: the same for the last two axes of an x of rank 4 (version 1).
        mode: "nearest" (the sample before) or "linear"; version 1 says "bilinear".
        version: since-version 1, 7, 9 or 10.
        out, threads: as in resize.

    Returns:
        the kind of array that x is, with its dtype.

    Raises:
        SpecError: HP1xx, the request breaks a rule of the operator, or out or threads is wrong.
        ElementTypeError: HP2xx, the element type is not allowed here.
        ResourceError: HP3xx, the output is too large; nothing was allocated.

    Source: ONNX Upsample.
    """
    if unknown:
        raise unknown_keyword("upsample", unknown, KEYWORDS)
    y = short_call(PLANS, _build, x, out, threads, "Upsample", scales, height_scale, width_scale, mode, version)
    if y is not None:
        return y
    array, export = import_array(x)
    plan = upsample_plan(array.shape, array.dtype, scales, height_scale, width_scale, mode, version)
    return plan.run_imported(array, export, out, threads)


def upsample_grad(
    dy: Any,
    x_shape: Sequence[int],
    scales: RealNumbers | None = None,
    *,
    height_scale: float | None = None,
    width_scale: float | None = None,
    mode: UpsampleMode = "nearest",
    version: int = 9,
    out: Any = None,
    threads: int | None = None,
    **unknown: Never,
) -> Any:
    """Return the gradient for the input of upsample from the gradient for its output: the exact transpose.

    Example:
        >>> hp.upsample_grad(numpy.array([1, 2, 3, 4], numpy.float32), (2,), [2])
        array([3., 7.], dtype=float32)

    Args:
        dy: the gradient for the output: its shape, floating point or complex.
        x_shape: shape of the input.
        scales and the other keywords: as upsample had them.

    Raises:
        SpecError: HP1xx; HP160 when dy has another shape than the output.
        ElementTypeError: HP2xx; HP225 when dy is not floating point.
        ResourceError: HP3xx.
    """
    if unknown:
        raise unknown_keyword("upsample_grad", unknown, ("x_shape", *KEYWORDS))
    array, _ = import_array(dy, "dy")
    plan = upsample_plan(shape_of(x_shape), array.dtype, scales, height_scale, width_scale, mode, version)
    return plan.grad(dy, out, threads)


def upsample_plan(
    shape: tuple[int, ...],
    dtype: Any,
    scales: RealNumbers | None,
    height_scale: float | None,
    width_scale: float | None,
    mode: UpsampleMode,
    version: int,
) -> Plan:
    """Return the plan of a request, looked up by the arguments as they are."""
    return planned(_build, dtype, shape, "Upsample", scales, height_scale, width_scale, mode, version)


def _build(
    key: Hashable | None,
    dtype: object,
    shape: tuple[int, ...],
    _: str,
    scales: RealNumbers | None,
    height_scale: float | None,
    width_scale: float | None,
    mode: UpsampleMode,
    version: int,
) -> Plan:
    spec = upsample_spec(
        tuple(shape), scales, height_scale=height_scale, width_scale=width_scale, mode=mode, version=version
    )
    return remembered(key, plan_from_spec(spec, dtype))
