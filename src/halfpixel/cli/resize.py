"""`halfpixel resize`."""

from __future__ import annotations

import typer

from halfpixel.cli import resize_options as option
from halfpixel.cli.jobs import jobs_for
from halfpixel.cli.resize_report import report
from halfpixel.cli.resize_request import check_attributes, request_for
from halfpixel.cli.runner import run_jobs
from halfpixel.media import DEFAULT_MAX_PIXELS, EncodeOptions


def resize(
    inputs: option.Inputs,
    output: option.Output,
    scale: option.Scale = None,
    size: option.Size = None,
    fit: option.Fit = None,
    fill: option.Fill = None,
    letterbox: option.Letterbox = None,
    scales: option.Scales = None,
    sizes: option.Sizes = None,
    mode: option.ModeOption = "linear",
    antialias: option.Antialias = None,
    coordinate_transformation_mode: option.Coordinates = None,
    nearest_mode: option.Nearest = None,
    cubic_coeff_a: option.Cubic = None,
    exclude_outside: option.Exclude = False,
    extrapolation_value: option.Extrapolation = None,
    keep_aspect_ratio_policy: option.Policy = None,
    roi: option.Roi = None,
    axes: option.Axes = None,
    version: option.Version = None,
    length_rule: option.Rule = None,
    border: option.Border = None,
    no_premultiply: option.NoPremultiply = False,
    linear_light: option.Light = False,
    format: option.SuffixOption = None,
    overwrite: option.Overwrite = False,
    quality: option.Quality = 92,
    lossless: option.Lossless = False,
    max_pixels: option.MaxPixels = DEFAULT_MAX_PIXELS,
    threads: option.Threads = None,
    json: option.Json = False,
) -> None:
    """Resize pictures (PNG, JPEG, WebP, TIFF) and arrays (.npy, .npz).

    Pictures are turned as their EXIF orientation says; their colour profile is kept.

    A file that cannot be read is reported, the others are done. An output appears whole or not at all.
    """
    attributes = {
        "mode": mode,
        "antialias": antialias,
        "coordinate_transformation_mode": coordinate_transformation_mode,
        "nearest_mode": nearest_mode,
        "cubic_coeff_a": cubic_coeff_a,
        "exclude_outside": exclude_outside or None,
        "extrapolation_value": extrapolation_value,
        "keep_aspect_ratio_policy": keep_aspect_ratio_policy,
        "version": version,
        "length_rule": length_rule,
    }
    given = {"scale": scale, "size": size, "fit": fit, "fill": fill, "letterbox": letterbox}
    given |= {"scales": scales, "sizes": sizes}
    request = request_for(given, attributes, roi, axes, border, not no_premultiply, linear_light)
    check_attributes(request)
    jobs, missing = jobs_for(inputs, output, format, overwrite)
    outcomes = run_jobs(jobs, request, EncodeOptions(quality, lossless), max_pixels, threads)
    raise typer.Exit(report(outcomes, missing, json))
