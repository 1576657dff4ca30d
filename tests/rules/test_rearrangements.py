"""DepthToSpace and SpaceToDepth, block by block."""

import numpy as np
import pytest

import halfpixel as hp


def deep(channels, height=1, width=1):
    """0, 1, 2, ... as [1, channels, height, width]."""
    return np.arange(channels * height * width).reshape(1, channels, height, width)


@pytest.mark.rule("R-RAR-01", "R-RAR-09")
def test_depth_to_space_dcr():
    assert hp.depth_to_space(deep(8), 2, mode="DCR")[0].tolist() == [[[0, 2], [4, 6]], [[1, 3], [5, 7]]]
    assert hp.depth_to_space(deep(8), 2)[0].tolist() == [[[0, 2], [4, 6]], [[1, 3], [5, 7]]]


@pytest.mark.rule("R-RAR-02")
def test_depth_to_space_crd():
    assert hp.depth_to_space(deep(8), 2, mode="CRD")[0].tolist() == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]


@pytest.mark.rule("R-RAR-01", "R-RAR-02")
@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_blocks_lie_side_by_side(mode):
    # Channel k holds 2 k and 2 k + 1 in its two columns.
    assert hp.depth_to_space(deep(4, 1, 2), 2, mode=mode)[0, 0].tolist() == [[0, 2, 1, 3], [4, 6, 5, 7]]


@pytest.mark.rule("R-RAR-02")
def test_a_block_of_three():
    assert hp.depth_to_space(deep(9), 3, mode="CRD")[0, 0].tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


@pytest.mark.rule("R-RAR-03")
@pytest.mark.parametrize("version", [1, 13])
def test_space_to_depth_without_a_mode(version):
    x = np.array([[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]])
    assert hp.space_to_depth(x, 2, version=version).ravel().tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("R-RAR-04")
def test_space_to_depth_crd():
    x = np.array([[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]])
    assert hp.space_to_depth(x, 2, mode="CRD").ravel().tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("R-RAR-04")
@pytest.mark.parametrize("mode", ["DCR", "CRD"])
@pytest.mark.parametrize("blocksize", [1, 2, 3, 5])
def test_there_and_back(mode, blocksize):
    x = np.arange(2 * 3 * blocksize**2 * 4 * 5).reshape(2, 3 * blocksize**2, 4, 5)
    y = hp.depth_to_space(x, blocksize, mode=mode)
    assert y.shape == (2, 3, 4 * blocksize, 5 * blocksize)
    assert np.array_equal(hp.space_to_depth(y, blocksize, mode=mode), x)


@pytest.mark.rule("R-RAR-06")
def test_a_blocksize_of_1_is_a_copy():
    x = deep(2, 2, 2)
    y = hp.depth_to_space(x, 1)
    assert np.array_equal(y, x)
    assert not np.shares_memory(y, x)


@pytest.mark.rule("R-RAR-12")
def test_empty_inputs():
    assert hp.depth_to_space(np.zeros((0, 4, 2, 3)), 2).shape == (0, 1, 4, 6)
    assert hp.space_to_depth(np.zeros((1, 1, 0, 4)), 2).shape == (1, 4, 0, 2)
