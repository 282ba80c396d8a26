"""The way of every request: limits, session, CSRF, path, query, body, the route's handler, the answer."""

import hashlib
import re
import threading
import time
from collections.abc import Callable
from typing import Any

import flask
import msgspec
import structlog
from flask import Request, Response
from prometheus_client import Histogram

from gateway import auth, problems, reading
from gateway.departure import departure
from gateway.edge import REQUEST_ID_KEY, SPENT_KEY
from gateway.parts import Parts
from gateway.ratelimits import ADDRESS, FILE, READ, RateLimited, address_key
from gateway.route import CALL_SECONDS, EVENT_STREAM, NUMBERS, Nothing, Reply, Route, Visit
from shared.contracts.accounts import Session
from shared.contracts.base import Refusal
from shared.contracts.lobby import GetMatch
from shared.runtime.metrics import CALL_BUCKETS
from shared.runtime.service import Unavailable

IDEMPOTENCY_KEY = "Idempotency-Key"
_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)
_ETAGS = re.compile(r'(?:W/)?("[\x21\x23-\x7e]*")')

REQUESTS = Histogram(
    "lastwaters_request_seconds",
    "Requests answered by the gateway, by route and status",
    ("route", "status"),
    buckets=CALL_BUCKETS,
)

log = structlog.get_logger()
_encoder = msgspec.json.Encoder()


class Dispatcher:
    """Makes a Flask view of each declared route."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lock = threading.Lock()
        self._at_work: set[str] = set()

    def view(self, route: Route) -> Callable[..., Response]:
        def view(**path: str) -> Response:
            request: Request = flask.request._get_current_object()  # type: ignore[attr-defined]
            started = time.perf_counter()
            with structlog.contextvars.bound_contextvars(correlation=request.environ[REQUEST_ID_KEY]):
                response = self._guarded(route, request, path)
                status = response.status_code
                seconds = time.perf_counter() - started
                if status not in timed:
                    timed[status] = REQUESTS.labels(route.name, str(status))
                timed[status].observe(seconds)
                if route.unsafe or status >= 500:
                    match = path.get("match")
                    log.info(
                        "answered", route=route.name, match=match, status=status, seconds=round(seconds, 4)
                    )
            return response

        timed: dict[int, Histogram] = {}
        return view

    def _guarded(self, route: Route, request: Request, path: dict[str, str]) -> Response:
        try:
            return self._answer(route, request, path)
        except RateLimited as refusal:
            request.environ[SPENT_KEY] = refusal.spent
            return problems.refused(refusal)
        except Refusal as refusal:
            refusal = self._before_the_start(route, request, path, refusal)
            if problems.kind_of(refusal.code) is None:
                log.error("refusal.unknown", code=refusal.code, route=route.name)
                return problems.respond(problems.INTERNAL)
            return problems.refused(refusal)
        except Unavailable as error:
            log.warning("service.unavailable", unavailable=error.service, route=route.name)
            return problems.respond("unavailable")

    def _before_the_start(
        self, route: Route, request: Request, path: dict[str, str], refusal: Refusal
    ) -> Refusal:
        """Most services know a match only from its start on; those who sit in its lobby, or sat there when it was
        called off, are told that."""
        if refusal.code != "not-found" or "not-started" not in route.errors:
            return refusal
        try:
            account = self._parts.sessions.of(request).account
            detail = self._parts.ports.call(GetMatch(account=account, match=path["match"]), CALL_SECONDS)
        except (Refusal, Unavailable):
            return refusal
        if detail.your_seat is not None and (detail.started_at is None or detail.status == "lobby"):
            return Refusal("not-started", "The match has not started.")
        return refusal

    def _answer(self, route: Route, request: Request, path: dict[str, str]) -> Response:
        address = address_key(request.remote_addr or "")
        limiter = self._parts.limiter
        request.environ[SPENT_KEY] = limiter.spend(FILE if route.limit is FILE else ADDRESS, address)
        session: Session | None = None
        if route.signed_in:
            session = self._parts.sessions.of(request)
            request.environ[SPENT_KEY] = limiter.spend(route.limit, session.account)
            if route.unsafe:
                auth.check_csrf(request, session)
        elif route.limit not in (READ, FILE):
            request.environ[SPENT_KEY] = limiter.spend(route.limit, address)
        arguments: dict[str, Any] = {
            name: int(text) if name in NUMBERS else text for name, text in path.items()
        }
        query = reading.query(request.query_string, route.query or Nothing)
        if route.query is not None:
            arguments["query"] = query
        given = reading.body(request, route.largest_body)
        if route.body is not None:
            arguments["body"] = reading.typed(
                {} if given is None and takes_nothing(route.body) else given, route.body
            )
        elif given is not None:
            raise reading.malformed("This request takes no body.")
        key = self._key(route, request, session) if route.creates else None
        visit = Visit(
            parts=self._parts,
            headers=request.headers,
            address=address,
            request_id=request.environ[REQUEST_ID_KEY],
            session_or_none=session,
            key=key,
            base=(request.scheme, request.host),
            gone=departure(request.environ),
        )
        if key is None:
            return respond(route, request, route.handler(visit, **arguments))
        with self._lock:
            if key in self._at_work:
                raise Refusal(
                    "idempotency-in-progress", "The first request with this key is not answered yet."
                )
            self._at_work.add(key)
        try:
            return respond(route, request, route.handler(visit, **arguments))
        finally:
            with self._lock:
                self._at_work.discard(key)

    @staticmethod
    def _key(route: Route, request: Request, session: Session | None) -> str | None:
        """The wish's name: the same for the same account (or address), route and Idempotency-Key."""
        header = request.headers.get(IDEMPOTENCY_KEY)
        if header is None:
            return None
        if not _KEY.fullmatch(header):
            raise reading.malformed(f"{IDEMPOTENCY_KEY} is 1 to 255 visible ASCII characters.")
        who = session.account if session is not None else address_key(request.remote_addr or "")
        return hashlib.sha256(f"{route.method} {route.path}\n{who}\n{header}".encode()).hexdigest()


def takes_nothing(body: Any) -> bool:
    """Whether an absent body will do: no field of the struct is required."""
    return (
        isinstance(body, type)
        and issubclass(body, msgspec.Struct)
        and not any(field.required for field in msgspec.structs.fields(body))
    )


def respond(route: Route, request: Request, reply: Reply[Any]) -> Response:
    """The HTTP answer of a reply; 304 where the client has it already."""
    status = reply.status or route.status
    answer = reply.answer
    if answer is None:
        return Response(b"", 204 if status == 200 else status, dict(reply.headers))
    etag = reply.headers.get("ETag")
    if etag is not None and request.method in ("GET", "HEAD") and _has(request, etag):
        return Response(b"", 304, dict(reply.headers))
    if isinstance(answer, bytes | msgspec.Raw):
        body: Any = bytes(answer)
    elif isinstance(answer, msgspec.Struct):
        body = _encoder.encode(answer)
    else:
        body = answer
    response = Response(
        body, status, dict(reply.headers), content_type=reply.content_type or route.content_type
    )
    if route.content_type == EVENT_STREAM:
        response.headers["X-Accel-Buffering"] = "no"
    return response


def _has(request: Request, etag: str) -> bool:
    given = request.headers.get("If-None-Match")
    if given is None:
        return False
    return given.strip() == "*" or etag in _ETAGS.findall(given)
