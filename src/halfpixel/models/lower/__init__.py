"""Say resize-like nodes with other operators, for targets that lack them."""

from halfpixel.models.lower.lowering import Lowered, lower

__all__ = ["Lowered", "lower"]
