"""Our provider is registered once for all tests of this directory."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="session")
def registered() -> None:
    import halfpixel.onnxruntime

    halfpixel.onnxruntime.register()
