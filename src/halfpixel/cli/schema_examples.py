"""Worked examples of the four operators: node, attributes and inputs from examples.toml, outputs computed here."""

from __future__ import annotations

import importlib.resources
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halfpixel._errors import SpecError
from halfpixel.ops.node import run_node
from halfpixel.spec.operators import OPERATORS, Operator

_DTYPES = {"roi": np.float32, "scales": np.float32, "sizes": np.int64}


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An example for one since-version.

    Attributes:
        inputs: in the operator's order, by name; None for an absent one.
        output: (name, value).
    """

    name: str
    op_type: str
    attributes: Mapping[str, Any]
    inputs: Mapping[str, NDArray[Any] | None]
    output: tuple[str, NDArray[Any]]

    def node_text(self) -> str:
        """The node as a call, and its attributes."""
        names = [name if value is not None else '""' for name, value in self.inputs.items()]
        lines = ["Node:", f"  {self.op_type}({', '.join(names)}) -> ({self.output[0]})", "Attributes:"]
        quoted = {name: f'"{value}"' if isinstance(value, str) else value for name, value in self.attributes.items()}
        return "\n".join(lines + [f"  {name} = {value}" for name, value in sorted(quoted.items())])

    def values_text(self) -> str:
        """Inputs and output with shape, dtype and values."""
        given = [_tensor_text(name, value) for name, value in self.inputs.items() if value is not None]
        return "\n".join(["Inputs:", *given, "", "Outputs:", _tensor_text(*self.output)])

    def as_data(self) -> dict[str, Any]:
        """As plain data, for --json."""
        return {
            "name": self.name,
            "attributes": dict(self.attributes),
            "inputs": {name: _tensor_data(value) for name, value in self.inputs.items() if value is not None},
            "outputs": {self.output[0]: _tensor_data(self.output[1])},
        }


def _tensor_text(name: str, value: NDArray[Any]) -> str:
    values = np.array2string(value, separator=", ", threshold=80, prefix="  ")
    return f"{name}: shape={value.shape}, dtype={value.dtype}\n  {values}"


def _tensor_data(value: NDArray[Any]) -> dict[str, Any]:
    return {"shape": list(value.shape), "dtype": str(value.dtype), "values": value.tolist()}


def worked_examples(op_type: str, since_version: int) -> list[WorkedExample]:
    """Compute the examples that a version can express.

    Raises:
        SpecError: HP100, the operator is not one of the four.
    """
    operator = OPERATORS.get((op_type, since_version))
    if operator is None:
        raise SpecError(
            "HP100",
            f"halfpixel computes no examples of {op_type}",
            given=f"{op_type}-{since_version}",
            allowed="Resize, Upsample, DepthToSpace, SpaceToDepth",
            do="leave --examples out",
        )
    text = importlib.resources.files("halfpixel.cli").joinpath("examples.toml").read_text("utf-8")
    candidates = [_work(operator, entry) for entry in tomllib.loads(text)[op_type]]
    return [example for example in candidates if example is not None]


def _work(operator: Operator, entry: Mapping[str, Any]) -> WorkedExample | None:
    """One example, or None if the version lacks something that it needs."""
    attributes = dict(entry["attributes"])
    tensors = {name: np.array(entry[name], dtype) for name, dtype in _DTYPES.items() if name in entry}
    data = operator.inputs[0].name
    shape = entry[data]
    tensors[data] = np.arange(prod(shape), dtype=np.float32).reshape(shape) + np.float32(entry.get("first", 1))
    if not _give_scales_as_attributes(operator, tensors, attributes):
        return None
    inputs = {one.name: tensors.get(one.name) for one in operator.inputs}
    while list(inputs.values())[-1] is None:
        inputs.popitem()
    try:
        output = run_node(operator.op_type, list(inputs.values()), attributes, opset=operator.version)
    except SpecError:
        return None
    return WorkedExample(entry["name"], operator.op_type, attributes, inputs, (_OUTPUTS[operator.op_type], output))


_OUTPUTS = {"Resize": "Y", "Upsample": "Y", "DepthToSpace": "output", "SpaceToDepth": "output"}


def _give_scales_as_attributes(
    operator: Operator, tensors: dict[str, NDArray[Any]], attributes: dict[str, Any]
) -> bool:
    """Turn inputs that a version does not have into its attributes; False if it has no place for one.

    Upsample-7 has scales as an attribute, Upsample-1 height_scale and width_scale, and it says bilinear for linear.
    """
    names = {one.name for one in operator.inputs}
    if "scales" in tensors and "scales" in operator.attributes:
        attributes["scales"] = tensors.pop("scales").tolist()
    elif "scales" in tensors and "height_scale" in operator.attributes:
        _, _, attributes["height_scale"], attributes["width_scale"] = tensors.pop("scales").tolist()
        attributes["mode"] = {"linear": "bilinear"}.get(attributes["mode"], attributes["mode"])
    if attributes.get("mode") == "DCR" and "mode" not in operator.attributes:
        del attributes["mode"]
    return set(tensors) <= names
