"""Whatever a client sends: a clear error of the closed list, nothing asked of a service, never a 500."""

import json
from typing import Any

import pytest

from gateway.reading import LARGEST_BODY, SHORT_BODY
from shared.contracts import lobby, orders
from shared.contracts.base import Refusal
from tests.gateway.conftest import Client, Gateway, refused

JSON = {"Content-Type": "application/json"}
NEW = {"name": "Ash Road", "seats": 2, "visibility": "public"}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"nonsense",
        b"[1,2",
        b"null",
        b"[]",
        b'"text"',
        b"\xef\xbb\xbf{}",
        b'{"name":"a\xff"}',
        b'{"name":"\xed\xa0\x80"}',
        b'{"seats":NaN}',
        b'{"seats":Infinity}',
        b'{"seats":1e400}',
        b'{"seats":2.0}',
        b'{"seats":1' + b"0" * 5_000 + b"}",
        b'{"seats":-' + b"9" * 30 + b"}",
        b'{"name":"a","name":"b"}',
        b'{"name":"\\ud800"}',
        b'{"\\udfff":1}',
        b'{"name":"a\\u0000b"}',
        b'{"settings":{"deep":{"name":"\\u0000"}}}',
        b"[" * 1_000 + b"]" * 1_000,
        b'{"a":' * 1_000 + b"1" + b"}" * 1_000,
        b"[" * 60_000,
        b"{} {}",
    ],
    ids=lambda raw: repr(raw[:24]),
)
def test_bodies_that_are_no_json_of_ours(gateway: Gateway, ada: Client, raw: bytes) -> None:
    refused(ada.post("/v1/matches", data=raw, headers=JSON), 400, "malformed")
    assert not gateway.services.asked(lobby.CreateMatch)


@pytest.mark.parametrize(
    "raw", [b"[" * 1_000, b'{"kind":"\\ud800"}', b'{"kind":"move","kind":"build"}', b'{"count":1.5}']
)
def test_orders_that_are_no_json_of_ours(gateway: Gateway, ada: Client, raw: bytes) -> None:
    refused(ada.post("/v1/matches/m1/orders?tick=4", data=raw, headers=JSON), 400, "malformed")
    assert not gateway.services.asked(orders.FileOrder)


def test_a_bracket_in_a_text_is_not_depth(ada: Client) -> None:
    assert ada.post("/v1/matches", json={**NEW, "name": "[" * 70 + '\\"{'}).status_code == 201


@pytest.mark.timeout(30)  # in a time that grew with the square it would be hours
@pytest.mark.parametrize("unit", [b'\\"', b'"', b"\\", b'"\\', b"[", b'{"a":"', b"\\u0022"])
def test_the_longest_body_is_read_in_one_go(ada: Client, unit: bytes) -> None:
    raw = b'{"orders":"' + unit * ((LARGEST_BODY - 20) // len(unit))
    answer = ada.put("/v1/matches/m1/orders?tick=4", data=raw, headers={**JSON, "If-Match": '"4.1"'})
    refused(answer, 400, "malformed")


def test_only_a_list_of_orders_may_be_long(ada: Client) -> None:
    text = "a" * SHORT_BODY
    refused(ada.post("/v1/sessions", json={"handle": text, "password": ""}), 413, "too-large")
    refused(ada.post("/v1/matches/m1/messages", json={"to": ["f2"], "text": text}), 413, "too-large")
    answer = ada.put("/v1/matches/m1/orders?tick=4", json={"orders": text}, headers={"If-Match": '"4.1"'})
    refused(answer, 400, "malformed")


def test_a_huge_body_is_refused_before_it_is_read(gateway: Gateway) -> None:
    class Unread:
        def read(self, *_: Any) -> bytes:
            raise AssertionError("read")

        readline = readlines = read

    client = gateway.app.test_client()
    for length in (LARGEST_BODY + 1, 10 << 20, 10**18):
        response = client.post(
            "/v1/accounts",
            headers={**JSON, "Content-Length": str(length)},
            environ_overrides={"wsgi.input": Unread(), "CONTENT_LENGTH": str(length)},
        )
        refused(response, 413, "too-large")


def test_a_huge_body_of_unknown_length_is_not_read_on(ada: Client) -> None:
    class Endless:
        given = 0

        def read(self, size: int = -1) -> bytes:
            if size < 0:
                raise AssertionError("all of it")
            Endless.given += size
            return b" " * size

        readline = read

    response = ada.post(
        "/v1/matches",
        headers=JSON,
        environ_overrides={
            "wsgi.input": Endless(),
            "wsgi.input_terminated": True,
            "HTTP_TRANSFER_ENCODING": "chunked",
        },
    )
    refused(response, 413, "too-large")
    assert Endless.given <= 3 * LARGEST_BODY


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
    ],
)
def test_json_is_the_only_content_type(ada: Client, kind: str) -> None:
    refused(
        ada.post("/v1/matches", data=json.dumps(NEW), headers={"Content-Type": kind}),
        415,
        "unsupported-media-type",
    )
    refused(ada.post("/v1/matches", data=json.dumps(NEW)), 415, "unsupported-media-type")


def test_utf8_may_be_named(ada: Client) -> None:
    kind = {"Content-Type": "application/json; charset=UTF-8"}
    assert ada.post("/v1/matches", data=json.dumps(NEW), headers=kind).status_code == 201


@pytest.mark.parametrize("path", ["/v1/me", "/v1/matches/m1/view", "/v1/matches/m1"])
def test_a_body_where_none_belongs(ada: Client, path: str) -> None:
    refused(ada.get(path, json={"a": 1}), 400, "malformed")


@pytest.mark.parametrize("extra", ["faction", "tick", "seed", "sealed", "account", "is_admin"])
def test_unknown_fields_are_refused(gateway: Gateway, ada: Client, extra: str) -> None:
    for method, path, body in (
        ("POST", "/v1/accounts", {"handle": "dora", "password": "0123456789"}),
        ("POST", "/v1/sessions", {"handle": "ada", "password": "x"}),
        ("PUT", "/v1/me/password", {"current": "x", "new": "0123456789"}),
        ("POST", "/v1/matches/m1/seats", {}),
        ("POST", "/v1/matches/m1/seats/bots", {"count": 1, "level": "sound"}),
        ("POST", "/v1/matches/m1/messages", {"to": ["f2"], "text": "hello"}),
        ("PUT", "/v1/matches/m1/conversations/read", {"with": "f2", "up_to": "msg"}),
        ("PUT", "/v1/matches/m1/messages/off", {"off": True}),
    ):
        refused(ada(method, path, json={**body, extra: "f2"}), 400, "malformed")
    assert all(call.method() == "authenticate" for call in gateway.services.calls)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/matches/m1/seats/bots", {"count": 0, "level": "sound"}),
        ("POST", "/v1/matches/m1/seats/bots", {"count": -1, "level": "sound"}),
        ("POST", "/v1/matches/m1/seats/bots", {"count": 10**9, "level": "sound"}),
        ("POST", "/v1/matches/m1/seats/bots", {"count": True, "level": "sound"}),
        ("POST", "/v1/matches/m1/seats", {"faction_name": "x" * 41}),
        ("POST", "/v1/matches/m1/seats", {"faction_name": ""}),
        ("POST", "/v1/matches/m1/messages", {"to": [], "text": "hello"}),
        ("POST", "/v1/matches/m1/messages", {"to": "f2", "text": "hello"}),
        ("POST", "/v1/matches/m1/messages", {"to": ["f2"], "text": ""}),
        ("POST", "/v1/matches/m1/messages", {"to": ["f2"], "text": "x" * 5_000}),
        ("POST", "/v1/matches/m1/messages", {"to": ["f2"], "text": 5}),
        ("PUT", "/v1/matches/m1/messages/off", {"off": 1}),
        ("PUT", "/v1/matches/m1/messages/off", {"off": "true"}),
        ("PUT", "/v1/matches/m1/messages/off", {}),
        ("POST", "/v1/accounts", {"handle": "ab", "password": "0123456789"}),
        ("POST", "/v1/accounts", {"handle": "Dora", "password": "0123456789"}),
        ("POST", "/v1/accounts", {"handle": "dora\n", "password": "0123456789"}),
        ("POST", "/v1/accounts", {"handle": "d" * 33, "password": "0123456789"}),
        ("POST", "/v1/accounts", {"handle": "dora", "password": "012345678"}),
        ("POST", "/v1/accounts", {"handle": "dora", "password": "0" * 257}),
        ("PUT", "/v1/matches/m1/orders?tick=4", {"orders": [1]}),
        ("PUT", "/v1/matches/m1/orders?tick=4", ["move"]),
        ("PUT", "/v1/matches/m1/orders?tick=4", {}),
        ("POST", "/v1/matches/m1/orders?tick=4", [{}]),
    ],
    ids=lambda part: repr(part)[:40],
)
def test_values_that_are_refused(gateway: Gateway, ada: Client, method: str, path: str, body: Any) -> None:
    refused(ada(method, path, json=body, headers={"If-Match": '"4.1"'}), 400, "malformed")
    assert all(call.method() == "authenticate" for call in gateway.services.calls)


def test_a_huge_list_is_not_handed_on(gateway: Gateway, ada: Client) -> None:
    for body in ([{}] * 100_000, {"orders": [{}] * 100_000}):
        answer = ada.put("/v1/matches/m1/orders?tick=4", json=body, headers={"If-Match": '"4.1"'})
        refused(answer, 422, "too-many-orders")
    assert not gateway.services.asked(orders.ReplaceOrders)


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=1000000000",
        "limit=-1",
        "limit=1.0",
        "limit=+1",
        "limit=01",
        "limit=%D9%A1",
        "limit=1&limit=2",
        "limit=",
        "limit=true",
        "mine=1",
        "mine=True",
        "status=won",
        "status=",
        "cursor=",
        "cursor=a%00b",
        "cursor=%FF",
        "cursor=" + "x" * 501,
        "cursor=" + "x" * 10_000,
        "unknown=1",
        "account=acc-ben",
        "&".join(f"p{n}=1" for n in range(100)),
    ],
    ids=lambda query: query[:24],
)
def test_queries_that_are_refused(gateway: Gateway, ada: Client, query: str) -> None:
    refused(ada.get(f"/v1/matches?{query}"), 400, "malformed")
    assert not gateway.services.asked(lobby.ListMatches)


@pytest.mark.parametrize("tick", ["-1", "x", "1.0", "", "9" * 30, "true", "null"])
def test_ticks_that_are_refused(ada: Client, tick: str) -> None:
    refused(ada.get(f"/v1/matches/m1/view?tick={tick}"), 400, "malformed")
    refused(ada.post(f"/v1/matches/m1/orders?tick={tick}", json={}), 400, "malformed")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/matches/m%001/view",
        "/v1/matches/%FF/view",
        "/v1/matches/%ED%A0%80/view",
        "/v1/matches/../me",
        "/v1/matches/m1/",
        "/v1//matches",
        "//v1/matches",
        "/v1/matches/" + "m" * 65,
        "/v1/matches/m1/reports/x",
        "/v1/matches/m1/reports/-1",
        "/v1/matches/m1/reports/01",
        "/v1/matches/m1/reports/1.0",
        "/v1/invites/%20",
        "/v1/rules/Last-Waters",
        "/v1/rules/..%2f..%2fetc",
        "/V1/me",
        "/metrics",
        "/static/app.js",
    ],
)
def test_paths_where_nothing_is(ada: Client, path: str) -> None:
    refused(ada.get(path), 404, "not-found")


def test_paths_of_wrong_form_under_unsafe_methods(ada: Client) -> None:
    refused(ada.delete("/v1/matches/m1/seats/0"), 404, "not-found")
    refused(ada.delete("/v1/matches/m1/seats/1000"), 404, "not-found")
    refused(ada.put("/v1/me/blocks/Ben"), 404, "not-found")
    refused(ada.put("/v1/me/blocks/be"), 404, "not-found")


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_other_methods_are_not_allowed(ada: Client, method: str) -> None:
    response = ada(method, "/v1/matches")
    refused(response, 405, "method-not-allowed")
    assert response.headers["Allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"])
def test_method_overrides_mean_nothing(gateway: Gateway, ada: Client, header: str) -> None:
    assert ada.get("/v1/matches/m1", headers={header: "DELETE"}).status_code == 200
    assert not gateway.services.asked(lobby.CallOffMatch)
    refused(ada.get("/v1/matches?_method=DELETE"), 400, "malformed")


def test_a_fault_of_ours_tells_nothing(gateway: Gateway, ada: Client, quiet_logs: list[Any]) -> None:
    def fail(_request: Any) -> Any:
        raise ZeroDivisionError("canary in the error")

    gateway.services.answers[lobby.GetMatch] = fail
    response = ada.get("/v1/matches/m1")
    refused(response, 500, "internal")
    assert b"canary" not in response.data
    assert any(entry["log_level"] == "error" for entry in quiet_logs)


def test_a_code_that_no_list_has_is_a_fault_of_ours(gateway: Gateway, ada: Client) -> None:
    def refuse(_request: Any) -> Any:
        raise Refusal("no-such-code", "canary")

    gateway.services.answers[lobby.GetMatch] = refuse
    response = ada.get("/v1/matches/m1")
    refused(response, 500, "internal")
    assert b"canary" not in response.data


def test_a_service_that_is_away(gateway: Gateway, ada: Client) -> None:
    from shared.runtime.service import Unavailable

    def away(_request: Any) -> Any:
        raise Unavailable("lobby", "canary: no answer in 5 s")

    gateway.services.answers[lobby.GetMatch] = away
    response = ada.get("/v1/matches/m1")
    refused(response, 503, "unavailable")
    assert response.headers["Retry-After"] == "2"
    assert b"canary" not in response.data


def test_every_call_has_a_deadline(gateway: Gateway, ada: Client) -> None:
    ada.get("/v1/matches/m1")
    ada.get("/v1/matches/m1/view")
    assert all(0 < timeout <= 15 for timeout in gateway.services.timeouts)
