"""What this machine is: what a stored number is good for."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any

import numpy as np

from halfpixel import build_info

_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 2**10, "M": 2**20}


def machine() -> dict[str, Any]:
    """Processor, cores, caches, memory, instruction set in use, compiler and versions, as plain data."""
    info = build_info()
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "caches": caches(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "isa": info["isa"],
        "compiler": info["compiler"],
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "halfpixel": info["version"],
    }


def identity(data: dict[str, Any]) -> str:
    """A file name for a machine: results with the same one may be compared."""
    return re.sub(r"[^a-z0-9]+", "-", f"{data['processor']} {data['cores']} cores {data['isa']}".lower()).strip("-")


def _processor() -> str:
    """The model's name, and its numbers: virtual machines often have a name that says little."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if "model name" not in fields:
        return platform.machine()
    return f"{fields['model name']}, family {fields.get('cpu family', '?')} model {fields.get('model', '?')}"


def caches() -> dict[str, int]:
    """Bytes of the caches that hold data, as core 0 sees them: "L1", "L2", "L3"."""
    found = {}
    for index in sorted(_CACHES.glob("index*")):
        try:
            kind, level, size = ((index / name).read_text().strip() for name in ("type", "level", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            found[f"L{level}"] = int(size[:-1]) * _UNITS[size[-1]] if size[-1] in _UNITS else int(size)
    return found
