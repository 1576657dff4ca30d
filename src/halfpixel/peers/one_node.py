"""Work as an ONNX model of one node, for the runtimes."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from halfpixel.peers.work import DEPTH_TO_SPACE, RESIZE_GRAD, Work, planar

RESIZE_OPSET = 19
REARRANGE_OPSET = 13
IR_VERSION = 10


def planar_shape(work: Work, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape in the work's layout, in the layout with the channels first."""
    lengths = {"N": 1, **dict(zip(work.layout, shape, strict=True))}
    return tuple(lengths[letter] for letter in planar(work))


def one_node_model(work: Work) -> bytes | None:
    """Return a serialised model with input X and output Y in the planar layout.

    None for what no node does: the gradient, and SpaceToDepth in mode CRD at REARRANGE_OPSET.
    """
    if work.operation == RESIZE_GRAD:
        return None
    onnx = import_module("onnx")
    helper = onnx.helper
    element = helper.np_dtype_to_tensor_dtype(work.dtype)
    in_shape, out_shape = (planar_shape(work, shape) for shape in (work.shape, work.out_shape))
    initializers = []
    if work.resizes:
        opset = RESIZE_OPSET
        node = helper.make_node("Resize", ["X", "", "", "sizes"], ["Y"], **work.attributes)
        initializers.append(onnx.numpy_helper.from_array(np.array(out_shape, np.int64), "sizes"))
    else:
        opset = REARRANGE_OPSET
        to_space = work.operation == DEPTH_TO_SPACE
        if not to_space and work.mode != "DCR":
            return None
        mode = {"mode": work.mode} if to_space else {}
        operator = "DepthToSpace" if to_space else "SpaceToDepth"
        node = helper.make_node(operator, ["X"], ["Y"], blocksize=work.attributes["blocksize"], **mode)
    graph = helper.make_graph(
        [node],
        "one_node",
        [helper.make_tensor_value_info("X", element, in_shape)],
        [helper.make_tensor_value_info("Y", element, out_shape)],
        initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=IR_VERSION)
    return bytes(model.SerializeToString())
