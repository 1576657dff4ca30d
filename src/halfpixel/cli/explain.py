"""`halfpixel explain`."""

from __future__ import annotations

import shutil

from halfpixel.cli import explain_options as option
from halfpixel.cli.output import print_json
from halfpixel.cli.resize_options import Coordinates, Cubic, Extrapolation, Nearest, Policy, Roi
from halfpixel.cli.values import real_numbers, whole_numbers
from halfpixel.media.atomic import replacing
from halfpixel.models.explain import explain as explained


def explain(
    model: option.Model = None,
    node: option.Node = None,
    at: option.At = None,
    op: option.Op = None,
    shape: option.Shape = None,
    scales: option.Scales = None,
    sizes: option.Sizes = None,
    roi: Roi = None,
    axes: option.Axes = None,
    blocksize: option.Blocksize = None,
    mode: option.ModeOption = None,
    antialias: option.Antialias = None,
    exclude_outside: option.Exclude = None,
    coordinate_transformation_mode: Coordinates = None,
    nearest_mode: Nearest = None,
    cubic_coeff_a: Cubic = None,
    extrapolation_value: Extrapolation = None,
    keep_aspect_ratio_policy: Policy = None,
    version: option.Version = None,
    length_rule: option.Rule = "floor",
    beside: option.Beside = None,
    svg: option.Svg = None,
    html: option.Html = None,
    json: option.Json = False,
) -> None:
    """Show where one output sample comes from: length, coordinate, taps and weights.

    For a node of a model, or for attributes: halfpixel explain --shape 1,3,5,7 --scales 1,1,2,2 --mode cubic.
    """
    attributes = {
        "axes": whole_numbers("--axes", axes),
        "blocksize": blocksize,
        "mode": mode,
        "antialias": antialias,
        "exclude_outside": exclude_outside,
        "coordinate_transformation_mode": coordinate_transformation_mode,
        "nearest_mode": nearest_mode,
        "cubic_coeff_a": cubic_coeff_a,
        "extrapolation_value": extrapolation_value,
        "keep_aspect_ratio_policy": keep_aspect_ratio_policy,
    }
    found = explained(
        model,
        node,
        at=whole_numbers("--at", at),
        x_shape=whole_numbers("--shape", shape),
        scales=real_numbers("--scales", scales),
        sizes=whole_numbers("--sizes", sizes),
        roi=real_numbers("--roi", roi),
        op_type=op,
        version=version,
        length_rule=length_rule,
        beside=[name.strip() for name in (beside or "").split(",") if name.strip()],
        **attributes,
    )
    for path, text in ((svg, found.svg if svg else None), (html, found.html if html else None)):
        if path is not None and text is not None:
            written = text()
            with replacing(path) as stream:
                stream.write(written.encode())
    if json:
        print_json(found.data())
    else:
        print(found.text(shutil.get_terminal_size().columns))
