"""The tables of a plan against the exact rows: same taps, weights to a few units in the last place."""

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.oracles import Attributes, axis_rows, plan_axes
from tests.oracles.coordinates import coordinates

from .random_nodes import random_attributes, random_roi, random_scales, random_sizes

LONGEST = 200
RELATIVE, ABSOLUTE = Fraction(1, 2**50), Fraction(1, 2**54)


def random_request(index: int) -> tuple[tuple[int, ...], dict[str, Any]]:
    """One axis of up to LONGEST samples and every attribute of Resize-19."""
    random = Random(f"table {index}")
    attributes = random_attributes(random, "Resize", 19, ["axes", "keep_aspect_ratio_policy", "extrapolation_value"])
    shape = (random.choice([random.randint(1, 9), random.randint(1, LONGEST)]),)
    request: dict[str, Any] = {"scales": None, "sizes": None}
    if random.random() < 0.5:
        request["scales"] = random_scales(random, shape, 0.0, 4.0)
    else:
        request["sizes"] = random.choice([random_sizes(random, shape, 4.0), [random.randint(1, LONGEST)]])
    if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        request["roi"] = random_roi(random, 1, request["sizes"] is None).tolist()
    return shape, {**attributes, **request}


@pytest.mark.parametrize("index", range(200))
def test_table(index: int) -> None:
    """Table number index.

    Each row has exactly the taps whose exact weight is not 0, and every weight is within 4 units of its own last place,
    or a quarter of the last place of 1. coordinates and affine() give the exact coordinate.
    """
    shape, request = random_request(index)
    attributes = {name: value for name, value in request.items() if name not in ("scales", "sizes", "roi")}
    plan = hp.plan_resize(shape, np.float32, **request)
    exact = Attributes(**attributes)
    (axis,) = plan_axes(shape, request["scales"], request["sizes"], exact, request.get("roi"))
    assert plan.output_shape == (axis.out_size,)
    if axis.copied:
        assert not plan.axes
        return
    matrix = plan.axes[0].matrix()
    for i, row in enumerate(axis_rows(axis, exact)):
        taps = dict(row or [])
        assert np.flatnonzero(matrix[i]).tolist() == sorted(taps), f"taps of output {i}: {shape} {request}"
        for index_, weight in taps.items():
            error = abs(Fraction(matrix[i, index_]) - weight)
            assert error <= abs(weight) * RELATIVE + ABSOLUTE, f"weight of tap {index_}, output {i}: {shape} {request}"
        coordinate = coordinates(axis, exact.coordinate_transformation_mode)[i]
        scale, translation = plan.affine()[0]
        assert scale * i + translation == pytest.approx(float(coordinate), rel=1e-14, abs=1e-13 * shape[0])
        assert plan.axes[0].coordinates[i] == pytest.approx(float(coordinate), rel=1e-14, abs=1e-14)
