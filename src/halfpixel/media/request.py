"""What is asked of every file of a call, and the plan that it becomes for one shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from halfpixel import plan_resize
from halfpixel._errors import MediaError
from halfpixel.plan import Plan
from halfpixel.spec.operators import operator_of

Box: TypeAlias = tuple[slice, ...]
Side: TypeAlias = int | None


@dataclass(frozen=True)
class ResizeRequest:
    """How large, and how.

    Exactly one of the seven ways to say how large is given. The first five are (width, height), as people speak of
    pictures; the last two are in the order of the axes, as ONNX has them.

    Attributes:
        scale: out / in of each side.
        size: pixels of each side; a side that is None follows, so that the proportions stay.
        fit: the largest size with the same proportions that is nowhere larger.
        fill: the smallest size with the same proportions that is nowhere smaller, cut to exactly this size in the
            middle.
        letterbox: this size; the picture with the same proportions is in its middle, nowhere larger.
        scales, sizes: as Resize takes them.
        axes: the axes that the numbers are for. For the first five ways two, (of the height, of the width). None:
            rows and columns of a picture; of an array the last two, and all for scales and sizes.
        attributes: the other keywords of halfpixel.plan_resize that were given, `version` among them.
        premultiply: colours count as much as they are seen (pictures with alpha).
        linear_light: average light instead of sRGB values (pictures).
        border: the value beside the picture of a letterbox, in every channel of colour.
    """

    scale: tuple[float, float] | None = None
    size: tuple[Side, Side] | None = None
    fit: tuple[int, int] | None = None
    fill: tuple[int, int] | None = None
    letterbox: tuple[int, int] | None = None
    scales: tuple[float, ...] | None = None
    sizes: tuple[int, ...] | None = None
    axes: tuple[int, ...] | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    premultiply: bool = True
    linear_light: bool = False
    border: float = 0.0

    @property
    def is_by_sides(self) -> bool:
        """Whether the size is given as (width, height)."""
        return self.scales is None and self.sizes is None

    @cached_property
    def keywords(self) -> dict[str, Any]:
        """The keywords for plan_resize: linear unless a mode was given, antialiased where mode and version know it."""
        keywords = {"mode": "linear", **self.attributes}
        known = operator_of("Resize", keywords.get("version", 19)).attributes
        if keywords["mode"] != "nearest" and "antialias" in known:
            keywords.setdefault("antialias", True)
        return keywords


def plan_request(request: ResizeRequest, shape: tuple[int, ...], dtype: Any, axes: tuple[int, ...]) -> tuple[Plan, Box]:
    """The plan of a request for one shape, and the part of its output that is wanted (all of it, but for `fill`).

    Args:
        axes: the axes that the request's numbers are for, none negative.
    Raises:
        SpecError, ElementTypeError, ResourceError: as plan_resize.
    """
    keywords = dict(request.keywords)
    in_sizes = [shape[axis] for axis in axes]
    numbers = _numbers(request, in_sizes, keywords)
    known = operator_of("Resize", keywords.get("version", 19)).attributes
    if "axes" in known or request.axes is not None:
        numbers["axes"] = axes
    else:
        _spread(numbers, keywords, shape, axes)
    plan = plan_resize(shape, dtype, **numbers, **keywords)
    window = [slice(0, length) for length in plan.output_shape]
    if request.fill is not None:
        for axis, length in zip(axes, reversed(request.fill), strict=True):
            begin = (plan.output_shape[axis] - length) // 2
            window[axis] = slice(begin, begin + length)
    return plan, tuple(window)


def _numbers(request: ResizeRequest, in_sizes: Sequence[int], keywords: dict[str, Any]) -> dict[str, Any]:
    """scales or sizes in the order of the axes; a policy in keywords where the request is for one."""
    if request.scales is not None:
        return {"scales": request.scales}
    if request.sizes is not None:
        return {"sizes": request.sizes}
    if request.scale is not None:
        return {"scales": request.scale[::-1]}
    within = request.fit or request.letterbox
    if within is not None:
        keywords["keep_aspect_ratio_policy"] = "not_larger"
        return {"sizes": within[::-1]}
    if request.fill is not None:
        keywords["keep_aspect_ratio_policy"] = "not_smaller"
        return {"sizes": request.fill[::-1]}
    width, height = request.size or (None, None)
    if width is None or height is None:
        keywords["keep_aspect_ratio_policy"] = "not_larger"
        return {"sizes": _open_sides(height, width, *in_sizes)}
    return {"sizes": (height, width)}


def _open_sides(height: Side, width: Side, in_height: int, in_width: int) -> tuple[int, int]:
    """(height, width) for the policy not_larger with the open side so large that it never decides."""
    if width is None:
        return height or 0, in_width * (height or 0)
    return in_height * width, width


def _spread(numbers: dict[str, Any], keywords: dict[str, Any], shape: tuple[int, ...], axes: Sequence[int]) -> None:
    """Give every axis its number, for the versions of Resize that have no attribute `axes`."""
    for name, unchanged in (("scales", [1.0] * len(shape)), ("sizes", list(shape))):
        if name in numbers:
            numbers[name] = _placed(unchanged, numbers[name], axes)
    roi = keywords.get("roi")
    if roi is not None and len(roi) == 2 * len(axes):
        starts, ends = roi[: len(axes)], roi[len(axes) :]
        keywords["roi"] = _placed([0.0] * len(shape), starts, axes) + _placed([1.0] * len(shape), ends, axes)


def _placed(values: list[Any], given: Sequence[Any], axes: Sequence[int]) -> list[Any]:
    if len(given) != len(axes):
        # The operator's own message about the wrong count is the right one.
        return list(given)
    for axis, value in zip(axes, given, strict=True):
        values[axis] = value
    return values


def axes_of_array(request: ResizeRequest, rank: int) -> tuple[int, ...]:
    """The axes of an array that a request's numbers are for.

    Raises:
        MediaError: HP509, a width and a height were given for other than two axes.
    """
    axes = request.axes
    if axes is None:
        axes = tuple(range(rank))[-2:] if request.is_by_sides else tuple(range(rank))
    if request.is_by_sides and len(axes) != 2:
        raise MediaError(
            "HP509",
            "a width and a height are for two axes",
            given=f"axes={axes}, an array of rank {rank}",
            allowed="an array of rank 2 or more; --axes HEIGHT_AXIS,WIDTH_AXIS",
            do="name two axes, or use --scales or --sizes with one number an axis",
        )
    return tuple(axis + rank if -rank <= axis < 0 else axis for axis in axes)


def axes_of_picture(request: ResizeRequest) -> tuple[int, ...]:
    """The axes of a picture (height 0, width 1) that a request's numbers are for.

    Raises:
        MediaError: HP509, other axes, or a width and a height for other than two.
    """
    axes = (0, 1) if request.axes is None else tuple(axis + 3 if -3 <= axis < 0 else axis for axis in request.axes)
    if not set(axes) <= {0, 1} or (request.is_by_sides and len(axes) != 2):
        raise MediaError(
            "HP509",
            "a picture is resized along its height (axis 0) and its width (axis 1)",
            given=f"axes={request.axes}",
            allowed="0, 1 or both; both for --scale, --size, --fit, --fill and --letterbox",
            do="leave --axes out; save the samples as .npy to resize along other axes",
        )
    return axes


def working_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The float type for samples that are not averaged as they are: products of two samples are exact in it."""
    return np.dtype(np.float32 if dtype.itemsize == 1 else np.float64)
