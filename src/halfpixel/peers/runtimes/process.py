"""A runtime in a process of its own, started when it is first asked and again after it has crashed."""

from __future__ import annotations

import contextlib
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import IO, Any, cast

from halfpixel._errors import MissingExtraError, ModelError
from halfpixel.peers.runtimes.call import NodeCall
from halfpixel.peers.runtimes.outcome import CRASHED, TIMED_OUT, Outcome
from halfpixel.peers.runtimes.registry import RUNTIMES
from halfpixel.peers.work import Array

SECONDS = 300.0
"""How long one node or model may take before its process is ended."""


class RuntimeProcess:
    """A runtime that can be asked to run nodes and models.

    Example:
        >>> with RuntimeProcess("onnxruntime") as runtime:
        ...     outcome = runtime.run_node(call)

    Args:
        name: a key of RUNTIMES.
        seconds: the limit for one request; starting the process counts.

    Raises:
        ModelError: HP430 an unknown name.
        MissingExtraError: HP900 it is not installed.
    """

    def __init__(self, name: str, seconds: float = SECONDS) -> None:
        entry = RUNTIMES.get(name)
        if entry is None:
            raise ModelError(
                "HP430",
                f"there is no runtime {name!r} to compare with",
                given=name,
                allowed=", ".join(RUNTIMES),
                do="pass one or more of these names",
            )
        version = entry.version()
        if version is None:
            raise MissingExtraError(
                "HP900",
                f"the runtime {name!r} is not installed",
                given=f"no package {entry.module!r}",
                allowed=f"{entry.distribution} beside halfpixel",
                do=f"pip install {entry.distribution}, or leave {name} out",
            )
        self.name = name
        self.version = version
        self.models = entry.models
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def run_node(self, call: NodeCall) -> Outcome:
        """Run one node."""
        return self._ask("node", call)

    def run_model(self, model: bytes | str, feeds: Mapping[str, Array]) -> Outcome:
        """Run a whole model, given as bytes or as the path of its file."""
        return self._ask("model", model, dict(feeds))

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(BrokenPipeError):  # what it had not read is of no use
                        pipe.close()
            process.kill()
            process.wait()

    def __enter__(self) -> RuntimeProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process if there is none, so that it loads the runtime while its first request is made."""
        if self._process is None:
            command = [sys.executable, "-m", "halfpixel.peers.runtimes.worker", self.name]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        return self._process

    def _ask(self, *request: Any) -> Outcome:
        process = self.start()
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, end)
        timer.start()
        try:
            requests, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
            pickle.dump(request, requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            return cast("Outcome", pickle.load(answers))
        except (BrokenPipeError, EOFError, pickle.UnpicklingError):
            code = process.wait()
            self.close()
            if late.is_set():
                return Outcome(TIMED_OUT, words=f"not done after {self._seconds:g} s")
            return Outcome(CRASHED, words=_ended(code))
        finally:
            timer.cancel()


def _ended(code: int) -> str:
    if code < 0:
        return f"its process ended with {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"
