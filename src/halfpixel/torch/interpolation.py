"""torch.nn.functional.interpolate: the same signature, shapes and numbers, and a context manager that puts it there."""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import handle_torch_function, has_torch_function_unary

from halfpixel._errors import HalfpixelError
from halfpixel.ops.request import request_key
from halfpixel.plan.cache import Cache
from halfpixel.plan.host import kept
from halfpixel.plan.plan import Plan, plan_from_spec
from halfpixel.torch import linear
from halfpixel.torch.errors import refusal, torch_error
from halfpixel.torch.interpolation_spec import interpolation_spec
from halfpixel.torch.tensors import check_tensor, failure, is_only_recorded, is_plain, resampled, short_call

_MODES = {
    "nearest": "nearest",
    "nearest-exact": "nearest-exact",
    "linear": "linear",
    "bilinear": "linear",
    "trilinear": "linear",
    "bicubic": "cubic",
    "area": "area",
}
"""torch's name -> the operator's."""

_RANKS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}

_COPIED = (list, torch.Size)
"""What holds the numbers of a request and is made a tuple: a list may change, and a torch.Size has no key."""

_plans: Cache[Plan] = Cache()
"""request_key(dtype, shape, *arguments) -> Plan, the arguments as they were passed."""


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resize the axes after the first two as torch.nn.functional.interpolate does.

    Wider than torch's: every element type, any rank in the nearest modes and in area, antialias in linear and
    trilinear. Averages of integers are rounded once, half to even. Positions are exact, where torch computes them in
    floating point.

    Example:
        >>> halfpixel.torch.interpolate(torch.tensor([[[1.0, 2.0]]]), scale_factor=2, mode="linear")
        tensor([[[1.0000, 1.2500, 1.7500, 2.0000]]])

    Args:
        input: (N, C, d1, ..., dK), on the CPU.
        size: output lengths of d1 to dK, or one for all; exactly one of size and scale_factor.
        scale_factor: output length / input length, one an axis or one for all; the length is floor(d * scale_factor).
        mode: "nearest", "nearest-exact", "linear" (K = 1), "bilinear", "bicubic" (K = 2), "trilinear" (K = 3), "area".
        align_corners: end samples on end samples; linear and cubic modes only.
        recompute_scale_factor: positions follow from the lengths instead of from scale_factor.
        antialias: widen the filter where an axis shrinks; linear and cubic modes only.

    Returns:
        tensor of input's dtype; channels last stays channels last.

    Raises:
        ValueError: arguments that do not go together, a wrong number of values, an unknown mode.
        TypeError: HP221 no tensor, HP116 a size that is no integer.
        NotImplementedError: a mode for another rank; HP222 a tensor on a GPU; an element type that is not supported.
        RuntimeError: HP196 a length below 1; HP3xx memory.
    """
    if not torch.compiler.is_compiling() and is_plain(input):
        try:
            if size.__class__ is torch.Size:
                size = tuple(size)
            y = short_call(
                _plans.entries,
                input,
                None,
                size,
                scale_factor,
                mode,
                align_corners,
                recompute_scale_factor,
                antialias,
            )
            if y is not None:
                return y
            plan = _planned(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)
            return resampled(plan, input)
        except HalfpixelError as error:
            raise failure(error, input) from None
    if not torch.compiler.is_compiling() and is_only_recorded(input):
        try:
            request = size, scale_factor, mode, align_corners, recompute_scale_factor, antialias
            plan = _planned(input, *request)
            arguments = kept(plan, "interpolate", lambda: read_request(input.shape, *request))
            return linear.apply_plan(input, plan, None, linear.INTERPOLATE, arguments)
        except HalfpixelError as error:
            raise torch_error(error) from None
    if has_torch_function_unary(input):
        options = (size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)
        watched: Tensor = handle_torch_function(interpolate, (input,), input, *options)
        return watched
    if not torch.compiler.is_compiling():
        check_tensor(input)
    arguments = read_request(input.shape, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)
    result: Tensor = linear.INTERPOLATE.operator(input, *arguments)
    return result


@contextlib.contextmanager
def patch() -> Iterator[None]:
    """Replace torch.nn.functional.interpolate, and with it torch.nn.Upsample, while the block runs.

    The whole process sees it. GPU tensors raise NotImplementedError within the block.

    Example:
        >>> with halfpixel.torch.patch():
        ...     y = model(x)
    """
    previous = functional.interpolate
    functional.interpolate = interpolate
    try:
        yield
    finally:
        functional.interpolate = previous


def _planned(input: Tensor, *request: Any) -> Plan:
    """Return the plan of a request; only what was not asked for before is read and checked."""
    values: list[Any] = [tuple(value) if value.__class__ in _COPIED else value for value in request]
    key = request_key(input.dtype, input.shape, *values)
    plan = None if key is None else _plans.get(key)
    if plan is None:
        spec = interpolation_spec(tuple(input.shape), *read_request(input.shape, *values))
        plan = plan_from_spec(spec, input.dtype)
        if key is not None:
            plan = _plans.put(key, plan)
    return plan


def read_request(
    shape: Sequence[Any],
    size: Any,
    scale_factor: Any,
    mode: str,
    align_corners: bool | None,
    recompute_scale_factor: bool | None,
    antialias: bool,
) -> tuple[list[Any], list[float] | None, str, bool, bool]:
    """Return size, scale_factors, mode, align_corners and antialias as the operator takes them.

    Lengths may be symbolic.

    Raises:
        ValueError, TypeError, NotImplementedError, RuntimeError: as interpolate.
    """
    name = _checked_mode(mode, len(shape), align_corners, antialias)
    spatial = shape[2:]
    if (size is None) == (scale_factor is None):
        raise refusal(
            "HP103" if size is None else "HP104",
            "interpolate takes exactly one of size and scale_factor",
            given=f"size={size!r}, scale_factor={scale_factor!r}",
            allowed="one of the two; the other None",
            do="pass size (lengths) or scale_factor (out / in)",
        )
    factors: list[float] | None = None
    if size is not None:
        if recompute_scale_factor:
            raise refusal(
                "HP195",
                "recompute_scale_factor belongs to scale_factor",
                given=f"size={size!r}, recompute_scale_factor={recompute_scale_factor!r}",
                allowed="recompute_scale_factor with scale_factor only",
                do="leave recompute_scale_factor away",
            )
        lengths = [_whole(length) for length in _one_an_axis("HP106", "size", size, spatial)]
    else:
        factors = [float(factor) for factor in _one_an_axis("HP105", "scale_factor", scale_factor, spatial)]
        _check_factors(factors)
        lengths = [_scaled(length, factor) for length, factor in zip(spatial, factors, strict=True)]
    _check_lengths(spatial, lengths)
    if recompute_scale_factor or align_corners or name == "area":
        factors = None
    return lengths, factors, name, bool(align_corners), bool(antialias)


def _checked_mode(mode: Any, rank: int, align_corners: Any, antialias: Any) -> str:
    if not isinstance(mode, str) or mode not in _MODES:
        raise refusal(
            "HP112",
            f"interpolate has no mode {mode!r}",
            given=f"mode={mode!r}",
            allowed=", ".join(_MODES),
            do="pass one of these words",
        )
    smooth = mode in _RANKS
    if not smooth and (align_corners is not None or antialias):
        raise refusal(
            "HP195",
            f"mode {mode!r} takes neither align_corners nor antialias",
            given=f"mode={mode!r}, align_corners={align_corners!r}, antialias={antialias!r}",
            allowed="both with linear, bilinear, bicubic and trilinear",
            do="leave them away, or take another mode",
        )
    if rank < 3 or _RANKS.get(mode, rank) != rank:
        raise refusal(
            "HP123",
            f"mode {mode!r} does not take an input of rank {rank}",
            given=f"an input of rank {rank}",
            allowed="rank 3 for linear, 4 for bilinear and bicubic, 5 for trilinear, 3 or more for the others",
            do="choose the mode for this rank, or call halfpixel.torch.resize, which takes any",
            kind=NotImplementedError,
        )
    return _MODES[mode]


def _one_an_axis(code: str, name: str, value: Any, spatial: Sequence[Any]) -> list[Any]:
    """The values as a list; a single one is for every axis."""
    if not isinstance(value, (list, tuple)):
        return [value] * len(spatial)
    if len(value) != len(spatial):
        raise refusal(
            code,
            f"{name} has {len(value)} values for {len(spatial)} axes after the first two",
            given=f"{name}={value!r}, an input of shape (N, C, {', '.join(map(str, spatial))})",
            allowed=f"{len(spatial)} values, or one for all",
            do="pass one value for each of these axes",
        )
    return list(value)


def _whole(length: Any) -> Any:
    """A length as an integer: also NumPy's, and tensors of integers. A symbolic one stays as it is."""
    if isinstance(length, (int, torch.SymInt)):
        return length
    if not hasattr(length, "__index__") or (isinstance(length, Tensor) and length.is_floating_point()):
        raise refusal(
            "HP116",
            "a size is not an integer",
            given=f"size={length!r} of type {type(length).__name__}",
            allowed="integers from 1 on",
            do="round it, or pass scale_factor",
            kind=TypeError,
        )
    return operator.index(length)


def _check_factors(factors: list[float]) -> None:
    for factor in factors:
        if not 0.0 < factor < math.inf:
            raise refusal(
                "HP107",
                "scale_factor is not a finite number above 0",
                given=f"scale_factor={factors!r}",
                allowed="numbers above 0",
                do="pass out / in for each axis",
            )


def _scaled(length: Any, factor: float) -> Any:
    """floor(length * factor) in float64, as torch has it; an integer stays one where lengths are symbolic."""
    return length * int(factor) if factor == int(factor) else math.floor(length * factor)


def _check_lengths(spatial: Sequence[Any], lengths: Sequence[Any]) -> None:
    for length in (*spatial, *lengths):
        if length < 1:
            raise refusal(
                "HP196",
                "interpolate needs at least one sample on every axis, before and after",
                given=f"lengths {list(map(str, spatial))} -> {list(map(str, lengths))}",
                allowed="lengths from 1 on",
                do="check size or scale_factor; halfpixel.torch.resize takes empty axes",
            )
