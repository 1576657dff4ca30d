"""onnx's backend interface: ``prepare``, ``run_model``, ``run_node``, ``supports_device``.

The functions of this module are the methods of ``Backend``: either can be handed to ``onnx.backend.test.BackendTest``.
"""

import unittest
from collections.abc import Mapping, Sequence
from typing import Any

import onnx
import onnx.backend.base
from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto
from onnx.backend.base import namedtupledict

from halfpixel._errors import HalfpixelError, ModelError
from halfpixel.onnx.evaluator import Evaluator
from halfpixel.onnx.files import not_a_model
from halfpixel.onnx.models import check_model, check_node, load_model


class UnsupportedModelError(ModelError, unittest.SkipTest):
    """HP402: a valid model with an operator that neither halfpixel nor onnx's reference implementations can run.

    It is a ``unittest.SkipTest`` as well: onnx's backend tests count a model as refused when ``prepare`` raises one.
    """


class BackendRep(onnx.backend.base.BackendRep):
    """A checked model, ready to run any number of times.

    Args:
        evaluator: the model's evaluator.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._all_names = list(evaluator.input_names)
        initialised = set(evaluator.rt_inits_)
        self._names = [name for name in self._all_names if name not in initialised]

    def run(self, inputs: Sequence[Any] | Mapping[str, Any], **kwargs: Any) -> tuple[Any, ...]:
        """Run the model.

        Args:
            inputs: one value for each input that has no initializer, in the graph's order (or one for each input of the
                graph); or a mapping from input name to value.
            **kwargs: not used; the interface lets callers pass tolerances and the like.
        Returns:
            a named tuple of the outputs in the graph's order.
        Raises:
            ModelError: HP404 the inputs are not the model's, HP407 an operator that onnx runs has failed.
            HalfpixelError: as ``halfpixel.run_node``.
        """
        feeds = self._feeds(inputs)
        try:
            outputs = self._evaluator.run(None, feeds)
        except (HalfpixelError, MemoryError):
            raise
        except Exception as error:  # whatever onnx's implementations raise
            raise ModelError(
                "HP407",
                "an operator that onnx runs has failed",
                given=f"{type(error).__name__}: {error}",
                allowed="inputs that the model's operators can work on",
                do="check the inputs' shapes and types; the error behind this one says more",
            ) from error
        return namedtupledict("Outputs", self._evaluator.output_names)(*outputs)

    def _feeds(self, inputs: Sequence[Any] | Mapping[str, Any]) -> dict[str, Any]:
        if isinstance(inputs, Mapping):
            if set(self._names) <= set(inputs) <= set(self._all_names):
                return dict(inputs)
            raise self._wrong_inputs(f"inputs named {sorted(map(str, inputs))}")
        if not isinstance(inputs, (list, tuple)):
            raise self._wrong_inputs(f"one object of type {type(inputs).__name__}")
        for names in (self._names, self._all_names):
            if len(inputs) == len(names):
                return dict(zip(names, inputs, strict=True))
        raise self._wrong_inputs(f"{len(inputs)} inputs")

    def _wrong_inputs(self, given: str) -> ModelError:
        return ModelError(
            "HP404",
            "the inputs are not those of the model",
            given=given,
            allowed=f"the inputs {self._names}, as a list or tuple in this order or as a mapping by name",
            do="pass one value for each",
        )


class Backend(onnx.backend.base.Backend):
    """onnx's ``Backend`` with halfpixel's operators; all others are run by onnx's reference implementations."""

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> BackendRep:
        """Check a model and make it ready to run.

        Args:
            model: a ModelProto, the bytes of a model, or a path.
            device: "CPU", or "CPU:0".
            **kwargs: not used; the interface lets callers pass tolerances and the like.
        Returns:
            the prepared model.
        Raises:
            ModelError: HP400 not an ONNX model, HP401 refused by onnx's checker, HP403 another device, HP405 an
                unreadable file, HP406 a model that onnx cannot load.
            UnsupportedModelError: HP402, an operator that nobody here can run.
        """
        cls._check_device(device)
        model = load_model(model)
        if not isinstance(model, ModelProto):
            raise not_a_model(f"an object of type {type(model).__name__}")
        check_model(model)
        return _prepare(model)

    @classmethod
    def run_model(cls, model: ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]:
        """Prepare a model and run it once: ``prepare(model, device).run(inputs)``."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls, node: NodeProto, inputs: Any, device: str = "CPU", outputs_info: Any = None, **kwargs: Any
    ) -> tuple[Any, ...]:
        """Run one node.

        Args:
            node: the node; any operator.
            inputs: one value for each input that the node names, or one for each position with None for an absent one.
            device: as in ``prepare``.
            outputs_info: not used; the outputs follow from the inputs.
            **kwargs: ``opset_version``: the version of the node's domain, by default the newest that onnx knows. Others
                are not used.
        Returns:
            a named tuple of the node's outputs.
        Raises:
            ModelError, UnsupportedModelError: as ``prepare`` and ``BackendRep.run``.
            HalfpixelError: as ``halfpixel.run_node``.
        """
        cls._check_device(device)
        feeds = _bind(node, list(inputs))
        newest = onnx.defs.onnx_opset_version() if node.domain == "" else 1
        opsets = {node.domain: kwargs.get("opset_version", newest)}
        check_node(node, opsets)
        graph = GraphProto(name=node.op_type, node=[node])
        graph.input.extend(ValueInfoProto(name=name) for name in feeds)
        graph.output.extend(ValueInfoProto(name=name) for name in node.output if name)
        return _prepare(graph, opsets).run(feeds)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """True for "CPU" and "CPU:0", false for any other device."""
        return device in ("CPU", "CPU:0")

    @classmethod
    def _check_device(cls, device: str) -> None:
        if not cls.supports_device(device):
            raise ModelError(
                "HP403",
                "the backend runs on the CPU only",
                given=f"device={device!r}",
                allowed="'CPU'",
                do="pass device='CPU'",
            )


def _prepare(proto: ModelProto | GraphProto, opsets: dict[str, int] | None = None) -> BackendRep:
    """Build the evaluator of a checked model, or of a graph with its opsets."""
    try:
        return BackendRep(Evaluator(proto, opsets))
    except (NotImplementedError, RuntimeError) as error:
        raise UnsupportedModelError(
            "HP402",
            "the model has an operator without an implementation",
            given=str(error),
            allowed="the operators of onnx.reference, local functions, and halfpixel's four",
            do="replace the operator, or give it to halfpixel.onnx.Evaluator through new_ops",
        ) from error
    except Exception as error:  # whatever onnx raises for the initializers and attributes of a damaged model
        raise ModelError(
            "HP406",
            "onnx cannot load the model",
            given=f"{type(error).__name__}: {error}",
            allowed="a model whose initializers and attributes onnx can read",
            do="check that the model is complete",
        ) from error


def _bind(node: NodeProto, values: list[Any]) -> dict[str, Any]:
    """Match values to a node's inputs: return name -> value, None for an absent one."""
    present = [name for name in node.input if name]
    if len(values) == len(present):
        return dict(zip(present, values, strict=True))
    pairs = list(zip(node.input, values, strict=False))
    if len(values) == len(node.input) and all(name or value is None for name, value in pairs):
        return {name: value for name, value in pairs if name}
    raise ModelError(
        "HP404",
        "the inputs are not those of the node",
        given=f"{len(values)} inputs, {sum(value is not None for value in values)} of them not None",
        allowed=f"one for each of {list(node.input)} (None for ''), or for each of {present}",
        do="pass one value for each",
    )


# The interface asks for these as functions of a module, too.
is_compatible = Backend.is_compatible
prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device
