"""Sequential: layers one after another."""

from typing import Any

import numpy as np
import pytest

from halfpixel import SpecError
from halfpixel.layers import DepthToSpace, Resize, Sequential, SpaceToDepth, Upsample


class Times:
    """A layer of the caller's own."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def forward(self, X: Any) -> Any:
        return X * self.factor

    def backward(self, dY: Any) -> Any:
        return dY * self.factor


def test_forward_in_order_backward_in_reverse() -> None:
    net = Sequential(Times(3), (Upsample(), {"scales": [1, 1, 2, 2]}), SpaceToDepth(2))
    X = np.array([[[[1.0, 2]]]])
    assert net.forward(X).tolist() == [[[[3, 6]], [[3, 6]], [[3, 6]], [[3, 6]]]]
    assert net(X).shape == (1, 4, 1, 2)
    # Each input sample goes into four outputs, times three.
    assert net.backward(np.arange(8.0).reshape(1, 4, 1, 2)).tolist() == [[[[3 * (0 + 2 + 4 + 6), 3 * (1 + 3 + 5 + 7)]]]]


def test_the_gradient_is_the_transpose() -> None:
    net = Sequential((Resize(mode="cubic", axes=[2, 3]), {"sizes": [4, 6]}), SpaceToDepth(2), Times(0.5))
    forward = [net.forward(unit.reshape(1, 1, 3, 5)).ravel() for unit in np.eye(15)]
    backward = [net.backward(unit.reshape(1, 4, 2, 3)).ravel() for unit in np.eye(24)]
    assert np.count_nonzero(forward) > 100
    assert np.allclose(np.array(forward), np.array(backward).T, rtol=0, atol=1e-15)


def test_lda_coeff_multiplies_what_is_handed_on() -> None:
    net = Sequential(Times(2), DepthToSpace(1, lda_coeff=0.5))
    net.forward(np.ones((1, 1, 1, 1)))
    assert net.backward(np.array([[[[3.0]]]])).tolist() == [[[[3]]]]


def test_training_is_that_of_all_layers() -> None:
    first, second = DepthToSpace(2), DepthToSpace(2, training=False)
    net = Sequential(first, Sequential(second), Times(1))
    assert net.training is False
    net.training = True
    assert (net.training, second.training) == (True, True)
    net.training = False
    assert (first.training, second.training) == (False, False)
    net.forward(np.ones((1, 16, 1, 1)))
    with pytest.raises(SpecError, match="HP191"):
        net.backward(np.ones((1, 1, 4, 4)))
    with pytest.raises(SpecError, match="HP192"):
        Sequential(DepthToSpace(2)).backward(np.ones((1, 1, 4, 4)))


def test_it_is_a_sequence_of_its_layers() -> None:
    layers = (SpaceToDepth(2), DepthToSpace(2))
    net = Sequential(layers[0], (layers[1], {}))
    assert (len(net), tuple(net), net[1], net.layers) == (2, layers, layers[1], layers)
    assert np.array_equal(Sequential().forward(np.arange(3)), np.arange(3))
    shown = repr(Sequential((Upsample(), {"scales": [2]}), DepthToSpace(2)))
    assert shown.startswith(
        "Sequential((Upsample(mode='nearest', training=True, lda_coeff=1.0, name=None), {'scales': "
    )
    assert shown.endswith("DepthToSpace(blocksize=2, mode='DCR', training=True, lda_coeff=1.0, name=None))")


def test_the_arguments_are_the_ones_given() -> None:
    arguments: dict[str, Any] = {"scales": [2]}
    net = Sequential((Upsample(), arguments))
    arguments["scales"] = [3]
    assert net.forward(np.ones(1)).size == 2


def test_what_is_no_layer_is_refused() -> None:
    with pytest.raises(SpecError) as caught:
        Sequential(DepthToSpace(2), 3)  # type: ignore[arg-type]
    assert str(caught.value) == (
        "[HP198] entry 1 of Sequential is not a layer\n"
        "  given:   3\n"
        "  allowed: objects with forward and backward, or pairs (layer, {keyword: value}) for what forward takes "
        "beside X\n"
        "  do:      pass layers, made with their attributes: DepthToSpace(2), not DepthToSpace"
    )
    entries: list[Any] = [DepthToSpace, (DepthToSpace(2), [2]), (1, {}), (DepthToSpace(2),), None]
    for entry in entries:
        with pytest.raises(SpecError, match="HP198"):
            Sequential(entry)
