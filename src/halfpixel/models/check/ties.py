"""Rules about what nearest picks, and how far averages look."""

from __future__ import annotations

from collections.abc import Iterator
from math import frexp

import numpy as np

from halfpixel._errors import HalfpixelError
from halfpixel.models.check.finding import Trap
from halfpixel.models.check.subject import Subject, Surroundings
from halfpixel.models.check.words import number
from halfpixel.models.reports import NOTE
from halfpixel.peers.indices import exact_indices, float_indices
from halfpixel.spec.axes import AxisSpec
from halfpixel.spec.resize import resize_spec, upsample_spec

_PROBED = 64
"""Where a length is not known, lengths from 2 on are tried up to this one."""
_LEAST_HALVED = 8
"""From this output length on, 2 n + 1 samples to n count as halving an odd length."""


def nearest_in_float32(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM004: a coordinate that float32 puts on the other side of a rounding border."""
    if subject.mode != "nearest" or subject.request.computed:
        return
    for axis, known in _axes(subject):
        exact, rounded = exact_indices(axis), float_indices(axis, subject.coordinates)
        places = np.flatnonzero(exact != rounded)
        if not len(places):
            continue
        i = int(places[0])
        where = "" if known else f"for {axis.in_size} samples, and others, "
        yield Trap(
            f"{where}on axis {axis.axis} {len(places)} of {axis.out_size} output samples take another input sample "
            "where coordinates are computed in float32",
            given=f"{axis.in_size} to {axis.out_size} samples: output {i} lies at {_coordinate(axis, i)} and takes "
            f"input {exact[i]}, in float32 input {rounded[i]}",
            allowed="coordinates that are no whole numbers and no halves, or that float32 holds exactly",
            do=_advice(axis, subject),
            severity=None if known else NOTE,
        )
        if not known:
            return


def _coordinate(axis: AxisSpec, i: int) -> str:
    return number((axis.line.step * i + axis.line.start) / axis.line.divisor)


def _advice(axis: AxisSpec, subject: Subject) -> str:
    if subject.request.scales is not None and subject.site.version > 10:
        return "give sizes instead of scales: they lead to fractions of whole numbers"
    if axis.nearest_mode in ("floor", "ceil"):
        return (
            "take half_pixel with round_prefer_ceil if the model can be trained or exported again, or sizes that divide"
        )
    return "take sizes of which one divides the other, or pad to such"


def _axes(subject: Subject) -> Iterator[tuple[AxisSpec, bool]]:
    """The resampled axes; where lengths are unknown, each axis with a scale at the first length that shows the trap."""
    if subject.spec is not None:
        yield from ((axis, True) for axis in subject.spec.axes)
        return
    shape = subject.shape or ()
    for axis, scale in subject.of_axes("scales").items():
        if _is_power_of_two(float(scale)) or subject.coordinates == "tf_crop_and_resize":
            continue  # nothing is rounded, or the scale does not count
        in_size = shape[axis]
        for n in (in_size,) if in_size is not None else range(2, _PROBED + 1):
            probe = _probe(subject, n, scale, axis)
            if probe is None:
                break
            if (exact_indices(probe) != float_indices(probe, subject.coordinates)).any():
                yield probe, in_size is not None
                break


def _is_power_of_two(scale: float) -> bool:
    return scale > 0 and frexp(scale)[0] == 0.5


def _probe(subject: Subject, in_size: int, scale: float, axis: int) -> AxisSpec | None:
    """The axis at a length, as if the others were not there."""
    request = subject.request
    try:
        if request.op_type == "Upsample":
            spec = upsample_spec((in_size,), [scale])
        else:
            names = ("mode", "coordinate_transformation_mode", "nearest_mode")
            given = {name: request.attributes[name] for name in names if name in request.attributes}
            spec = resize_spec((in_size,), [scale], version=request.version, strict=False, **given)
    except HalfpixelError:
        return None
    return spec.axes[0]._replace(axis=axis) if spec.axes else None


def shrinking_without_antialias(subject: Subject, _: Surroundings) -> Iterator[Trap]:
    """HPM012: linear and cubic take 2 or 4 samples, however far apart the output samples lie."""
    if not subject.averages or subject.facts.get("antialias") or subject.spec is None:
        return
    axes = [axis for axis in subject.spec.axes if axis.in_size > 2 * axis.out_size > 0 and not _halves(axis)]
    if not axes:
        return
    most = max(axes, key=lambda axis: axis.in_size / axis.out_size)
    factor = number(most.in_size / most.out_size)
    later = "" if subject.site.version >= 18 else "upgrade to opset 18 or later and "
    yield Trap(
        f"{subject.mode} shrinks axis {most.axis} by {factor} without antialias: patterns finer than its output alias",
        given=f"{most.in_size} to {most.out_size} samples, antialias 0",
        allowed="a factor of at most 2, or antialias 1",
        do=f"{later}set antialias=1 and exclude_outside=1, or pool first; keep it if the model was trained so",
    )


def _halves(axis: AxisSpec) -> bool:
    """An odd length halved, as a pyramid does it."""
    return axis.in_size == 2 * axis.out_size + 1 and axis.out_size >= _LEAST_HALVED
