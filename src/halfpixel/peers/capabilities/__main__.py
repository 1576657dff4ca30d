"""Ask every installed library everything; write capabilities.json and capabilities.md into a folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from halfpixel.peers.capabilities import QUESTIONS, answers_of, installed, page_of


def main(folder: str) -> None:
    """Write both files."""
    versions = installed()
    answers = {name: answers_of(name, list(QUESTIONS)) for name in versions}
    data = {"versions": versions, "answers": answers}
    Path(folder, "capabilities.json").write_text(text_of(data), encoding="utf-8")
    Path(folder, "capabilities.md").write_text(page_of(data), encoding="utf-8")


def text_of(data: object) -> str:
    """Return the data as JSON that a person can compare line by line."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["docs"]))
