"""The outermost layer, plain WSGI: a name for each request, the headers of every answer, other web origins.

Other origins may call the API if the operator lists them, and never with cookies.
"""

import random
from collections.abc import Callable, Iterable
from typing import Any

from shared.runtime.ids import Ids

Environ = dict[str, Any]
HeaderList = list[tuple[str, str]]
App = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

REQUEST_ID = "X-Request-ID"
REQUEST_ID_KEY = "lastwaters.request_id"
SPENT_KEY = "lastwaters.spent"
"""In the environ: the request's name, and what its limits are (``ratelimits.Spent``)."""

STANDING = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
"""On every answer that does not say otherwise."""
LISTED = (
    (
        "Access-Control-Expose-Headers",
        "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID",
    ),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
PREFLIGHT = (
    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE"),
    (
        "Access-Control-Allow-Headers",
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID",
    ),
    ("Access-Control-Max-Age", "600"),
)


class Edge:
    """Wraps the app. ``origins``: those that may call, comma separated."""

    def __init__(self, app: App, ids: Ids, origins: str) -> None:
        self._app = app
        self._origins = frozenset(origin.strip() for origin in origins.split(",") if origin.strip())
        # Names in logs need not be unguessable, only never the same; the system's generator would cost more.
        self._random = random.Random(ids.secret(32))

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        environ[REQUEST_ID_KEY] = request_id = f"rq-{self._random.getrandbits(96):024x}"
        origin = environ.get("HTTP_ORIGIN") if self._origins else None
        listed = origin in self._origins

        def start(status: str, headers: HeaderList, exc_info: Any = None) -> Any:
            if listed and origin is not None:
                headers.append(("Access-Control-Allow-Origin", origin))
                headers.extend(LISTED)
            if self._origins:
                headers.append(("Vary", "Origin"))
            given = {name for name, _ in headers}
            headers.extend(header for header in STANDING if header[0] not in given)
            headers.append((REQUEST_ID, request_id))
            spent = environ.get(SPENT_KEY)
            if spent is not None:
                headers.extend(spent.headers())
            return start_response(status, headers, exc_info)

        if (
            listed
            and environ["REQUEST_METHOD"] == "OPTIONS"
            and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        ):
            start("204 No Content", list(PREFLIGHT))
            return ()
        return self._app(environ, start)
