"""One-node models in sessions that list our provider, and who ran what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

CPU = "CPUExecutionProvider"
OURS = "HalfpixelExecutionProvider"
PROVIDERS = [OURS, CPU]
IR_VERSION = 10
_SILENT = 4


def element_number(x: Any) -> int:
    """The TensorProto number of an array's dtype; object arrays hold strings."""
    from onnx import TensorProto, helper

    return int(TensorProto.STRING if x.dtype == object else helper.np_dtype_to_tensor_dtype(x.dtype))


def model_of(
    op_type: str,
    x: Any,
    attributes: Mapping[str, Any] | None = None,
    opset: int = 19,
    constants: Mapping[str, Any] | None = None,
    inputs: Sequence[str] = ("X",),
    dynamic: bool = False,
    fed: Mapping[str, Any] | None = None,
) -> bytes:
    """A model of one node from X, and what else is fed, to Y.

    Args:
        x: an array like the one that X will be.
        constants: initializers by name.
        inputs: of the node by name; "" is an absent one.
        dynamic: X has a name for each length.
        fed: other inputs of the model: name -> an array like it.
    """
    from onnx import helper, numpy_helper

    values = {"X": x, **(fed or {})}
    shapes = {name: list(array.shape) for name, array in values.items()}
    if dynamic:
        shapes["X"] = [f"X{i}" for i in range(x.ndim)]
    number = element_number(x)
    graph = helper.make_graph(
        [helper.make_node(op_type, list(inputs), ["Y"], "the node", **(attributes or {}))],
        "graph",
        [helper.make_tensor_value_info(name, element_number(a), shapes[name]) for name, a in values.items()],
        [helper.make_tensor_value_info("Y", number, None)],
        [numpy_helper.from_array(value, name) for name, value in (constants or {}).items()],
    )
    return serialised(graph, opset)


def serialised(graph: Any, opset: int, functions: Sequence[Any] = (), domains: Sequence[str] = ()) -> bytes:
    from onnx import helper

    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, functions=list(functions))
    return bytes(model.SerializeToString())


def resize_model(x: Any, scales: Sequence[float], opset: int = 19, dynamic: bool = False, **attributes: Any) -> bytes:
    """A Resize with constant scales."""
    constants = {"roi": np.array([], np.float32), "scales": np.array(scales, np.float32)}
    if opset < 11:
        del constants["roi"]
    return model_of("Resize", x, attributes, opset, constants, ("X", *constants), dynamic)


def session_of(model: bytes, providers: Sequence[str] = PROVIDERS, threads: int = 2, profile: str = "") -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = _SILENT
    options.intra_op_num_threads = threads
    if profile:
        options.enable_profiling = True
        options.profile_file_prefix = profile
    if OURS in providers and onnxruntime.__version__.startswith("1.24."):
        from halfpixel.onnxruntime import add_to

        add_to(options)
        return onnxruntime.InferenceSession(model, options)
    return onnxruntime.InferenceSession(model, options, providers=list(providers))


def run(model: bytes, x: Any, **fed: Any) -> Any:
    return session_of(model).run(None, {"X": x, **fed})[0]


def who_ran(model: bytes, folder: Path, feed: Mapping[str, Any]) -> dict[str, str]:
    """Operator -> the provider that ran it, from a profile of one run."""
    session = session_of(model, profile=str(folder / "profile"))
    session.run(None, dict(feed))
    events = json.loads(Path(session.end_profiling()).read_text())
    arguments = [event["args"] for event in events if event.get("cat") == "Node"]
    return {entry["op_name"]: entry["provider"] for entry in arguments if "provider" in entry}


@contextmanager
def refusal() -> Iterator[list[str]]:
    """Expect onnxruntime to raise; the list then holds the text."""
    texts: list[str] = []
    try:
        yield texts
    except Exception as error:
        texts.append(str(error))
    assert texts, "nothing was refused"
