"""The page for people, from what came of the questions."""

from __future__ import annotations

from typing import Any

from halfpixel.peers.capabilities.judging import CRASHES, OTHER, OTHER_TYPE, REFUSES, WORKS, Record
from halfpixel.peers.capabilities.questions import GROUPS

_HEAD = """# Which library does what

Every cell is what happened when the library was asked on the CPU, beside halfpixel's exact result.
`./dev capabilities` asks again and writes this page, and `capabilities.json` beside it with the words of refusals.

| cell | meaning |
|---|---|
| yes | the exact result: copies equal, averages of integers rounded, averages of floats within the bounds below |
| no | refused, or the function has no way to ask for it |
| ≠ 0.03 | other numbers, by up to so much; samples are below 1, integers below 100 |
| ≠ | other samples in nearest, or another shape |
| type | numbers of another element type |
| crash | the process died |

The bounds are 1e-9 for float64, 1e-5 for float32, 2e-3 for float16 and 2e-2 for bfloat16.

A request has two resized axes and float32 samples where the row does not say otherwise, once grown and once shrunk;
the runtimes and PyTorch get a batch and a channel before them. Where a library has no argument for a coefficient or
for the border it is asked nevertheless, and the cell shows what it does instead. halfpixel's own column compares with
its result in double precision; that one is compared with exact fractions in the tests. JAX is asked with
`jax_enable_x64`, scikit-image with `mode="edge"` and `preserve_range=True`, OpenVINO in float32.
"""

_NOTES = {
    "Modes": "`area` is adaptive average pooling: the mean over the whole input samples that an output sample covers. "
    "halfpixel has it in `halfpixel.torch.interpolate`.",
    "Coordinates": "With `sizes`; half_pixel_symmetric with scales of 1.7, pytorch_half_pixel to a length of 1.",
    "Resized axes": "Each mode as the library has it (`like=`, see [presets](presets.md)), growing.",
    "Element types": "Each mode as the library has it, two axes, growing.",
}


def page_of(data: dict[str, Any]) -> str:
    """Return the page.

    Args:
        data: "versions": library -> version; "answers": library -> question -> record.
    """
    names = list(data["versions"])
    parts = [_HEAD, _versions(data["versions"])]
    for heading, questions in GROUPS.items():
        rows = [f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
        for question in questions:
            cells = (_cell(data["answers"][name][question.name]) for name in names)
            rows.append(f"| {question.name} | {' | '.join(cells)} |")
        parts.append(f"## {heading}\n\n{_NOTES[heading]}\n\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _versions(versions: dict[str, str]) -> str:
    return "Asked: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".\n"


def _cell(record: Record) -> str:
    if record["outcome"] == OTHER:
        return f"≠ {record['off']:.1g}" if "off" in record else "≠"
    return {WORKS: "yes", REFUSES: "no", OTHER_TYPE: "type", CRASHES: "crash"}[record["outcome"]]
