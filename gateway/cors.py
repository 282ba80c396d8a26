"""Which other web origins may call the API: exactly those that the operator lists, and never with cookies."""

from flask import Request, Response

ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
EXPOSED_HEADERS = "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID"
METHODS = "GET, POST, PUT, DELETE"
PREFLIGHT_SECONDS = "600"


def origins(setting: str) -> frozenset[str]:
    return frozenset(origin.strip() for origin in setting.split(",") if origin.strip())


def preflight(request: Request, allowed: frozenset[str]) -> Response | None:
    """The answer to a browser that asks before it sends; None for any other request."""
    if request.method != "OPTIONS" or request.headers.get("Origin") not in allowed:
        return None
    if "Access-Control-Request-Method" not in request.headers:
        return None
    return Response(
        status=204,
        headers={
            "Access-Control-Allow-Methods": METHODS,
            "Access-Control-Allow-Headers": ALLOWED_HEADERS,
            "Access-Control-Max-Age": PREFLIGHT_SECONDS,
        },
    )


def allow(request: Request, response: Response, allowed: frozenset[str]) -> None:
    """Lets a listed origin read the answer."""
    if not allowed:
        return
    response.vary.add("Origin")
    origin = request.headers.get("Origin")
    if origin in allowed:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
