"""What the four layers share: training mode, the factor on the derivative, the name, and the ONNX node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from halfpixel._errors import MissingExtraError, SpecError
from halfpixel.ops.node import read_attributes
from halfpixel.spec.arguments import real, show
from halfpixel.spec.operators import Operator, operator_of

if TYPE_CHECKING:
    from onnx import NodeProto as NodeProto

Gradient = partial[Any]
"""dY -> dX. Holds the shape, scales and sizes of one forward call, and no tensor; can be pickled."""


class Layer(ABC):
    """A layer whose output is linear in its one tensor X.

    Args:
        training: whether forward keeps what backward needs.
        lda_coeff: the factor on the derivative that backward hands to the previous layer; finite.
        name: name of the ONNX node, or None.
        attributes: the operator's attributes; they become attributes of the layer under the same names.
    Raises:
        SpecError: HP190 lda_coeff, HP194 training or name; for attributes as ``halfpixel.run_node``.
    """

    op_type: ClassVar[str]
    version: ClassVar[int]

    def __init__(self, training: bool, lda_coeff: float, name: str | None, **attributes: Any) -> None:
        self.training = _flag(training)
        self.lda_coeff = _coefficient(lda_coeff)
        self.name = _name(name)
        for attribute, value in read_attributes(self._operator, attributes).items():
            setattr(self, attribute, value)
        self._gradient: Gradient | None = None

    def __call__(self, X: Any, *args: Any, **kwargs: Any) -> Any:
        """The same as ``forward``."""
        return self.forward(X, *args, **kwargs)

    def __repr__(self) -> str:
        shown = {**self.attributes, "training": self.training, "lda_coeff": self.lda_coeff, "name": self.name}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in shown.items())})"

    @property
    def attributes(self) -> dict[str, Any]:
        """The operator's attributes as they are now, checked, by name."""
        return read_attributes(self._operator, {name: getattr(self, name) for name in self._operator.attributes})

    @abstractmethod
    def forward(self, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the output for X; in training mode keep the shapes that backward needs."""

    def backward(self, dY: Any) -> Any:
        """Return the derivative by X of the loss, times ``lda_coeff``.

        dX = lda_coeff * A^T dY, where A is the linear map of the last forward call: the sum, over the outputs that a
        sample went into, of its weight there times their derivative.

        Args:
            dY: derivative of the loss by the output: of the output's shape, float or complex.
        Returns:
            array of X's shape, of dY's element type and kind.
        Raises:
            SpecError: HP191 the layer is not in training mode, HP192 forward has not run in training mode, HP160 dY has
                another shape than the output.
            ElementTypeError: HP225 dY is neither float nor complex.
        """
        if not self.training:
            raise SpecError(
                "HP191",
                "backward needs a layer in training mode",
                given=f"{self.op_type} layer with training=False",
                allowed="training=True during forward and backward",
                do="make the layer with training=True, or set layer.training = True before forward",
            )
        if self._gradient is None:
            raise SpecError(
                "HP192",
                "backward comes after a forward in training mode",
                given=f"{self.op_type} layer that has kept no forward call",
                allowed="forward(X, ...), then backward(dY)",
                do="call forward first, with training=True",
            )
        dX = self._gradient(dY)
        if self.lda_coeff != 1.0:
            dX *= self.lda_coeff
        return dX

    @property
    def _operator(self) -> Operator:
        return operator_of(self.op_type, self.version)

    def _keep(self, gradient: Gradient) -> None:
        """Keep the gradient of a forward call in training mode; else forget the one before."""
        self._gradient = gradient if self.training else None

    def _node(self, inputs: Sequence[str], output: str) -> NodeProto:
        """Return the ONNX node, without the attributes that have their default: earlier opsets may not know them."""
        try:
            from onnx import helper
        except ModuleNotFoundError as error:
            if error.name != "onnx":
                raise
            raise MissingExtraError(
                "HP900",
                "to_onnx_node needs the package 'onnx'",
                given="an environment in which 'import onnx' finds no module",
                allowed="onnx 1.23 or later",
                do="pip install 'halfpixel[onnx]'",
            ) from error
        table = self._operator.attributes
        written = {name: value for name, value in self.attributes.items() if value not in (table[name].default, [])}
        return helper.make_node(self.op_type, list(inputs), [output], name=self.name, **written)


def _flag(training: object) -> bool:
    if isinstance(training, (bool, np.bool_)):
        return bool(training)
    raise SpecError(
        "HP194",
        "'training' is a flag",
        given=f"training={show(training)}",
        allowed="True or False",
        do="pass training=True for a layer whose backward will be called",
    )


def _name(name: object) -> str | None:
    if name is None or isinstance(name, str):
        return name
    raise SpecError(
        "HP194",
        "the name of a layer is text",
        given=f"name={show(name)}",
        allowed="a string, or None",
        do="pass the name that the ONNX node shall have",
    )


def _coefficient(value: object) -> float:
    try:
        number = real("lda_coeff", value)
    except SpecError:
        number = float("nan")
    if isfinite(number):
        return number
    raise SpecError(
        "HP190",
        "lda_coeff is not a finite number",
        given=f"lda_coeff={show(value)}",
        allowed="a finite real number; 1.0 leaves the derivative as it is",
        do="pass lda_coeff=1.0",
    )
