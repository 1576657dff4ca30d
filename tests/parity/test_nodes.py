"""Every node: run_node against the exact result, and the Python functions against run_node bit for bit."""

import os
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from tests.oracles import RefusedError, run_node

from .random_nodes import Node, random_node
from .tolerance import Array, bits, difference

COUNT = int(os.environ.get("HALFPIXEL_PARITY_NODES", "400"))


def call_function(node: Node) -> Array:
    """The same request through hp.resize, hp.upsample, hp.depth_to_space or hp.space_to_depth."""
    x, *others = node.inputs
    request: dict[str, Any] = dict(node.attributes)
    if node.op_type in ("DepthToSpace", "SpaceToDepth"):
        function = hp.depth_to_space if node.op_type == "DepthToSpace" else hp.space_to_depth
        return np.asarray(function(x, request.pop("blocksize"), version=node.version, **request))
    if node.op_type == "Upsample":
        scales = others[0] if others else request.pop("scales", None)
        return np.asarray(hp.upsample(x, scales, version=node.version, **request))
    if node.version == 10:
        return np.asarray(hp.resize(x, others[0], version=10, **request))
    roi, scales, sizes = [*others, None, None, None][:3]
    return np.asarray(hp.resize(x, scales, sizes, roi=roi, version=node.version, **request))


@pytest.mark.parametrize("index", range(COUNT))
def test_node(index: int) -> None:
    """Node number index: within the tolerance and the same bits from the Python function.

    Only strings that would need an extrapolation value are refused, by both.
    """
    node = random_node(index)
    x = node.inputs[0]
    assert x is not None
    with np.errstate(over="ignore"):
        try:
            exact = run_node(node.op_type, node.inputs, node.attributes, opset=node.opset)
        except RefusedError:
            assert x.dtype.kind in "OUT", f"the oracle refuses\n{node}"
            with pytest.raises(hp.HalfpixelError):
                hp.run_node(node.op_type, node.inputs, node.attributes, opset=node.opset)
            return
        y = hp.run_node(node.op_type, node.inputs, node.attributes, opset=node.opset)
        again = call_function(node)
    if wrong := difference(y, x, exact):
        pytest.fail(f"{wrong}\n{node}", pytrace=False)
    if (again.shape, bits(again)) != (y.shape, bits(y)):
        pytest.fail(f"the Python function differs from run_node\n{node}", pytrace=False)
