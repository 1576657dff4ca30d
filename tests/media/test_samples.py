"""The shipped photograph and the computed patterns."""

from __future__ import annotations

import numpy as np

from halfpixel.media.samples import PHOTOGRAPH, photograph, soft_disc, stripes, zone_plate


def test_shipped_photograph() -> None:
    cat = photograph()
    assert cat.description == "451x300 rgb, uint8"
    # The nose is red, the pupil is dark.
    red, green, blue = cat.samples[245, 260].tolist()
    assert red > 1.5 * max(green, blue)
    assert cat.samples[110, 170].max() < 20


def test_patterns() -> None:
    plate = zone_plate(101).samples[:, :, 0]
    assert plate[50, 50] == 255
    # Ten pixels from the centre: cos(0.9 * pi * 100 / 101) = -0.942.
    assert plate[50, 60] == 7
    assert plate[0, 0] == 128
    assert np.array_equal(plate, plate[::-1])
    assert np.array_equal(plate, plate.T)
    disc = soft_disc(51).samples
    assert disc[25, 25].tolist() == [240, 120, 30, 255]
    assert disc[0, 0].tolist() == [0, 255, 60, 0]
    assert {tuple(colour) for colour in disc[disc[..., 3] > 0][:, :3].tolist()} == {(240, 120, 30)}
    assert stripes(1, 4).samples.tolist() == [[[255, 0, 0], [0, 255, 0], [255, 0, 0], [0, 255, 0]]]


def test_photograph_says_where_it_comes_from() -> None:
    text = PHOTOGRAPH.with_suffix(".txt").read_text()
    for word in ("Stefan van der Walt", "CC0", "scikit-image"):
        assert word in text
