"""DepthToSpace and SpaceToDepth of every version -> RearrangeSpec: the shapes and the order of the channels.

Source: ONNX DepthToSpace 1, 11, 13, 28 and SpaceToDepth 1, 13, 28.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halfpixel._errors import SpecError
from halfpixel.spec.arguments import integer_or_none, shape_of, show
from halfpixel.spec.attributes import choice
from halfpixel.spec.operators import Operator, operator_of
from halfpixel.spec.sizes import check_addressable


@dataclass(frozen=True, slots=True)
class RearrangeSpec:
    """A move of blocks between depth and space.

    Attributes:
        version: the since-version asked for.
        in_shape, out_shape: [N, C, H, W].
        blocksize: b; a block is b rows by b columns.
        mode: the order of the channels on the deep side. With C channels on the wide side, row r and column q of a
            block of channel c is channel (r * b + q) * C + c in "DCR" and channel (c * b + r) * b + q in "CRD".
    """

    op_type: str
    version: int
    in_shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    blocksize: int
    mode: str


def depth_to_space_spec(
    x_shape: Sequence[int], blocksize: int, *, mode: str = "DCR", version: int = 28, strict: bool = True
) -> RearrangeSpec:
    """Return what a DepthToSpace does: [N, C, H, W] -> [N, C / b^2, H * b, W * b].

    Args:
        x_shape: lengths of X, rank 4, C divisible by blocksize^2.
        blocksize: b >= 1.
        mode: "DCR" or "CRD"; version 1 has DCR only.
        version: since-version 1, 11, 13 or 28.
        strict: false lets version 1 take "CRD".

    Raises:
        SpecError: HP101, HP112, HP113, HP121, HP123, HP124, HP125.
        ResourceError: HP300.
    """
    operator, mode, shape, blocksize = _read("DepthToSpace", version, x_shape, blocksize, mode, strict)
    batch, channels, height, width = shape
    if channels % (blocksize * blocksize):
        raise _not_divisible(operator, f"C = {show(channels)}", f"blocksize^2 = {show(blocksize**2)}", shape)
    out_shape = (batch, channels // (blocksize * blocksize), height * blocksize, width * blocksize)
    check_addressable(out_shape, "blocksize", blocksize)
    return RearrangeSpec("DepthToSpace", operator.version, shape, out_shape, blocksize, mode)


def space_to_depth_spec(
    x_shape: Sequence[int], blocksize: int, *, mode: str = "DCR", version: int = 28, strict: bool = True
) -> RearrangeSpec:
    """Return what a SpaceToDepth does: [N, C, H, W] -> [N, C * b^2, H / b, W / b], the inverse of DepthToSpace.

    Args:
        x_shape: lengths of X, rank 4, H and W divisible by blocksize.
        blocksize: b >= 1.
        mode: "DCR" or "CRD"; versions 1 and 13 have DCR only.
        version: since-version 1, 13 or 28.
        strict: false lets versions 1 and 13 take "CRD".

    Raises:
        SpecError: HP101, HP112, HP113, HP121, HP123, HP124, HP125.
        ResourceError: HP300.
    """
    operator, mode, shape, blocksize = _read("SpaceToDepth", version, x_shape, blocksize, mode, strict)
    batch, channels, height, width = shape
    for letter, length in (("H", height), ("W", width)):
        if length % blocksize:
            raise _not_divisible(operator, f"{letter} = {show(length)}", f"blocksize = {show(blocksize)}", shape)
    out_shape = (batch, channels * blocksize * blocksize, height // blocksize, width // blocksize)
    check_addressable(out_shape, "blocksize", blocksize)
    return RearrangeSpec("SpaceToDepth", operator.version, shape, out_shape, blocksize, mode)


def _read(
    op_type: str, version: int, x_shape: Sequence[int], blocksize: object, mode: str, strict: bool
) -> tuple[Operator, str, tuple[int, ...], int]:
    operator = operator_of(op_type, version)
    mode = choice(operator, "mode", mode, strict)
    shape = shape_of(x_shape)
    if len(shape) != 4:
        raise SpecError(
            "HP123",
            f"{operator.label} takes rank 4, not {len(shape)}",
            given=f"X of shape {show(shape)}",
            allowed="[N, C, H, W]",
            do="reshape X to rank 4",
        )
    size = integer_or_none(blocksize)
    if size is None or size < 1:
        raise SpecError(
            "HP124",
            f"{operator.label} needs a blocksize of 1 or more",
            given=f"blocksize={show(blocksize)}",
            allowed="an integer from 1 on",
            do="pass the rows (and columns) of a block",
        )
    return operator, mode, shape, size


def _not_divisible(operator: Operator, length: str, divisor: str, shape: tuple[int, ...]) -> SpecError:
    return SpecError(
        "HP125",
        f"{operator.label} needs {length} to be a multiple of {divisor}",
        given=f"X of shape {show(shape)}",
        allowed=f"multiples of {divisor}",
        do="pad or crop X, or pass another blocksize",
    )
