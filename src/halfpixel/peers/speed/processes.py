"""Processes that measure: what they are told about threads, and what is said when one ends early."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from halfpixel._errors import ResourceError

_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "VIPS_CONCURRENCY",
    "PJRT_NPROC",
    "HALFPIXEL_THREADS",
)
"""Variables from which someone reads its number of threads."""


def limited(threads: int) -> dict[str, str]:
    """The environment in which every library starts with so many threads; jax looks for no other device."""
    return dict.fromkeys(_THREADS, str(threads)) | {"JAX_PLATFORMS": "cpu"}


def records(
    cases: Sequence[str], peers: Sequence[str], threads: int, seconds: float
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Measure cases in a process of its own; yield each name with its record as it comes.

    Raises:
        ResourceError: HP303, the process ended early.
    """
    if not cases:
        return
    end, start = os.pipe()
    request = {"cases": list(cases), "peers": list(peers), "threads": threads, "seconds": seconds, "descriptor": start}
    command = [sys.executable, "-m", "halfpixel.peers.speed.worker", json.dumps(request)]
    settings = {**os.environ, **limited(threads)}
    with os.fdopen(end) as lines:
        process = subprocess.Popen(command, env=settings, pass_fds=[start], stdout=subprocess.DEVNULL)
        os.close(start)
        try:
            for line in lines:
                data = json.loads(line)
                yield data["case"], data["record"]
        except BaseException:
            process.terminate()
            raise
        finally:
            code = process.wait()
    if code:
        raise ended_early(command)


def ended_early(command: Sequence[str]) -> ResourceError:
    """The error for a measuring process that failed; what it said is on stderr above."""
    return ResourceError(
        "HP303",
        "a process that measures ended before it was done",
        given=" ".join(command[:3]),
        allowed="a process that runs to its end",
        do="read its own message above; leave the case or the package out that it names",
    )
