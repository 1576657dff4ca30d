"""A few threads that wait for work, for a library that has none of its own."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence

Job = Callable[[], None]


class Crew:
    """The calling thread and some helpers; a share of the jobs for each.

    Handing a share over costs some ten microseconds, which is Python's price and not the library's.
    """

    def __init__(self, threads: int) -> None:
        self._helpers = [_Helper() for _ in range(threads - 1)]

    def run(self, shares: Sequence[Sequence[Job]]) -> None:
        """Run every job, each share in order on its own thread; the first share on the calling one."""
        first, *others = shares
        busy = list(zip(self._helpers, others, strict=True))
        for helper, share in busy:
            helper.begin(share)
        for job in first:
            job()
        for helper, _ in busy:
            helper.wait()


class _Helper:
    def __init__(self) -> None:
        self._jobs: Sequence[Job] = ()
        self._failure: Exception | None = None
        self._start, self._done = threading.Semaphore(0), threading.Semaphore(0)
        threading.Thread(target=self._work, daemon=True).start()

    def begin(self, jobs: Sequence[Job]) -> None:
        self._jobs = jobs
        self._start.release()

    def wait(self) -> None:
        self._done.acquire()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def _work(self) -> None:
        while True:
            self._start.acquire()
            try:
                for job in self._jobs:
                    job()
            except Exception as failure:  # raised again in wait(), on the thread that asked
                self._failure = failure
            self._done.release()


@functools.cache
def crew_of(threads: int) -> Crew:
    """The crew of so many threads, started once."""
    return Crew(threads)
