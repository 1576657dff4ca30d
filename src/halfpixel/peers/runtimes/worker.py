"""The process in which a runtime runs: requests come as pickles on stdin, answers go to what was stdout.

The parent is the only one that writes to this process and reads from it.
"""

from __future__ import annotations

import os
import pickle
import sys
from importlib import import_module
from typing import Any, BinaryIO

from halfpixel.peers.runtimes.outcome import RAN, REFUSED, Outcome, said
from halfpixel.peers.runtimes.registry import RUNTIMES, Runtime


def main(name: str) -> None:
    """Serve requests until stdin ends.

    Args:
        name: a key of RUNTIMES.
    """
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # libraries print on stdout what they like
    runtime: Runtime | None = None
    failure = Outcome(REFUSED)
    try:  # at once, while the parent is still busy with other things
        runtime = import_module(f"halfpixel.peers.runtimes.{RUNTIMES[name].place}").runtime()
    except Exception as error:
        failure = Outcome(REFUSED, words=said(error))
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            outcome = _answer(runtime, *request) if runtime is not None else failure
        except Exception as error:  # each runtime refuses in a class of its own
            outcome = Outcome(REFUSED, words=said(error))
        _send(outcome, answers)


def _answer(runtime: Runtime, what: str, *arguments: Any) -> Outcome:
    if what == "node":
        outputs, words = runtime.run_node(*arguments)
        return Outcome(RAN, dict(outputs), words)
    return Outcome(RAN, dict(runtime.run_model(*arguments)))


def _send(outcome: Outcome, answers: BinaryIO) -> None:
    pickle.dump(outcome, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
