"""Run as a program: list hostile models one after the other under limits, and print a line of JSON for each.

    python -m tests.models.hostile.listing NAME...

A name is one of the corpus or of the kept files. Should a model end this process, the lines of those after it are
missing.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from halfpixel import HalfpixelError, models
from tests.models.hostile.corpus import CORPUS, KEPT

MEMORY = 6 * 2**30
"""Bytes of addresses, most of them never used, that the process may have."""


def outcome(path: Path) -> dict[str, object]:
    """What listing a file gives: the code of the error or the entries, and the seconds of the processor."""
    started = time.process_time()
    answer: dict[str, object]
    try:
        entries = models.ls(path)
        answer = {"code": None, "risks": [list(entry.risks) for entry in entries]}
    except HalfpixelError as error:
        answer = {"code": error.code, "text": str(error)}
    except BaseException as error:  # a test fails that sees it
        answer = {"code": f"{type(error).__name__}: {error}"[:500]}
    return answer | {"seconds": time.process_time() - started}


def main(names: list[str]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(__file__).with_name(name) if name in KEPT else CORPUS[name][0](Path(folder))
            found = outcome(path)
        print(json.dumps({"name": name, "peak": _peak()} | found), flush=True)


def _peak() -> int:
    """Bytes: the most memory that this process has held. getrusage would count what its parent held as well."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main(sys.argv[1:])
