"""At most so many streams an account holds open at once."""

import threading
from collections import Counter
from typing import Protocol

STREAMS_AN_ACCOUNT = 4


class Slots(Protocol):
    def take(self, account: str) -> str | None:
        """A slot, or None if the account has all of its slots in use."""
        ...

    def hold(self, slot: str) -> None:
        """Called every few seconds while the stream is open."""
        ...

    def free(self, slot: str) -> None: ...


class LocalSlots:
    """Counts the streams of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def take(self, account: str) -> str | None:
        with self._lock:
            if self._open[account] >= STREAMS_AN_ACCOUNT:
                return None
            self._open[account] += 1
        return account

    def hold(self, slot: str) -> None:
        """A slot of this process cannot be lost."""

    def free(self, slot: str) -> None:
        with self._lock:
            self._open[slot] -= 1
            if self._open[slot] <= 0:
                del self._open[slot]
