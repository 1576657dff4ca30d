"""The short way from the arguments of a call to its plan, and keywords that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np

from halfpixel._errors import SpecError
from halfpixel.plan.cache import PlanCache
from halfpixel.plan.plan import Plan

_PLANS = PlanCache()
lookup = _PLANS.get
"""key -> Plan, or None. A key holds the arguments as they were passed, the numbers through frozen()."""


_NUMBERS = frozenset({bool, int, float, *np.sctypeDict.values()})
"""Types whose values never change and compare by value; another library's number may do neither."""


def frozen(values: Any) -> Hashable:
    """Return a hashable stand-in for a list, tuple or one-dimensional array of numbers.

    Values that compare equal are not always equally legal (2, 2.0, True), so their types are part of it.

    Raises:
        TypeError: for everything else, which may change between two looks or can be looked at only once.
    """
    kind = values.__class__
    if kind is tuple or kind is list:
        types = tuple(map(type, values))
        if _NUMBERS.issuperset(types):
            return (*values, *types)
    if kind is np.ndarray and values.ndim == 1 and values.dtype.kind in "iuf":
        return values.dtype, values.tobytes()
    raise TypeError


def planned(key: Hashable | None, build: Callable[[], Plan]) -> Plan:
    """Return build(), remembered under the key. None is the key of what cannot be remembered."""
    plan = build()
    return plan if key is None else _PLANS.put(key, plan)


def unknown_keyword(function: str, unknown: Iterable[str], known: Iterable[str]) -> SpecError:
    """Return the error for keywords that a function does not have."""
    import difflib

    words, names = list(unknown), list(known)
    close = difflib.get_close_matches(words[0], names, 1)
    return SpecError(
        "HP172",
        f"{function} has no attribute {words[0]!r}",
        given=", ".join(words),
        allowed=", ".join(names),
        do=f"did you mean {close[0]!r}?" if close else "leave it out",
    )
