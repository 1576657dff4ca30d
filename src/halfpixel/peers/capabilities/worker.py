"""The process in which one library is asked: a line of JSON for each question, as soon as it is answered."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module

from halfpixel.peers.capabilities.judging import judge
from halfpixel.peers.capabilities.questions import QUESTIONS
from halfpixel.peers.capabilities.registry import LIBRARIES


def main(request: str) -> None:
    """Ask and write.

    Args:
        request: JSON with "library", "place" (module and function that answer), "questions" and "descriptor", where the
            lines go: libraries print on stdout what they like.
    """
    data = json.loads(request)
    library = LIBRARIES[data["library"]]
    module, _, function = data["place"].partition(":")
    answer = getattr(import_module(module), function)
    with os.fdopen(data["descriptor"], "w", buffering=1) as lines:
        for name in data["questions"]:
            question = QUESTIONS[name]
            attributes = library.attributes(question.attributes["mode"]) if question.own else dict(question.attributes)
            lines.write(json.dumps({"question": name, "record": judge(question, attributes, answer)}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
