"""Answers kept in this process for a moment or, where they never change, until there are too many."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Value = TypeVar("Value")
Key = TypeVar("Key", bound=Hashable)


class Kept(Protocol):
    """What never changes, kept for all gateways. May forget at any time."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes) -> None: ...


class NotKept:
    """Keeps nothing."""

    def get(self, key: str) -> bytes | None:
        return None

    def put(self, key: str, value: bytes) -> None:
        pass


@dataclass(frozen=True)
class _Entry(Generic[Value]):
    value: Value
    until: float
    size: int


class Cache(Generic[Key, Value]):
    """The most recently used entries, at most ``most`` of them and ``most_bytes`` together.

    ``now`` gives seconds on a clock that never jumps. ``generation`` and ``put(..., generation)`` keep out what was
    asked for before a ``drop``: a slow answer must not bring back what has just been dropped.
    """

    def __init__(self, *, most: int, now: Callable[[], float], most_bytes: int = 64 << 20) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._now = now
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, _Entry[Value]] = OrderedDict()
        self._bytes = 0
        self._drops = 0

    def get(self, key: Key) -> Value | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            if entry.until <= self._now():
                self._remove(key)
                return None
            self._entries.move_to_end(key)
            return entry.value

    def generation(self) -> int:
        return self._drops

    def put(
        self, key: Key, value: Value, seconds: float, *, generation: int | None = None, size: int = 0
    ) -> None:
        with self._lock:
            if generation is not None and generation != self._drops:
                return
            self._remove(key)
            self._entries[key] = _Entry(value, self._now() + seconds, size)
            self._bytes += size
            while len(self._entries) > self._most or self._bytes > self._most_bytes:
                self._remove(next(iter(self._entries)))

    def drop(self, key: Key) -> None:
        with self._lock:
            self._drops += 1
            self._remove(key)

    def _remove(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size
