"""The pages and the headers that every answer carries."""

import re
from typing import Any

import pytest

from tests.gateway.conftest import Client, Gateway, refused


def test_the_documentation_stands_by_itself(anyone: Client) -> None:
    page = anyone.get("/docs")
    assert page.status_code == 200
    assert page.content_type == "text/html; charset=utf-8"
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "<script" not in page.text
    assert " style=" not in page.text
    assert " on" not in "".join(re.findall(r"<[^>]+>", page.text))
    for address in re.findall(r'(?:href|src)="([^"]+)"', page.text):
        assert address.startswith(("/", "#")) and not address.startswith("//"), address


@pytest.mark.parametrize("path", ["/v1/me", "/nothing", "/v1/matches/m1", "/docs.css", "/healthz"])
def test_headers_of_every_answer(ada: Client, path: str) -> None:
    answer = ada.get(path)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Request-ID"]
    assert "Content-Security-Policy" in answer.headers
    assert "Server" not in answer.headers or "Python" not in answer.headers["Server"]


def test_answers_for_one_account_are_not_stored(ada: Client) -> None:
    for path in ("/v1/me", "/v1/matches/m1", "/v1/matches/m1/options", "/v1/me/blocks"):
        assert ada.get(path).headers["Cache-Control"] == "no-store"


def test_other_origins_are_let_in_only_where_listed(make_gateway: Any) -> None:
    gateway: Gateway = make_gateway(cors_origins="https://play.example, https://other.example")
    ada = gateway.as_("ada")
    asked = {"Access-Control-Request-Method": "POST"}
    listed = {"Origin": "https://play.example"}
    preflight = ada("OPTIONS", "/v1/matches", headers={**listed, **asked})
    assert preflight.status_code == 204
    assert preflight.headers["Access-Control-Allow-Origin"] == "https://play.example"
    answer = ada.get("/v1/me", headers=listed)
    assert answer.headers["Access-Control-Allow-Origin"] == "https://play.example"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Origin" in answer.headers["Vary"]
    for origin in (
        "https://evil.example",
        "https://play.example.evil.example",
        "null",
        "http://play.example",
    ):
        refused(ada("OPTIONS", "/v1/matches", headers={"Origin": origin, **asked}), 405, "method-not-allowed")
        assert "Access-Control-Allow-Origin" not in ada.get("/v1/me", headers={"Origin": origin}).headers


def test_no_origin_is_let_in_by_default(ada: Client) -> None:
    answer = ada.get("/v1/me", headers={"Origin": "https://play.example"})
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
