"""A map that another host runs, kept or made from words, gives the bits of the plan, for every element type."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from halfpixel.plan.host import forward_map, gradient_map
from halfpixel.plan.words import forward_words, gradient_words
from tests.unit.plan.host_calls import made, run_map

from .requests import COMPLEX, NUMBERS, REALS, Request, assert_same_bits, law, random_array, requests


@law
@given(requests(), st.sampled_from(NUMBERS), st.sampled_from([1, 3]))
def test_forward(request: Request, dtype: np.dtype, threads: int) -> None:
    plan, x = request.plan(dtype), random_array(request.shape, dtype)
    y = plan(x)
    assert_same_bits(run_map(forward_map(plan), x, plan.output_shape, threads), y)
    with made(forward_words(plan)) as from_words:
        assert_same_bits(run_map(from_words, x, plan.output_shape, threads), y)


@law
@given(requests(), st.sampled_from([*REALS, *COMPLEX]), st.sampled_from([1, 3]))
def test_gradient(request: Request, dtype: np.dtype, threads: int) -> None:
    plan = request.plan(dtype)
    dy = random_array(plan.output_shape, dtype)
    dx = plan.grad(dy)
    assert_same_bits(run_map(gradient_map(plan), dy, request.shape, threads), dx)
    with made(gradient_words(plan)) as from_words:
        assert_same_bits(run_map(from_words, dy, request.shape, threads), dx)
