"""Small stored results, written by hand."""

from typing import Any


def entry(reused: float | None, allocating: float | None = None, **other: Any) -> dict[str, Any]:
    """A contestant with the minima of its two ways; the median is a tenth above."""
    ways = {"reused": reused, "allocating": allocating}
    timings = {
        way: None if seconds is None else {"minimum": seconds, "median": 1.1 * seconds, "samples": 3}
        for way, seconds in ways.items()
    }
    return {**timings, "error": 0.5, "reading": {}, "border": 0, **other}


def record(limit: float, contestants: dict[str, Any], unit: str = "ULP") -> dict[str, Any]:
    """What contest.measure returns."""
    return {"limit": limit, "read": 4, "written": 16, "unit": unit, "measured": "x", "contestants": contestants}


def results(cases: dict[str, dict[str, Any]], **other: Any) -> dict[str, Any]:
    """What a run returns, on a machine of two cores with caches of 32 KiB and 1 MiB."""
    machine = {
        "processor": "Test (TM) 1",
        "cores": 2,
        "caches": {"L1": 2**15, "L2": 2**20},
        "memory": 2**33,
        "isa": "x86-64-v4",
        "compiler": "12.2.0",
        "system": "Linux",
        "python": "3.11",
        "numpy": "2.4",
        "halfpixel": "0.1.0",
    }
    versions = {"OpenCV": "5.0", "zimg": "3.0"}
    parts = {"failed": [], "memory": {}, "instructions": {}}
    return {"machine": machine, "versions": versions, "cases": cases, **parts, **other}
