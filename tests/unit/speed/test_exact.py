"""A peer whose result is not that of the work is refused; errors are told in their units."""

import ml_dtypes
import numpy as np
import pytest

from halfpixel.peers.peer import Prepared
from halfpixel.peers.speed.exact import Error, OtherValuesError, check, error_of, rearranged, unit_of
from halfpixel.peers.work import Array, Work

ROW = Work("resize", (1, 1, 1, 2), "NCHW", "float32", (1, 4), {"mode": "linear"})
X = np.array([[[[0, 1]]]], np.float32)
Y = np.array([[[[0, 0.25, 0.75, 1]]]], np.float32)


def prepared(**other: object) -> Prepared:
    return Prepared(None, None, np.asarray, **other)  # type: ignore[arg-type]


def changed(index: int, by: float, y: Array = Y) -> Array:
    """y with one sample off."""
    wrong = y.copy()
    wrong[..., index] += by
    return wrong


def test_the_right_result_passes_with_no_error() -> None:
    assert check(Y, ROW, X, prepared()) == Error(0.0, 1.0)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (changed(1, 0.01), "off by 0.01"),
        (changed(3, float("nan")), "off by nan"),
        (Y.astype(np.float64), r"float64 \(1, 1, 1, 4\) instead of float32"),
        (Y[..., :3], r"float32 \(1, 1, 1, 3\) instead of"),
    ],
)
def test_a_wrong_peer_is_refused(result: Array, words: str) -> None:
    with pytest.raises(OtherValuesError, match=words):
        check(result, ROW, X, prepared())


def test_a_peer_may_have_a_tolerance_of_its_own() -> None:
    assert check(changed(1, 0.01), ROW, X, prepared(tolerance=0.02)).largest == pytest.approx(0.01)


def test_samples_at_a_border_may_be_left_out() -> None:
    work = Work("resize", (1, 1, 3, 3), "NCHW", "float32", (6, 6), {"mode": "linear"})
    x = np.ones((1, 1, 3, 3), np.float32)
    y = np.ones((1, 1, 6, 6), np.float32)
    y[..., 0] = 9
    assert check(y, work, x, prepared(border=1)).largest == 0
    with pytest.raises(OtherValuesError, match="off by 8"):
        check(y, work, x, prepared())


def test_a_reading_changes_what_is_exact() -> None:
    work = Work("resize", (1, 1, 1, 4), "NCHW", "float32", (1, 2), {"mode": "nearest"})
    x = np.array([[[[1, 2, 3, 4]]]], np.float32)
    y = np.array([[[[2, 4]]]], np.float32)
    check(y, work, x, prepared(reading={"nearest_mode": "round_prefer_ceil"}))
    with pytest.raises(OtherValuesError, match="off by 1"):
        check(y, work, x, prepared())


def test_copies_have_no_tolerance() -> None:
    work = Work("resize", (1, 1, 1, 1), "NCHW", "float32", (1, 2), {"mode": "nearest"})
    x = np.array([[[[0.5]]]], np.float32)
    y = np.array([[[[0.5, 0.5001]]]], np.float32)
    with pytest.raises(OtherValuesError):
        check(y, work, x, prepared())


def test_integers_may_be_the_neighbour_and_saturate() -> None:
    work = Work("resize", (1, 2, 1), "HWC", "uint8", (1, 4), {"mode": "linear"})
    x = np.array([[[0], [10]]], np.uint8)  # exactly 0, 2.5, 7.5, 10
    good, neighbour, wrong = (np.array([[[a], [b], [8], [10]]], np.uint8) for a, b in ((0, 2), (0, 4), (0, 5)))
    assert check(good, work, x, prepared()).largest == 0.5
    assert check(neighbour, work, x, prepared()).largest == 1.5
    with pytest.raises(OtherValuesError, match=r"off by 2\.5"):
        check(wrong, work, x, prepared())
    steep = Work("resize", (1, 4, 1), "HWC", "uint8", (1, 8), {"mode": "cubic"})
    x = np.array([[[0], [255], [255], [0]]], np.uint8)
    overshooting = np.array([[[0], [46], [212], [255], [255], [212], [46], [0]]], np.uint8)
    assert check(overshooting, steep, x, prepared(tolerance=20.0)).largest < 20


def test_a_gradient_is_compared_as_a_whole() -> None:
    work = Work("resize_grad", (1, 1, 1, 2), "NCHW", "float32", (1, 4), {"mode": "linear"})
    dy = np.array([[[[1, 2, 4, 8]]]], np.float32)
    # 1 + 0.75 * 2 + 0.25 * 4 and 0.25 * 2 + 0.75 * 4 + 8
    assert check(np.array([[[[3.5, 11.5]]]], np.float32), work, dy, prepared()) == Error(0.0, 11.5)
    with pytest.raises(OtherValuesError):
        check(np.array([[[[3.5, 11.6]]]], np.float32), work, dy, prepared())


def test_blocks_of_rows_cover_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("halfpixel.peers.speed.exact._BLOCK", 8)
    work = Work("resize", (1, 1, 5, 2), "NCHW", "float32", (10, 4), {"mode": "linear"})
    x = np.zeros((1, 1, 5, 2), np.float32)
    for row in (0, 4, 9):
        y = np.zeros((1, 1, 10, 4), np.float32)
        y[0, 0, row, 3] = 0.25
        assert error_of(y, work, x) == Error(0.25, 0.0)


@pytest.mark.parametrize(
    ("element", "error", "expected"),
    [
        ("float32", Error(2.0**-22, 1.0), 2.0),
        ("float32", Error(2.0**-22, 4.5), 0.5),
        ("float16", Error(2.0**-10, 1.5), 1.0),
        ("bfloat16", Error(2.0**-7, 1.0), 1.0),
        ("uint8", Error(0.75, 200.0), 0.75),
        ("float64", Error(1e-16, 1.0), None),
    ],
)
def test_units(element: str, error: Error, expected: float | None) -> None:
    assert error.in_units(element) == expected


def test_names_of_units() -> None:
    assert unit_of(ROW) == "ULP"
    assert unit_of(Work("resize", (2, 2, 1), "HWC", "uint8", (4, 4))) == "LSB"


def test_bfloat16_is_compared_in_its_own_type() -> None:
    work = Work("resize", (1, 1, 1, 2), "NCHW", "bfloat16", (1, 4), {"mode": "linear"})
    assert check(Y.astype(ml_dtypes.bfloat16), work, X.astype(ml_dtypes.bfloat16), prepared()).largest == 0


@pytest.mark.parametrize(
    ("operation", "shape", "mode", "expected"),
    [
        ("depth_to_space", (1, 4, 1, 1), "DCR", [[[[0, 1], [2, 3]]]]),
        ("depth_to_space", (1, 8, 1, 1), "DCR", [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]]),
        ("depth_to_space", (1, 8, 1, 1), "CRD", [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]),
        ("space_to_depth", (1, 2, 2, 2), "DCR", [[[[0]], [[4]], [[1]], [[5]], [[2]], [[6]], [[3]], [[7]]]]),
        ("space_to_depth", (1, 2, 2, 2), "CRD", [[[[value]] for value in range(8)]]),
    ],
)
def test_rearranged(operation: str, shape: tuple[int, ...], mode: str, expected: list[object]) -> None:
    work = Work(operation, shape, "NCHW", "uint8", attributes={"blocksize": 2, "mode": mode})
    x = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)
    assert rearranged(work, x).tolist() == expected
