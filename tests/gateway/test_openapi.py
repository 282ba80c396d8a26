"""The document and what is served are the same thing."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from gateway import problems
from gateway.openapi import document
from gateway.route import PATH_FORMS, ROUTES, Reply, Visit, route
from gateway.routes import load
from shared.contracts.base import Nothing
from tests.gateway.conftest import Client, Gateway

load()
IN_THE_DOCUMENT = [declared for declared in ROUTES if declared.documented]

SPECIFIED = """
POST /v1/accounts · POST /v1/sessions · DELETE /v1/sessions/current · GET /v1/me · PUT /v1/me/password · DELETE /v1/me
PUT /v1/me/blocks/{handle} · DELETE /v1/me/blocks/{handle} · GET /v1/me/blocks · POST /v1/matches · GET /v1/matches
GET /v1/matches/{match} · GET /v1/invites/{code} · POST /v1/matches/{match}/seats · DELETE /v1/matches/{match}/seats/me
DELETE /v1/matches/{match}/seats/{seat} · POST /v1/matches/{match}/seats/bots · POST /v1/matches/{match}/start
DELETE /v1/matches/{match} · GET /v1/matches/{match}/map · GET /v1/matches/{match}/view · GET /v1/matches/{match}/orders
GET /v1/matches/{match}/options · POST /v1/matches/{match}/orders · PUT /v1/matches/{match}/orders
DELETE /v1/matches/{match}/orders/{order} · POST /v1/matches/{match}/resign · GET /v1/matches/{match}/reports
GET /v1/matches/{match}/reports/{tick} · POST /v1/matches/{match}/messages · GET /v1/matches/{match}/messages
GET /v1/matches/{match}/conversations · PUT /v1/matches/{match}/conversations/read
PUT /v1/matches/{match}/messages/off · GET /v1/matches/{match}/stream · GET /v1/matches/{match}/export
GET /v1/rules/{ruleset} · GET /v1/keys · GET /healthz · GET /readyz · GET /openapi.json · GET /docs · GET /docs.css · GET /
"""
OF_THE_PAGE = {"GET /web/{asset}"}
"""Served beside the interface, not part of it."""

CLOSED_LIST = {
    400: {"malformed"},
    401: {"unauthenticated"},
    403: {"forbidden", "csrf"},
    404: {"not-found"},
    405: {"method-not-allowed"},
    409: {
        "handle-taken",
        "seat-taken",
        "already-seated",
        "match-full",
        "not-enough-seats",
        "match-started",
        "match-ended",
        "not-started",
        "not-ended",
        "name-taken",
        "too-many-matches",
        "tick-closed",
        "undeliverable",
        "idempotency-in-progress",
    },
    412: {"changed"},
    413: {"too-large"},
    415: {"unsupported-media-type"},
    422: {"too-many-orders", "idempotency-mismatch", "self", "eliminated", "unknown-faction"},
    428: {"precondition-required"},
    429: {"rate-limited", "message-limit"},
    503: {"unavailable"},
}


def served(gateway: Gateway) -> set[str]:
    """What Flask answers, from its own map."""
    found = set()
    for rule in gateway.app.url_map.iter_rules():
        path = re.sub(r"<\w+:(\w+)>", r"{\1}", rule.rule)
        found |= {f"{method} {path}" for method in (rule.methods or set()) - {"HEAD"}}
    return found


def documented(document: dict[str, Any]) -> set[str]:
    return {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}


def test_live_routes_the_document_and_the_specification_are_the_same(
    gateway: Gateway, anyone: Client
) -> None:
    specified = {part.strip() for line in SPECIFIED.splitlines() for part in line.split("·") if part.strip()}
    assert served(gateway) - OF_THE_PAGE == documented(anyone.get("/openapi.json").json) == specified


def test_the_error_list_is_closed() -> None:
    known: dict[int, set[str]] = {}
    for code, kind in problems.KINDS.items():
        known.setdefault(kind.status, set()).add(code)
    assert known == CLOSED_LIST


def test_every_rule_code_is_422() -> None:
    assert problems.rule_codes()
    for code in problems.rule_codes():
        kind = problems.kind_of(code)
        assert kind is not None
        assert kind.status == 422
    assert problems.kind_of("no-such-code") is None


def walk(value: Any) -> Iterator[Any]:
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


def test_words_are_for_readers_of_the_document() -> None:
    for part in walk(msgspec.to_builtins(document(ROUTES))):
        assert not (isinstance(part, str) and ("``" in part or "(?!" in part))


def test_every_reference_leads_somewhere() -> None:
    whole = msgspec.to_builtins(document(ROUTES))
    for part in walk(whole):
        if isinstance(part, dict) and "$ref" in part:
            found = whole
            for step in part["$ref"].removeprefix("#/").split("/"):
                found = found[step]


def test_every_schema_is_json_schema() -> None:
    whole = msgspec.to_builtins(document(ROUTES))
    for schema in whole["components"]["schemas"].values():
        assert jsonschema_rs.meta.is_valid(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
        )


def test_the_document_is_always_the_same() -> None:
    assert msgspec.json.encode(document(ROUTES)) == msgspec.json.encode(document(ROUTES))


def test_names_of_operations_differ() -> None:
    names = [declared.name for declared in ROUTES]
    assert len(names) == len(set(names))


def test_what_every_operation_tells() -> None:
    whole = document(ROUTES)
    for declared in IN_THE_DOCUMENT:
        operation = whole["paths"][declared.path][declared.method.lower()]
        statuses = set(operation["responses"])
        assert {str(declared.status), "400", "429", "503"} <= statuses
        assert bool(operation["security"]) is declared.signed_in
        assert ("401" in statuses) is (declared.signed_in or declared.name == "sign_in")
        assert ("404" in statuses) is bool(declared.path_names) or declared.errors
        if "requestBody" in operation:
            assert {"413", "415"} <= statuses
        for response in itertools.islice(operation["responses"].values(), 1, None):
            for content_type in response.get("content", {}):
                assert content_type == problems.CONTENT_TYPE


def test_orders_and_settings_are_the_rulesets_own() -> None:
    schemas = document(ROUTES)["components"]["schemas"]
    kinds = {
        schemas[part["$ref"].rsplit("/", 1)[-1]]["properties"]["kind"]["enum"][0]
        for part in schemas["RulesetOrder"]["anyOf"]
    }
    last_waters = {"move", "recruit", "build", "research", "propose", "accept", "break"}
    assert kinds == last_waters | {"answer", "policies", "auto"}
    settings = [schemas[part["$ref"].rsplit("/", 1)[-1]] for part in schemas["RulesetSettings"]["anyOf"]]
    assert {"tick_cap", "holds_per_seat"} <= set(settings[0]["properties"])


def test_a_route_that_is_not_wholly_declared_cannot_be() -> None:
    def no_reply(visit: Visit) -> Nothing:
        """Words."""
        return Nothing()

    def no_words(visit: Visit) -> Reply[None]:
        return Reply()

    def no_path(visit: Visit, match: str) -> Reply[None]:
        """Words."""
        return Reply()

    before = list(ROUTES)
    for handler, path in ((no_reply, "/x"), (no_words, "/x"), (no_path, "/x"), (no_path, "/x/{other}")):
        with pytest.raises(ValueError):
            route("GET", path, who="anyone")(handler)  # type: ignore[type-var]
    with pytest.raises(TypeError):
        route("GET", "/x")  # type: ignore[call-arg]
    assert before == ROUTES


def test_path_forms_let_no_separator_through() -> None:
    for name, form in PATH_FORMS.items():
        for text in ("", "..%2f", "a b", "a\n", "é", "\0", "/a", "a/", "a//b", "../a", "a/../b", "a/.b"):
            assert not re.fullmatch(form, text)
        assert bool(re.fullmatch(form, "a/b")) is (name == "asset")


def test_the_page_shows_every_route_and_error(anyone: Client) -> None:
    page = anyone.get("/docs").text
    for declared in IN_THE_DOCUMENT:
        assert f'id="{declared.name}"' in page
    for code in problems.KINDS:
        if code != "method-not-allowed":
            assert f'<tr id="{code}">' in page, code
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets <= set(re.findall(r'id="([^"]+)"', page))
