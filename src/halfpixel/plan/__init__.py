"""How samples combine, for one shape: a table per axis, a program of passes, and the plan that runs it."""

from halfpixel.plan.plan import Plan, plan_from_spec

__all__ = ["Plan", "plan_from_spec"]
