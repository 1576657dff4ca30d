"""Run a small model on our evaluator and on onnxruntime."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpixel.models.proving.inputs import Array, Feeds

if TYPE_CHECKING:
    import onnx

    Runner = Callable[["onnx.ModelProto"], Callable[[Feeds], list[Array]]]

OURS = "halfpixel"
THEIRS = "onnxruntime"


class CannotRunError(Exception):
    """A runtime does not take a model; the text is its reason."""


def runtimes() -> dict[str, Runner]:
    """The runtimes that are installed: name -> what makes a model ready to run."""
    found: dict[str, Runner] = {OURS: _ours}
    if importlib.util.find_spec(THEIRS) is not None:
        found[THEIRS] = _onnxruntime
    return found


def _ours(model: onnx.ModelProto) -> Callable[[Feeds], list[Array]]:
    from halfpixel.onnx import Evaluator

    try:
        evaluator = Evaluator(model)
    except Exception as error:  # whatever onnx's reference implementations raise while they read a model
        raise CannotRunError(_reason(error)) from error

    def run(feeds: Feeds) -> list[Array]:
        try:
            with np.errstate(all="ignore"):
                return [np.asarray(result) for result in evaluator.run(None, dict(feeds))]
        except Exception as error:  # as above, while they run
            raise CannotRunError(_reason(error)) from error

    return run


def _onnxruntime(model: onnx.ModelProto) -> Callable[[Feeds], list[Array]]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        content = model.SerializeToString()
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # NotImplemented, Fail, InvalidGraph, RuntimeException, none of them public
        raise CannotRunError(_reason(error)) from error

    def run(feeds: Feeds) -> list[Array]:
        try:
            return [np.asarray(result) for result in session.run(None, dict(feeds))]
        except Exception as error:  # as above
            raise CannotRunError(_reason(error)) from error

    return run


def _reason(error: Exception) -> str:
    words = " ".join(str(error).split())
    return words if len(words) <= 160 else words[:157] + "..."


def same(before: Any, after: Any) -> bool:
    """True for equal shape, type and bits; a NaN equals every NaN, whose bits no runtime promises."""
    if before.shape != after.shape or before.dtype != after.dtype:
        return False
    if before.dtype.kind in "OUT":
        return bool((before == after).all())
    if before.tobytes() == after.tobytes():
        return True
    with np.errstate(invalid="ignore"):
        equal = before.view(np.uint8).reshape(-1, before.itemsize) == after.view(np.uint8).reshape(-1, after.itemsize)
        return bool((equal.all(1) | ((before != before) & (after != after)).reshape(-1)).all())


def difference(before: Any, after: Any) -> float:
    """Return the largest absolute difference of finite values; infinity where shapes or finiteness differ."""
    if before.shape != after.shape or before.dtype != after.dtype:
        return np.inf
    if before.dtype.kind in "OUT":
        return 0.0 if same(before, after) else np.inf
    wide = np.complex128 if before.dtype.kind == "c" else np.float64
    one, other = before.astype(wide), after.astype(wide)
    with np.errstate(invalid="ignore"):
        finite = np.isfinite(one) & np.isfinite(other)
        if not (finite | (one == other) | (np.isnan(one) & np.isnan(other))).all():
            return np.inf
        apart = np.abs(one[finite] - other[finite])
    return float(apart.max(initial=0.0))
