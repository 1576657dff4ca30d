"""Layers one after another, as one layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from halfpixel._errors import SpecError
from halfpixel.spec.arguments import show


@runtime_checkable
class Step(Protocol):
    """What can stand in a Sequential: the layers of this package, a Sequential, or a class of your own.

    forward(X, **arguments) returns the output and keeps what backward needs; backward(dY) returns the derivative by X.
    """

    forward: Any
    backward: Any


Entry: TypeAlias = Step | tuple[Step, Mapping[str, Any]]


class Sequential:
    """Layers whose outputs are the next one's inputs: Y = layers[-1](...layers[1](layers[0](X))).

    Args:
        entries: layers, or pairs (layer, arguments) for those whose forward takes more than X: arguments are the
            keywords of every call, such as {"scales": [1, 1, 2, 2]}.

    Attributes:
        layers: the layers without their arguments.

    Raises:
        SpecError: HP198 an entry is no layer.

    Example:
        >>> net = Sequential((Resize(mode="linear"), {"scales": [1, 1, 2, 2]}), SpaceToDepth(2))
        >>> Y = net.forward(numpy.ones((1, 3, 8, 8), numpy.float32))
        >>> Y.shape
        (1, 12, 8, 8)
        >>> net.backward(numpy.ones_like(Y)).shape
        (1, 3, 8, 8)
    """

    def __init__(self, *entries: Entry) -> None:
        self._entries = tuple(_entry(entry, place) for place, entry in enumerate(entries))
        self.layers = tuple(layer for layer, _ in self._entries)

    def forward(self, X: Any) -> Any:
        """Return the output of the last layer; every layer in training mode keeps what its backward needs.

        Raises:
            HalfpixelError: as the layers.
        """
        for layer, arguments in self._entries:
            X = layer.forward(X, **arguments)
        return X

    def __call__(self, X: Any) -> Any:
        """The same as ``forward``."""
        return self.forward(X)

    def backward(self, dY: Any) -> Any:
        """Return the derivative by X of the loss from the one by the output: the layers' backward, last layer first.

        Each factor lda_coeff multiplies what is handed on to the layers before.

        Raises:
            SpecError: HP191 a layer is not in training mode, HP192 forward has not run, HP160 dY has another shape.
            ElementTypeError: HP225 dY is neither float nor complex.
        """
        for layer in reversed(self.layers):
            dY = layer.backward(dY)
        return dY

    @property
    def training(self) -> bool:
        """Whether every layer that has a training mode is in it; setting it sets them all."""
        return all(getattr(layer, "training", True) for layer in self.layers)

    @training.setter
    def training(self, value: bool) -> None:
        for layer in self.layers:
            if hasattr(layer, "training"):
                layer.training = value

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.layers)

    def __getitem__(self, place: int) -> Step:
        layer: Step = self.layers[place]
        return layer

    def __repr__(self) -> str:
        shown = (
            f"({layer!r}, {dict(arguments)!r})" if arguments else repr(layer) for layer, arguments in self._entries
        )
        return f"Sequential({', '.join(shown)})"


def _entry(entry: object, place: int) -> tuple[Any, dict[str, Any]]:
    layer, arguments = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, {})
    if isinstance(layer, Step) and not isinstance(layer, type) and isinstance(arguments, Mapping):
        return layer, dict(arguments)
    raise SpecError(
        "HP198",
        f"entry {place} of Sequential is not a layer",
        given=show(entry),
        allowed="objects with forward and backward, or pairs (layer, {keyword: value}) for what forward takes beside X",
        do="pass layers, made with their attributes: DepthToSpace(2), not DepthToSpace",
    )
