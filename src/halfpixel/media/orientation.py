"""The eight ways in which a camera may have been held."""

from __future__ import annotations

from halfpixel.media.picture import Samples


def upright(samples: Samples, orientation: int) -> Samples:
    """Turn samples as stored into samples as seen.

    Args:
        samples: shape (rows, columns, channels).
        orientation: where row 0 and column 0 lie in the picture as seen. 1: top and left (nothing to do);
            2: top, right; 3: bottom, right; 4: bottom, left; 5: left, top; 6: right, top; 7: right, bottom;
            8: left, bottom. Any other value is not defined and read as 1.
    Returns:
        A view; rows and columns change places for 5 to 8.
    Source: TIFF 6.0 and EXIF, tag 274 (Orientation).
    """
    if orientation in (5, 6, 7, 8):
        samples = samples.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        samples = samples[::-1]
    if orientation in (2, 3, 6, 7):
        samples = samples[:, ::-1]
    return samples
