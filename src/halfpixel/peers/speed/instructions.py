"""Instructions of five small pieces of work, counted by callgrind: a check that no other process disturbs.

Run as a program it is what callgrind watches. getppid() marks where a piece begins and ends: callgrind writes what it
counted whenever that function is called, and nothing here calls it otherwise.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from halfpixel.peers.speed.cases import INSTRUCTION_CASES
from halfpixel.peers.speed.data import random_input
from halfpixel.peers.speed.ours import prepare
from halfpixel.peers.speed.processes import ended_early

ISA = "x86-64-v3"
"""callgrind knows no AVX-512."""


def count_instructions() -> dict[str, int]:
    """Return name -> instructions of one call on one thread; empty where there is no valgrind.

    Raises:
        ResourceError: HP303, valgrind or the program ended early.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        tool = ["--tool=callgrind", f"--callgrind-out-file={out}", "--dump-before=getppid", "-q"]
        command = [valgrind, *tool, sys.executable, "-m", "halfpixel.peers.speed.instructions"]
        settings = {"HALFPIXEL_ISA": ISA, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        if subprocess.run(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, check=False).returncode:
            raise ended_early(command)
        return counts_of(Path(folder))


def counts_of(folder: Path) -> dict[str, int]:
    """Read callgrind's parts: the piece of work number i was counted between marks 2i and 2i + 1.

    A part ends at a mark, so the pieces are every second part, counted from the end: the last part goes from the last
    mark to the end of the program.
    """
    parts = sorted(folder.glob("counts.*"), key=lambda path: int(path.suffix[1:]))
    totals = [_total(path.read_text()) for path in parts]
    pieces = totals[-2 * len(INSTRUCTION_CASES) :][1::2]
    return dict(zip(INSTRUCTION_CASES, pieces, strict=False))


def _total(text: str) -> int:
    found = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


def _watched() -> None:
    for work in INSTRUCTION_CASES.values():
        prepared = prepare(work, random_input(work), 1)
        assert prepared.reused is not None
        prepared.reused()
        os.getppid()
        prepared.reused()
        os.getppid()


if __name__ == "__main__":
    _watched()
