"""Tests of the house itself: imports, public names, versions, texts, the build's object files."""
