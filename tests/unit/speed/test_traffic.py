"""Bytes that a piece of work must read and write."""

import pytest

from halfpixel.peers.speed.traffic import bytes_read, bytes_written
from halfpixel.peers.work import Work


def resize(shape: tuple[int, ...], sizes: tuple[int, ...], mode: str, **attributes: object) -> Work:
    return Work("resize", shape, "NCHW", "float32", sizes, {"mode": mode, **attributes})


@pytest.mark.parametrize(
    ("work", "read"),
    [
        (resize((1, 1, 64, 64), (128, 128), "linear"), 64 * 64 * 4),
        (resize((1, 1, 64, 64), (32, 32), "linear"), 64 * 64 * 4),
        # Every second row, and every line of it: a line has 16 samples.
        (resize((1, 1, 64, 64), (32, 32), "nearest"), 32 * 64 * 4),
        # Outputs at 31.5 and 95.5 of 128: two of 128 rows, and in each the lines of samples 31, 32 and 95, 96.
        (resize((1, 1, 128, 128), (1, 2), "linear"), 2 * 4 * 64),
        (resize((1, 1, 128, 128), (1, 2), "linear", antialias=True), 128 * 128 * 4),
    ],
)
def test_bytes_read(work: Work, read: int) -> None:
    assert bytes_read(work) == read


def test_a_pixel_may_lie_on_two_lines() -> None:
    # Three bytes a pixel: pixel 21 has bytes 63, 64 and 65. One output of nearest, at 21.
    work = Work("resize", (1, 43, 3), "HWC", "uint8", (1, 1), {"mode": "nearest"})
    assert bytes_read(work) == pytest.approx(43 * 3 * 2 / 3, abs=1)


def test_gradients_and_rearrangements_read_and_write_everything() -> None:
    gradient = Work("resize_grad", (1, 1, 4, 4), "NCHW", "float32", (8, 8), {"mode": "linear"})
    assert (bytes_read(gradient), bytes_written(gradient)) == (256, 64)
    deep = Work("depth_to_space", (1, 4, 2, 2), "NCHW", "float16", attributes={"blocksize": 2})
    assert (bytes_read(deep), bytes_written(deep)) == (32, 32)
