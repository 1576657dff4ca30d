"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from halfpixel._errors import MediaError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file beside `path` for writing; when the block ends well it takes the place of `path` in one step.

    Folders that `path` needs are made.

    A reader, and a process that is killed at any moment, sees the old file or the new one, never a part. If the block
    raises, the new file is removed and `path` stays as it was.

    Raises:
        MediaError: HP507, the folder or the file cannot be written.
    """
    beside = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.part")
    try:
        os.makedirs(path.parent, exist_ok=True)
        # Not tempfile: its files are private (0600), an output should have the permissions that the umask gives.
        opened = open(beside, "xb+")  # noqa: SIM115  (closed before it is renamed)
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with opened as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise


def _unwritable(path: Path, error: OSError) -> MediaError:
    return MediaError(
        "HP507",
        "the output cannot be written",
        given=f"{path}: {error.strerror or error}",
        allowed="a file in a folder that may be written and has room",
        do="choose another output, or change the folder's permissions",
    )
