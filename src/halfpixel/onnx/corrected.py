"""Operators that onnx's reference evaluator computes otherwise than their texts say; whole models need them right.

Found in onnx 1.23 by running real models beside onnxruntime.
"""

from typing import Any

import numpy as np
from onnx.helper import tensor_dtype_to_np_dtype
from onnx.reference.op_run import OpRun
from onnx.reference.ops.op_loop import Loop as _Loop


class BatchNormalization(OpRun):
    """BatchNormalization 1 to 15.

    onnx takes versions 7 and 9 as training whenever the node has a momentum, which its evaluator fills in by default;
    by their texts a node with one output does not train.

    Y = scale * (X - mean) / sqrt(var + epsilon) + bias, with the mean and the variance of the batch where it trains.
    """

    op_domain = ""

    def _run(
        self,
        x: Any,
        scale: Any,
        bias: Any,
        mean: Any,
        var: Any,
        epsilon: float = 1e-5,
        momentum: float = 0.9,
        training_mode: int = 0,
        **others: Any,
    ) -> tuple[Any, ...]:
        named = [name for name in self.onnx_node.output if name]
        if not training_mode and len(named) == 1:
            return (_normalised(x, scale, bias, mean, var, epsilon),)
        axes = tuple(axis for axis in range(x.ndim) if axis != 1)
        batch_mean, batch_var = x.mean(axis=axes), x.var(axis=axes)
        y = _normalised(x, scale, bias, batch_mean, batch_var, epsilon)
        running = [
            (old * momentum + new * (1 - momentum)).astype(old.dtype)
            for old, new in ((mean, batch_mean), (var, batch_var))
        ]
        return (y, *running, batch_mean, batch_var)[: len(self.onnx_node.output)]


def _normalised(x: Any, scale: Any, bias: Any, mean: Any, var: Any, epsilon: float) -> Any:
    along = (1, -1, *[1] * (x.ndim - 2))
    scale, bias, mean, var = (one.reshape(along) for one in (scale, bias, mean, var))
    return (scale * (x - mean) / np.sqrt(var + epsilon) + bias).astype(x.dtype)


class Loop(_Loop):
    """Loop of every version.

    onnx puts what the rounds give behind each other along the first axis; by the text they become a new first axis.

    Attributes:
        body: the evaluator of the body.
    """

    op_domain = ""
    body: Any
    _run_body: Any

    def _run(
        self,
        M: Any,
        cond: Any,
        *args: Any,
        context: Any = None,
        body: Any = None,
        attributes: Any = None,
        bindings: Any = None,
    ) -> tuple[Any, ...]:
        names = self.body.input_names
        carried = list(args)
        rounds: list[list[Any]] = [[] for _ in range(self.K)]
        number = 0
        going = True if cond is None else bool(cond)
        while going and (M is None or number < int(M)):
            inputs = dict(context or {})
            inputs |= dict(zip(names, [np.array(number, np.int64), np.array(going), *carried], strict=True))
            outputs = list(self._run_body(inputs, attributes=attributes, bindings=bindings))
            going, carried = bool(outputs[0]), outputs[1 : 1 + self.N]
            for values, value in zip(rounds, outputs[1 + self.N :], strict=True):
                values.append(value)
            number += 1
        stacked = [np.stack(values) if values else self._of_no_round(k) for k, values in enumerate(rounds)]
        return self._check_and_fix_outputs((*carried, *stacked))

    def _of_no_round(self, k: int) -> Any:
        """What the k-th output is when there is no round: no entry along the new axis, lengths as the body declares."""
        info = self.body.proto_.output[1 + self.N + k].type.tensor_type
        lengths = [axis.dim_value for axis in info.shape.dim]
        return np.empty((0, *lengths), tensor_dtype_to_np_dtype(info.elem_type) if info.elem_type else np.float32)


def corrected_ops() -> list[type[OpRun]]:
    """The operator classes, for onnx's ReferenceEvaluator."""
    return [BatchNormalization, Loop]
