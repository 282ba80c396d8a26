"""Request limits: per account, per address, and on guesses at passwords."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from limits.storage import MemoryStorage

from gateway import ratelimits
from gateway.ratelimits import Limit, RateLimited, RateLimiter, address_key
from shared.contracts import accounts, orders
from shared.runtime.service import Unavailable
from tests.gateway.conftest import refused
from tests.gateway.fakes import PASSWORD

SIGN_IN = {"handle": "ada", "password": "wrong"}
SMALL = Limit("small", 7, 60, blocks=2)
PAID_IN_PARTS = Limit("parts", 6, 60, blocks=20)


class Slow(MemoryStorage):
    """A store that takes as long as one across a network."""

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        time.sleep(0.002)
        return super().incr(key, expiry, amount)


class Broken(MemoryStorage):
    """A store that is down while ``down``."""

    down = False

    @property
    def base_exceptions(self) -> Any:
        return ConnectionError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        if self.down:
            raise ConnectionError("canary")
        return super().incr(key, expiry, amount)


def test_answers_tell_what_is_left(make_gateway: Any) -> None:
    ada = make_gateway().as_("ada")
    first, second = ada.get("/v1/me"), ada.get("/v1/me")
    assert first.headers["RateLimit-Policy"] == '"read";q=1200;w=60'
    assert first.headers["RateLimit"] == '"read";r=1199;t=60'
    assert second.headers["RateLimit"] == '"read";r=1198;t=60'
    assert ada.delete("/v1/me/blocks/ben").headers["RateLimit-Policy"] == '"write";q=600;w=60'
    assert "RateLimit" in make_gateway().anyone().get("/v1/me").headers


def test_a_limit_is_exact_and_ends_with_its_window() -> None:
    now = [0.0]
    limiter = RateLimiter(MemoryStorage(), lambda: now[0], factor=1)
    assert [limiter.spend(SMALL, "ada").left for _ in range(7)] == [6, 5, 4, 3, 2, 1, 0]
    with pytest.raises(RateLimited) as refusal:
        limiter.spend(SMALL, "ada")
    assert refusal.value.extra == {"retry_after": 60}
    assert limiter.spend(SMALL, "ben").left == 6
    now[0] = 60.0
    assert limiter.spend(SMALL, "ada").left == 6


def test_many_gateways_never_let_more_through_together() -> None:
    storage = MemoryStorage()
    gateways = [RateLimiter(storage, lambda: 0.0, factor=10) for _ in range(4)]

    def spend(number: int) -> bool:
        try:
            gateways[number % 4].spend(SMALL, "ada")
        except RateLimited:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        passed = sum(pool.map(spend, range(400)))
    assert 35 <= passed <= 70


def test_one_gateway_lets_the_whole_limit_through_however_many_come_at_once() -> None:
    """Requests that find a block used up at the same moment each paid for a new one, and all but one were lost."""
    storage = Slow()
    limiter = RateLimiter(storage, lambda: 0.0, factor=100)

    def spend(_: int) -> bool:
        try:
            limiter.spend(PAID_IN_PARTS, "ada")
        except RateLimited:
            return False
        return True

    with ThreadPoolExecutor(32) as pool:
        passed = sum(pool.map(spend, range(900)))
    assert passed == PAID_IN_PARTS.amount * 100


def test_writes_stop_at_the_limit(make_gateway: Any, monkeypatch: Any) -> None:
    gateway = make_gateway()
    ada = gateway.as_("ada")
    answers = [ada.post("/v1/matches/m1/orders?tick=4", json={"kind": "break"}) for _ in range(601)]
    assert [answer.status_code for answer in answers[:600]] == [201] * 600
    refused(answers[600], 429, "rate-limited")
    assert answers[600].headers["Retry-After"] == "60"
    assert answers[600].headers["RateLimit"] == '"write";r=0;t=60'
    assert len(gateway.services.asked(orders.FileOrder)) == 600
    assert gateway.as_("ben").post("/v1/matches/m1/orders?tick=4", json={"kind": "break"}).status_code == 201
    assert ada.get("/v1/me").status_code == 200


def test_parallel_guesses_stop_at_the_limit(make_gateway: Any) -> None:
    gateway = make_gateway()

    def guess(_number: int) -> int:
        status: int = gateway.anyone().post("/v1/sessions", json=SIGN_IN).status_code
        return status

    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(guess, range(50)))
    assert statuses.count(401) == 10
    assert statuses.count(429) == 40
    assert len(gateway.services.asked(accounts.SignIn)) == 10


def test_guesses_are_counted_by_address_and_handle(make_gateway: Any) -> None:
    gateway = make_gateway()
    anyone = gateway.anyone()

    def sign_in(password: str, address: str, handle: str = "ada") -> Any:
        given = {"handle": handle, "password": password}
        return anyone.post("/v1/sessions", json=given, environ_overrides={"REMOTE_ADDR": address})

    for _ in range(10):
        refused(sign_in("wrong", "192.0.2.1"), 401, "unauthenticated")
    refused(sign_in(PASSWORD, "192.0.2.1"), 429, "rate-limited")
    assert sign_in(PASSWORD, "192.0.2.2").status_code == 201, "nobody can lock another out"
    assert sign_in(PASSWORD, "192.0.2.1", "ben").status_code == 201
    for number in range(90):
        refused(sign_in("wrong", "192.0.2.1", f"handle{number}"), 401, "unauthenticated")
    refused(sign_in(PASSWORD, "192.0.2.1", "cleo"), 429, "rate-limited")


def test_a_right_password_is_no_guess(make_gateway: Any) -> None:
    anyone = make_gateway().anyone()
    for _ in range(30):
        assert anyone.post("/v1/sessions", json={"handle": "ada", "password": PASSWORD}).status_code == 201


def test_a_stolen_session_cannot_guess_on(make_gateway: Any) -> None:
    ada = make_gateway().as_("ada")
    for number in range(10):
        wrong = {"current": "wrong", "new": "0123456789"} if number % 2 else {"password": "wrong"}
        refused(
            ada("PUT" if number % 2 else "DELETE", "/v1/me/password" if number % 2 else "/v1/me", json=wrong),
            403,
            "forbidden",
        )
    refused(ada.delete("/v1/me", json={"password": PASSWORD}), 429, "rate-limited")


def test_sign_ups_are_counted_by_address(make_gateway: Any) -> None:
    anyone = make_gateway().anyone()
    given = {"handle": "dora", "password": "0123456789"}
    for _ in range(120):
        assert anyone.post("/v1/accounts", json=given).status_code == 201
    refused(anyone.post("/v1/accounts", json=given), 429, "rate-limited")


def test_while_the_store_is_down_play_goes_on_and_sign_in_is_closed(
    make_gateway: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(ratelimits, "DOWN_SECONDS", 0.0)
    gateway = make_gateway()
    storage = Broken()
    object.__setattr__(gateway.ports, "limits", storage)
    from gateway.app import create_app

    gateway.app = create_app(gateway.ports)
    storage.down = True
    ada = gateway.as_("ada")
    assert ada.get("/v1/matches/m1/view").status_code == 200
    answers = [
        ada.post("/v1/matches/m1/orders?tick=4", json={"kind": "break"}).status_code for _ in range(601)
    ]
    assert answers.count(201) == 600, "the local cap holds"
    closed = gateway.anyone().post("/v1/sessions", json={"handle": "ada", "password": PASSWORD})
    refused(closed, 503, "unavailable")
    assert not gateway.services.asked(accounts.SignIn)
    storage.down = False
    assert (
        gateway.anyone().post("/v1/sessions", json={"handle": "ada", "password": PASSWORD}).status_code == 201
    )


def test_a_store_that_is_down_is_left_alone_for_a_moment() -> None:
    storage = Broken()
    storage.down = True
    limiter = RateLimiter(storage, lambda: 0.0, factor=1)
    limiter.spend(SMALL, "ada")
    storage.down = False
    limiter.spend(SMALL, "ada")
    assert not storage.storage
    with pytest.raises(Unavailable), limiter.guess("192.0.2.1", "ada", "forbidden"):
        raise AssertionError("not tried")


@pytest.mark.parametrize(
    ("hops", "forwarded", "counted"),
    [
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9", "198.51.100.1"),
        (2, "203.0.113.9", "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "not an address", "unknown"),
    ],
)
def test_the_address_is_that_of_the_exact_hop(
    make_gateway: Any, hops: int, forwarded: str, counted: str
) -> None:
    gateway = make_gateway(proxy_hops=hops)
    gateway.anyone().get(
        "/v1/keys", headers={"X-Forwarded-For": forwarded}, environ_overrides={"REMOTE_ADDR": "192.0.2.1"}
    )
    assert any(f"/{counted}/" in key for key in gateway.limits.storage), gateway.limits.storage


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", "unknown"),
        ("x" * 500, "unknown"),
    ],
)
def test_addresses_are_counted_by_customer(address: str, key: str) -> None:
    assert address_key(address) == key
