"""What many gateways share: request counts, stream slots, past views. Nothing here may be missed: Redis may be down.

No client tries a command twice (reliability 9), and after a failure Redis is left alone for a moment.
"""

import secrets
import time

import redis
import structlog
from limits.storage import RedisStorage
from redis.backoff import NoBackoff
from redis.retry import Retry

from gateway.slots import STREAMS_AN_ACCOUNT, LocalSlots
from shared.runtime.fanout import connect

SECONDS = 0.5
"""What a request may lose to a Redis that does not answer."""
DOWN_SECONDS = 1.0
SLOT_SECONDS = 30
VIEW_SECONDS = 6 * 3_600
PREFIX = "lastwaters"

FREE_OWN = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"

log = structlog.get_logger()


def limits_storage(url: str) -> RedisStorage:
    """One Lua call counts; a failure is raised to the limiter, which then counts by itself."""
    return RedisStorage(
        url,
        key_prefix=f"{PREFIX}/limits",
        retry=Retry(NoBackoff(), 0),  # type: ignore[arg-type]
        socket_timeout=SECONDS,
        socket_connect_timeout=SECONDS,
    )


class _Guarded:
    """A client that is not asked again for a moment after it failed."""

    def __init__(self, url: str) -> None:
        self.client = connect(url)
        self._down_until = 0.0

    @property
    def down(self) -> bool:
        return time.monotonic() < self._down_until

    def failed(self, error: redis.RedisError) -> None:
        self._down_until = time.monotonic() + DOWN_SECONDS
        log.warning("redis not reachable", error=type(error).__name__)


class RedisKept:
    """``gateway.cache.Kept`` for all gateways."""

    def __init__(self, url: str) -> None:
        self._redis = _Guarded(url)

    def get(self, key: str) -> bytes | None:
        if self._redis.down:
            return None
        try:
            found = self._redis.client.get(f"{PREFIX}/{key}")
        except redis.RedisError as error:
            self._redis.failed(error)
            return None
        return found if isinstance(found, bytes) else None

    def put(self, key: str, value: bytes) -> None:
        if self._redis.down:
            return
        try:
            self._redis.client.set(f"{PREFIX}/{key}", value, ex=VIEW_SECONDS)
        except redis.RedisError as error:
            self._redis.failed(error)


class RedisSlots:
    """``gateway.slots.Slots`` over all gateways. A slot whose gateway died comes free after half a minute.

    While Redis is down only this process's streams are counted; those are always counted too.
    """

    def __init__(self, url: str, local: LocalSlots) -> None:
        self._redis = _Guarded(url)
        self._local = local

    def take(self, account: str) -> str | None:
        if self._local.take(account) is None:
            return None
        token = secrets.token_hex(8)
        try:
            for number in range(STREAMS_AN_ACCOUNT):
                slot = f"{PREFIX}/streams/{account}/{number}"
                if self._redis.down or self._redis.client.set(slot, token, nx=True, ex=SLOT_SECONDS):
                    return f"{account} {slot} {token}"
        except redis.RedisError as error:
            self._redis.failed(error)
            return f"{account} {slot} {token}"
        self._local.free(account)
        return None

    def hold(self, slot: str) -> None:
        _, key, token = slot.split(" ")
        if self._redis.down:
            return
        try:
            self._redis.client.set(key, token, ex=SLOT_SECONDS)
        except redis.RedisError as error:
            self._redis.failed(error)

    def free(self, slot: str) -> None:
        account, key, token = slot.split(" ")
        self._local.free(account)
        if self._redis.down:
            return
        try:
            self._redis.client.eval(FREE_OWN, 1, key, token)
        except redis.RedisError as error:
            self._redis.failed(error)
