"""A match from the lobby to its export, through HTTP and every service."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from shared import canonical, proof
from shared.contracts.orders import SealRequestItem, SealTicks
from shared.rulesets import ruleset
from tests.gateway.conftest import refused
from tests.gateway.whole_stack import Stack
from tests.services import harness

DAY = timedelta(seconds=60)


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    yield Stack(tmp_path, trial_cadences="60", trial_seeds=True)
    harness.close_all()


def opened(stack: Stack, **given: Any) -> tuple[Any, Any, str]:
    """A running match of ada, ben and a computer player."""
    ada, ben = stack.client("ada"), stack.client("ben")
    wanted = {"name": "Ash Road", "seats": 3, "visibility": "public", "cadence_seconds": 60, "seed": "5eed"}
    made = ada.post("/v1/matches", json={**wanted, "settings": {"tick_cap": 2}, **given})
    assert made.status_code == 201, made.data
    path = f"/v1/matches/{made.json['id']}"
    joined = ben.post(
        f"{path}/seats", json={"invite_code": made.json.get("invite_code"), "faction_name": "Birch"}
    )
    assert joined.status_code == 201, joined.data
    assert ada.post(f"{path}/seats/bots", json={"count": 1, "level": "harmless"}).status_code == 201
    stack.settle()
    assert ada.get(path).json["status"] == "running"
    return ada, ben, path


def an_order(client: Any, path: str) -> dict[str, Any]:
    hold = client.get(f"{path}/view").json["forces"][0]["hold"]
    return {"kind": "build", "hold": hold, "building": "watch"}


def test_a_match_is_played_to_its_end(stack: Stack) -> None:
    ada, ben, path = opened(stack)
    order = an_order(ada, path)
    filed = ada.post(f"{path}/orders?tick=1", json=order)
    assert filed.status_code == 201, filed.data
    assert filed.json["kind"] == "build"
    refused(ben.post(f"{path}/orders?tick=1", json=order), 422, "not-owned")
    listed = ada.get(f"{path}/orders")
    assert [item["id"] for item in listed.json["items"]] == [filed.json["id"]]
    assert ben.get(f"{path}/orders").json["items"] == []
    stack.advance(DAY)

    assert ada.get(path).json["tick"] == 1
    assert ada.get(f"{path}/view").json["tick"] == 1
    past = ada.get(f"{path}/view?tick=0")
    assert "immutable" in past.headers["Cache-Control"]
    done = ada.get(f"{path}/orders?tick=1").json["items"][0]["result"]
    assert done["status"] == "done"
    refused(ada.post(f"{path}/orders?tick=1", json=order), 409, "tick-closed")
    told = ada.get(f"{path}/reports/1").json
    assert told["sealed"] == [filed.json["receipt"]["text"]]
    assert told["digests"][told["faction"]] == proof.digest(told["nonce"], told["sealed"])
    assert ben.get(f"{path}/reports/1").json["sealed"] == []
    refused(ada.get(f"{path}/export"), 409, "not-ended")
    stack.advance(DAY)

    ended = ada.get(path).json
    assert ended["status"] == "ended"
    assert ended["seed"] == "5eed"
    refused(ada.post(f"{path}/orders?tick=3", json=order), 409, "match-ended")
    export = ada.get(f"{path}/export")
    assert not ruleset("last-waters").verify(export.data)


def test_who_resigned_looks_on_and_the_computer_player_files(stack: Stack) -> None:
    ada, ben, path = opened(stack, settings={"tick_cap": 6})
    order = an_order(ada, path)
    filed = ada.post(f"{path}/orders?tick=1", json=order).json
    assert ada.post(f"{path}/resign").status_code == 200
    refused(ada.post(f"{path}/orders?tick=1", json=order), 403, "forbidden")
    refused(ada.post(f"{path}/orders?tick=1&dry_run=true", json=order), 403, "forbidden")
    refused(
        ada.put(f"{path}/orders?tick=1", json={"orders": []}, headers={"If-Match": "*"}), 403, "forbidden"
    )
    refused(ada.delete(f"{path}/orders/{filed['id']}?tick=1"), 403, "forbidden")
    assert [item["id"] for item in ada.get(f"{path}/orders").json["items"]] == [filed["id"]]
    stack.advance(DAY)
    # What was filed before stays, and of the next tick the list is the computer player's.
    assert ada.get(f"{path}/orders?tick=1").json["items"][0]["result"]["status"] == "done"
    listed = ada.get(f"{path}/orders").json
    assert listed["tick"] == 2 and listed["items"]
    refused(ada.delete(f"{path}/orders/{listed['items'][0]['id']}?tick=2"), 403, "forbidden")
    assert ben.post(f"{path}/orders?tick=2", json=an_order(ben, path)).status_code == 201


def test_between_a_seal_and_the_next_list_one_is_told_when_to_come_again(stack: Stack) -> None:
    ada, _, path = opened(stack)
    order = an_order(ada, path)
    match = path.rpartition("/")[2]
    stack.call(SealTicks(ticks=(SealRequestItem(match=match, tick=1),)))
    for answer in (
        ada.post(f"{path}/orders?tick=1", json=order),
        ada.post(f"{path}/orders?tick=1&dry_run=true", json=order),
        ada.put(f"{path}/orders?tick=1", json=[order], headers={"If-Match": "*"}),
        ada.delete(f"{path}/orders/none?tick=1"),
        ada.get(f"{path}/options"),
    ):
        assert refused(answer, 409, "tick-closed")["open_tick"] is None
        assert answer.headers["Retry-After"] == "1"


def test_a_receipt_proves_what_was_held(stack: Stack) -> None:
    ada, _, path = opened(stack)
    receipt = ada.post(f"{path}/orders?tick=1", json=an_order(ada, path)).json["receipt"]
    keys = {key["id"]: key["public_key"] for key in ada.get("/v1/keys").json["items"]}
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(keys[receipt["key"]]))
    signature = base64.b64decode(receipt.pop("signature"))
    public.verify(signature, canonical.encode(receipt))
    assert receipt["sha256"] == proof.sha256(receipt["text"])


def test_a_lost_answer_is_asked_for_again(stack: Stack) -> None:
    """The response is lost after commit; retries with one key: one effect, same id and body."""
    ada, ben, path = opened(stack)
    key = {"Idempotency-Key": "wish-1"}
    order = an_order(ada, path)
    answers = [ada.post(f"{path}/orders?tick=1", json=order, headers=key) for _ in range(4)]
    assert {answer.data for answer in answers} == {answers[0].data}
    assert answers[0].status_code == 201
    assert len(ada.get(f"{path}/orders").json["items"]) == 1
    refused(
        ada.post(f"{path}/orders?tick=1", json={**order, "building": "archive"}, headers=key),
        422,
        "idempotency-mismatch",
    )
    stack.advance(DAY)
    assert ada.post(f"{path}/orders?tick=1", json=order, headers=key).data == answers[0].data
    message = {"to": [ben.get(path).json["your_faction"]], "text": "hello"}
    sent = [ada.post(f"{path}/messages", json=message, headers=key) for _ in range(3)]
    assert {answer.data for answer in sent} == {sent[0].data}
    assert len(ben.get(f"{path}/messages").json["items"]) == 1
    refused(
        ada.post(f"{path}/messages", json={**message, "text": "other"}, headers=key),
        422,
        "idempotency-mismatch",
    )
    wanted = {"name": "Second", "seats": 2, "visibility": "public"}
    made = [ada.post("/v1/matches", json=wanted, headers=key) for _ in range(3)]
    assert len({answer.json["id"] for answer in made}) == 1
    refused(ada.post("/v1/matches", json={**wanted, "seats": 5}, headers=key), 422, "idempotency-mismatch")
    second = f"/v1/matches/{made[0].json['id']}"
    account = {"handle": "dora", "password": "0123456789"}
    accounts = [ada.post("/v1/accounts", json=account, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in accounts] == [201, 201]
    refused(
        ada.post("/v1/accounts", json={**account, "password": "9876543210"}, headers=key),
        422,
        "idempotency-mismatch",
    )
    refused(ada.post("/v1/accounts", json=account, headers={"Idempotency-Key": "other"}), 409, "handle-taken")
    joined = [ben.post(f"{second}/seats", json={}, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in joined] == [201, 201], joined[1].data


def test_the_start_route_answers_once_the_match_is_running(stack: Stack) -> None:
    ada = stack.client("ada")
    made = ada.post("/v1/matches", json={"name": "Ash", "seats": 4, "visibility": "private"})
    path = f"/v1/matches/{made.json['id']}"
    refused(ada.post(f"{path}/start"), 409, "not-enough-seats")
    assert ada.post(f"{path}/seats/bots", json={"count": 1, "level": "sound"}).status_code == 201
    started = ada.post(f"{path}/start")
    assert (started.status_code, started.json["status"]) == (200, "running")
    assert ada.get(f"{path}/view").json["tick"] == 0
    refused(ada.post(f"{path}/start"), 409, "match-started")


def test_the_stream_tells_of_ticks_messages_and_deadlines(stack: Stack) -> None:
    ada, ben, path = opened(stack)
    stream = ada.get(f"{path}/stream", headers={"Last-Event-ID": "0"})
    ben.post(
        f"{path}/messages", json={"to": [ada.get(path).json["your_faction"]], "text": "canary in the text"}
    )
    stack.advance(DAY)
    text = b""
    while b'"tick":1}' not in text or b"event: message" not in text:
        text += next(stream.response)
    stream.close()
    events = {}
    for block in text.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in fields:
            events.setdefault(fields["event"], []).append(json.loads(fields["data"]))
    assert {"tick": 1} in events["tick"]
    assert set(events["message"][0]) == {"id", "with"}
    assert events["deadline"][-1].keys() >= {"tick", "at"}
    assert b"canary" not in text


def test_a_changed_password_ends_the_other_sessions(stack: Stack) -> None:
    ada = stack.client("ada")
    other = {"Authorization": f"Bearer {stack.sign_in('ada')}"}
    assert ada.get("/v1/me", headers=other).status_code == 200
    change = {"current": "password of ada", "new": "0123456789"}
    assert ada.put("/v1/me/password", json=change).status_code == 204
    assert ada.get("/v1/me").status_code == 200
    refused(ada.get("/v1/me", headers=other), 401, "unauthenticated")


def test_a_list_is_replaced_whole_or_not_at_all(stack: Stack) -> None:
    ada, _, path = opened(stack)
    order = an_order(ada, path)
    listed = ada.get(f"{path}/orders")
    match = {"If-Match": listed.headers["ETag"]}
    wrong = {"kind": "build", "hold": order["hold"], "building": "castle"}
    answer = ada.put(f"{path}/orders?tick=1", json={"orders": [order, wrong]}, headers=match)
    assert refused(answer, 422, "not-buildable")["errors"][0]["index"] == 1
    assert ada.get(f"{path}/orders").json["items"] == []
    replaced = ada.put(f"{path}/orders?tick=1", json={"orders": [order]}, headers=match)
    assert replaced.status_code == 200, replaced.data
    assert len(replaced.json["items"]) == 1
    assert ada.get(f"{path}/orders").headers["ETag"] == replaced.headers["ETag"]
    refused(ada.put(f"{path}/orders?tick=1", json={"orders": []}, headers=match), 412, "changed")
    gone = ada.delete(f"{path}/orders/{replaced.json['items'][0]['id']}?tick=1")
    assert gone.json["receipt"]["kind"] == "cancelled"
    answer = ada.post(f"{path}/orders?tick=1", json={**order, "faction": "f2"})
    refused(answer, 400, "malformed")


def test_what_is_answered_is_what_is_documented(stack: Stack) -> None:
    """Every answer of one match, held against its schema."""
    import jsonschema_rs

    ada, ben, path = opened(stack)
    ada.post(f"{path}/orders?tick=1", json=an_order(ada, path))
    ada.post(f"{path}/messages", json={"to": [ben.get(path).json["your_faction"]], "text": "hello"})
    stack.advance(DAY)
    document = ada.get("/openapi.json").json
    for told, asked in {
        "/v1/me": "/v1/me",
        "/v1/matches": "/v1/matches",
        "/v1/matches/{match}": path,
        "/v1/matches/{match}/map": f"{path}/map",
        "/v1/matches/{match}/view": f"{path}/view",
        "/v1/matches/{match}/options": f"{path}/options",
        "/v1/matches/{match}/orders": f"{path}/orders?tick=1",
        "/v1/matches/{match}/reports": f"{path}/reports",
        "/v1/matches/{match}/reports/{tick}": f"{path}/reports/1",
        "/v1/matches/{match}/messages": f"{path}/messages",
        "/v1/matches/{match}/conversations": f"{path}/conversations",
        "/v1/rules/{ruleset}": "/v1/rules/last-waters",
        "/v1/keys": "/v1/keys",
    }.items():
        answer = ada.get(asked)
        assert answer.status_code == 200, (asked, answer.data)
        schema = document["paths"][told]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema_rs.validate(
            {**schema, "components": document["components"]}, msgspec.json.decode(answer.data)
        )
