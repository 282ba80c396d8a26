"""How a route is declared: everything that is checked, limited, validated and documented, in one place.

::

    @route("POST", "/v1/matches/{match}/orders", who=SEATED, status=201, limit=WRITE, creates=True,
           errors=("tick-closed",), rules=True)
    def file_order(visit: Visit, match: str, query: FilingTick, body: Json) -> Reply[Filed]: ...

The signature names the types: parameters called as in the path, ``query`` and ``body`` (structs that validate),
and ``Reply[Answer]``. Only declared routes are served.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from werkzeug.datastructures import Headers

from gateway import auth
from gateway.parts import Parts
from gateway.ratelimits import READ, Limit
from gateway.reading import SHORT_BODY
from shared.contracts.accounts import Session
from shared.contracts.base import Request

Answer = TypeVar("Answer")
CallAnswer = TypeVar("CallAnswer")
Handler = TypeVar("Handler", bound=Callable[..., "Reply[Any]"])

Who = Literal["anyone", "account", "creator", "seated"]
ANYONE: Who = "anyone"
ACCOUNT: Who = "account"
CREATOR: Who = "creator"
SEATED: Who = "seated"
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
CALL_SECONDS = 5.0

PATH_FORMS = {
    "match": "[A-Za-z0-9_.-]{1,64}",
    "order": "[A-Za-z0-9_.-]{1,64}",
    "code": "[A-Za-z0-9_.-]{1,64}",
    "ruleset": "[a-z0-9-]{1,40}",
    "handle": "[a-z0-9_-]{3,32}",
    "seat": "[1-9][0-9]{0,2}",
    "tick": "0|[1-9][0-9]{0,8}",
    "asset": "[A-Za-z0-9@_][A-Za-z0-9_.-]{0,63}(?:/[A-Za-z0-9@_][A-Za-z0-9_.-]{0,63}){0,7}",
}
"""What stands in a path by name; anything else there is no such resource (404). Only an asset has slashes."""
NUMBERS = frozenset({"seat", "tick"})

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
HTML = "text/html; charset=utf-8"


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """No fields: what a route takes that needs no body."""


@dataclass(frozen=True)
class Reply(Generic[Answer]):
    """``answer``: a struct, JSON text that is ready, None for no content, or pieces that are sent as they come.
    ``status`` and ``content_type`` where they are not the route's."""

    answer: Answer | bytes | Iterable[bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None
    content_type: str | None = None


@dataclass(frozen=True)
class Visit:
    """One request, past every check: who sent it, and what may be reached. ``key`` names the wish of a creating
    request that came with an Idempotency-Key; ``gone`` tells whether the client has left."""

    parts: Parts
    headers: Headers
    address: str
    request_id: str
    session_or_none: Session | None
    key: str | None = None
    base: tuple[str, str] = ("https", "")
    gone: Callable[[], bool] = lambda: False

    @property
    def session(self) -> Session:
        if self.session_or_none is None:
            raise RuntimeError("a route for anyone has no session")
        return self.session_or_none

    @property
    def account(self) -> str:
        return self.session.account

    def cookie(self, token: str, seconds: int) -> str:
        """The Set-Cookie header that signs this browser in; out with ``seconds`` 0."""
        secure = auth.wants_secure_cookie(*self.base, self.parts.ports.settings.insecure_cookies)
        return auth.cookie(token, seconds=seconds, secure=secure)

    def call(self, request: Request[CallAnswer], timeout: float = CALL_SECONDS) -> CallAnswer:
        return self.parts.ports.call(request, timeout)


@dataclass(frozen=True)
class Route:
    """A declared route. ``errors`` are those beyond what every route of its kind may answer; ``rules``: also the
    codes of the rulesets. ``creates``: takes an Idempotency-Key. ``documented``: part of the API, not of a page."""

    method: str
    path: str
    who: Who
    handler: Callable[..., Reply[Any]]
    name: str
    summary: str
    description: str
    status: int
    limit: Limit
    largest_body: int
    errors: tuple[str, ...]
    rules: bool
    creates: bool
    documented: bool
    content_type: str
    answer_note: str
    answer_headers: Mapping[str, str]
    request_headers: Mapping[str, str]
    path_names: tuple[str, ...]
    query: type[msgspec.Struct] | None
    body: Any
    answer: Any

    @property
    def unsafe(self) -> bool:
        return self.method in UNSAFE

    @property
    def signed_in(self) -> bool:
        return self.who != ANYONE

    def codes(self) -> tuple[str, ...]:
        """Every error code that this route may answer, rule codes aside."""
        found = ["malformed", "rate-limited", "unavailable", *self.errors]
        if self.signed_in:
            found.append("unauthenticated")
            if self.unsafe:
                found.append("csrf")
        if self.path_names:
            found.append("not-found")
        if self.body is not None or self.unsafe:
            found += ["too-large", "unsupported-media-type"]
        if self.creates:
            found += ["idempotency-in-progress", "idempotency-mismatch"]
        return tuple(dict.fromkeys(found))


ROUTES: list[Route] = []


def route(
    method: str,
    path: str,
    *,
    who: Who,
    status: int = 200,
    limit: Limit = READ,
    largest_body: int = SHORT_BODY,
    errors: tuple[str, ...] = (),
    rules: bool = False,
    creates: bool = False,
    documented: bool = True,
    content_type: str = JSON,
    answer_note: str = "",
    answer_headers: Mapping[str, str] | None = None,
    request_headers: Mapping[str, str] | None = None,
) -> Callable[[Handler], Handler]:
    """Declares the handler as a route. Raises ValueError for a declaration that does not fit its signature."""

    def declare(handler: Handler) -> Handler:
        names = tuple(re.findall(r"{(\w+)}", path))
        hints = get_type_hints(handler, include_extras=True)
        reply = hints.pop("return")
        if get_origin(reply) is not Reply:
            raise ValueError(f"{handler.__name__} must answer a Reply[...]")
        parameters = set(inspect.signature(handler).parameters)
        if parameters - {"visit", "query", "body"} != set(names) or set(names) - set(PATH_FORMS):
            raise ValueError(f"{handler.__name__} does not take what {path} names")
        summary, _, rest = inspect.cleandoc(handler.__doc__ or "").partition("\n")
        if not summary:
            raise ValueError(f"{handler.__name__} needs a docstring: it is the route's documentation")
        ROUTES.append(
            Route(
                method=method,
                path=path,
                who=who,
                handler=handler,
                name=handler.__name__,
                summary=summary,
                description=rest.strip(),
                status=status,
                limit=limit,
                largest_body=largest_body,
                errors=errors,
                rules=rules,
                creates=creates,
                documented=documented,
                content_type=content_type,
                answer_note=answer_note,
                answer_headers=answer_headers or {},
                request_headers=request_headers or {},
                path_names=names,
                query=hints.get("query"),
                body=hints.get("body"),
                answer=None if get_args(reply)[0] is type(None) else get_args(reply)[0],
            )
        )
        return handler

    return declare
