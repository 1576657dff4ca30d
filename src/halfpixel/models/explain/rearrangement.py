"""The explanation of one output sample of a DepthToSpace or SpaceToDepth: which input sample it is a copy of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Never

from halfpixel._errors import ModelError, SpecError
from halfpixel.spec.rearrange import RearrangeSpec

Steps = tuple[tuple[str, str], ...]
"""Name -> a formula with its numbers and result."""


@dataclass(frozen=True, slots=True)
class RearrangeExplanation:
    """Which input sample an output sample is.

    Attributes:
        spec: the request.
        subject: what people call the node; empty for attributes alone.
        at: the output sample [n, c, h, w].
        source: the input sample.
        steps: how each index of it came.
    """

    spec: RearrangeSpec
    subject: str
    at: tuple[int, ...]
    source: tuple[int, ...]
    steps: Steps

    def data(self) -> dict[str, Any]:
        """The explanation as plain data, fit for JSON."""
        spec = self.spec
        return {
            "op_type": spec.op_type,
            "version": spec.version,
            "subject": self.subject or None,
            "blocksize": spec.blocksize,
            "mode": spec.mode,
            "input_shape": list(spec.in_shape),
            "output_shape": list(spec.out_shape),
            "at": list(self.at),
            "source": list(self.source),
            "steps": dict(self.steps),
        }

    def text(self, width: int = 80) -> str:
        """The explanation for people. Its lines are short: the width of the terminal does not matter."""
        spec = self.spec
        subject = f"{self.subject}: " if self.subject else ""
        lines = [
            f"{subject}{spec.op_type}-{spec.version}, {spec.in_shape} -> {spec.out_shape}",
            f"mode={spec.mode}, blocksize={spec.blocksize}",
            f"output sample {self.at}",
            "",
            *(f"  {name:<7} {words}" for name, words in self.steps),
            "",
            f"Y{list(self.at)} = X{list(self.source)}",
        ]
        return "\n".join(lines)

    def svg(self) -> Never:
        """Raise HP428: a sample that is copied has no coordinate and no filter to draw."""
        raise ModelError(
            "HP428",
            f"there is nothing to draw: {self.spec.op_type} copies every sample",
            given=f"{self.spec.op_type} from {self.spec.in_shape} to {self.spec.out_shape}",
            allowed="a Resize or Upsample that resamples an axis",
            do="take the text or the data",
        )

    html = svg

    def __str__(self) -> str:
        return self.text()


def rearrangement_of(spec: RearrangeSpec, subject: str, at: Sequence[int] | None) -> RearrangeExplanation:
    """Explain one output sample.

    With c channels on the wide side, row r and column q of a block of channel k is channel (r * b + q) * c + k of the
    deep side in "DCR", and channel (k * b + r) * b + q in "CRD".

    Args:
        spec: the request.
        at: the output sample; None is the middle one.

    Raises:
        SpecError: HP173 no such sample.
    """
    shape = spec.out_shape
    index = tuple(max(0, (length - 1) // 2) for length in shape) if at is None else tuple(at)
    if len(index) != 4 or any(not 0 <= i < n for i, n in zip(index, shape, strict=True)):
        raise SpecError(
            "HP173",
            f"there is no output sample at {index}",
            given=f"index={index}",
            allowed=f"4 indices within shape {shape}, counted from the front",
            do="pass an index into the output",
        )
    source, steps = _to_depth(spec, index) if spec.op_type == "DepthToSpace" else _to_space(spec, index)
    return RearrangeExplanation(spec, subject, index, source, steps)


def _to_depth(spec: RearrangeSpec, at: tuple[int, ...]) -> tuple[tuple[int, ...], Steps]:
    """DepthToSpace: from an output sample of the wide side to its channel on the deep side."""
    (n, k, h, w), b, channels = at, spec.blocksize, spec.out_shape[1]
    r, q = h % b, w % b
    if spec.mode == "DCR":
        channel, words = (r * b + q) * channels + k, f"({r} * {b} + {q}) * {channels} + {k}"
    else:
        channel, words = (k * b + r) * b + q, f"({k} * {b} + {r}) * {b} + {q}"
    steps = (
        ("row", f"{h} // {b} = {h // b}, row {h} % {b} = {r} of the block"),
        ("column", f"{w} // {b} = {w // b}, column {w} % {b} = {q} of the block"),
        ("channel", f"{words} = {channel}"),
    )
    return (n, channel, h // b, w // b), steps


def _to_space(spec: RearrangeSpec, at: tuple[int, ...]) -> tuple[tuple[int, ...], Steps]:
    """SpaceToDepth: from an output channel of the deep side to its place on the wide side."""
    (n, channel, h, w), b, channels = at, spec.blocksize, spec.in_shape[1]
    if spec.mode == "DCR":
        k, place = channel % channels, channel // channels
        words = f"{channel} % {channels} = {k}; place {channel} // {channels} = {place} of the block"
    else:
        k, place = channel // (b * b), channel % (b * b)
        words = f"{channel} // {b * b} = {k}; place {channel} % {b * b} = {place} of the block"
    r, q = place // b, place % b
    steps = (
        ("channel", words),
        ("row", f"{h} * {b} + {place} // {b} = {h * b + r}"),
        ("column", f"{w} * {b} + {place} % {b} = {w * b + q}"),
    )
    return (n, k, h * b + r, w * b + q), steps
