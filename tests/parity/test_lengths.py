"""Output lengths: every length rule and every aspect policy against exact fractions."""

import itertools
from random import Random
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.oracles import Attributes, plan_axes, resize
from tests.oracles.lengths import LENGTH_RULES

from .random_nodes import SCALES
from .tolerance import difference


def near_whole_scales(random: Random) -> tuple[int, float]:
    """A length, and often the scale that should give a whole one: out / in rounded to float32 on either side."""
    in_size = random.randint(1, 3000)
    scale = random.choice([random.randint(1, 4000) / in_size, random.choice(SCALES), random.uniform(0.01, 5)])
    return in_size, float(np.float32(scale))


@pytest.mark.parametrize("rule", LENGTH_RULES)
def test_output_sizes(rule: Any) -> None:
    """2000 axes: hp.output_sizes and the plan's output_shape are the exact length under the rule."""
    random = Random(rule)
    for _ in range(2000):
        in_size, scale = near_whole_scales(random)
        (axis,) = plan_axes([in_size], [scale], None, Attributes(length_rule=rule))
        assert hp.output_sizes([in_size], [scale], rule=rule) == (axis.out_size,), (in_size, scale)
    for _ in range(50):
        in_size, scale = near_whole_scales(random)
        (axis,) = plan_axes([in_size], [scale], None, Attributes(length_rule=rule))
        assert hp.plan_resize([in_size], "uint8", [scale], length_rule=rule).output_shape == (axis.out_size,)


@pytest.mark.parametrize("rule", LENGTH_RULES)
@pytest.mark.parametrize("coordinate", ["half_pixel", "half_pixel_symmetric", "align_corners", "pytorch_half_pixel"])
def test_values_under_a_length_rule(rule: Any, coordinate: Any) -> None:
    """The rule changes the length, the coordinates keep the given scale."""
    for in_size, scale in itertools.product([1, 2, 5, 10], [0.3, 0.7, 1.3, 2.45]):
        x = np.arange(1, in_size + 1, dtype=np.float32) ** 2
        for mode in ("nearest", "linear", "cubic"):
            keywords: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": coordinate, "length_rule": rule}
            y = hp.plan_resize(x.shape, x.dtype, [scale], **keywords)(x)
            wrong = difference(y, x, resize(x, [scale], None, Attributes(**keywords)))
            assert not wrong, (in_size, scale, mode, wrong)


@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
def test_policies(policy: Any) -> None:
    """Every pair of lengths up to 13 into every size up to 13 and a second size that does or does not bind."""
    for first, second, size in itertools.product(range(1, 14), repeat=3):
        for other in (size, 1000 if policy == "not_larger" else 1):
            (a, b) = plan_axes([first, second], None, [size, other], Attributes(keep_aspect_ratio_policy=policy))
            plan = hp.plan_resize((first, second), "uint8", sizes=[size, other], keep_aspect_ratio_policy=policy)
            assert plan.output_shape == (a.out_size, b.out_size), (first, second, size, other)
