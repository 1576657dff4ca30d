"""Plans that were made, by what was asked for: bounded in number and bytes, read without a lock."""

from __future__ import annotations

from _thread import allocate_lock  # threading itself would take a millisecond of every import
from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halfpixel.plan.plan import Plan

MOST_PLANS = 512
MOST_BYTES = 2**28


class PlanCache:
    """First in, first out. Lookups take no lock; nothing is built while the lock is held.

    Two threads that miss the same key both build; the plan stored first is the one that both return.
    """

    def __init__(self) -> None:
        self.plans: dict[Hashable, Plan] = {}
        """To be read only."""
        self.get = self.plans.get
        self._bytes = 0
        self._lock = allocate_lock()

    def __len__(self) -> int:
        return len(self.plans)

    def put(self, key: Hashable, plan: Plan) -> Plan:
        """Store a plan unless its tables alone are larger than the bound; return the plan to use for key."""
        size = plan.nbytes
        if size > MOST_BYTES:
            return plan
        with self._lock:
            plans, before = self.plans, len(self.plans)
            present = plans.setdefault(key, plan)
            if len(plans) == before:
                return present
            self._bytes += size
            while len(plans) > MOST_PLANS or self._bytes > MOST_BYTES:
                self._bytes -= plans.pop(next(iter(plans))).nbytes
        return plan
