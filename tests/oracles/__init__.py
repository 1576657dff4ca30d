"""The operators in exact fractions: slow, plain, and independent of halfpixel.

Written from the project's semantics alone. Coordinates, weights and sums are rational numbers, so nothing is
rounded before the one rounding to the element type; every tie is a tie. NumPy only carries the arrays.

    lengths      scales, sizes, axes, roi, policy -> output length and scale of each axis
    coordinates  output sample -> input coordinate
    weights      coordinate -> taps and weights (nearest, linear, cubic, antialias, border rule)
    exact        arrays of fractions with one denominator; NaN and infinities kept beside them
    rounding     fraction -> element type
    resize       the four steps in a row, and the gradient
    rearrange    DepthToSpace, SpaceToDepth
    nodes        operator, opset, inputs, attributes -> result, for every version
"""

from .exact import ExactArray
from .lengths import Axis, RefusedError
from .nodes import run_node
from .rearrange import depth_to_space, space_to_depth
from .resize import Attributes, Result, axis_rows, plan_axes, resize, resize_grad
from .rounding import round_value

__all__ = [
    "Attributes",
    "Axis",
    "ExactArray",
    "RefusedError",
    "Result",
    "axis_rows",
    "depth_to_space",
    "plan_axes",
    "resize",
    "resize_grad",
    "round_value",
    "run_node",
    "space_to_depth",
]
