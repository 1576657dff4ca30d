"""The copy limit, asked of two processes: one copies as the C library thinks best, one always past the caches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import TracebackType

_STREAM = "glibc.cpu.x86_non_temporal_threshold=0x4040"
"""The least threshold that the C library takes: 16 KB."""


class CopyLimit:
    """Two processes that copy. Use it as a context manager."""

    def __enter__(self) -> CopyLimit:
        tunables = ":".join(filter(None, [os.environ.get("GLIBC_TUNABLES"), _STREAM]))
        self._processes = [_process({}), _process({"GLIBC_TUNABLES": tunables})]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.communicate()

    def seconds(self, read: int, write: int, threads: int, budget: float) -> float:
        """Return the least time to read and to write so many bytes, after trying for the budget in seconds."""
        request = {"read": read, "write": write, "threads": threads, "seconds": budget / len(self._processes)}
        return min(_ask(process, json.dumps(request)) for process in self._processes)


def _process(environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "halfpixel.peers.speed.copying"]
    settings = {**os.environ, **environment}
    return subprocess.Popen(command, env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _ask(process: subprocess.Popen[str], request: str) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(request + "\n")
    process.stdin.flush()
    return float(json.loads(process.stdout.readline()))
