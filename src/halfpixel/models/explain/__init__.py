"""Explain one output sample of a Resize or Upsample: its length, coordinate, taps and weights."""

from __future__ import annotations

from halfpixel.models.explain.entry import explain
from halfpixel.models.explain.explanation import Explanation

__all__ = ["Explanation", "explain"]
