"""Packages of the extra `cli`, imported when a file needs them."""

from __future__ import annotations

import importlib
from typing import Any

from halfpixel._errors import MissingExtraError


def require(module: str) -> Any:
    """Import a module of the extra `cli`.

    Raises:
        MissingExtraError: HP900, names what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(
            "HP900",
            "pictures and the command line need packages that are not installed",
            given=f"no module {error.name or package}",
            allowed="an environment with the extra 'cli'",
            do="pip install halfpixel[cli]",
        ) from error
