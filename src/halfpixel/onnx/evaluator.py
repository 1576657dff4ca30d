"""onnx's reference evaluator with the four operators replaced everywhere in a model."""

from typing import Any

from onnx import FunctionProto
from onnx.helper import get_attribute_value
from onnx.reference import ReferenceEvaluator

from halfpixel._errors import HalfpixelError
from halfpixel.onnx.corrected import corrected_ops
from halfpixel.onnx.models import load_model
from halfpixel.onnx.operators import new_ops as operators


class Evaluator(ReferenceEvaluator):
    """Evaluate an ONNX model, graph, function or node with halfpixel's operators.

    The evaluator builds one of its own class for every subgraph and local function, so each of them gets the four
    operators too. The version of an operator is the one that the opset imported by its graph or function picks;
    attributes of a later version are accepted where their meaning is plain (``run_node(..., strict=False)``). Operators
    that onnx computes otherwise than their texts say are replaced too (see ``corrected``).

    Args:
        proto: ModelProto, GraphProto (with ``opsets``), FunctionProto, NodeProto, the bytes of a model, or a path.
        opsets: domain -> version, for a GraphProto.
        functions: known local functions, for a GraphProto or a FunctionProto.
        verbose: as in the base class.
        new_ops: further operator classes. They win over halfpixel's; as in the base class they do not reach into local
            functions.
        **keywords: passed on to the base class.
    Raises:
        ModelError: HP400 for bytes or a file that is no ONNX model, HP405 for a file that cannot be read.
    """

    def __init__(
        self,
        proto: Any,
        opsets: dict[str, int] | None = None,
        functions: list[Any] | None = None,
        verbose: int = 0,
        new_ops: list[Any] | None = None,
        **keywords: Any,
    ) -> None:
        with_ours = [*(new_ops or []), *operators(), *corrected_ops()]
        super().__init__(load_model(proto), opsets, functions, verbose, with_ours, **keywords)
        self._attribute_defaults: dict[str, Any] = {}
        if isinstance(self.proto_, FunctionProto):
            self._attribute_defaults = {a.name: get_attribute_value(a) for a in self.proto_.attribute_proto}
            # The caller's node reads these names off itself and fails on one that was left out, although ONNX allows
            # that. It passes on what it was given in any case.
            self.attributes_ = []

    def run(
        self,
        output_names: Any,
        feed_inputs: dict[str, Any],
        attributes: dict[str, Any] | None = None,
        *args: Any,
        **keywords: Any,
    ) -> Any:
        """Run the model.

        Args:
            output_names: names of the outputs wanted; None for all, in the model's order.
            feed_inputs: input name -> value.
            attributes: values of a function's attributes; its defaults fill in those left out.
            *args: passed on to the base class.
            **keywords: passed on to the base class.
        Returns:
            the list of the outputs.
        Raises:
            HalfpixelError: as ``halfpixel.run_node``; other operators raise what onnx's implementations raise.
        """
        if isinstance(self.proto_, FunctionProto):
            attributes = self._attribute_defaults | (attributes or {})
        try:
            return super().run(output_names, feed_inputs, attributes, *args, **keywords)
        except TypeError as error:
            # A node that holds a subgraph or calls a function replaces a TypeError from inside by a new one.
            ours = _halfpixel_error_behind(error)
            if ours is None:
                raise
            raise ours from None


def _halfpixel_error_behind(error: BaseException) -> HalfpixelError | None:
    """The first error of the family in the chain of an error's causes, or None."""
    cause = error.__cause__
    while cause is not None and not isinstance(cause, HalfpixelError):
        cause = cause.__cause__
    return cause
