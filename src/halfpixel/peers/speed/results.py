"""Results of a machine as a JSON file: what was measured, kept case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from halfpixel._errors import MediaError
from halfpixel.peers.speed.machine import identity

Results = dict[str, Any]
"""Plain data.

"machine": of machine(); "versions": peer -> version; "cases": name -> threads as text -> a record of contest.measure;
"failed": [name, threads] of cases whose process ended early;
"memory": name -> threads -> contestant -> bytes; "instructions": name -> count.
"""


def path_of(folder: Path, machine: dict[str, Any]) -> Path:
    """Where the results of a machine are kept."""
    return folder / f"{identity(machine)}.json"


def read(path: Path) -> Results | None:
    """The stored results, None where there are none.

    Raises:
        MediaError: HP502, the file holds something else.
    """
    if not path.exists():
        return None
    try:
        loaded: Results = json.loads(path.read_text())
        if not {"machine", "versions", "cases", "failed", "memory", "instructions"} <= loaded.keys():
            raise ValueError("not the results of a benchmark")
    except (OSError, ValueError, AttributeError) as error:
        raise MediaError(
            "HP502",
            "the stored results cannot be read",
            given=f"{path}: {error}",
            allowed="a file that the benchmark has written",
            do="remove the file, and measure again",
        ) from error
    return loaded


def text_of(results: Results) -> str:
    """Results as JSON, rounded to what a clock can tell, in a text that shows its changes line by line."""
    return json.dumps(_rounded(results), indent=1, sort_keys=True) + "\n"


def merged(old: Results | None, new: Results) -> Results:
    """The new results, with the cases, memory and instructions of the old ones that were not measured again.

    Results of another compiler say nothing about instructions, so those go.
    """
    if old is None:
        return new
    kept: Results = {**new}
    for part in ("cases", "memory"):
        names = [*old.get(part, {}), *(name for name in new[part] if name not in old.get(part, {}))]
        kept[part] = {name: {**old.get(part, {}).get(name, {}), **new[part].get(name, {})} for name in names}
    kept["versions"] = {**old["versions"], **new["versions"]}
    if not new["instructions"] and old["machine"]["compiler"] == new["machine"]["compiler"]:
        kept["instructions"] = old["instructions"]
    return kept


def _rounded(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _rounded(value) for name, value in data.items()}
    if isinstance(data, list):
        return [_rounded(value) for value in data]
    return float(f"{data:.5g}") if isinstance(data, float) else data


def ratio(record: dict[str, Any], contestant: str) -> float | None:
    """A contestant's minimum over the copy limit, by its reused call or else its allocating one; None if not timed."""
    seconds = best(record["contestants"].get(contestant))
    return None if seconds is None else seconds / record["limit"]


def best(entry: dict[str, Any] | None) -> float | None:
    """A contestant's minimum in seconds: with a reused output where it can, else with a new one."""
    timing = entry and (entry.get("reused") or entry.get("allocating"))
    return float(timing["minimum"]) if timing else None
