"""Bring a model to another opset, its numbers kept and proved."""

from halfpixel.models.upgrade.upgrading import Change, Upgraded, upgrade

__all__ = ["Change", "Upgraded", "upgrade"]
