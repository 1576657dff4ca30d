"""What a peer is asked for, and how arrays change their layout."""

import numpy as np
import pytest

from halfpixel.peers.work import Work, in_layout, planar


def test_shapes_of_a_resize_and_of_its_gradient() -> None:
    work = Work("resize", (2, 3, 4, 5), "NCHW", "float32", (8, 10), {"mode": "linear"})
    assert (work.space, work.out_shape, work.batch, work.channels) == ((2, 3), (2, 3, 8, 10), 2, 3)
    assert (work.given_shape, work.result_shape) == ((2, 3, 4, 5), (2, 3, 8, 10))
    gradient = Work("resize_grad", (2, 3, 4, 5), "NCHW", "float32", (8, 10), {"mode": "linear"})
    assert (gradient.given_shape, gradient.result_shape) == ((2, 3, 8, 10), (2, 3, 4, 5))


def test_shapes_of_a_rearrangement() -> None:
    work = Work("depth_to_space", (1, 8, 2, 3), "NCHW", "uint8", attributes={"blocksize": 2})
    assert (work.mode, work.out_shape, work.resizes) == ("DCR", (1, 2, 4, 6), False)


@pytest.mark.parametrize(
    ("sizes", "mode", "shrinks", "antialiases", "halves"),
    [
        ((2, 3), "linear", True, True, True),
        ((2, 6), "linear", True, True, False),
        ((8, 12), "linear", False, False, False),
        ((2, 3), "nearest", True, False, True),
    ],
)
def test_what_the_sizes_mean(sizes: tuple[int, int], mode: str, shrinks: bool, antialiases: bool, halves: bool) -> None:
    work = Work("resize", (4, 6, 3), "HWC", "uint8", sizes, {"mode": mode, "antialias": True})
    assert (work.shrinks, work.antialiases, work.halves) == (shrinks, antialiases, halves)


def test_in_layout() -> None:
    x = np.array([[[1, 2], [3, 4], [5, 6]]])  # one row, three columns, two channels
    planes = in_layout(x, "HWC", "NCHW")
    assert planes.tolist() == [[[[1, 3, 5]], [[2, 4, 6]]]]
    assert planes.flags.c_contiguous
    assert in_layout(planes, "NCHW", "HWC").tolist() == x.tolist()


def test_planar() -> None:
    assert planar(Work("resize", (4, 4, 3), "HWC", "uint8", (8, 8))) == "NCHW"
    assert planar(Work("resize", (1, 1, 4, 4, 4), "NCDHW", "float32", (8, 8, 8))) == "NCDHW"
