"""Every error a client can get: the closed list of codes, and how one is written (RFC 9457)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from flask import Response

from shared import rulesets
from shared.contracts.base import Refusal

CONTENT_TYPE = "application/problem+json"
LONGEST_DETAIL = 500


@dataclass(frozen=True)
class Kind:
    """``fixed``: the only words ever said, so that two causes cannot be told apart."""

    status: int
    title: str
    fixed: str | None = None


KINDS: dict[str, Kind] = {
    "malformed": Kind(400, "The request is not well formed"),
    "unauthenticated": Kind(401, "Sign in first", "There is no valid session with this request."),
    "forbidden": Kind(403, "Not allowed"),
    "csrf": Kind(
        403, "The CSRF token is missing or wrong", "Send X-CSRF-Token with the token of GET /v1/me."
    ),
    "not-found": Kind(404, "Not found", "There is nothing here that you may see."),
    "method-not-allowed": Kind(405, "Method not allowed"),
    "handle-taken": Kind(409, "The handle is taken"),
    "seat-taken": Kind(409, "The seat is taken"),
    "already-seated": Kind(409, "You have a seat in this match"),
    "match-full": Kind(409, "Every seat is taken"),
    "not-enough-seats": Kind(409, "Too few seats are taken"),
    "match-started": Kind(409, "The match has started"),
    "match-ended": Kind(409, "The match has ended"),
    "not-started": Kind(409, "The match has not started"),
    "not-ended": Kind(409, "The match has not ended"),
    "name-taken": Kind(409, "The faction name is taken"),
    "too-many-matches": Kind(409, "Too many matches"),
    "tick-closed": Kind(409, "Orders for this tick are not taken"),
    "undeliverable": Kind(409, "Not delivered", "This message cannot be delivered now."),
    "idempotency-in-progress": Kind(409, "The first request with this key is still at work"),
    "changed": Kind(412, "The list has changed"),
    "too-large": Kind(413, "The body is too large"),
    "unsupported-media-type": Kind(415, "JSON is the only content type taken"),
    "unknown-faction": Kind(422, "There is no such faction"),
    "self": Kind(422, "Not with oneself"),
    "eliminated": Kind(422, "The faction is eliminated"),
    "too-many-orders": Kind(422, "Too many orders for one tick"),
    "idempotency-mismatch": Kind(422, "The key came with another request before"),
    "precondition-required": Kind(428, "If-Match is required"),
    "rate-limited": Kind(429, "Too many requests"),
    "message-limit": Kind(429, "Too many messages"),
    "unavailable": Kind(503, "Not available now", "A part of the server does not answer; try again shortly."),
}

INTERNAL = "internal"
"""A fault of ours. Not part of the interface: no route may count on it."""
FAULT = Kind(500, "The server failed", "The fault is recorded under the request id.")

RULE_STATUS = 422
SHARED_RULE_CODES = ("unknown-faction", "self", "eliminated")
"""Rule codes that the services use too."""
DEFAULT_RETRY_SECONDS = {"unavailable": 2, "rate-limited": 10, "message-limit": 60}


class Problem(msgspec.Struct, kw_only=True):
    """An error. ``code`` is fixed and meant for programs; ``detail`` is for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class OrderProblem(msgspec.Struct, kw_only=True):
    """What is wrong with one order of a list."""

    index: int
    code: str
    detail: str


def rule_codes() -> Mapping[str, str]:
    """Refusal codes of the installed rulesets that are not in ``KINDS``, with their words."""
    return _rule_codes(rulesets.installed())


@cache
def _rule_codes(installed: tuple[str, ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name in installed:
        for code, words in rulesets.ruleset(name).reasons.items():
            if code not in KINDS:
                found.setdefault(code, words)
    return found


def rule_refusals() -> list[str]:
    """Every code of the rulesets that is answered 422."""
    return sorted({*rule_codes(), *SHARED_RULE_CODES})


def kind_of(code: str) -> Kind | None:
    """None for a code that is in no list."""
    if code in KINDS:
        return KINDS[code]
    if code in rule_codes():
        return Kind(RULE_STATUS, "The rules do not allow it")
    return None


def respond(code: str, detail: str = "", extra: Mapping[str, Any] | None = None) -> Response:
    """The answer for an error. ``retry_after`` in ``extra`` (seconds) becomes a header."""
    kind = FAULT if code == INTERNAL else kind_of(code)
    if kind is None:
        raise LookupError(f"{code} is not a code of this interface")
    rest = dict(extra or {})
    headers = {"Cache-Control": "no-store"}
    retry_after = rest.pop("retry_after", DEFAULT_RETRY_SECONDS.get(code))
    if retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(retry_after)))
    if kind.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    words = kind.fixed or detail or kind.title
    body = {
        "type": f"/docs#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": words[:LONGEST_DETAIL],
        "code": code,
        **{name: _plain(value) for name, value in rest.items()},
    }
    return Response(msgspec.json.encode(body), kind.status, headers, content_type=CONTENT_TYPE)


def on_the_wire(answer: Response) -> bytes:
    """``answer`` as bytes: what a server sends by itself, before any route, and then closes the connection."""
    body = answer.get_data()
    head = (
        f"HTTP/1.1 {answer.status}\r\nConnection: close\r\nContent-Type: {CONTENT_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\n\r\n"
    )
    return head.encode("latin-1") + body


def not_http() -> Response:
    """The answer to what is not even HTTP."""
    return respond("malformed", "The request is not HTTP as it should be.")


def refused(refusal: Refusal) -> Response:
    """The answer for a refusal, as a service or the gateway itself raised it."""
    return respond(refusal.code, refusal.detail, refusal.extra)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return instant(value)
    return value


def instant(moment: datetime) -> str:
    """RFC 3339 in UTC, as in every other answer."""
    text: str = msgspec.to_builtins(moment)
    return text
