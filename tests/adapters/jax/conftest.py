"""float64 exists in JAX only where it is asked for: every test starts without."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def default_precision() -> Iterator[None]:
    """JAX as it starts: no 64-bit types."""
    import jax

    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    yield
    jax.config.update("jax_enable_x64", before)
