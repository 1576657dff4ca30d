"""Resize what was read: pictures with their alpha, light and palette in mind, arrays as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halfpixel._errors import MediaError
from halfpixel.media.alpha import divide_by_alpha, multiply_by_alpha, straight
from halfpixel.media.letterbox import bordered, bordered_picture
from halfpixel.media.picture import Media, Picture, Samples, expand_palette
from halfpixel.media.request import Box, ResizeRequest, axes_of_array, axes_of_picture, plan_request, working_dtype
from halfpixel.media.srgb import from_light, to_light
from halfpixel.plan import Plan

SAMPLES_AT_ONCE = 2**20
"""Float samples in work at one time while colours are weighted by alpha or turned to light: about what caches hold."""


def resize_media(media: Media, request: ResizeRequest, threads: int | None = None) -> Media:
    """Resize every picture or array of a file.

    Raises:
        SpecError, ElementTypeError, ResourceError: the request breaks a rule of Resize.
        MediaError: HP509, it does not fit a picture or the array's rank.
    """
    if isinstance(media, Mapping):
        return {name: resize_array(array, request, threads) for name, array in media.items()}
    return tuple(resize_picture(picture, request, threads) for picture in media)


def resize_array(array: Samples, request: ResizeRequest, threads: int | None = None) -> Samples:
    """Resize an array of any rank and type."""
    axes = axes_of_array(request, array.ndim)
    plan, window = plan_request(request, array.shape, array.dtype, axes)
    resized = _averaged(plan, array, window, threads)
    return bordered(resized, axes, request.letterbox[::-1], request.border) if request.letterbox else resized


def resize_picture(picture: Picture, request: ResizeRequest, threads: int | None = None) -> Picture:
    """Resize one picture.

    nearest takes whole pixels as they are, indices of a palette too. The other modes and a letterbox expand a palette;
    with alpha they average colour * alpha and alpha (unless the request says no), with linear_light they average light.
    """
    axes = axes_of_picture(request)
    if request.letterbox is None:
        return _resize_picture(picture, request, axes, threads)
    resized = _resize_picture(expand_palette(picture), request, axes, threads)
    return bordered_picture(resized, axes, request.letterbox[::-1], request.border)


def _resize_picture(picture: Picture, request: ResizeRequest, axes: tuple[int, ...], threads: int | None) -> Picture:
    if request.keywords["mode"] != "nearest":
        picture = expand_palette(picture)
        light = request.linear_light
        weigh = request.premultiply and picture.alpha == "straight"
        if light:
            _check_light(picture)
            weigh = weigh or picture.alpha == "associated"
        if light or weigh:
            return _resize_in_float(picture, request, axes, light, weigh, threads)
    plan, window = plan_request(request, picture.samples.shape, picture.samples.dtype, axes)
    return replace(picture, samples=_averaged(plan, picture.samples, window, threads))


def _averaged(plan: Plan, samples: Samples, window: Box, threads: int | None) -> Samples:
    """The window of the plan's output, computed from no more of the input than it needs."""
    if all(part == slice(0, length) for part, length in zip(window, plan.output_shape, strict=True)):
        return np.asarray(plan(samples, threads=threads))
    source = plan.source(window)
    return np.asarray(plan.run(samples[source], at=source, box=window, threads=threads))


def _resize_in_float(
    picture: Picture, request: ResizeRequest, axes: tuple[int, ...], light: bool, weigh: bool, threads: int | None
) -> Picture:
    """Average colours times alpha, light, or both, a strip of rows at a time."""
    was_associated = picture.alpha == "associated"
    picture = straight(picture)
    stored = picture.samples
    working = working_dtype(stored.dtype)
    plan, window = plan_request(request, stored.shape, working, axes)
    out = np.empty([part.stop - part.start for part in window], stored.dtype)
    for strip in _strips(window, stored.shape):
        source = plan.source(strip)
        slab = _to_working(stored[source], picture, working, light, weigh)
        result = np.asarray(plan.run(slab, at=source, box=strip, threads=threads))
        rows = slice(strip[0].start - window[0].start, strip[0].stop - window[0].start)
        out[rows] = _to_stored(result, picture, light, weigh)
        _fill_outside(out[rows], plan, strip)
    resized = replace(picture, samples=out)
    return associated(resized) if was_associated else resized


def _strips(window: Box, in_shape: tuple[int, ...]) -> Iterator[Box]:
    """The window in strips of whole rows whose floats, of input or output, are about SAMPLES_AT_ONCE."""
    rows = window[0].stop - window[0].start
    out_row = (window[1].stop - window[1].start) * in_shape[2]
    samples_per_row = max(out_row, in_shape[0] * in_shape[1] * in_shape[2] // max(rows, 1), 1)
    step = max(1, SAMPLES_AT_ONCE // samples_per_row)
    for begin in range(window[0].start, window[0].stop, step):
        yield (slice(begin, min(begin + step, window[0].stop)), *window[1:])


def _to_working(stored: Samples, picture: Picture, working: np.dtype[Any], light: bool, weigh: bool) -> NDArray[Any]:
    if light:
        slab = to_light(stored, working)
        if picture.alpha is not None:
            slab[..., -1] = stored[..., -1]
    else:
        slab = stored.astype(working)
    if weigh:
        multiply_by_alpha(slab)
    return slab


def _to_stored(result: NDArray[Any], picture: Picture, light: bool, weigh: bool) -> Samples:
    """Undo _to_working, round half to even and saturate."""
    dtype = picture.samples.dtype
    colours = result.shape[2] - (picture.alpha is not None)
    if weigh:
        divide_by_alpha(result)
    if light:
        result[..., :colours] = from_light(result[..., :colours], int(np.iinfo(dtype).max))
    if dtype.kind == "f":
        return np.asarray(result.astype(dtype))
    limits = np.iinfo(dtype)
    return np.asarray(np.clip(np.rint(result), limits.min, limits.max).astype(dtype))


def _fill_outside(out: Samples, plan: Plan, box: Box) -> None:
    """Give extrapolated pixels the extrapolation value in every channel, as stored and not as weighted or as light."""
    dtype = out.dtype
    value: Any = plan.spec.extrapolation_value
    if dtype.kind != "f":
        value = int(np.clip(np.rint(np.nan_to_num(value)), np.iinfo(dtype).min, np.iinfo(dtype).max))
    for axis, table in plan.axes.items():
        begin, end = (min(max(edge - box[axis].start, 0), out.shape[axis]) for edge in table.inside)
        lead = (slice(None),) * axis
        out[(*lead, slice(0, begin))] = value
        out[(*lead, slice(end, None))] = value


def associated(picture: Picture) -> Picture:
    """The same picture with its colours stored multiplied by alpha, rounded half to even (integer samples)."""
    largest = np.iinfo(picture.samples.dtype).max
    working = picture.samples.astype(np.float64)
    multiply_by_alpha(working[...])
    working[..., :-1] /= largest
    return replace(picture, samples=np.rint(working).astype(picture.samples.dtype), alpha="associated")


def _check_light(picture: Picture) -> None:
    if picture.colour == "cmyk" or picture.samples.dtype.name not in ("uint8", "uint16"):
        raise MediaError(
            "HP509",
            "only sRGB samples of 8 or 16 bits can be averaged as light",
            given=picture.description,
            allowed="grey and RGB pictures of uint8 or uint16",
            do="leave --linear-light out for this file",
        )
