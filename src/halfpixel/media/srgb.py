"""The sRGB transfer curve: from stored values to light and back.

light = v / 12.92                        for v <= 0.04045
      = ((v + 0.055) / 1.055) ** 2.4     above
with v and light from 0 to 1. Source: IEC 61966-2-1.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def _light_table(dtype: np.dtype[Any], working: np.dtype[Any]) -> NDArray[Any]:
    largest = np.iinfo(dtype).max
    value = np.arange(largest + 1, dtype=np.float64) / largest
    light = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    table = (light * largest).astype(working)
    table.setflags(write=False)
    return table


def to_light(samples: NDArray[Any], working: np.dtype[Any]) -> NDArray[Any]:
    """Light of sRGB samples, scaled so that the largest sample stays itself (255 is 255.0).

    Args:
        samples: uint8 or uint16, any shape.
        working: float32 or float64, the type of the result.
    """
    # take, not indexing: several times as fast here.
    return np.take(_light_table(samples.dtype, working), samples)


def from_light(light: NDArray[Any], largest: int) -> NDArray[Any]:
    """The inverse of to_light without the rounding; what is outside 0 to largest is clipped.

    Args:
        light: float32 or float64, any shape, scaled so that `largest` is white.
        largest: 255 or 65535.
    Returns:
        The same shape and type, in units of the stored samples.
    """
    unit = np.clip(light / largest, 0, 1)
    value = np.where(unit <= 0.04045 / 12.92, unit * 12.92, 1.055 * unit ** (1 / 2.4) - 0.055)
    return np.asarray(value * largest, dtype=light.dtype)
