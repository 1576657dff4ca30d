"""Bring back to one node what exporters write as many."""

from halfpixel.models.simplify.simplifying import Simplification, Simplified, simplify

__all__ = ["Simplification", "Simplified", "simplify"]
