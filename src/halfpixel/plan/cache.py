"""Plans and tables that were made, by what was asked for: bounded in number and bytes, read without a lock."""

from __future__ import annotations

from _thread import allocate_lock  # threading itself would take a millisecond of every import
from collections import deque
from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar

MOST_ENTRIES = 512
MOST_BYTES = 2**28


class _Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


Kept = TypeVar("Kept", bound=_Sized)


class Cache(Generic[Kept]):
    """First in, first out. Lookups take no lock; nothing is built while the lock is held.

    Two threads that miss the same key both build; what is stored first is what both return.

    Args:
        most_bytes: that all entries together hold.
    """

    def __init__(self, most_bytes: int | None = None) -> None:
        self.entries: dict[Hashable, Kept] = {}
        """To be read only."""
        self.get = self.entries.get
        self._most_bytes = MOST_BYTES if most_bytes is None else most_bytes
        self._order: deque[Hashable] = deque()  # a dictionary looks for its first key among all that left it
        self._bytes = 0
        self._lock = allocate_lock()

    def __len__(self) -> int:
        return len(self.entries)

    def put(self, key: Hashable, entry: Kept) -> Kept:
        """Store an entry unless it alone is larger than the bound; return the one to use for the key."""
        most, size, order = self._most_bytes, entry.nbytes, self._order
        if size > most:
            return entry
        with self._lock:
            present = self.entries.setdefault(key, entry)
            if len(self.entries) == len(order):
                return present
            order.append(key)
            held = self._bytes + size
            while held > most or len(order) > MOST_ENTRIES:
                held -= self.entries.pop(order.popleft()).nbytes
            self._bytes = held
        return entry
