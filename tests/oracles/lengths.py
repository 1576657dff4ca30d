"""Output length, scale and region of interest of each axis, as exact fractions."""

import math
import operator
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

LARGEST_COUNT = 2**63 - 1
POLICIES = ("stretch", "not_larger", "not_smaller")
LENGTH_RULES = ("floor", "round", "ceil", "float32_floor")


class RefusedError(Exception):
    """The request breaks a rule of the operator, so it has no result."""


@dataclass(frozen=True)
class Axis:
    """One axis of a request.

    scale is out / in as the coordinates use it: the given float32 scale, out_size / in_size for sizes, the common
    scale of a policy. start and end are the region of interest in units of in_size - 1; 0 and 1 where it does not
    count. in_size * scale is the output length before rounding.
    """

    axis: int
    in_size: int
    out_size: int
    scale: Fraction
    start: Fraction = Fraction(0)
    end: Fraction = Fraction(1)

    @property
    def copied(self) -> bool:
        """Scale exactly 1, same length and whole region: the axis is not resampled."""
        return self.scale == 1 and self.in_size == self.out_size and self.start == 0 and self.end == 1


def as_float32(value: float) -> Fraction:
    """The float32 nearest to value, as a fraction; not finite or too large is refused."""
    number = float(value)
    if not math.isfinite(number):
        raise RefusedError(f"not a finite number: {number}")
    try:
        return Fraction(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        raise RefusedError(f"too large for float32: {number}") from None


def round_half_up(value: Fraction) -> int:
    """The nearest integer, halves upwards."""
    return math.floor(value + Fraction(1, 2))


def scaled_length(in_size: int, scale: Fraction, rule: str) -> int:
    """The integer output length of in_size * scale under a length rule."""
    if rule == "float32_floor":
        product = as_float32(in_size) * scale
        return math.floor(as_float32(product.numerator / product.denominator))
    rounding: dict[str, Callable[[Fraction], int]] = {"floor": math.floor, "round": round_half_up, "ceil": math.ceil}
    return rounding[rule](in_size * scale)


def listed_axes(rank: int, axes: Iterable[int] | None) -> list[int]:
    """The axes that scales, sizes and roi speak of, non-negative, in the given order."""
    if axes is None:
        return list(range(rank))
    listed = []
    for axis in axes:
        number = operator.index(axis)
        if not -rank <= number < rank:
            raise RefusedError(f"axis {number} of rank {rank}")
        listed.append(number % rank)
    if len(set(listed)) != len(listed):
        raise RefusedError(f"repeated axis in {listed}")
    return listed


def present(values: Iterable[float] | None, count: int) -> list[float] | None:
    """None for an absent input; an empty tensor is absent unless no values are wanted."""
    if values is None:
        return None
    given = list(values)
    return None if not given and count else given


def regions(roi: Iterable[float] | None, count: int) -> list[tuple[Fraction, Fraction]]:
    """(start, end) of each listed axis, read exactly from [start1, ..., startN, end1, ..., endN]."""
    values = [] if roi is None else [float(value) for value in roi]
    if len(values) != 2 * count:
        raise RefusedError(f"tf_crop_and_resize needs {2 * count} roi values, not {len(values)}")
    if not all(math.isfinite(value) for value in values):
        raise RefusedError(f"roi not finite: {values}")
    return [(Fraction(start), Fraction(end)) for start, end in zip(values[:count], values[count:], strict=True)]


def from_scales(
    in_sizes: Sequence[int], scales: Iterable[float], extents: Sequence[Fraction], rule: str
) -> list[tuple[int, Fraction]]:
    """(output length, scale) of each listed axis: in_size * extent * scale under the length rule."""
    exact = [as_float32(scale) for scale in scales]
    if any(scale <= 0 for scale in exact):
        raise RefusedError(f"scales must be greater than 0: {exact}")
    pairs = []
    for in_size, scale, extent in zip(in_sizes, exact, extents, strict=True):
        length = scaled_length(in_size, scale * extent, rule)
        if length < 0:
            raise RefusedError(f"negative length {length}")
        pairs.append((length, scale))
    return pairs


def from_sizes(in_sizes: Sequence[int], sizes: Iterable[float], policy: str) -> list[tuple[int, Fraction]]:
    """(output length, scale) of each listed axis: the sizes as given, or the common scale of the policy."""
    wanted = [operator.index(size) for size in sizes]  # type: ignore[arg-type]
    if any(size < 0 for size in wanted):
        raise RefusedError(f"negative sizes: {wanted}")
    if policy == "stretch" or not wanted:
        pairs = []
        for in_size, size in zip(in_sizes, wanted, strict=True):
            pairs.append((size, Fraction(size, in_size) if in_size else Fraction(1)))
        return pairs
    if 0 in in_sizes:
        raise RefusedError(f"{policy} of an axis of length 0")
    ratios = [Fraction(size, in_size) for in_size, size in zip(in_sizes, wanted, strict=True)]
    common = min(ratios) if policy == "not_larger" else max(ratios)
    return [(round_half_up(in_size * common), common) for in_size in in_sizes]


def request_axes(
    in_shape: Sequence[int],
    scales: Iterable[float] | None,
    sizes: Iterable[float] | None,
    *,
    roi: Iterable[float] | None = None,
    axes: Iterable[int] | None = None,
    crop: bool = False,
    policy: str = "stretch",
    rule: str = "floor",
) -> list[Axis]:
    """Every axis of a request, in axis order; the axes that are not listed keep length and scale 1."""
    if policy not in POLICIES or rule not in LENGTH_RULES:
        raise RefusedError(f"no policy {policy!r} or length rule {rule!r}")
    listed = listed_axes(len(in_shape), axes)
    in_sizes = [in_shape[axis] for axis in listed]
    given_scales, given_sizes = present(scales, len(listed)), present(sizes, len(listed))
    if (given_scales is None) == (given_sizes is None):
        raise RefusedError("exactly one of scales and sizes")
    given = given_sizes if given_scales is None else given_scales
    if given is None or len(given) != len(listed):
        raise RefusedError(f"{len(listed)} values wanted: {given}")
    spans = regions(roi, len(listed)) if crop else [(Fraction(0), Fraction(1))] * len(listed)
    if given_scales is not None:
        pairs = from_scales(in_sizes, given_scales, [end - start for start, end in spans], rule)
    else:
        pairs = from_sizes(in_sizes, given, policy)
    result = [Axis(axis, size, size, Fraction(1)) for axis, size in enumerate(in_shape)]
    for axis, (out_size, scale), (start, end) in zip(listed, pairs, spans, strict=True):
        if in_shape[axis] == 0 and out_size:
            raise RefusedError(f"axis {axis} of length 0 cannot grow to {out_size}")
        result[axis] = Axis(axis, in_shape[axis], out_size, scale, start, end)
    if math.prod(axis.out_size for axis in result) > LARGEST_COUNT:
        raise RefusedError("more output elements than 64 bits count")
    return result
