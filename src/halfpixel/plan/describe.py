"""A plan as plain data and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfpixel._errors import SpecError

if TYPE_CHECKING:
    from halfpixel.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class SampleAxis:
    """One output sample along one resampled axis.

    Attributes:
        axis, index: which output sample of which axis.
        coordinate: where it lies in the input, in samples, before clamping.
        first: its first input sample.
        weights: one weight for each of the input samples from first on; empty if it is extrapolated.
    """

    axis: int
    index: int
    coordinate: float
    first: int
    weights: tuple[float, ...]


def sample(plan: Plan, index: Sequence[int]) -> tuple[SampleAxis, ...]:
    """Return positions, taps and weights of one output sample, an entry for each resampled axis.

    Args:
        index: one number an axis, counted from the front.

    Raises:
        SpecError: HP173 no index into an array of the output shape.
    """
    shape = plan.output_shape
    if len(index) != len(shape) or any(not 0 <= i < n for i, n in zip(index, shape, strict=True)):
        raise SpecError(
            "HP173",
            f"there is no output sample at {tuple(index)}",
            given=f"index={tuple(index)}",
            allowed=f"{len(shape)} indices within shape {shape}, counted from the front",
            do="pass an index into the output",
        )
    entries = []
    for axis, table in plan.axes.items():
        i = index[axis]
        count, offset = int(table.count[i]), int(table.offset[i])
        weights = tuple(map(float, table.weights[offset : offset + count]))
        entries.append(SampleAxis(axis, i, float(table.coordinates[i]), int(table.first[i]), weights))
    return tuple(entries)


def describe(plan: Plan) -> dict[str, Any]:
    """Return a plan as plain data: strings, numbers, lists and dictionaries, fit for JSON."""
    spec = plan.spec
    return {
        "op_type": spec.op_type,
        "version": spec.version,
        "element_type": plan.element_type,
        "input_shape": list(plan.in_shape),
        "output_shape": list(plan.output_shape),
        "mode": spec.mode,
        "antialias": spec.antialias,
        "exclude_outside": spec.exclude_outside,
        "axes": [
            {
                "axis": axis.axis,
                "in_size": axis.in_size,
                "out_size": axis.out_size,
                "scale": axis.scale[0] / axis.scale[1],
                "step": axis.line.step / axis.line.divisor,
                "start": axis.line.start / axis.line.divisor,
                "max_taps": plan.axes[axis.axis].max_taps if axis.axis in plan.axes else 0,
            }
            for axis in spec.axes
        ],
    }


def text(plan: Plan) -> str:
    """Return a plan in a few lines.

    Example:
        >>> print(text(halfpixel.plan_resize((1, 4), "float32", scales=[1, 2], mode="linear")))
        Resize-19 linear, float32: (1, 4) -> (1, 8)
          axis 1: 4 -> 8, x = 0.5 * i - 0.25, up to 2 taps
    """
    data = describe(plan)
    head = f"{data['op_type']}-{data['version']} {data['mode']}, {data['element_type']}"
    lines = [f"{head}: {plan.in_shape} -> {plan.output_shape}"]
    for axis in data["axes"]:
        sign = "-" if axis["start"] < 0 else "+"
        line = f"x = {axis['step']:.6g} * i {sign} {abs(axis['start']):.6g}"
        taps = f"up to {axis['max_taps']} tap{'' if axis['max_taps'] == 1 else 's'}"
        lines.append(f"  axis {axis['axis']}: {axis['in_size']} -> {axis['out_size']}, {line}, {taps}")
    return "\n".join(lines)
