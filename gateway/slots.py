"""At most so many streams an account holds open at once, and so many all of them together."""

import threading
from collections import Counter
from typing import Protocol

from shared.runtime.service import Unavailable

STREAMS_AN_ACCOUNT = 4
STREAMS_A_PROCESS = 1_500


class Slots(Protocol):
    def take(self, account: str) -> str | None:
        """A slot, or None if the account has all of its slots in use. Raises ``Unavailable`` if nobody gets one."""
        ...

    def hold(self, slot: str) -> None:
        """Called every few seconds while the stream is open."""
        ...

    def free(self, slot: str) -> None: ...


class LocalSlots:
    """Counts the streams of this process; ``most`` together, so that other requests find a thread."""

    def __init__(self, most: int = STREAMS_A_PROCESS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def take(self, account: str) -> str | None:
        with self._lock:
            if self._open[account] >= STREAMS_AN_ACCOUNT:
                return None
            if self._open.total() >= self._most:
                raise Unavailable("gateway", "every stream is in use")
            self._open[account] += 1
        return account

    def hold(self, slot: str) -> None:
        """A slot of this process cannot be lost."""

    def free(self, slot: str) -> None:
        with self._lock:
            self._open[slot] -= 1
            if self._open[slot] <= 0:
                del self._open[slot]
