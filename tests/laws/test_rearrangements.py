"""DepthToSpace and SpaceToDepth undo each other in both modes, for every element type."""

from typing import Any

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

import halfpixel as hp

from .requests import NUMBERS, STRINGS, assert_same_bits, law, random_array

SHAPES = st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 6), st.integers(0, 6))


@law
@given(SHAPES, st.integers(1, 5), st.sampled_from(["DCR", "CRD"]), st.sampled_from([*NUMBERS, STRINGS]))
def test_space_to_depth_and_back(shape: tuple[int, ...], blocksize: int, mode: Any, dtype: Any) -> None:
    """depth_to_space(space_to_depth(x)) is x."""
    batch, channels, height, width = shape
    x = random_array((batch, channels, height * blocksize, width * blocksize), dtype)
    deep = np.asarray(hp.space_to_depth(x, blocksize, mode=mode))
    assert deep.shape == (batch, channels * blocksize**2, height, width)
    assert_same_bits(np.asarray(hp.depth_to_space(deep, blocksize, mode=mode)), x)


@law
@given(SHAPES, st.integers(1, 5), st.sampled_from(["DCR", "CRD"]), st.sampled_from([*NUMBERS, STRINGS]))
def test_depth_to_space_and_back(shape: tuple[int, ...], blocksize: int, mode: Any, dtype: Any) -> None:
    """space_to_depth(depth_to_space(x)) is x, also from memory that is not contiguous."""
    batch, channels, height, width = shape
    x = random_array((batch, channels * blocksize**2, height, width), dtype)
    view = np.flip(np.flip(x, 1).copy(order="F"), 1)
    wide = np.asarray(hp.depth_to_space(view, blocksize, mode=mode))
    assert wide.shape == (batch, channels, height * blocksize, width * blocksize)
    assert_same_bits(np.ascontiguousarray(hp.space_to_depth(wide, blocksize, mode=mode)), x)


@law
@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 5), st.integers(1, 5))
def test_crd_is_the_formula_of_the_text(channels: int, blocksize: int, height: int, width: int) -> None:
    """reshape, transpose, reshape, as DepthToSpace-28 prints it for CRD and DCR."""
    x = random_array((2, channels * blocksize**2, height, width), np.float32)
    split = x.reshape(2, channels, blocksize, blocksize, height, width).transpose(0, 1, 4, 2, 5, 3)
    expected = split.reshape(2, channels, height * blocksize, width * blocksize)
    assert_same_bits(np.asarray(hp.depth_to_space(x, blocksize, mode="CRD")), expected)
    split = x.reshape(2, blocksize, blocksize, channels, height, width).transpose(0, 3, 4, 1, 5, 2)
    expected = split.reshape(2, channels, height * blocksize, width * blocksize)
    assert_same_bits(np.asarray(hp.depth_to_space(x, blocksize)), expected)
