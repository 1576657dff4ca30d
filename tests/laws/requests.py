"""Hypothesis strategies: arrays and resize requests of ranks 1 to 4."""

import os
from dataclasses import dataclass, field
from typing import Any

import hypothesis.strategies as st
import ml_dtypes
import numpy as np
from hypothesis import HealthCheck, settings

import halfpixel as hp

Array = np.ndarray[Any, Any]

EXAMPLES = os.environ.get("HALFPIXEL_LAW_EXAMPLES")
law = settings(
    max_examples=int(EXAMPLES or 50),
    derandomize=EXAMPLES is None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
INTEGERS = [np.dtype(f"{sign}int{bits}") for bits in (8, 16, 32, 64) for sign in ("", "u")]
REALS = [np.dtype("float16"), BFLOAT16, np.dtype("float32"), np.dtype("float64")]
COMPLEX = [np.dtype("complex64"), np.dtype("complex128")]
NUMBERS = [np.dtype(bool), *INTEGERS, *REALS, *COMPLEX]
STRINGS = np.dtype(object)

SYMMETRIC = ("half_pixel", "half_pixel_symmetric", "align_corners")
COORDINATES = (*SYMMETRIC, "pytorch_half_pixel", "asymmetric")


@dataclass(frozen=True)
class Request:
    """A shape and the keywords of hp.resize that go with it."""

    shape: tuple[int, ...]
    keywords: dict[str, Any] = field(default_factory=dict)

    def resize(self, x: Array, **changes: Any) -> Array:
        """Resize x as the request says."""
        return np.asarray(hp.resize(x, **{**self.keywords, **changes}))

    def plan(self, dtype: Any = np.float64) -> Any:
        """The plan of the request."""
        return hp.plan_resize(self.shape, dtype, **self.keywords)


def filters(modes: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """mode and the attributes that go with it."""
    return st.fixed_dictionaries(
        {
            "mode": st.sampled_from(modes),
            "antialias": st.booleans(),
            "exclude_outside": st.booleans(),
            "cubic_coeff_a": st.sampled_from([-0.75, -0.5, -1.0, 0.0]),
            "nearest_mode": st.sampled_from(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]),
        }
    )


@st.composite
def scales(draw: st.DrawFn, in_size: float) -> float:
    """A float32 scale, a tenth, seventh or eighth times a whole number; 1 where nothing would be left."""
    scale = float(np.float32(draw(st.integers(1, 30)) / draw(st.sampled_from([10, 8, 7]))))
    return scale if in_size * scale > 1 and draw(st.booleans()) else 1.0


@st.composite
def requests(
    draw: st.DrawFn,
    *,
    modes: tuple[str, ...] = ("nearest", "linear", "cubic"),
    coordinates: tuple[str, ...] = COORDINATES,
    crop: bool = True,
    ranks: tuple[int, int] = (1, 4),
    longest: int = 12,
) -> Request:
    """A request by sizes or scales; crop also draws tf_crop_and_resize with a region."""
    shape = tuple(draw(st.lists(st.integers(1, longest), min_size=ranks[0], max_size=ranks[1])))
    keywords = draw(filters(modes))
    coordinate = draw(st.sampled_from((*coordinates, "tf_crop_and_resize") if crop else coordinates))
    keywords["coordinate_transformation_mode"] = coordinate
    if coordinate == "tf_crop_and_resize":
        starts = [draw(st.integers(-6, 12)) / 20 for _ in shape]
        ends = [draw(st.integers(14, 26)) / 20 for _ in shape]
        keywords |= {"roi": starts + ends, "extrapolation_value": 3.0}
        extents = [n * (end - start) for n, start, end in zip(shape, starts, ends, strict=True)]
    else:
        extents = [float(n) for n in shape]
    if min(extents) > 1 and draw(st.booleans()):
        keywords["scales"] = [draw(scales(extent)) for extent in extents]
    else:
        keywords["sizes"] = [draw(st.one_of(st.just(n), st.integers(1, 2 * longest))) for n in shape]
    return Request(shape, keywords)


def random_array(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Array:
    """Values over the whole range of 8- and 16-bit integers, around 0 for the others; words for strings."""
    generator = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == STRINGS:
        words = np.array(["", "a", "bb", "ccc", "dddd"], object)
        return words[generator.integers(0, 5, shape)]
    if dtype.kind == "b":
        return generator.random(shape) < 0.5
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        low, high = max(limits.min, -(2**30)), min(limits.max, 2**30)
        return generator.integers(low, high, shape, dtype=dtype, endpoint=True)
    values = generator.normal(0, 10, shape)
    return (values + 1j * generator.normal(0, 10, shape) if dtype.kind == "c" else values).astype(dtype)


def assert_same_bits(first: Array, second: Array) -> None:
    """Equal shape, element type and bytes (strings: equal words)."""
    assert first.shape == second.shape
    assert first.dtype == second.dtype
    if first.dtype == STRINGS:
        assert first.tolist() == second.tolist()
    else:
        assert first.tobytes() == second.tobytes()
