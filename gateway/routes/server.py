"""The server itself: its health and its documentation."""

from functools import cache
from typing import Any

import msgspec

from gateway import pages
from gateway.openapi import document
from gateway.route import ANYONE, HTML, ROUTES, Reply, Visit, route
from gateway.views import entity_tag
from shared import rulesets
from shared.runtime.service import Unavailable

PAGE_POLICY = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-cache",
}


class Health(msgspec.Struct, frozen=True):
    status: str


@route("GET", "/healthz", who=ANYONE)
def get_health(visit: Visit) -> Reply[Health]:
    """Whether the gateway is alive."""
    return Reply(Health("ok"))


@route("GET", "/readyz", who=ANYONE)
def get_readiness(visit: Visit) -> Reply[Health]:
    """Whether what the gateway needs is there. What is missing stands on the operations port only."""
    if not visit.parts.ports.ready():
        raise Unavailable("dependencies", "not all are there")
    return Reply(Health("ok"))


@route("GET", "/openapi.json", who=ANYONE)
def get_openapi(visit: Visit) -> Reply[dict[str, Any]]:
    """This interface, as OpenAPI 3.1."""
    body = _document(rulesets.installed())
    return Reply(body, {"ETag": entity_tag(body), "Cache-Control": "no-cache"})


@cache
def _document(installed: tuple[str, ...]) -> bytes:
    return msgspec.json.encode(document(ROUTES))


@cache
def _docs(installed: tuple[str, ...]) -> bytes:
    return pages.docs(document(ROUTES)).encode()


@route("GET", "/docs", who=ANYONE, content_type=HTML)
def get_docs(visit: Visit) -> Reply[str]:
    """This interface, to read."""
    return Reply(_docs(rulesets.installed()), PAGE_POLICY)


@route("GET", "/docs.css", who=ANYONE, content_type="text/css; charset=utf-8")
def get_docs_style(visit: Visit) -> Reply[str]:
    """How the pages look."""
    return Reply(pages.STYLE.encode(), {"Cache-Control": "no-cache"})
