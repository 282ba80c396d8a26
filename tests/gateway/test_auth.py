"""Who may do what: tokens, cookies, CSRF, and that nothing tells another's things from nothing."""

from typing import Any

import pytest

from gateway.route import ANYONE, ROUTES, UNSAFE, Route
from gateway.routes import load
from shared.contracts import accounts, lobby
from tests.gateway.conftest import Client, Gateway, refused
from tests.gateway.fakes import CSRF, PASSWORD, digest, token

load()
SIGNED_IN = [route for route in ROUTES if route.who != ANYONE]
SAMPLES = {"match": "m1", "order": "o-1", "seat": "2", "tick": "2", "handle": "ben", "code": "invite-m2"}
BODIES: dict[str, Any] = {
    "change_password": {"current": PASSWORD, "new": "0123456789"},
    "delete_me": {"password": PASSWORD},
    "create_match": {"name": "Ash", "seats": 2, "visibility": "public"},
    "add_bots": {"count": 1, "level": "sound"},
    "file_order": {"kind": "break", "with": "f2"},
    "replace_orders": [],
    "send_message": {"to": ["f2"], "text": "hello"},
    "mark_read": {"with": "f2", "up_to": "msg-1"},
    "switch_messages": {"off": True},
}
QUERIES = {"file_order": "?tick=4", "replace_orders": "?tick=4", "cancel_order": "?tick=4"}


def send(client: Client, route: Route, headers: dict[str, str] | None = None, **ids: str) -> Any:
    """A well-formed request to ``route``."""
    path = route.path.format(**{**SAMPLES, **ids}) + QUERIES.get(route.name, "")
    given = {"json": BODIES[route.name]} if route.name in BODIES else {}
    return client(route.method, path, headers={"If-Match": '"4.1"', **(headers or {})}, **given)


@pytest.mark.parametrize("route", SIGNED_IN, ids=lambda route: route.name)
def test_every_such_route_wants_a_session(gateway: Gateway, route: Route) -> None:
    anyone = gateway.anyone()
    for headers in (
        {},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {token('nobody')}"},
        {"Authorization": f"Bearer {token('ada')[:-1]}"},
        {"Authorization": f"Bearer {token('ada')}="},
        {"Authorization": f"Basic {token('ada')}"},
        {"Authorization": "Bearer " + "x" * 10_000},
        {"Authorization": f"Bearer {token('ada')}, Bearer {token('ben')}"},
        {"Cookie": f"session={token('ada')}"},
        {"Cookie": f"session={token('nobody')}", "X-CSRF-Token": CSRF},
        {"Authorization": f"Bearer {token('ada-browser')}"},
    ):
        response = send(anyone, route, headers)
        refused(response, 401, "unauthenticated")
        assert response.headers["WWW-Authenticate"] == "Bearer"
    assert {call.method() for call in gateway.services.calls} <= {"authenticate"}


@pytest.mark.parametrize("route", SIGNED_IN, ids=lambda route: route.name)
def test_a_browser_needs_its_csrf_token_for_unsafe_methods(gateway: Gateway, route: Route) -> None:
    browser = gateway.browser()
    wrong = [send(browser, route, {"X-CSRF-Token": value}) for value in ("", "wrong", CSRF + "x", "\xff")]
    if route.method in UNSAFE:
        for response in wrong:
            refused(response, 403, "csrf")
        assert {call.method() for call in gateway.services.calls} <= {"authenticate"}
        assert send(browser, route).status_code < 400
    else:
        for response in wrong:
            assert response.status_code == 200
            response.close()


IDS = [route for route in SIGNED_IN if "match" in route.path_names]


@pytest.mark.parametrize("route", IDS, ids=lambda route: route.name)
def test_anothers_match_is_as_an_unknown_one(
    gateway: Gateway, cleo: Client, ben: Client, route: Route
) -> None:
    """Cleo has no seat in m1, m2 is Ada's private lobby: status, body and length as where there is nothing."""
    unknown = send(cleo, route, match="m-unknown")
    refused(unknown, 404, "not-found")
    swapped = [send(cleo, route, match="m2"), send(ben, route, match="m2")]
    if route.who in ("seated", "creator"):
        swapped.append(send(cleo, route))
    for response in swapped:
        assert response.status_code == 404
        assert response.data == unknown.data
        same = ("Content-Type", "Content-Length", "Cache-Control")
        assert [response.headers[name] for name in same] == [unknown.headers[name] for name in same]
        assert set(response.headers.keys()) == set(unknown.headers.keys())


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/v1/matches/m1/orders/o-others?tick=4"),
        ("GET", "/v1/matches/m1/reports/99"),
        ("GET", "/v1/matches/m1/view?tick=99"),
        ("GET", "/v1/invites/invite-guessed"),
    ],
)
def test_anothers_ids_are_as_unknown_ones(ada: Client, method: str, path: str) -> None:
    assert ada(method, path).data == ada.get("/v1/matches/m-unknown").data


@pytest.mark.parametrize("route", [r for r in ROUTES if r.who == "creator"], ids=lambda route: route.name)
def test_what_is_the_creators_is_forbidden_to_the_seated(ben: Client, route: Route) -> None:
    refused(send(ben, route), 403, "forbidden")


def test_the_service_is_told_the_sessions_account_and_no_other(gateway: Gateway, ben: Client) -> None:
    for route in IDS:
        send(ben, route).close()
    accounts_told = {call.account for call in gateway.services.calls if hasattr(call, "account")}
    assert accounts_told == {"acc-ben"}


def test_a_token_is_believed_for_a_moment_only(gateway: Gateway, ada: Client, monkeypatch: Any) -> None:
    for _ in range(5):
        assert ada.get("/v1/me").status_code == 200
    assert len(gateway.services.asked(accounts.Authenticate)) == 1
    gateway.services.sessions.clear()
    gateway.ports.hub.sessions_ended([digest("ada")])
    refused(ada.get("/v1/me"), 401, "unauthenticated")


def test_no_failure_is_believed(gateway: Gateway, ada: Client) -> None:
    known = gateway.services.sessions.pop(digest("ada"))
    refused(ada.get("/v1/me"), 401, "unauthenticated")
    gateway.services.sessions[digest("ada")] = known
    assert ada.get("/v1/me").status_code == 200


@pytest.mark.parametrize(
    ("base", "settings", "secure"),
    [
        ("http://127.0.0.1:8000", {}, False),
        ("http://localhost:8000", {}, False),
        ("http://[::1]:8000", {}, False),
        ("https://localhost", {}, True),
        ("http://play.example", {}, True),
        ("http://127.0.0.1.evil.example", {}, True),
        ("http://localhost.evil.example", {}, True),
        ("http://play.example", {"insecure_cookies": True}, False),
    ],
)
def test_cookies_are_secure_but_on_this_machine(
    make_gateway: Any, base: str, settings: dict[str, Any], secure: bool
) -> None:
    anyone = make_gateway(**settings).anyone()
    made = anyone.post(
        "/v1/sessions", json={"handle": "ada", "password": PASSWORD, "cookie": True}, base_url=base
    )
    assert ("Secure" in made.headers["Set-Cookie"].split("; ")) is secure


def test_wrong_handle_and_wrong_password_look_the_same(anyone: Client) -> None:
    one = anyone.post("/v1/sessions", json={"handle": "ada", "password": "wrong"})
    two = anyone.post("/v1/sessions", json={"handle": "NoSuch Handle", "password": "wrong"})
    refused(one, 401, "unauthenticated")
    assert one.data == two.data


def test_a_forbidden_answer_needs_the_match_to_be_known(cleo: Client) -> None:
    refused(cleo.delete("/v1/matches/m1"), 404, "not-found")


def test_a_request_id_is_new_for_each_request_and_never_the_clients(gateway: Gateway, ada: Client) -> None:
    ids = {ada.get("/v1/me", headers={"X-Request-ID": "mine"}).headers["X-Request-ID"] for _ in range(3)}
    assert len(ids) == 3
    assert "mine" not in ids


def test_the_request_id_goes_along_with_every_call(gateway: Gateway, ada: Client) -> None:
    from shared.runtime import correlation

    seen: list[str] = []

    def look(request: Any) -> Any:
        seen.append(correlation.current())
        return gateway.services.get_match(request)

    gateway.services.answers[lobby.GetMatch] = look
    assert ada.get("/v1/matches/m1").headers["X-Request-ID"] == seen[0]
