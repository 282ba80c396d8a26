"""Request limits, by account and by address. The numbers are data; the counting is the ``limits`` library's.

Windows are aligned to the clock, so that one atomic call a request both counts and decides, and what is left is
known without asking again. Reads are paid for in small blocks: one call covers several requests of this process,
and never lets more through than the limit. If the store is down, requests are counted in this process alone (play
goes on), but sign-in is closed.
"""

import ipaddress
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache

import structlog
from limits.storage import MemoryStorage, Storage

from shared.contracts.base import Refusal
from shared.runtime.service import Unavailable

log = structlog.get_logger()


@dataclass(frozen=True)
class Limit:
    """``amount`` requests in each window of ``seconds``; ``blocks``: paid for in so many parts, else one by one."""

    name: str
    amount: int
    seconds: int
    blocks: int | None = None


READ = Limit("read", 1_200, 60, blocks=60)
WRITE = Limit("write", 600, 60)
ADDRESS = Limit("address", 6_000, 60, blocks=60)
FILE = Limit("file", 12_000, 60, blocks=60)
"""By address like ``ADDRESS``, and instead of it: a page that loads takes nothing from those who play."""
SIGN_UP = Limit("sign-up", 120, 3_600)
SIGN_IN_ADDRESS = Limit("sign-in-address", 100, 900)
SIGN_IN_HANDLE = Limit("sign-in-handle", 10, 900)

DOWN_SECONDS = 1.0
"""After a failure the store is not asked for so long, so that not every request waits for its timeout."""
MOST_BLOCKS = 50_000
BUYERS = 64
"""Blocks bought at a time, each for another key."""
KEY_PREFIX = "lastwaters"


@dataclass
class Spent:
    """What was decided about one request: for the RateLimit headers."""

    limit: Limit
    amount: int
    left: int
    reset: int

    def headers(self) -> tuple[tuple[str, str], ...]:
        name = self.limit.name
        return (
            ("RateLimit-Policy", f'"{name}";q={self.amount};w={self.limit.seconds}'),
            ("RateLimit", f'"{name}";r={self.left};t={self.reset}'),
        )


class RateLimited(Refusal):
    """Carries what was spent, so that the answer can tell."""

    def __init__(self, spent: Spent) -> None:
        super().__init__("rate-limited", "Wait a little.", retry_after=spent.reset)
        self.spent = spent


class RateLimiter:
    """``seconds`` gives the time of day in seconds; ``factor`` multiplies every limit."""

    def __init__(self, storage: Storage, seconds: Callable[[], float], factor: int) -> None:
        self._storage = storage
        self._fallback = MemoryStorage()
        self._seconds = seconds
        self._factor = factor
        self._lock = threading.Lock()
        # The library's memory store reads back what it has counted outside of its own lock.
        self._counting = threading.Lock() if isinstance(storage, MemoryStorage) else nullcontext()
        self._blocks: dict[str, tuple[int, int]] = {}
        self._buying = tuple(threading.Lock() for _ in range(BUYERS))
        self._down_until = 0.0

    def spend(self, limit: Limit, who: str) -> Spent:
        """Counts one request. Raises ``RateLimited``."""
        amount = limit.amount * self._factor
        now = self._seconds()
        window = int(now // limit.seconds)
        reset = max(1, int((window + 1) * limit.seconds - now))
        key = f"{limit.name}/{who}/{window}"
        used = self._prepaid(key)
        if used is None:
            used = self._count(key, limit, amount) if limit.blocks is None else self._buy(key, limit, amount)
        left = amount - used
        spent = Spent(limit, amount, max(0, left), reset)
        if left < 0:
            raise RateLimited(spent)
        return spent

    @contextmanager
    def guess(self, address: str, handle: str, wrong: str) -> Iterator[None]:
        """Around the try of a password, which refuses with the code ``wrong`` if it is wrong.

        Counted as failed before it is tried, so that parallel tries cannot pass together, and taken back unless it
        fails so. Raises ``RateLimited``; ``Unavailable`` if the store is down: sign-in is then closed.
        """
        give_back = self._hold_guess(address, handle)
        failed = False
        try:
            yield
        except Refusal as refusal:
            failed = refusal.code == wrong
            raise
        finally:
            if not failed:
                give_back()

    def _hold_guess(self, address: str, handle: str) -> Callable[[], None]:
        taken: list[tuple[Limit, str]] = []

        def give_back() -> None:
            for limit, key in taken:
                self._shared(key, limit, -1)

        now = self._seconds()
        for limit, who in ((SIGN_IN_ADDRESS, address), (SIGN_IN_HANDLE, f"{address}/{handle}")):
            window = int(now // limit.seconds)
            key = f"{KEY_PREFIX}/{limit.name}/{who}/{window}"
            amount = limit.amount * self._factor
            used = self._shared(key, limit, 1)
            if used is None:
                give_back()
                raise Unavailable("limits", "sign-in tries cannot be counted")
            taken.append((limit, key))
            if used > amount:
                give_back()
                reset = max(1, int((window + 1) * limit.seconds - now))
                raise RateLimited(Spent(limit, amount, 0, reset))
        return give_back

    def _prepaid(self, key: str) -> int | None:
        with self._lock:
            used, last = self._blocks.get(key, (0, 0))
            if used >= last:
                return None
            self._blocks[key] = (used + 1, last)
            return used + 1

    def _buy(self, key: str, limit: Limit, amount: int) -> int:
        """One request after the other pays for a block, or what one has bought would be lost to the next's."""
        with self._buying[hash(key) % len(self._buying)]:
            used = self._prepaid(key)
            return self._count(key, limit, amount) if used is None else used

    def _count(self, key: str, limit: Limit, amount: int) -> int:
        block = 1 if limit.blocks is None else max(1, amount // limit.blocks)
        counted = self._shared(f"{KEY_PREFIX}/{key}", limit, block)
        if counted is None:
            block = 1
            counted = self._fallback.incr(key, limit.seconds, 1)
        used = counted
        first = used - block + 1
        if block > 1 and first <= amount:
            with self._lock:
                if len(self._blocks) >= MOST_BLOCKS:
                    self._blocks.clear()
                self._blocks[key] = (first, min(used, amount))
        return first

    def _shared(self, key: str, limit: Limit, amount: int) -> int | None:
        """The count in the store, or None while it is down; it is then left alone for a moment."""
        if time.monotonic() < self._down_until:
            return None
        try:
            with self._counting:
                return self._storage.incr(key, limit.seconds, amount)
        except self._storage.base_exceptions as error:
            self._down_until = time.monotonic() + DOWN_SECONDS
            log.warning("limits unreachable", error=type(error).__name__)
            return None


@lru_cache(maxsize=10_000)
def address_key(address: str) -> str:
    """Whom an address is counted as: itself, or for IPv6 its /64, of which one customer has all."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if found.version == 6:
        mapped = ipaddress.IPv6Address(address).ipv4_mapped
        if mapped is not None:
            return str(mapped)
        return str(ipaddress.ip_network(f"{found}/64", strict=False))
    return str(found)
