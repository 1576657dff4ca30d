"""DepthToSpace and SpaceToDepth as layers: each is the other's gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from halfpixel._errors import ElementTypeError, SpecError
from halfpixel._typing import RearrangeMode
from halfpixel.layers.layer import Layer
from halfpixel.ops import depth_to_space, space_to_depth
from halfpixel.plan.arrays import import_array
from halfpixel.plan.elements import element_of
from halfpixel.spec.element_types import ELEMENT_TYPES

if TYPE_CHECKING:
    from halfpixel.layers.layer import NodeProto


class _Rearrangement(Layer):
    """Blocks moved between depth and space. Nothing is computed, so the gradient is the inverse move.

    Args:
        blocksize: rows (and columns) of a block, 1 or more.
        mode: "DCR" or "CRD", the order of the channels on the deep side.
        training: whether forward keeps what backward needs (the shape of the output).
        lda_coeff: the factor on the derivative that backward hands to the previous layer.
        name: name of the ONNX node.
    Raises:
        SpecError: HP112 mode, HP181 blocksize is no integer, HP190 lda_coeff is not finite.
    """

    version: ClassVar[int] = 28
    _move: ClassVar[Callable[..., Any]]
    _inverse: ClassVar[Callable[..., Any]]

    blocksize: int
    mode: str

    def __init__(
        self,
        blocksize: int,
        *,
        mode: RearrangeMode = "DCR",
        training: bool = True,
        lda_coeff: float = 1.0,
        name: str | None = None,
    ) -> None:
        super().__init__(training, lda_coeff, name, blocksize=blocksize, mode=mode)

    def forward(self, X: Any) -> Any:
        """Return X rearranged.

        Args:
            X: array of rank 4 and any element type.
        Raises:
            HalfpixelError: as the function of the operator.
        """
        request = self.attributes | {"version": self.version}
        Y = type(self)._move(X, **request)
        y_shape = import_array(Y, "Y")[0].shape
        self._keep(partial(_gradient, inverse=type(self)._inverse, y_shape=y_shape, request=request))
        return Y

    def to_onnx_node(self, inputs: Sequence[str] = ("X",), output: str = "Y") -> NodeProto:
        """Return the layer as an ONNX node, valid in opset 28 (and in earlier ones where mode is the default).

        Raises:
            MissingExtraError: HP900 without the package onnx.
        """
        return self._node(inputs, output)


class DepthToSpace(_Rearrangement):
    """DepthToSpace-28 as a trainable layer: [N, C, H, W] -> [N, C / b^2, H * b, W * b]."""

    op_type: ClassVar[str] = "DepthToSpace"
    _move = staticmethod(depth_to_space)
    _inverse = staticmethod(space_to_depth)


class SpaceToDepth(_Rearrangement):
    """SpaceToDepth-28 as a trainable layer: [N, C, H, W] -> [N, C * b^2, H / b, W / b]."""

    op_type: ClassVar[str] = "SpaceToDepth"
    _move = staticmethod(space_to_depth)
    _inverse = staticmethod(depth_to_space)


def _gradient(dY: Any, inverse: Callable[..., Any], y_shape: tuple[int, ...], request: dict[str, Any]) -> Any:
    """Return dX after checking that dY has the shape of the output and a type that derivatives can have."""
    array = import_array(dY, "dY")[0]
    if array.shape != y_shape:
        raise SpecError(
            "HP160",
            "dY has another shape than the output of forward",
            given=f"dY of shape {array.shape}",
            allowed=f"shape {y_shape}",
            do="pass the derivative by the output of the last forward call",
        )
    element = element_of(array.dtype)
    if ELEMENT_TYPES[element].kind not in ("float", "complex"):
        raise ElementTypeError(
            "HP225",
            f"a map of {element} has no gradient",
            given=f"dY of element type {element}",
            allowed="float16, bfloat16, float32, float64, complex64, complex128",
            do="convert to a floating-point type",
        )
    return inverse(dY, **request)
