"""The process that measures on a given number of threads. Many libraries read that number once, at their start."""

from __future__ import annotations

import json
import os
import sys

from halfpixel.peers import PEERS
from halfpixel.peers.speed.cases import CASES
from halfpixel.peers.speed.contest import measure
from halfpixel.peers.speed.limit import CopyLimit


def main(request: str) -> None:
    """Measure and write a line of JSON for each case: its name and its record.

    Args:
        request: JSON with "cases", "threads", "seconds", "peers" and "descriptor", where the lines go: libraries print
            on stdout what they like.
    """
    data = json.loads(request)
    threads = data["threads"]
    peers = [peer for peer in PEERS if peer.name in data["peers"]]
    for peer in peers:
        peer.use_threads(threads)
    with os.fdopen(data["descriptor"], "w", buffering=1) as lines, CopyLimit() as limit:
        for name in data["cases"]:
            record = measure(CASES[name], peers, threads, data["seconds"], limit)
            lines.write(json.dumps({"case": name, "record": record}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
