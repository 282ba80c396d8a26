"""The web client: its page, and the files that the page asks for."""

from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from gateway.ratelimits import FILE
from gateway.route import ANYONE, HTML, Reply, Visit, route
from gateway.routes.play import CONDITIONAL
from gateway.web_files import WebFile
from shared.contracts.base import Refusal

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
OURS, VENDORED = "no-cache", "max-age=86400"


@route("GET", "/", who=ANYONE, limit=FILE, content_type=HTML, request_headers=CONDITIONAL)
def get_client(visit: Visit) -> Reply[str]:
    """The web client."""
    return _sent(visit, visit.parts.web_files.index(), {"Content-Security-Policy": POLICY})


@route("GET", "/web/{asset}", who=ANYONE, limit=FILE, documented=False, request_headers=CONDITIONAL)
def get_web_file(visit: Visit, asset: str) -> Reply[str]:
    """A file of the web client."""
    return _sent(visit, visit.parts.web_files.find(asset))


def _sent(visit: Visit, found: WebFile | None, headers: dict[str, str] | None = None) -> Reply[str]:
    if found is None:
        raise Refusal("not-found", "")
    accepted = parse_accept_header(visit.headers.get("Accept-Encoding"), Accept)
    body, told = found.sent(gzipped=accepted.quality("gzip") > 0)
    caching = {"Cache-Control": VENDORED if found.vendored else OURS}
    return Reply(body, {**told, **caching, **(headers or {})}, content_type=found.content_type)
