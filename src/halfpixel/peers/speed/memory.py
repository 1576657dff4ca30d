"""The memory that a call takes beside its input and output, by the system's high-water mark. Linux only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from halfpixel.peers import PEERS
from halfpixel.peers.peer import Prepared
from halfpixel.peers.speed import ours
from halfpixel.peers.speed.cases import CASES
from halfpixel.peers.speed.data import random_input
from halfpixel.peers.speed.processes import ended_early, limited
from halfpixel.peers.speed.traffic import bytes_written
from halfpixel.peers.work import Work

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_RESET_HIGH_WATER_MARK = "5"
_WARM_UP = 8
_GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
"""Memory that is freed goes back to the system at once, so that no later call finds it there."""


def growth(call: Callable[[], Any]) -> int | None:
    """Return by how many bytes the process grew at most during a call; None where the system does not tell.

    The system counts in pages and in batches of some dozen: a few hundred kilobytes are noise.
    """
    try:
        _RESET.write_text(_RESET_HIGH_WATER_MARK)
        before = _status("VmRSS")
        call()
        return max(0, _status("VmHWM") - before)
    except OSError:
        return None


def _status(name: str) -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name + ":"))
    return int(line.split()[1]) * 1024


def in_a_new_process(name: str, case: str, threads: int) -> int | None:
    """Return extra_bytes of a contestant in a process that has done nothing else; None if it does not say.

    Raises:
        ResourceError: HP303, the process ended early.
    """
    command = [sys.executable, "-m", "halfpixel.peers.speed.memory", name, case, str(threads)]
    done = subprocess.run(
        command, env={**os.environ, **limited(threads)}, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise ended_early(command)
    answer = json.loads(done.stdout.splitlines()[-1])
    return None if answer is None else int(answer)


def extra_bytes(name: str, work: Work, threads: int) -> int | None:
    """Return what the first call of a contestant takes beside its input and output, after a small call for its code.

    The output's pages appear during that call and are subtracted.
    """
    small = _smaller(work)
    warm_up, prepared = _prepared(name, small, threads), _prepared(name, work, threads)
    if warm_up is None or prepared is None:
        return None
    _call(warm_up)()
    grown = growth(_call(prepared))
    return None if grown is None else max(0, grown - bytes_written(work))


def _prepared(name: str, work: Work, threads: int) -> Prepared | None:
    x = random_input(work)
    if name == ours.NAME:
        return ours.prepare(work, x, threads)
    peer = next(peer for peer in PEERS if peer.name == name)
    peer.use_threads(threads)
    return peer.prepare(work, x, threads)


def _call(prepared: Prepared) -> Callable[[], Any]:
    call = prepared.reused or prepared.allocating
    assert call is not None
    return call


def _smaller(work: Work) -> Work:
    """The same work on an eighth of every axis of space."""
    shape = tuple(
        length // _WARM_UP if axis in work.space and length >= _WARM_UP**2 else length
        for axis, length in enumerate(work.shape)
    )
    return replace(work, shape=shape, sizes=tuple(-(-size // _WARM_UP) for size in work.sizes))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(extra_bytes(sys.argv[1], CASES[sys.argv[2]].work, int(sys.argv[3]))) + "\n")
