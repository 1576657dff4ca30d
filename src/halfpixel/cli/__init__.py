"""The command `halfpixel`. Exit codes: 0 ok, 1 findings or a difference, 2 usage, 3 cannot read or write."""

from __future__ import annotations

import logging
import signal
import sys
import warnings
from collections.abc import Sequence
from types import FrameType

from halfpixel._errors import HalfpixelError
from halfpixel.cli.errors import exit_code, show
from halfpixel.media.extra import require

__all__ = ["main", "run"]

INTERRUPTED = 130


def main() -> None:
    """Entry point: run the command line of this process and exit."""
    signal.signal(signal.SIGTERM, _terminate)
    if hasattr(signal, "SIGPIPE"):
        # As other commands do when the reader of their output goes away (`halfpixel schema Resize | head`).
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # What decoders mutter about odd files; what matters of it becomes an error of ours.
    logging.getLogger("tifffile").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="PIL")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; mistakes are printed on stderr, never as a traceback.

    Args:
        arguments: what follows the program's name.
    """
    try:
        for module in ("typer", "rich"):
            require(module)
        # Imported here: without the extra `cli` there is still a clear message.
        from halfpixel.cli.app import invoke

        return invoke(arguments)
    except HalfpixelError as error:
        show(error)
        return exit_code(error)
    except KeyboardInterrupt:
        return INTERRUPTED


def _terminate(signal_number: int, frame: FrameType | None) -> None:
    """Leave by an exception, so that unfinished files are removed on the way."""
    raise SystemExit(128 + signal_number)
