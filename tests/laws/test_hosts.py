"""A map that another host runs gives the bits of the plan, forwards and backwards, for every element type."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from halfpixel.plan.host import forward_map, gradient_map
from tests.unit.plan.host_calls import run_map

from .requests import COMPLEX, NUMBERS, REALS, Request, assert_same_bits, law, random_array, requests


@law
@given(requests(), st.sampled_from(NUMBERS), st.sampled_from([1, 3]))
def test_forward(request: Request, dtype: np.dtype, threads: int) -> None:
    plan, x = request.plan(dtype), random_array(request.shape, dtype)
    assert_same_bits(run_map(forward_map(plan), x, plan.output_shape, threads), plan(x))


@law
@given(requests(), st.sampled_from([*REALS, *COMPLEX]), st.sampled_from([1, 3]))
def test_gradient(request: Request, dtype: np.dtype, threads: int) -> None:
    plan = request.plan(dtype)
    dy = random_array(plan.output_shape, dtype)
    assert_same_bits(run_map(gradient_map(plan), dy, request.shape, threads), plan.grad(dy))
