"""Resize: on an array, as a plan, and its gradient."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Never

from halfpixel._core import request_key
from halfpixel._typing import (
    CoordinateTransformationMode,
    Integers,
    KeepAspectRatioPolicy,
    LengthRule,
    Like,
    Mode,
    NearestMode,
    RealNumbers,
)
from halfpixel.ops.presets import (
    ANTIALIAS,
    COORDINATE_TRANSFORMATION_MODE,
    CUBIC_COEFF_A,
    EXCLUDE_OUTSIDE,
    LENGTH_RULE,
    MODE,
    NEAREST_MODE,
    attributes_like,
)
from halfpixel.ops.request import PLANS, planned, remembered, short_call, unknown_keyword
from halfpixel.plan.arrays import import_array
from halfpixel.plan.plan import Plan, plan_from_spec
from halfpixel.spec.arguments import shape_of
from halfpixel.spec.resize import ResizeRequest, resize_request, spec_of

_MOST_REQUESTS = 256
_requests: dict[Hashable, ResizeRequest] = {}
"""request_key of the rank and the arguments -> what they say: pictures of many sizes are resized in one way."""

KEYWORDS = (
    "scales",
    "sizes",
    "roi",
    "axes",
    "mode",
    "coordinate_transformation_mode",
    "nearest_mode",
    "cubic_coeff_a",
    "antialias",
    "exclude_outside",
    "extrapolation_value",
    "keep_aspect_ratio_policy",
    "version",
    "like",
)


def resize(
    x: Any,
    scales: RealNumbers | None = None,
    sizes: Integers | None = None,
    *,
    roi: RealNumbers | None = None,
    axes: Integers | None = None,
    mode: Mode = MODE,
    coordinate_transformation_mode: CoordinateTransformationMode = COORDINATE_TRANSFORMATION_MODE,
    nearest_mode: NearestMode = NEAREST_MODE,
    cubic_coeff_a: float = CUBIC_COEFF_A,
    antialias: bool = ANTIALIAS,
    exclude_outside: bool = EXCLUDE_OUTSIDE,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: KeepAspectRatioPolicy = "stretch",
    version: int = 19,
    like: Like | None = None,
    out: Any = None,
    threads: int | None = None,
    **unknown: Never,
) -> Any:
    """Resize an array of any rank and ONNX element type.

    Examples:
        >>> hp.resize(numpy.array([1, 2, 3], numpy.float32), scales=[2], mode="linear")
        array([1.  , 1.25, 1.75, 2.25, 2.75, 3.  ], dtype=float32)
        >>> picture = numpy.zeros((480, 640, 3), numpy.uint8)
        >>> hp.resize(picture, sizes=[224, 224], axes=[0, 1], mode="cubic", antialias=True).shape
        (224, 224, 3)

    Args:
        x: NumPy array, or anything with ``__dlpack__`` or the buffer protocol; any strides and byte order.
        scales: output length / input length, one an axis (or an entry of axes), > 0, rounded to float32. The output
            length is floor(input length * scale).
        sizes: output lengths instead of scales; exactly one of the two.
        roi: [start1, ..., startN, end1, ..., endN], used by tf_crop_and_resize only; 0 and 1 are the end samples.
        axes: the axes that scales, sizes and roi are for; negative ones count from the back. None: all.
        mode: "nearest", "linear" or "cubic".
        coordinate_transformation_mode: where an output sample lies in the input.
        nearest_mode: how a coordinate becomes an index in mode "nearest".
        cubic_coeff_a: the coefficient a of Keys' cubic filter.
        antialias: widen the filter by input length / output length where an axis shrinks (linear and cubic).
        exclude_outside: taps outside the input get no weight, the rest is renormalised; else they take the edge sample.
        extrapolation_value: the result where tf_crop_and_resize leaves the input.
        keep_aspect_ratio_policy: "stretch" takes sizes as they are; "not_larger" and "not_smaller" keep the ratio.
        version: since-version of the operator: 10, 11, 13, 18 or 19.
        like: "pytorch", "torchvision", "tensorflow", "opencv", "pillow", "jax", "scikit-image", "onnxruntime" or
            "openvino": the attributes that are not given become those of that library's default, and so does the rule
            by which scales become lengths; docs/presets.md has what each cannot match.
        out: written and returned instead of a new array; it has the output's shape, x's dtype and memory of its own.
        threads: at most so many; 1 starts none. None: HALFPIXEL_THREADS, else the cores of the affinity mask.

    Returns:
        the kind of array that x is, with its dtype and its axes in the same memory order. Averages of integers round
        half to even and saturate. The bits are the same for every thread count, tile, instruction set, machine and
        memory order of x.

    Raises:
        SpecError: HP1xx, the request breaks a rule of the operator, or out or threads is wrong.
        ElementTypeError: HP2xx, the element type is not allowed here.
        ResourceError: HP3xx, the output is too large; nothing was allocated.

    Source: ONNX Resize.
    """
    if unknown:
        raise unknown_keyword("resize", unknown, (*KEYWORDS, "out", "threads"))
    length_rule = LENGTH_RULE
    if like is not None:
        (
            mode,
            coordinate_transformation_mode,
            nearest_mode,
            cubic_coeff_a,
            antialias,
            exclude_outside,
            length_rule,
        ) = attributes_like(
            like,
            mode,
            coordinate_transformation_mode,
            nearest_mode,
            cubic_coeff_a,
            antialias,
            exclude_outside,
            length_rule,
        )
    if antialias is ANTIALIAS:
        antialias = False
    if exclude_outside is EXCLUDE_OUTSIDE:
        exclude_outside = False
    y = short_call(
        PLANS,
        _build,
        x,
        out,
        threads,
        scales,
        sizes,
        roi,
        axes,
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
        keep_aspect_ratio_policy,
        version,
        length_rule,
    )
    if y is not None:
        return y
    array, export = import_array(x)
    plan = resize_plan(
        array.shape,
        array.dtype,
        scales,
        sizes,
        roi,
        axes,
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
        keep_aspect_ratio_policy,
        version,
        length_rule,
    )
    return plan.run_imported(array, export, out, threads)


def resize_grad(
    dy: Any,
    x_shape: Sequence[int],
    scales: RealNumbers | None = None,
    sizes: Integers | None = None,
    *,
    roi: RealNumbers | None = None,
    axes: Integers | None = None,
    mode: Mode = MODE,
    coordinate_transformation_mode: CoordinateTransformationMode = COORDINATE_TRANSFORMATION_MODE,
    nearest_mode: NearestMode = NEAREST_MODE,
    cubic_coeff_a: float = CUBIC_COEFF_A,
    antialias: bool = ANTIALIAS,
    exclude_outside: bool = EXCLUDE_OUTSIDE,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: KeepAspectRatioPolicy = "stretch",
    version: int = 19,
    like: Like | None = None,
    out: Any = None,
    threads: int | None = None,
    **unknown: Never,
) -> Any:
    """Return the gradient for the input of resize from the gradient for its output: the exact transpose.

    Example:
        >>> hp.resize_grad(numpy.ones(4, numpy.float32), (2,), scales=[2], mode="linear")
        array([2., 2.], dtype=float32)

    Args:
        dy: the gradient for the output: its shape, floating point or complex.
        x_shape: shape of the input.
        out: written and returned instead of a new array; shape x_shape and dy's dtype.
        scales, sizes and the other keywords: as resize had them. Samples that were extrapolated give nothing.

    Returns:
        array of shape x_shape, the kind of array that dy is.

    Raises:
        SpecError: HP1xx; HP160 when dy has another shape than the output.
        ElementTypeError: HP2xx; HP225 when dy is not floating point.
        ResourceError: HP3xx.
    """
    if unknown:
        raise unknown_keyword("resize_grad", unknown, ("x_shape", *KEYWORDS, "out", "threads"))
    length_rule = LENGTH_RULE
    if like is not None:
        (
            mode,
            coordinate_transformation_mode,
            nearest_mode,
            cubic_coeff_a,
            antialias,
            exclude_outside,
            length_rule,
        ) = attributes_like(
            like,
            mode,
            coordinate_transformation_mode,
            nearest_mode,
            cubic_coeff_a,
            antialias,
            exclude_outside,
            length_rule,
        )
    array, _ = import_array(dy, "dy")
    plan = resize_plan(
        shape_of(x_shape),
        array.dtype,
        scales,
        sizes,
        roi,
        axes,
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
        keep_aspect_ratio_policy,
        version,
        length_rule,
    )
    return plan.grad(dy, out, threads)


def plan_resize(
    x_shape: Sequence[int],
    dtype: Any,
    scales: RealNumbers | None = None,
    sizes: Integers | None = None,
    *,
    roi: RealNumbers | None = None,
    axes: Integers | None = None,
    mode: Mode = MODE,
    coordinate_transformation_mode: CoordinateTransformationMode = COORDINATE_TRANSFORMATION_MODE,
    nearest_mode: NearestMode = NEAREST_MODE,
    cubic_coeff_a: float = CUBIC_COEFF_A,
    antialias: bool = ANTIALIAS,
    exclude_outside: bool = EXCLUDE_OUTSIDE,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: KeepAspectRatioPolicy = "stretch",
    version: int = 19,
    like: Like | None = None,
    length_rule: LengthRule = LENGTH_RULE,
    **unknown: Never,
) -> Plan:
    """Return the plan of a resize: its tables, computed once, to run on many arrays, in tiles, and backwards.

    Examples:
        >>> plan = hp.plan_resize((1, 3, 1080, 1920), "float32", sizes=[1, 3, 540, 960], mode="linear", antialias=True)
        >>> plan.output_shape
        (1, 3, 540, 960)
        >>> y = plan(x)

    Args:
        x_shape: shape of the input.
        dtype: of the input: a NumPy dtype, a torch dtype, or a name such as "float32", "bfloat16", "string".
        length_rule: how scales become lengths: "floor" (the standard's), "round" (half up), "ceil", or "float32_floor"
            (the product in float32, as onnxruntime and OpenVINO compute it). Coordinates keep the given scale.
        scales, sizes and the other keywords: as in resize.

    Raises:
        SpecError, ElementTypeError, ResourceError: as resize.
    """
    if unknown:
        raise unknown_keyword("plan_resize", unknown, ("x_shape", "dtype", *KEYWORDS, "length_rule"))
    if like is not None:
        (
            mode,
            coordinate_transformation_mode,
            nearest_mode,
            cubic_coeff_a,
            antialias,
            exclude_outside,
            length_rule,
        ) = attributes_like(
            like,
            mode,
            coordinate_transformation_mode,
            nearest_mode,
            cubic_coeff_a,
            antialias,
            exclude_outside,
            length_rule,
        )
    return resize_plan(
        shape_of(x_shape),
        dtype,
        scales,
        sizes,
        roi,
        axes,
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
        keep_aspect_ratio_policy,
        version,
        length_rule,
    )


def resize_plan(
    shape: tuple[int, ...],
    dtype: Any,
    scales: RealNumbers | None,
    sizes: Integers | None,
    roi: RealNumbers | None,
    axes: Integers | None,
    mode: Mode,
    coordinate_transformation_mode: CoordinateTransformationMode,
    nearest_mode: NearestMode,
    cubic_coeff_a: float,
    antialias: bool,
    exclude_outside: bool,
    extrapolation_value: float,
    keep_aspect_ratio_policy: KeepAspectRatioPolicy,
    version: int,
    length_rule: LengthRule,
) -> Plan:
    """Return the plan of a request without like; the way to it that costs least, for adapters as well.

    It is looked up by the arguments as they are; only what was not asked for before is read and checked.
    """
    if antialias is ANTIALIAS:
        antialias = False
    if exclude_outside is EXCLUDE_OUTSIDE:
        exclude_outside = False
    return planned(
        _build,
        dtype,
        shape,
        scales,
        sizes,
        roi,
        axes,
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        antialias,
        exclude_outside,
        extrapolation_value,
        keep_aspect_ratio_policy,
        version,
        length_rule,
    )


def _build(key: Hashable | None, dtype: object, shape: tuple[int, ...], *arguments: Any) -> Plan:
    shape = tuple(shape)  # torch has a kind of its own
    spec = spec_of(_request(shape, arguments), shape)
    return remembered(key, plan_from_spec(spec, dtype))


def _request(shape: tuple[int, ...], arguments: tuple[Any, ...]) -> ResizeRequest:
    key = request_key(None, (len(shape),), *arguments)
    request = None if key is None else _requests.get(key)
    if request is None:
        request = resize_request(shape, *arguments)
        if key is not None:
            if len(_requests) >= _MOST_REQUESTS:
                _requests.clear()
            _requests[key] = request
    return request
