"""Ask libraries in processes of their own: one that dies takes its question with it, and the next one starts anew."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence

from halfpixel.peers.capabilities.judging import CRASHES, Record
from halfpixel.peers.capabilities.registry import LIBRARIES, Library
from halfpixel.peers.speed.processes import limited

SECONDS = 600.0
"""How long a process may take for all of its questions."""


def installed() -> dict[str, str]:
    """Library -> version, of those that are installed."""
    versions = {name: library.version() for name, library in LIBRARIES.items()}
    return {name: version for name, version in versions.items() if version is not None}


def answers_of(library: str, questions: Sequence[str], seconds: float = SECONDS) -> dict[str, Record]:
    """Return question -> record for an installed library.

    Args:
        library: a key of registry.LIBRARIES.
        questions: keys of questions.QUESTIONS.
        seconds: the limit of one process.
    """
    return answers_from(LIBRARIES[library], questions, seconds)


def answers_from(library: Library, questions: Sequence[str], seconds: float = SECONDS) -> dict[str, Record]:
    """The same for a library that need not be listed."""
    answers: dict[str, Record] = {}
    while left := [name for name in questions if name not in answers]:
        ended = _ask(library, left, seconds, answers)
        if ended:
            answers[next(name for name in left if name not in answers)] = {"outcome": CRASHES, "said": ended}
    return answers


def _ask(library: Library, questions: Sequence[str], seconds: float, answers: dict[str, Record]) -> str:
    """Start a process and put what it answers into answers; return how it ended, "" if all were answered."""
    end, start = os.pipe()
    request = {"library": library.name, "place": library.place, "questions": list(questions), "descriptor": start}
    command = [sys.executable, "-m", "halfpixel.peers.capabilities.worker", json.dumps(request)]
    process = subprocess.Popen(
        command,
        env={**os.environ, **limited(1)},
        pass_fds=[start],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(start)
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        with os.fdopen(end) as lines:
            for name, record in _records(lines):
                answers[name] = record
    finally:
        timer.cancel()
        code = process.wait()
    if all(name in answers for name in questions):
        return ""
    return f"its process ended with {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"


def _records(lines: Iterable[str]) -> Iterator[tuple[str, Record]]:
    for line in lines:
        data = json.loads(line)
        yield data["question"], data["record"]
