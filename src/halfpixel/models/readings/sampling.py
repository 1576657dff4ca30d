"""Which output samples a search looks at: the edges, the largest difference, and some between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from halfpixel.models.readings.taps import Indices

_EDGE = 12
_BETWEEN = 24
_ALL = 2 * _EDGE + _BETWEEN
_FEW = 3


def places_of(out_shape: Sequence[int], wanted: Sequence[Sequence[int]], copied: Sequence[int]) -> dict[int, Indices]:
    """Return axis -> output samples, ascending.

    Args:
        out_shape: of the output.
        wanted: output positions (an index an axis) that must be among the places.
        copied: axes that no reading resizes; few samples of them are enough.
    """
    places = {}
    for axis, length in enumerate(out_shape):
        must = {int(position[axis]) for position in wanted}
        if axis in copied:
            chosen = must | {0} if length else must
            chosen |= set(range(min(length, _FEW)))
        elif length <= _ALL:
            chosen = set(range(length))
        else:
            random = np.random.default_rng(length)
            chosen = {*range(_EDGE), *range(length - _EDGE, length), *must}
            chosen |= set(random.choice(length, _BETWEEN, replace=False).tolist())
        places[axis] = np.array(sorted(chosen), np.intp)
    return places


def at(places: dict[int, Indices]) -> tuple[Indices, ...]:
    """Return the index by which an array gives its values at the product of the places."""
    return np.ix_(*[places[axis] for axis in range(len(places))]) if places else ()
