"""Idempotency-Key: what the gateway makes of it. That the first answer comes again is the services' (their tests)."""

import threading
from typing import Any

import pytest

from shared.contracts import accounts, lobby, messaging, orders
from shared.contracts.base import Refusal
from tests.gateway.conftest import Client, Gateway, refused

ORDER = {"kind": "break", "with": "f2"}
PATH = "/v1/matches/m1/orders?tick=4"
CREATING = {
    "/v1/accounts": ({"handle": "dora", "password": "0123456789"}, accounts.CreateAccount),
    "/v1/matches": ({"name": "Ash", "seats": 2, "visibility": "public"}, lobby.CreateMatch),
    "/v1/matches/m1/seats": ({}, lobby.JoinMatch),
    "/v1/matches/m1/seats/bots": ({"count": 1, "level": "sound"}, lobby.AddBots),
    PATH: (ORDER, orders.FileOrder),
    "/v1/matches/m1/messages": ({"to": ["f2"], "text": "hello"}, messaging.SendMessage),
}


def keyed(client: Client, path: str, key: str, body: Any = None) -> Any:
    return client.post(
        path, json=CREATING[path][0] if body is None else body, headers={"Idempotency-Key": key}
    )


@pytest.mark.parametrize("path", CREATING)
def test_the_wish_is_named_by_account_route_and_key(
    gateway: Gateway, ada: Client, ben: Client, path: str
) -> None:
    kind: Any = CREATING[path][1]
    assert ada.post(path, json=CREATING[path][0]).status_code == 201
    for client, key in ((ada, "k1"), (ada, "k1"), (ada, "k2"), (ben, "k1")):
        keyed(client, path, key)
    none, first, again, other, others = (call.key for call in gateway.services.asked(kind))
    assert none is None
    assert first == again
    assert len({first, other}) == 2
    assert (others == first) is (path == "/v1/accounts"), "only who opens an account has none yet"


def test_who_has_no_account_yet_is_told_apart_by_address(gateway: Gateway, ada: Client) -> None:
    path = "/v1/accounts"
    for address in ("192.0.2.1", "192.0.2.2"):
        made = gateway.app.test_client().post(
            path,
            json=CREATING[path][0],
            headers={"Idempotency-Key": "k1"},
            environ_overrides={"REMOTE_ADDR": address},
        )
        assert made.status_code == 201
    one, other = (call.key for call in gateway.services.asked(CREATING[path][1]))
    assert one != other


def test_one_key_on_two_routes_is_two_wishes(gateway: Gateway, ada: Client) -> None:
    keyed(ada, PATH, "k1")
    keyed(ada, "/v1/matches/m1/messages", "k1")
    assert (
        gateway.services.asked(orders.FileOrder)[0].key
        != gateway.services.asked(messaging.SendMessage)[0].key
    )


@pytest.mark.parametrize("key", ["", "x" * 256, "two words", "ümlaut"])
def test_keys_that_are_none(gateway: Gateway, ada: Client, key: str) -> None:
    refused(keyed(ada, PATH, key), 400, "malformed")
    assert not gateway.services.asked(orders.FileOrder)


def test_another_request_under_the_key_is_refused(gateway: Gateway, ada: Client) -> None:
    gateway.services.refuse(orders.FileOrder, "idempotency-mismatch")
    refused(keyed(ada, PATH, "k1"), 422, "idempotency-mismatch")


def test_a_second_try_while_the_first_is_at_work(gateway: Gateway) -> None:
    at_work, go_on = threading.Event(), threading.Event()
    first: list[Any] = []

    def slow(request: Any) -> Any:
        at_work.set()
        assert go_on.wait(20)
        return gateway.services.file_order(request)

    gateway.services.answers[orders.FileOrder] = slow
    thread = threading.Thread(target=lambda: first.append(keyed(gateway.as_("ada"), PATH, "k1")))
    thread.start()
    assert at_work.wait(20)
    refused(keyed(gateway.as_("ada"), PATH, "k1"), 409, "idempotency-in-progress")
    go_on.set()
    thread.join()
    assert first[0].status_code == 201
    assert keyed(gateway.as_("ada"), PATH, "k1").status_code == 201


def test_a_refused_wish_may_be_tried_again(gateway: Gateway, ada: Client) -> None:
    def refuse(_request: Any) -> Any:
        raise Refusal("too-many-orders", "")

    gateway.services.answers[orders.FileOrder] = refuse
    refused(keyed(ada, PATH, "k1"), 422, "too-many-orders")
    gateway.services.answers.clear()
    assert keyed(ada, PATH, "k1").status_code == 201


def test_routes_that_create_nothing_pay_no_heed(ada: Client) -> None:
    assert ada.get("/v1/me", headers={"Idempotency-Key": "two words"}).status_code == 200
