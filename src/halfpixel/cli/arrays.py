"""Arrays that a command line names: files of one array, or pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from halfpixel._errors import MediaError


def read_array(path: Path) -> Any:
    """Return the array of a .npy file, the only one of a .npz file, or the samples of a picture (height, width, ...).

    Raises:
        MediaError: HP500-503 it cannot be read, HP511 it holds several.
    """
    from halfpixel.media.picture import expand_palette
    from halfpixel.media.read import read_media

    media = read_media(path)
    if isinstance(media, tuple):
        parts: list[Any] = [expand_palette(picture).samples for picture in media]
    else:
        parts = list(media.values())
    if len(parts) != 1:
        raise MediaError(
            "HP511",
            "one array is wanted, and the file holds another number",
            given=f"{path} with {len(parts)}",
            allowed="a .npy file, a .npz file with one array, a picture of one page",
            do="save the array that is meant as a file of its own",
        )
    array = parts[0]
    return array[:, :, 0] if isinstance(media, tuple) and array.shape[2] == 1 else array
