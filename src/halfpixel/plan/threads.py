"""How many threads a call may use, and which instruction set runs."""

from __future__ import annotations

import operator
import os
from functools import cache

from halfpixel._core import available_isas, isa
from halfpixel._errors import SpecError

_MOST = 1024
"""More threads than this never help; the pool need not hold them."""


def thread_count(threads: object) -> int:
    """Return the number of threads for the argument threads=: an integer from 1 on, or None for the default.

    Raises:
        SpecError: HP166 for anything else; HP167 when HALFPIXEL_THREADS is no such integer.
    """
    if threads is None:
        return default_threads()
    count = _integer(threads)
    if count < 1:
        raise SpecError(
            "HP166",
            "threads must be an integer from 1 on",
            given=f"threads={threads!r}",
            allowed="1, 2, 3, ..., or None for the process default",
            do="pass threads=1 for the calling thread alone, or leave it out",
        )
    return min(count, _MOST)


def _integer(value: object) -> int:
    if isinstance(value, bool):
        return 0
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return 0


@cache
def default_threads() -> int:
    """Return the process default: HALFPIXEL_THREADS, else the cores of the affinity mask. Read at the first use.

    An empty variable counts as not set.

    Raises:
        SpecError: HP167 when HALFPIXEL_THREADS is not an integer from 1 on.
    """
    text = os.environ.get("HALFPIXEL_THREADS")
    if not text:
        return min(_cores(), _MOST)
    if text.strip().isdecimal() and int(text) >= 1:
        return min(int(text), _MOST)
    raise SpecError(
        "HP167",
        "HALFPIXEL_THREADS must be an integer from 1 on",
        given=f"HALFPIXEL_THREADS={text!r}",
        allowed="1, 2, 3, ..., or not set for the cores of the affinity mask",
        do="set it to a count, or unset it, and start the process again",
    )


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows have no such call
        return os.cpu_count() or 1


@cache
def instruction_set() -> str:
    """Return the instruction set that runs: HALFPIXEL_ISA, else the best that the processor has.

    Raises:
        SpecError: HP168 when HALFPIXEL_ISA names an unknown or unavailable one.
    """
    try:
        return isa()
    except RuntimeError as error:
        raise SpecError(
            "HP168",
            "HALFPIXEL_ISA names no instruction set that this machine can run",
            given=f"HALFPIXEL_ISA={os.environ.get('HALFPIXEL_ISA')!r}",
            allowed=", ".join(available_isas()),
            do="set it to one of these, or unset it, and start the process again",
        ) from error
