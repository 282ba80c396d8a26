"""Every route: what it asks of which service, and what it answers."""

from datetime import datetime
from typing import Any

import pytest

from shared.contracts import accounts, fog, lobby, messaging, orders, report
from shared.contracts.base import Refusal
from tests.gateway.conftest import Client, Gateway, refused
from tests.gateway.fakes import CSRF, PASSWORD, RAW, START, detail, digest

ORDER = {"kind": "break", "with": "f2"}
NEW = {"name": "Ash Road", "seats": 2, "visibility": "public"}


def test_an_account_is_opened(gateway: Gateway, anyone: Client) -> None:
    made = anyone.post("/v1/accounts", json={"handle": "dora", "password": "0123456789"})
    assert made.status_code == 201
    assert made.headers["Location"] == "/v1/me"
    assert made.json == {"id": "acc-new", "handle": "dora", "created_at": "2026-01-01T12:00:00Z"}
    assert gateway.services.timeouts[-1] > 5


def test_signing_in_gives_a_token_that_works(gateway: Gateway, anyone: Client) -> None:
    made = anyone.post("/v1/sessions", json={"handle": "ada", "password": PASSWORD})
    assert made.status_code == 201
    assert set(made.json) == {"token", "expires_at"}
    asked = gateway.services.asked(accounts.SignIn)[0]
    assert made.json["token"] not in repr(asked)
    me = anyone.get("/v1/me", headers={"Authorization": f"Bearer {made.json['token']}"})
    assert me.json == {"id": "acc-ada", "handle": "ada", "expires_at": "2026-01-31T12:00:00Z"}


def test_a_browser_signs_in_by_cookie(anyone: Client) -> None:
    made = anyone.post("/v1/sessions", json={"handle": "ada", "password": PASSWORD, "cookie": True})
    assert made.status_code == 201
    assert made.json == {"csrf_token": CSRF, "expires_at": "2026-01-31T12:00:00Z"}
    cookie = made.headers["Set-Cookie"]
    assert cookie.startswith("session=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert anyone.get("/v1/me").json["csrf_token"] == CSRF


def test_signing_out_kills_the_token_at_once(gateway: Gateway, ada: Client) -> None:
    assert ada.get("/v1/me").status_code == 200
    assert ada.delete("/v1/sessions/current").status_code == 204
    refused(ada.get("/v1/me"), 401, "unauthenticated")


def test_signing_out_clears_a_browsers_cookie(gateway: Gateway) -> None:
    out = gateway.browser().delete("/v1/sessions/current")
    assert out.status_code == 204
    assert "Max-Age=0" in out.headers["Set-Cookie"]


def test_the_password_is_changed(gateway: Gateway, ada: Client) -> None:
    assert ada.put("/v1/me/password", json={"current": PASSWORD, "new": "0123456789"}).status_code == 204
    assert gateway.services.asked(accounts.ChangePassword)[0].token_digest == digest("ada")
    refused(ada.put("/v1/me/password", json={"current": "wrong", "new": "0123456789"}), 403, "forbidden")


def test_the_account_is_deleted_and_its_token_forgotten(gateway: Gateway, ada: Client) -> None:
    refused(ada.delete("/v1/me", json={"password": "wrong"}), 403, "forbidden")
    gateway.services.answers[accounts.DeleteAccount] = lambda _: gateway.services.sessions.clear() or {}
    assert ada.delete("/v1/me", json={"password": PASSWORD}).status_code == 204
    refused(ada.get("/v1/me"), 401, "unauthenticated")


def test_blocks(gateway: Gateway, ada: Client) -> None:
    assert ada.get("/v1/me/blocks").json == {"items": [{"handle": "ben"}], "next_cursor": None}
    assert ada.put("/v1/me/blocks/ben").status_code == 204
    assert gateway.services.asked(messaging.BlockAccount)[0].blocked == "acc-ben"
    assert ada.delete("/v1/me/blocks/ben").status_code == 204
    refused(ada.put("/v1/me/blocks/ada"), 422, "self")
    refused(ada.put("/v1/me/blocks/nobody"), 404, "not-found")


def test_a_match_is_opened(gateway: Gateway, ada: Client) -> None:
    made = ada.post("/v1/matches", json={**NEW, "visibility": "private", "settings": {"tick_cap": 9}})
    assert made.status_code == 201
    assert made.headers["Location"] == "/v1/matches/m2"
    assert made.json["invite_code"] == "invite-m2"
    asked = gateway.services.asked(lobby.CreateMatch)[0]
    assert (asked.cadence_seconds, asked.handle, bytes(asked.settings)) == (86_400, "ada", b'{"tick_cap":9}')


@pytest.mark.parametrize(
    ("given", "seconds"), [({"cadence_hours": 6}, 21_600), ({"cadence_seconds": 5}, 5), ({}, 86_400)]
)
def test_cadences(gateway: Gateway, ada: Client, given: dict[str, Any], seconds: int) -> None:
    assert ada.post("/v1/matches", json={**NEW, **given}).status_code == 201
    assert gateway.services.asked(lobby.CreateMatch)[0].cadence_seconds == seconds


@pytest.mark.parametrize(
    "given",
    [
        {"cadence_hours": 6, "cadence_seconds": 5},
        {"cadence_seconds": 7},
        {"cadence_hours": 7},
        {"cadence_hours": True},
        {"seats": 1},
        {"seats": 51},
        {"seats": "2"},
        {"seats": 2.0},
        {"name": ""},
        {"name": "x" * 81},
        {"name": "line\n"},
        {"name": "nul\0"},
        {"ruleset": "chess"},
        {"settings": []},
        {"visibility": "hidden"},
        {"seed": "5eed"},
        {"practice": True},
    ],
)
def test_matches_that_are_refused(gateway: Gateway, ada: Client, given: dict[str, Any]) -> None:
    refused(ada.post("/v1/matches", json={**NEW, **given}), 400, "malformed")
    assert not gateway.services.asked(lobby.CreateMatch)


def test_a_seed_is_taken_where_trials_are_allowed(make_gateway: Any) -> None:
    gateway = make_gateway(trial_seeds=True)
    assert gateway.as_("ada").post("/v1/matches", json={**NEW, "seed": "5eed"}).status_code == 201
    refused(gateway.as_("ada").post("/v1/matches", json={**NEW, "seed": "5EED"}), 400, "malformed")


def test_matches_are_listed(gateway: Gateway, ada: Client) -> None:
    page = ada.get("/v1/matches?status=lobby,running&mine=true&limit=2&cursor=abc").json
    assert [match["id"] for match in page["items"]] == ["m1", "m2"]
    assert page["next_cursor"] == "more"
    asked = gateway.services.asked(lobby.ListMatches)[0]
    assert (asked.status, asked.mine, asked.limit, asked.cursor) == (("lobby", "running"), True, 2, "abc")


def test_a_match_tells_no_account_and_no_secret(gateway: Gateway, ben: Client) -> None:
    gateway.services.answers[lobby.GetMatch] = lambda request: detail(
        "m1", account=request.account, seed="5eed", invite_code="secret"
    )
    response = ben.get("/v1/matches/m1")
    assert response.json["seats"][0] == {
        "seat": 1,
        "faction": "f1",
        "faction_name": "Ash",
        "handle": "ada",
        "bot": None,
        "resigned": False,
    }
    assert (response.json["your_seat"], response.json["your_faction"]) == (2, "f2")
    for hidden in (b"acc-", b"secret", b"5eed"):
        assert hidden not in response.data
    gateway.services.answers[lobby.GetMatch] = lambda request: detail("m1", status="ended", seed="5eed")
    assert ben.get("/v1/matches/m1").json["seed"] == "5eed"


def test_an_invite_shows_the_match_without_its_code(cleo: Client) -> None:
    found = cleo.get("/v1/invites/invite-m2").json
    assert found["id"] == "m2"
    assert "invite_code" not in found


def test_seats(gateway: Gateway, ada: Client, cleo: Client) -> None:
    joined = cleo.post("/v1/matches/m1/seats", json={"faction_name": "Cedar", "invite_code": "abc"})
    assert joined.status_code == 201
    asked = gateway.services.asked(lobby.JoinMatch)[0]
    assert (asked.account, asked.handle, asked.faction_name, asked.invite_code) == (
        "acc-cleo",
        "cleo",
        "Cedar",
        "abc",
    )
    assert cleo.post("/v1/matches/m1/seats").status_code == 201
    assert ada.delete("/v1/matches/m1/seats/me").status_code == 204
    assert ada.delete("/v1/matches/m1/seats/2").status_code == 204
    assert gateway.services.asked(lobby.RemoveSeat)[0].seat == 2
    assert ada.post("/v1/matches/m1/seats/bots", json={"count": 3, "level": "sound"}).status_code == 201
    assert ada.post("/v1/matches/m1/resign").json["id"] == "m1"
    assert ada.delete("/v1/matches/m1").status_code == 204


def test_start_waits_until_the_match_is_running(gateway: Gateway, ada: Client) -> None:
    looks = iter(["lobby", "lobby", "running"])
    gateway.services.answers[lobby.GetMatch] = lambda _: detail("m1", status=next(looks))
    assert ada.post("/v1/matches/m1/start").json["status"] == "running"
    assert len(gateway.slept) == 3


def test_the_map_and_the_options(gateway: Gateway, ada: Client) -> None:
    assert ada.get("/v1/matches/m1/map").json == {"routes": [["h1", "h2"]]}
    options = ada.get("/v1/matches/m1/options")
    assert options.json == {"holds": []}
    assert b"canary" not in options.data


def test_views_are_kept_for_their_own_account_alone(gateway: Gateway, ada: Client, ben: Client) -> None:
    past = [ada.get("/v1/matches/m1/view?tick=1") for _ in range(3)]
    assert past[0].json == {"faction": "f1", "tick": 1}
    assert {"private", "immutable"} <= set(past[0].headers["Cache-Control"].split(", "))
    assert past[0].headers["Vary"] == "Authorization, Cookie"
    assert len(gateway.services.asked(fog.GetView)) == 1
    assert ben.get("/v1/matches/m1/view?tick=1").json == {"faction": "f2", "tick": 1}
    assert len(gateway.services.asked(fog.GetView)) == 2


def test_the_current_view_is_fresh_once_the_feed_has_grown(gateway: Gateway, ada: Client) -> None:
    for _ in range(3):
        now = ada.get("/v1/matches/m1/view")
    assert now.headers["Cache-Control"] == "private, no-cache"
    assert len(gateway.services.asked(fog.GetView)) == 1
    gateway.ports.hub.wake("m1", "acc-ada")
    ada.get("/v1/matches/m1/view")
    assert len(gateway.services.asked(fog.GetView)) == 2
    asked = gateway.services.asked(fog.GetView)
    ada.get("/v1/matches/m1/view?tick=3")
    ada.get("/v1/matches/m1/view?tick=3")
    assert len(gateway.services.asked(fog.GetView)) == len(asked) + 2, (
        "a view that is not past yet may change"
    )


def test_what_the_client_has_is_not_sent_again(ada: Client) -> None:
    first = ada.get("/v1/matches/m1/view?tick=1")
    again = ada.get("/v1/matches/m1/view?tick=1", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    other = ada.get("/v1/matches/m1/view?tick=2", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


def test_an_order_is_filed(gateway: Gateway, ada: Client) -> None:
    made = ada.post("/v1/matches/m1/orders?tick=4", json=ORDER)
    assert made.status_code == 201
    assert made.headers["Location"] == "/v1/matches/m1/orders/o-1?tick=4"
    body = made.json
    assert (body["id"], body["seq"], body["tick"], body["kind"], body["with"]) == ("o-1", 1, 4, "break", "f2")
    assert {"text", "sha256", "tick", "filed_at", "signature", "key"} <= set(body["receipt"])
    assert bytes(gateway.services.asked(orders.FileOrder)[0].order) == b'{"kind":"break","with":"f2"}'


def test_a_dry_run_answers_the_same_and_has_no_place(gateway: Gateway, ada: Client) -> None:
    tried = ada.post(
        "/v1/matches/m1/orders?tick=4&dry_run=true", json=ORDER, headers={"Idempotency-Key": "k"}
    )
    assert tried.status_code == 201
    assert "Location" not in tried.headers
    assert set(tried.json) == {"id", "seq", "tick", "kind", "with", "faction", "receipt"}
    asked = gateway.services.asked(orders.FileOrder)[0]
    assert (asked.dry_run, asked.key) == (True, None)


def test_a_closed_tick_tells_which_is_open(gateway: Gateway, ada: Client) -> None:
    body = refused(ada.post("/v1/matches/m1/orders?tick=3", json=ORDER), 409, "tick-closed")
    assert (body["open_tick"], body["next_deadline"]) == (4, "2026-01-01T12:00:00Z")
    gateway.services.refuse(
        orders.FileOrder, "tick-closed", open_tick=None, next_deadline=None, retry_after=2
    )
    between = ada.post("/v1/matches/m1/orders?tick=3", json=ORDER)
    assert between.headers["Retry-After"] == "2"
    assert refused(between, 409, "tick-closed")["open_tick"] is None
    refused(ada.post("/v1/matches/m1/orders", json=ORDER), 400, "malformed")


def test_the_list_is_replaced_by_its_etag(gateway: Gateway, ada: Client) -> None:
    listed = ada.get("/v1/matches/m1/orders")
    assert listed.json["items"][0]["id"] == "o-1"
    assert (listed.json["open"], listed.json["tick"], listed.json["next_cursor"]) == (True, 4, None)
    match = {"If-Match": listed.headers["ETag"]}
    for body in ({"orders": [ORDER]}, [ORDER]):
        replaced = ada.put("/v1/matches/m1/orders?tick=4", json=body, headers=match)
        assert replaced.status_code == 200
        assert replaced.headers["ETag"] == '"4.2"'
    refused(ada.put("/v1/matches/m1/orders?tick=4", json=[]), 428, "precondition-required")
    for stale in ('"4.0"', "4.1", 'W/"4.1"', "", '"*"'):
        refused(ada.put("/v1/matches/m1/orders?tick=4", json=[], headers={"If-Match": stale}), 412, "changed")


def test_a_refused_list_names_its_errors(gateway: Gateway, ada: Client) -> None:
    errors = [{"index": 1, "code": "too-far", "detail": "two hops"}]
    gateway.services.refuse(orders.ReplaceOrders, "too-far", errors=errors)
    answer = ada.put("/v1/matches/m1/orders?tick=4", json=[ORDER], headers={"If-Match": '"4.1"'})
    assert refused(answer, 422, "too-far")["errors"] == errors


def test_an_order_is_cancelled(ada: Client) -> None:
    gone = ada.delete("/v1/matches/m1/orders/o-1?tick=4")
    assert gone.json["receipt"]["kind"] == "cancelled"
    assert gone.headers["ETag"] == '"4.2"'


def test_the_etag_of_a_list_changes_when_its_results_are_there(gateway: Gateway, ada: Client) -> None:
    assert ada.get("/v1/matches/m1/orders?tick=4").headers["ETag"] == '"4.1"'
    assert ada.get("/v1/matches/m1/orders?tick=3").headers["ETag"] == '"4.1.sealed"'


def test_reports(gateway: Gateway, ada: Client) -> None:
    assert ada.get("/v1/matches/m1/reports?limit=1").json["items"][0]["tick"] == 3
    found = ada.get("/v1/matches/m1/reports/2")
    assert found.json["report"] == {"orders": []}
    assert set(found.json["digests"]) == {"f1", "f2"}
    assert "immutable" in found.headers["Cache-Control"]
    assert gateway.services.asked(report.GetReport)[0].tick == 2


def test_messages(gateway: Gateway, ada: Client) -> None:
    sent = ada.post("/v1/matches/m1/messages", json={"to": ["f2"], "text": "hello"})
    assert sent.status_code == 201
    assert sent.json == {
        "id": "msg-1",
        "from": "f1",
        "to": ["f2"],
        "with": "f2",
        "text": "hello",
        "sent_at": "2026-01-01T12:00:00Z",
        "tick": 3,
        "allowance": {"hour_left": 19, "per_player": {"f2": 9}},
    }
    assert ada.get("/v1/matches/m1/messages?with=f2,f3&after=msg-0").json["items"][0]["from"] == "f1"
    asked = gateway.services.asked(messaging.ListMessages)[0]
    assert (asked.with_, asked.after, asked.limit) == ("f2,f3", "msg-0", 50)
    listed = ada.get("/v1/matches/m1/conversations").json
    assert listed["items"] == [{"with": "f2", "last_at": "2026-01-01T12:00:00Z", "unread": 1}]
    assert listed["allowance"]["hour_left"] == 20
    read = ada.put("/v1/matches/m1/conversations/read", json={"with": "f2", "up_to": "msg-1"})
    assert read.status_code == 204
    assert ada.put("/v1/matches/m1/messages/off", json={"off": True}).status_code == 204
    gateway.services.refuse(messaging.SendMessage, "message-limit", scope="player", retry_after=120)
    limited = ada.post("/v1/matches/m1/messages", json={"to": ["f2"], "text": "hello"})
    assert refused(limited, 429, "message-limit")["scope"] == "player"
    assert limited.headers["Retry-After"] == "120"


def test_the_export_comes_tick_by_tick(ada: Client) -> None:
    export = ada.get("/v1/matches/m1/export")
    assert export.json == {"format": 1, "seed": "5eed", "ticks": [{"tick": 0}, {"tick": 1}, {"tick": 2}]}


def test_rules_and_keys_are_for_anyone(anyone: Client) -> None:
    rules = anyone.get("/v1/rules/last-waters")
    assert rules.json["id"] == "last-waters"
    assert "tick_cap" in str(rules.json["settings"])
    assert rules.json["pages"]["rules"]
    assert (
        anyone.get("/v1/rules/last-waters", headers={"If-None-Match": rules.headers["ETag"]}).status_code
        == 304
    )
    refused(anyone.get("/v1/rules/chess"), 404, "not-found")
    assert anyone.get("/v1/keys").json["items"][0]["algorithm"] == "Ed25519"


def test_health_tells_nothing_more(make_gateway: Any) -> None:
    gateway = make_gateway()
    assert gateway.anyone().get("/healthz").json == {"status": "ok"}
    assert gateway.anyone().get("/readyz").json == {"status": "ok"}
    object.__setattr__(gateway.ports, "ready", lambda: False)
    refused(gateway.anyone().get("/readyz"), 503, "unavailable")


def test_ruleset_json_goes_through_untouched(gateway: Gateway, ada: Client) -> None:
    text = b'{"pacts":[{"members":["f1","f2"]}],"z":1,"a":2}'
    gateway.services.answers[lobby.GetMatch] = lambda _: detail("m1", public=RAW(text))
    assert text in ada.get("/v1/matches/m1").data


@pytest.mark.parametrize(
    ("status", "started_at"),
    [("lobby", None), ("ended", None), ("lobby", START)],
    ids=["lobby", "called off", "starting"],
)
def test_what_needs_a_start_says_so_until_there_was_one(
    status: lobby.Status, started_at: datetime | None, gateway: Gateway, ada: Client, cleo: Client
) -> None:
    def of_ada(request: lobby.GetMatch) -> lobby.MatchDetail:
        if request.account != "acc-ada":
            raise Refusal("not-found", "no such match")
        return detail("m2", status=status, started_at=started_at) if request.match == "m2" else detail("m1")

    gateway.services.answers[lobby.GetMatch] = of_ada
    for call in (fog.GetView, fog.GetMap, report.ListReports, messaging.ListConversations, orders.GetDesk):
        gateway.services.refuse(call, "not-found")
    for path in ("view", "map", "reports", "conversations", "options"):
        refused(ada.get(f"/v1/matches/m2/{path}"), 409, "not-started")
        refused(cleo.get(f"/v1/matches/m2/{path}"), 404, "not-found")
        refused(ada.get(f"/v1/matches/m1/{path}"), 404, "not-found")
