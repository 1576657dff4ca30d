"""Run the command line as a person does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

COMMAND = [sys.executable, "-m", "halfpixel.cli"]


def halfpixel(
    *arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """One command in a process of its own."""
    words = [*COMMAND, *(str(argument) for argument in arguments)]
    environment = {**os.environ, "NO_COLOR": "1", **(env or {})}
    return subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


def picture(path: Path, rows: Sequence[object]) -> Path:
    """Save samples as a picture of bytes, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.array(rows, np.uint8)).save(path)
    return path


def samples(path: Path) -> object:
    """The samples of a picture as lists."""
    with Image.open(path) as image:
        return np.array(image).tolist()
