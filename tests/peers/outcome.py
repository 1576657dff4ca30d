"""What happened when a peer was asked the same as we were."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DEVIATIONS: dict[str, dict[str, dict[str, str]]] = tomllib.loads(
    (Path(__file__).parent / "deviations.toml").read_text(encoding="utf-8")
)
PRECISION = {"float64": 1e-12, "float32": 1e-5, "float16": 1e-3, "bfloat16": 8e-3}


def agrees(ours: Array, theirs: Array) -> bool:
    """The same shape, type and values: integers exactly, floats to a part of the largest value."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    if ours.dtype.name not in PRECISION:
        return bool((ours == theirs).all())
    left, right = ours.astype(np.float64), theirs.astype(np.float64)
    finite = left[np.isfinite(left)]
    tolerance = PRECISION[ours.dtype.name] * float(np.max(np.abs(finite), initial=1e-30))
    return bool(np.allclose(left, right, rtol=0, atol=tolerance, equal_nan=True))


def outcome(ours: Callable[[], Any], theirs: Callable[[], Any]) -> str:
    """ "agrees", "differs", or "refuses" where the peer raises; an error of ours is an error of the test."""
    expected = np.asarray(ours())
    try:
        given = np.asarray(theirs())
    except Exception:  # each peer refuses in a class of its own
        return "refuses"
    return "agrees" if agrees(expected, given) else "differs"


def check(peer: str, case: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    """The outcome is the listed one; "agrees" where none is listed."""
    listed = DEVIATIONS.get(peer, {}).get(case)
    expected = "agrees" if listed is None else listed["outcome"]
    happened = outcome(ours, theirs)
    assert happened == expected, f"{peer} {happened} in {case}, deviations.toml says {expected}"


def unused(peer: str, cases: list[str]) -> list[str]:
    """Listed cases that do not exist."""
    return sorted(set(DEVIATIONS.get(peer, {})) - set(cases))
