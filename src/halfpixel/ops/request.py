"""The short way from the arguments of a call to its plan, and keywords that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from halfpixel import _core
from halfpixel._errors import SpecError
from halfpixel.plan.cache import Cache
from halfpixel.plan.plan import Plan

_CACHE: Cache[Plan] = Cache()
PLANS = _CACHE.entries
"""request_key(dtype, shape, *arguments) -> Plan; to be read only. Arguments are as they were passed.

Values that compare equal are not always equally legal (2, 2.0, True): types belong to the key, and so does the sign of
a zero. A call with anything but numbers, text, None, lists, tuples and one-dimensional arrays has no key: another
library's object may change between two looks, or can be looked at only once.
"""

request_key: Callable[..., Hashable | None] = _core.request_key
"""(dtype, shape, *arguments) -> the key of a call, None where it has none."""
short_call: Callable[..., Any] = _core.short_call
"""(PLANS, build, x, out, threads, *arguments) -> the result; None where x or an argument is no part of a key.

build(key, dtype, shape, *arguments) -> Plan, for a request that has no plan yet.
"""


def planned(build: Callable[..., Plan], dtype: object, shape: tuple[int, ...], *arguments: object) -> Plan:
    """Return the plan of a request: the one of PLANS, else build(key, dtype, shape, *arguments)."""
    key = request_key(dtype, shape, *arguments)
    plan = None if key is None else PLANS.get(key)
    return build(key, dtype, shape, *arguments) if plan is None else plan


def remembered(key: Hashable | None, plan: Plan) -> Plan:
    """Return the plan to use for a key: this one, or one that another thread was faster with.

    None is the key of what cannot be remembered.
    """
    return plan if key is None else _CACHE.put(key, plan)


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
