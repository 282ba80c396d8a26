"""What gateways share over a real Redis, and what becomes of it without one."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from gateway import over_redis
from gateway.over_redis import RedisKept, RedisSlots, limits_storage
from gateway.ratelimits import Limit, RateLimited, RateLimiter
from gateway.slots import STREAMS_AN_ACCOUNT, LocalSlots
from shared.runtime.service import Unavailable
from tests.servers import Servers

NOBODY = "redis://127.0.0.1:1/0"
SMALL = Limit("small", 20, 60)


@pytest.fixture
def client(servers: Servers) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(servers.addresses.redis_url) as client:
        client.flushdb()
        yield client


@pytest.fixture
def url(servers: Servers, client: redis.Redis) -> str:
    return servers.addresses.redis_url


def test_a_limit_is_exact_over_many_gateways_and_every_key_ends(url: str, client: redis.Redis) -> None:
    gateways = [RateLimiter(limits_storage(url), lambda: 0.0, factor=1) for _ in range(4)]

    def spend(number: int) -> bool:
        try:
            gateways[number % 4].spend(SMALL, "ada")
        except RateLimited:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(spend, range(200))) == 20
    keys = list(client.scan_iter("*"))
    assert keys
    assert all(0 < int(client.ttl(key)) <= 60 for key in keys)


def test_parallel_guesses_stop_at_the_limit_over_many_gateways(url: str) -> None:
    from shared.contracts.base import Refusal

    gateways = [RateLimiter(limits_storage(url), lambda: 0.0, factor=1) for _ in range(4)]

    def guess(number: int) -> str:
        try:
            with gateways[number % 4].guess("192.0.2.1", "ada", wrong="unauthenticated"):
                raise Refusal("unauthenticated", "wrong")
        except Refusal as refusal:
            return refusal.code

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(guess, range(50))).count("unauthenticated") == 10
    for _ in range(20):
        with gateways[0].guess("192.0.2.2", "ada", wrong="unauthenticated"):
            pass


def test_slots_over_many_gateways(url: str, client: redis.Redis) -> None:
    gateways = [RedisSlots(url, LocalSlots()) for _ in range(3)]
    slots = [gateways[number % 3].take("ada") for number in range(STREAMS_AN_ACCOUNT)]
    assert all(slots)
    assert [gateway.take("ada") for gateway in gateways] == [None] * 3
    other = gateways[0].take("ben")
    assert other is not None
    assert slots[0] is not None
    gateways[0].hold(slots[0])
    gateways[0].free(slots[0])
    assert gateways[2].take("ada") is not None
    assert all(0 < int(client.ttl(key)) <= 30 for key in client.scan_iter("*"))


def test_a_dead_gateways_slots_come_free(url: str, client: redis.Redis) -> None:
    dead, alive = RedisSlots(url, LocalSlots()), RedisSlots(url, LocalSlots())
    for _ in range(STREAMS_AN_ACCOUNT):
        dead.take("ada")
    assert alive.take("ada") is None
    for key in client.scan_iter("*"):
        client.pexpire(key, 1)
    while list(client.scan_iter("*")):
        pass
    slot = alive.take("ada")
    assert slot is not None


def test_a_freed_slot_that_another_has_taken_is_not_freed_again(url: str, client: redis.Redis) -> None:
    slots = RedisSlots(url, LocalSlots())
    slot = slots.take("ada")
    assert slot is not None
    _, key, _ = slot.split(" ")
    client.set(key, "another's")
    slots.free(slot)
    assert client.get(key) == b"another's"


def test_views_are_kept_for_all(url: str) -> None:
    RedisKept(url).put("view/m1/acc-ada/1", b"text")
    assert RedisKept(url).get("view/m1/acc-ada/1") == b"text"
    assert RedisKept(url).get("view/m1/acc-ben/1") is None


def test_without_redis_each_gateway_counts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(over_redis, "DOWN_SECONDS", 0.0)
    kept = RedisKept(NOBODY)
    kept.put("key", b"text")
    assert kept.get("key") is None
    slots = RedisSlots(NOBODY, LocalSlots())
    taken = [slots.take("ada") for _ in range(STREAMS_AN_ACCOUNT)]
    assert all(taken)
    assert slots.take("ada") is None
    assert taken[0] is not None
    slots.hold(taken[0])
    slots.free(taken[0])
    assert slots.take("ada") is not None
    limiter = RateLimiter(limits_storage(NOBODY), lambda: 0.0, factor=1)
    for _ in range(20):
        limiter.spend(SMALL, "ada")
    with pytest.raises(RateLimited):
        limiter.spend(SMALL, "ada")
    with pytest.raises(Unavailable), limiter.guess("192.0.2.1", "ada", "forbidden"):
        raise AssertionError("not tried")


def test_a_process_keeps_threads_for_what_is_not_a_stream() -> None:
    slots = LocalSlots(most=5)
    for number in range(5):
        assert slots.take(f"account{number}")
    with pytest.raises(Unavailable):
        slots.take("another")
    slots.free("account0")
    assert slots.take("another")
