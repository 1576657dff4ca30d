"""Refuse what cannot be allocated, before anything is."""

from __future__ import annotations

import os
import sys

from halfpixel._errors import ResourceError

ALWAYS_TRIED = 2**28
"""Bytes below which asking the system first (about 50 us) costs more than a failing allocation."""


def check_allocatable(count: int, what: str) -> None:
    """Raise unless count bytes fit into the memory that is free now, without swapping.

    Raises:
        ResourceError: HP301, with both numbers.
    """
    if count < ALWAYS_TRIED:
        return
    available = available_memory()
    if count > available:
        raise ResourceError(
            "HP301",
            f"{what} does not fit into memory",
            given=f"{count} bytes needed",
            allowed=f"up to the {available} bytes available now",
            do="resize in tiles with plan.source and plan.run, free memory, or ask for less",
        )


class guarded:  # noqa: N801  it reads as a word of the with statement
    """Turns a MemoryError of the system, of NumPy or of the core into one of the family, ResourceError HP302.

    Args:
        what: memory was wanted for.
    """

    __slots__ = ("what",)

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MemoryError) and not isinstance(error, ResourceError):
            raise out_of_memory(self.what) from error


def out_of_memory(what: str) -> ResourceError:
    """Return the error for an allocation that the system refused."""
    return ResourceError(
        "HP302",
        f"the system gave no memory for {what}",
        given="an allocation that failed",
        allowed="what the system grants this process",
        do="resize in tiles with plan.source and plan.run, free memory, or raise the process's limit",
    )


def available_memory() -> int:
    """Return the bytes that this process can still get: the least of the machine's, its cgroup's and its own limit."""
    return min(_machine(), _cgroup(), _address_space())


def _machine() -> int:
    try:
        for line in _text("/proc/meminfo").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return sys.maxsize


def _cgroup() -> int:
    """Free bytes under the nearest readable cgroup limit (version 2, then 1); file cache counts as free."""
    for folder, limit, used, cache in _cgroup_files():
        try:
            total = int(_text(f"{folder}/{limit}"))
            taken = int(_text(f"{folder}/{used}"))
            stat = dict(line.split()[:2] for line in _text(f"{folder}/memory.stat").splitlines())
            return max(0, total - taken + int(stat.get(cache, 0)))
        except (OSError, ValueError):
            continue  # "max", or a hierarchy that is not mounted here
    return sys.maxsize


def _cgroup_files() -> list[tuple[str, str, str, str]]:
    root = "/sys/fs/cgroup"
    own = root
    try:
        for line in _text("/proc/self/cgroup").splitlines():
            if line.startswith("0::/"):
                own = f"{root}/{line[4:]}"
    except OSError:
        pass
    version_1 = (f"{root}/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
    return [(folder, "memory.max", "memory.current", "inactive_file") for folder in (own, root)] + [version_1]


def _address_space() -> int:
    """Bytes left under RLIMIT_AS, sys.maxsize where there is no limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit in (resource.RLIM_INFINITY, -1):
        return sys.maxsize
    try:
        used = int(_text("/proc/self/statm").split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        used = 0
    return max(0, limit - used)


def _text(path: str) -> str:
    with open(path, encoding="ascii", errors="replace") as file:
        return file.read()
