"""Resize and Upsample as layers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from halfpixel._errors import SpecError
from halfpixel._typing import (
    CoordinateTransformationMode,
    Integers,
    KeepAspectRatioPolicy,
    Mode,
    NearestMode,
    RealNumbers,
)
from halfpixel.layers.layer import Layer
from halfpixel.ops import resize, resize_grad, upsample, upsample_grad
from halfpixel.plan.arrays import import_array
from halfpixel.spec.arguments import elements, show

if TYPE_CHECKING:
    from halfpixel.layers.layer import NodeProto

_INPUTS = ("X", "roi", "scales", "sizes")


class Resize(Layer):
    """Resize-19 as a trainable layer.

    Args:
        antialias: stretch the filter of linear and cubic by max(1, 1 / scale) when an axis shrinks.
        axes: the axes that roi, scales and sizes refer to; negative ones count from the back. Empty: all.
        coordinate_transformation_mode: how an output index becomes an input coordinate.
        cubic_coeff_a: the coefficient a of the cubic kernel (Keys 1981, equation 4).
        exclude_outside: give samples outside X the weight 0 and make the other weights sum to 1.
        extrapolation_value: the output where tf_crop_and_resize leaves X; its derivative by X is 0.
        keep_aspect_ratio_policy: how sizes are read: "stretch", "not_larger" or "not_smaller".
        mode: "nearest", "linear" or "cubic".
        nearest_mode: how a coordinate becomes an index in mode "nearest".
        training: whether forward keeps what backward needs (shapes and sizes, never X).
        lda_coeff: the factor on the derivative that backward hands to the previous layer.
        name: name of the ONNX node.
    Raises:
        SpecError: a value that Resize-19 does not have; HP190 lda_coeff is not finite.

    Example:
        >>> layer = Resize(mode="linear")
        >>> y = layer.forward(numpy.zeros((1, 3, 32, 32), numpy.float32), sizes=[1, 3, 64, 64])
        >>> dx = layer.backward(numpy.ones_like(y))

    Source: Resize as a node of a trainable model graph, whose defaults these are; ONNX Resize-19.
    """

    op_type: ClassVar[str] = "Resize"
    version: ClassVar[int] = 19

    antialias: bool
    axes: Sequence[int]
    coordinate_transformation_mode: str
    cubic_coeff_a: float
    exclude_outside: bool
    extrapolation_value: float
    keep_aspect_ratio_policy: str
    mode: str
    nearest_mode: str

    def __init__(
        self,
        *,
        antialias: bool = False,
        axes: Integers = (),
        coordinate_transformation_mode: CoordinateTransformationMode = "half_pixel",
        cubic_coeff_a: float = -0.75,
        exclude_outside: bool = False,
        extrapolation_value: float = 0.0,
        keep_aspect_ratio_policy: KeepAspectRatioPolicy = "stretch",
        mode: Mode = "nearest",
        nearest_mode: NearestMode = "round_prefer_floor",
        training: bool = True,
        lda_coeff: float = 1.0,
        name: str | None = None,
    ) -> None:
        super().__init__(
            training,
            lda_coeff,
            name,
            antialias=antialias,
            axes=axes,
            coordinate_transformation_mode=coordinate_transformation_mode,
            cubic_coeff_a=cubic_coeff_a,
            exclude_outside=exclude_outside,
            extrapolation_value=extrapolation_value,
            keep_aspect_ratio_policy=keep_aspect_ratio_policy,
            mode=mode,
            nearest_mode=nearest_mode,
        )
        self._given: tuple[str, ...] = ("X", "scales")

    def forward(
        self,
        X: Any,
        roi: RealNumbers | None = None,
        scales: RealNumbers | None = None,
        sizes: Integers | None = None,
    ) -> Any:
        """Return X resized.

        Args:
            X: array of any rank and element type.
            roi: [start1, ..., startN, end1, ..., endN] for tf_crop_and_resize.
            scales: out / in, one an axis of X or an entry of axes.
            sizes: output lengths instead of scales; exactly one of the two.
        Returns:
            array of X's element type and kind.
        Raises:
            HalfpixelError: as ``halfpixel.resize``.
        """
        # Kept as numbers: the caller may change its arrays before backward.
        numbers = {name: _numbers(name, value) for name, value in zip(_INPUTS[1:], (roi, scales, sizes), strict=True)}
        request: dict[str, Any] = numbers | self.attributes | {"version": self.version}
        request["axes"] = request["axes"] or None
        x_shape = import_array(X, "X")[0].shape
        Y = resize(X, **request)
        self._given = ("X", *(name for name, value in numbers.items() if value))
        self._keep(partial(resize_grad, x_shape=x_shape, **request))
        return Y

    def to_onnx_node(self, inputs: Sequence[str] | None = None, output: str = "Y") -> NodeProto:
        """Return the layer as an ONNX node, valid in opset 19 (and in earlier ones that know all its attributes).

        Args:
            inputs: names of the inputs X, roi, scales, sizes, "" for an absent one. None: these words for the inputs
                that the last forward call had, and X and scales before the first.
            output: name of the output.
        Raises:
            SpecError: HP193 the names are not those of one request.
            MissingExtraError: HP900 without the package onnx.
        """
        if inputs is None:
            inputs = [name if name in self._given else "" for name in _INPUTS]
        names = [*inputs, "", "", "", ""][:4]
        if len(inputs) > 4 or not names[0] or bool(names[2]) == bool(names[3]):
            raise SpecError(
                "HP193",
                "a Resize node names X and one of scales and sizes",
                given=f"inputs={show(inputs)}",
                allowed="[X, roi, scales, sizes], with '' for roi and for one of scales and sizes",
                do="pass for example inputs=['X', '', 'scales']",
            )
        while not names[-1]:
            names.pop()
        return self._node(names, output)


class Upsample(Layer):
    """Upsample-9 as a trainable layer.

    Args:
        mode: "nearest" or "linear".
        training, lda_coeff, name: as for Resize.
    """

    op_type: ClassVar[str] = "Upsample"
    version: ClassVar[int] = 9

    mode: str

    def __init__(
        self, *, mode: str = "nearest", training: bool = True, lda_coeff: float = 1.0, name: str | None = None
    ) -> None:
        super().__init__(training, lda_coeff, name, mode=mode)

    def forward(self, X: Any, scales: RealNumbers) -> Any:
        """Return X enlarged.

        Args:
            X: array of any rank and element type.
            scales: out / in >= 1, one an axis.
        Raises:
            HalfpixelError: as ``halfpixel.upsample``.
        """
        request: dict[str, Any] = {"scales": _numbers("scales", scales), "version": self.version} | self.attributes
        x_shape = import_array(X, "X")[0].shape
        Y = upsample(X, **request)
        self._keep(partial(upsample_grad, x_shape=x_shape, **request))
        return Y

    def to_onnx_node(self, inputs: Sequence[str] = ("X", "scales"), output: str = "Y") -> NodeProto:
        """Return the layer as an ONNX node, valid in opset 9.

        Raises:
            MissingExtraError: HP900 without the package onnx.
        """
        return self._node(inputs, output)


def _numbers(name: str, values: object) -> tuple[Any, ...] | None:
    return None if values is None else tuple(elements(name, values))
