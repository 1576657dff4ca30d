"""What a call is given: an array that JAX knows, and arguments that are known before it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from halfpixel._errors import ElementTypeError, HalfpixelError, SpecError
from halfpixel.jax.errors import jax_error
from halfpixel.plan.threads import thread_count

Result = TypeVar("Result")


def array_of(x: Any) -> jax.Array:
    """Return x, concrete or traced, as JAX's array; NumPy arrays get the element type that JAX gives them.

    Raises:
        TypeError: HP221 x is no array; HP220 an element type that JAX lacks.
        ValueError: HP121 a length of x is symbolic.
    """
    if not isinstance(x, jax.Array):
        x = _from_numpy(x)
    if not all(type(length) is int for length in x.shape):
        raise jax_error(
            SpecError(
                "HP121",
                "the tables of a resize need the lengths of x as numbers",
                given=f"x of shape {x.shape}",
                allowed="lengths that are known when the function is traced",
                do="trace, or export, for each shape",
            )
        )
    array: jax.Array = x
    return array


def _from_numpy(x: Any) -> jax.Array:
    if not isinstance(x, np.ndarray | np.generic):
        raise jax_error(
            ElementTypeError(
                "HP221",
                "x is not an array",
                given=f"x of type {type(x).__name__}",
                allowed="a JAX array, traced or not, or a NumPy array",
                do="pass jax.numpy.asarray(x)",
            )
        )
    try:
        return jnp.asarray(x)
    except TypeError as error:
        raise jax_error(
            ElementTypeError(
                "HP220",
                f"JAX has no element type {x.dtype}",
                given=f"x of dtype {x.dtype}: {error}",
                allowed="bool, integers, floating point and complex",
                do="convert it first, or call halfpixel.resize, which takes strings",
            )
        ) from None


def threads_of(threads: object) -> int:
    """Return the argument threads= as a number, 0 for the default of the process that will run the program."""
    return 0 if threads is None else thread_count(threads)


def checked(make: Callable[[], Result], arguments: Mapping[str, Any]) -> Result:
    """Return make(), its errors as JAX's; a traced argument is named instead of what became of it.

    Raises:
        TypeError: HP187 an argument is traced.
    """
    try:
        return make()
    except (HalfpixelError, TypeError) as error:
        for name, value in arguments.items():
            if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value)):
                raise jax_error(_traced(name, value)) from None
        if isinstance(error, HalfpixelError):
            raise jax_error(error) from None
        raise


def _traced(name: str, value: object) -> SpecError:
    return SpecError(
        "HP187",
        f"{name} must be known when the function is traced",
        given=f"{name}={value!r:.200}",
        allowed="Python or NumPy numbers",
        do=f"list {name} in static_argnames of jax.jit, or close over it",
    )
