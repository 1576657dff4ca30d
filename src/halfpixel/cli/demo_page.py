"""The demo's page: one HTML file with everything in it."""

from __future__ import annotations

import importlib.resources
from collections.abc import Sequence
from typing import Any

from halfpixel import build_info
from halfpixel.cli import demo_coordinates as coordinates
from halfpixel.cli import demo_pictures as pictures
from halfpixel.cli.demo_model import TOLERANCE, NodeCheck
from halfpixel.media.extra import require


def page(checks: Sequence[NodeCheck], whole: float) -> str:
    """Compute the pictures and fill in the page.

    Args:
        checks, whole: what demo_model.check_model found.
    """
    jinja2 = require("jinja2")
    text = importlib.resources.files("halfpixel.cli").joinpath("demo.html.j2").read_text("utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return str(environment.from_string(text).render(**_values(checks, whole)))


def _values(checks: Sequence[NodeCheck], whole: float) -> dict[str, Any]:
    return {
        "build": build_info(),
        "checks": checks,
        "whole": whole,
        "tolerance": TOLERANCE,
        "agrees": whole <= TOLERANCE and all(check.agrees for check in checks),
        "hero": pictures.zone_plate_halves(),
        "zone": pictures.zone_plate_grid(),
        "photo": pictures.photograph_grid(),
        "grown": pictures.grown(),
        "alpha": pictures.alpha_pair(),
        "light": pictures.light_pictures(),
        "lines": coordinates.coordinate_lines(),
        "in_size": coordinates.IN_SIZE,
        "scale": coordinates.SCALE,
    }
