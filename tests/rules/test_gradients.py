"""Gradients: the transpose of the forward map, by hand."""

import numpy as np
import pytest

import halfpixel as hp


def gradient(dy, size, dtype=np.float32, **request):
    return hp.resize_grad(np.array(dy, dtype), (size,), sizes=[len(dy)], **request).tolist()


@pytest.mark.rule("R-GRD-01")
def test_linear():
    # Forward from 2 to 4: rows (1, 0), (3/4, 1/4), (1/4, 3/4), (0, 1).
    assert gradient([1, 1, 1, 1], 2, mode="linear") == [2, 2]
    assert gradient([1, 0, 0, 0], 2, mode="linear") == [1, 0]
    assert gradient([1, 2, 3, 4], 2, mode="linear") == [3.25, 6.75]


@pytest.mark.rule("R-GRD-01")
def test_cubic_at_the_edge():
    # Sample 0 has 16/32 of output 1, which lies at 1/2 (its tap -1 is sample 0 as well).
    request = {"mode": "cubic", "coordinate_transformation_mode": "asymmetric"}
    assert gradient([0, 32, 0, 0, 0, 0, 0, 0], 4, **request) == [16, 19, -3, 0]


@pytest.mark.rule("R-GRD-01")
def test_antialias():
    # Forward from 4 to 2: rows (4, 3, 1, 0) and (0, 1, 3, 4) of 8.
    assert gradient([8, 0], 4, mode="linear", antialias=1) == [4, 3, 1, 0]
    assert gradient([8, 16], 4, mode="linear", antialias=1) == [4, 5, 7, 8]


@pytest.mark.rule("R-GRD-01")
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize(
    "request_", [{"scales": [2.3, 0.7]}, {"sizes": [3, 7]}, {"sizes": [2, 3], "antialias": 1, "exclude_outside": 1}]
)
def test_it_is_the_transpose_on_two_axes(mode, request_):
    shape = (4, 5)
    forward = [hp.resize(unit.reshape(shape), mode=mode, **request_).ravel() for unit in np.eye(20)]
    out_shape = hp.resize(np.zeros(shape), mode=mode, **request_).shape
    count = out_shape[0] * out_shape[1]
    backward = [hp.resize_grad(unit.reshape(out_shape), shape, mode=mode, **request_).ravel() for unit in np.eye(count)]
    assert np.allclose(np.array(forward).T, np.array(backward), rtol=0, atol=1e-15)
    assert np.array(forward).any()


@pytest.mark.rule("R-GRD-02")
def test_nearest_is_the_sum_over_the_copies():
    assert gradient([1, 2, 3, 4], 2) == [3, 7]
    assert gradient([5, 6], 4, nearest_mode="floor") == [5, 0, 6, 0]


@pytest.mark.rule("R-GRD-03")
@pytest.mark.parametrize(("mode", "expected"), [("linear", [1, 0.5, 0.5, 1]), ("nearest", [1, 1, 0, 1])])
def test_extrapolated_outputs_give_nothing(mode, expected):
    # coordinates -3/2, 0, 3/2, 3, 9/2
    request = {"roi": [-0.5, 1.5], "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 9}
    assert gradient([1, 1, 1, 1, 1], 4, mode=mode, **request) == expected


@pytest.mark.rule("R-GRD-04")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64, np.complex128])
def test_float_and_complex(dtype):
    result = hp.resize_grad(np.array([1, 2, 3, 4], dtype), (2,), [2.0], mode="linear")
    assert result.dtype == dtype
    assert result.tolist() == [3.25, 6.75]


@pytest.mark.rule("R-GRD-04")
def test_complex_is_not_conjugated():
    assert gradient([4j, 0, 0, 4 - 4j], 2, np.complex64, mode="linear") == [4j, 4 - 4j]


@pytest.mark.rule("R-GRD-04")
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.bool_, object])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_other_types_have_no_gradient(dtype, mode):
    with pytest.raises(hp.ElementTypeError):
        gradient([1, 0, 1, 1], 2, dtype, mode=mode)


@pytest.mark.rule("R-GRD-05")
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_the_same_bits_every_time(mode):
    dy = np.sin(np.arange(64 * 64 * 8, dtype=np.float32)).reshape(8, 64, 64)
    results = {
        hp.resize_grad(dy, (8, 23, 37), sizes=[8, 64, 64], mode=mode, threads=threads).tobytes()
        for threads in (1, 2, 3, 1, 2, 3)
    }
    assert len(results) == 1


@pytest.mark.rule("R-GRD-06")
def test_its_own_gradient_is_the_forward_map():
    # The transpose of dY -> dX, written out, is the forward matrix.
    columns = [gradient(unit, 2, np.float64, mode="linear") for unit in np.eye(4).tolist()]
    assert columns == [[1, 0], [0.75, 0.25], [0.25, 0.75], [0, 1]]
    assert hp.resize(np.float64([1, 0]), [2.0], mode="linear").tolist() == [row[0] for row in columns]


@pytest.mark.rule("R-GRD-01")
def test_upsample():
    assert hp.upsample_grad(np.float32([1, 2, 3, 4]), (2,), [2.0]).tolist() == [3, 7]
    # i / scale: rows (1, 0), (1/2, 1/2), (0, 1), (0, 1)
    assert hp.upsample_grad(np.float32([1, 2, 3, 4]), (2,), [2.0], mode="linear").tolist() == [2, 8]


@pytest.mark.rule("R-GRD-07")
@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_the_rearrangements_are_each_others_gradient(mode):
    # A rearrangement is a permutation, so that <A x, y> = <x, B y> for its inverse B.
    x = np.arange(2 * 8 * 3 * 2, dtype=np.float64).reshape(2, 8, 3, 2)
    y = np.cos(np.arange(x.size)).reshape(2, 2, 6, 4)
    forward = (hp.depth_to_space(x, 2, mode=mode) * y).sum()
    backward = (x * hp.space_to_depth(y, 2, mode=mode)).sum()
    assert forward == pytest.approx(backward, rel=1e-12)
    assert forward != pytest.approx((x * hp.space_to_depth(y, 2, mode="CRD" if mode == "DCR" else "DCR")).sum())
